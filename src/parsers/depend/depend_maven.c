/* depend_maven.c -- pom.xml, read with expat.
 *
 * No document type is allowed, so there are no entities except XML's own five,
 * and nothing is fetched.  "${name}" is replaced if this file defines it.  What
 * a parent defines is not known here, so it stays as it is written.
 * Source: maven.apache.org, "POM Reference". */
#include <errno.h>
#include <expat.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "parsers/depend/depend.h"

#define POM_DEPTH          64U
#define POM_PROPERTIES_MAX 1000U
#define POM_TEXT_BYTES     ((size_t)4096)
#define POM_LOOKUPS_MAX    20000000U /* properties compared: a tenth second */

enum place {
	PLACE_OTHER,
	PLACE_PROJECT,
	PLACE_PARENT,
	PLACE_PROPERTIES,
	PLACE_MODULES,
	PLACE_MANAGEMENT,
	PLACE_DEPENDENCIES,
	PLACE_DEPENDENCY,
};

enum field {
	FIELD_GROUP,
	FIELD_ARTIFACT,
	FIELD_VERSION,
	FIELD_SCOPE,
	FIELD_OPTIONAL,
	FIELD_MAX_
};

static const char *const field_names[] = {
	[FIELD_GROUP] = "groupId",     [FIELD_ARTIFACT] = "artifactId",
	[FIELD_VERSION] = "version",   [FIELD_SCOPE] = "scope",
	[FIELD_OPTIONAL] = "optional",
};

struct property {
	struct json_text name, value;
};

struct pom {
	struct depend *depend;
	struct depend_file *file;
	XML_Parser parser;
	enum place places[POM_DEPTH + 1];
	unsigned depth;
	bool has_stopped, is_managed;
	struct buf text; /* of the open element */
	struct json_text fields[FIELD_MAX_];
	struct property properties[POM_PROPERTIES_MAX];
	size_t properties_len, from; /* from: the first wish of this file */
	size_t lookups;
};

/* What an element is, according to where it stands. */
static const struct {
	enum place in;
	const char *element;
	enum place is;
} ways[] = {
	{ PLACE_PROJECT, "parent", PLACE_PARENT },
	{ PLACE_PROJECT, "properties", PLACE_PROPERTIES },
	{ PLACE_PROJECT, "modules", PLACE_MODULES },
	{ PLACE_PROJECT, "dependencies", PLACE_DEPENDENCIES },
	{ PLACE_PROJECT, "dependencyManagement", PLACE_MANAGEMENT },
	{ PLACE_MANAGEMENT, "dependencies", PLACE_DEPENDENCIES },
	{ PLACE_DEPENDENCIES, "dependency", PLACE_DEPENDENCY },
};

static void stop(struct pom *p, const char *code, const char *message)
{
	long at = (long)XML_GetCurrentByteIndex(p->parser);

	if (!p->has_stopped)
		report_note(&p->depend->report->errors, code, p->file->in,
			    at > 0 ? at : 0, message);
	p->has_stopped = true;
	(void)XML_StopParser(p->parser, XML_FALSE);
}

static enum place place_find(const struct pom *p, const char *element)
{
	if (p->depth == 1)
		return strcmp(element, "project") == 0 ? PLACE_PROJECT
						       : PLACE_OTHER;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (ways[i].in == p->places[p->depth - 1] &&
		    strcmp(ways[i].element, element) == 0)
			return ways[i].is;
	return PLACE_OTHER;
}

static void XMLCALL on_start(void *data, const char *element,
			     const char **attributes)
{
	struct pom *p = data;
	enum place place;

	(void)attributes;
	if (p->has_stopped)
		return;
	if (++p->depth > POM_DEPTH) {
		stop(p, "too_deep", "elements nest deeper than 64");
		return;
	}
	place = place_find(p, element);
	p->places[p->depth] = place;
	if (place == PLACE_DEPENDENCY)
		memset(p->fields, 0, sizeof p->fields);
	if (place == PLACE_MANAGEMENT)
		p->is_managed = true;
	p->text.len = 0;
	p->text.failed = false;
}

static void XMLCALL on_text(void *data, const char *bytes, int len)
{
	struct pom *p = data;

	buf_add(&p->text, bytes, (size_t)len);
}

static struct json_text text_take(struct pom *p)
{
	struct json_text t = { p->text.bytes, p->text.len };

	if (buf_has_failed(&p->text) || t.len == 0)
		return (struct json_text){ NULL, 0 };
	while (t.len > 0 && strchr(" \t\r\n", t.bytes[0]) != NULL)
		t = text_from(t, 1);
	while (t.len > 0 && strchr(" \t\r\n", t.bytes[t.len - 1]) != NULL)
		t.len--;
	return depend_keep(p->depend, t);
}

static void property_put(struct pom *p, const char *name)
{
	const struct json_text t = { name, strlen(name) };

	if (p->properties_len == POM_PROPERTIES_MAX)
		return;
	p->properties[p->properties_len++] =
		(struct property){ depend_keep(p->depend, t), text_take(p) };
}

/* Take the project's own version and group, and its parent's. */
static void own_put(struct pom *p, const char *element, bool is_parent)
{
	static const struct {
		const char *element;
		bool is_parent;
		const char *name;
	} names[] = {
		{ "version", false, "project.version" },
		{ "groupId", false, "project.groupId" },
		{ "version", true, "project.parent.version" },
		{ "groupId", true, "project.parent.groupId" },
		/* what the project does not say is as in its parent */
		{ "version", true, "project.version" },
		{ "groupId", true, "project.groupId" },
	};

	if (!is_parent && strcmp(element, "artifactId") == 0)
		p->file->name = text_take(p);
	if (!is_parent && strcmp(element, "version") == 0)
		p->file->version = text_take(p);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].is_parent == is_parent &&
		    strcmp(element, names[i].element) == 0)
			property_put(p, names[i].name);
}

static const char *kind_of(const struct pom *p)
{
	if (p->is_managed)
		return "managed";
	if (text_is(p->fields[FIELD_OPTIONAL], "true"))
		return "optional";
	if (text_is(p->fields[FIELD_SCOPE], "test"))
		return "dev";
	if (text_is(p->fields[FIELD_SCOPE], "provided"))
		return "build";
	return "runtime";
}

static void dependency_end(struct pom *p)
{
	owned_buf struct buf name = { .cap_bytes = POM_TEXT_BYTES };
	struct depend_wish w = { .file = p->file, .kind = kind_of(p) };
	const struct json_text group = p->fields[FIELD_GROUP],
			       artifact = p->fields[FIELD_ARTIFACT];

	if (group.len == 0 || artifact.len == 0)
		return;
	buf_add(&name, group.bytes, group.len);
	buf_char(&name, ':');
	buf_add(&name, artifact.bytes, artifact.len);
	if (buf_has_failed(&name))
		return;
	w.name = depend_keep(p->depend,
			     (struct json_text){ name.bytes, name.len });
	w.constraint = p->fields[FIELD_VERSION];
	depend_wish_add(p->depend, &w);
}

static void field_put(struct pom *p, const char *element)
{
	for (size_t i = 0; i < FIELD_MAX_; i++)
		if (strcmp(element, field_names[i]) == 0)
			p->fields[i] = text_take(p);
}

static void XMLCALL on_end(void *data, const char *element)
{
	struct pom *p = data;
	enum place place;

	if (p->has_stopped || p->depth == 0)
		return;
	place = p->places[p->depth--];
	if (place == PLACE_DEPENDENCY)
		dependency_end(p);
	if (place == PLACE_MANAGEMENT)
		p->is_managed = false;
	if (place != PLACE_OTHER || p->depth == 0)
		return;
	switch (p->places[p->depth]) {
	case PLACE_PROJECT:
	case PLACE_PARENT:
		own_put(p, element, p->places[p->depth] == PLACE_PARENT);
		break;
	case PLACE_PROPERTIES:
		property_put(p, element);
		break;
	case PLACE_MODULES:
		if (strcmp(element, "module") == 0)
			depend_home_add(p->depend, p->file, text_take(p));
		break;
	case PLACE_DEPENDENCY:
		field_put(p, element);
		break;
	default:
		break;
	}
	p->text.len = 0;
}

static void XMLCALL on_doctype(void *data, const char *name, const char *system,
			       const char *public, int has_internal)
{
	(void)name;
	(void)system;
	(void)public;
	(void)has_internal;
	stop(data, "doctype", "a document type declaration");
}

/* The last one in the file counts, because a project comes after its parent. */
static const struct property *property_find(struct pom *p,
					    struct json_text name)
{
	p->lookups += p->properties_len;
	if (p->lookups > POM_LOOKUPS_MAX)
		return NULL;
	for (size_t i = p->properties_len; i > 0; i--)
		if (text_order(p->properties[i - 1].name, name) == 0)
			return &p->properties[i - 1];
	return NULL;
}

/* Expand "${a}-${b}" once.  What a property itself refers to is expanded a
 * second time, and no further. */
static struct json_text text_expand(struct pom *p, struct json_text t,
				    unsigned more)
{
	owned_buf struct buf out = { .cap_bytes = POM_TEXT_BYTES };
	struct json_text rest = t;

	if (!text_has(t, "${"))
		return t;
	while (rest.len > 0) {
		const char *at = memmem(rest.bytes, rest.len, "${", 2);
		size_t before = at ? (size_t)(at - rest.bytes) : rest.len;
		struct json_text name, after;
		const struct property *found;

		buf_add(&out, rest.bytes, before);
		rest = text_from(rest, before);
		if (at == NULL)
			break;
		name = text_cut(text_from(rest, 2), '}', &after);
		found = after.bytes != NULL ? property_find(p, name) : NULL;
		if (found != NULL && found->value.bytes != NULL)
			buf_add(&out, found->value.bytes, found->value.len);
		else
			buf_add(&out, rest.bytes,
				after.bytes != NULL
					? (size_t)(after.bytes - rest.bytes)
					: rest.len);
		rest = after;
	}
	if (buf_has_failed(&out))
		return t;
	t = depend_keep(p->depend, (struct json_text){ out.bytes, out.len });
	return more > 0 ? text_expand(p, t, more - 1) : t;
}

static void wishes_expand(struct pom *p)
{
	for (size_t i = p->from; i < p->depend->wishes_len; i++) {
		struct depend_wish *w = &p->depend->wishes[i];

		w->name = text_expand(p, w->name, 1);
		w->constraint = text_expand(p, w->constraint, 1);
	}
}

/* The kernel's own random bytes.  expat would ask the kernel for more, which
 * the wall does not allow. */
static unsigned long salt(void)
{
	const void *random = (const void *)getauxval(
		AT_RANDOM); // NOLINT(performance-no-int-to-ptr)
	unsigned long value = 0;

	if (random != NULL)
		memcpy(&value, random, sizeof value);
	return value | 1;
}

static void read_all(struct pom *p)
{
	const struct parse_input *in = p->file->in;

	XML_SetHashSalt(p->parser, salt());
	XML_SetUserData(p->parser, p);
	XML_SetElementHandler(p->parser, on_start, on_end);
	XML_SetCharacterDataHandler(p->parser, on_text);
	XML_SetStartDoctypeDeclHandler(p->parser, on_doctype);
	if (in->len > INT_MAX ||
	    XML_Parse(p->parser, in->bytes, (int)in->len, XML_TRUE) ==
		    XML_STATUS_OK ||
	    p->has_stopped)
		return;
	stop(p, "not_xml", XML_ErrorString(XML_GetErrorCode(p->parser)));
}

int depend_pom_read(struct depend *d, struct depend_file *f)
{
	struct pom *p = calloc(1, sizeof *p);
	int e = -EINVAL;

	if (p == NULL) {
		report_note(&d->report->errors, "memory", f->in, -1,
			    "no memory to read it");
		return -EINVAL;
	}
	p->depend = d;
	p->file = f;
	p->from = d->wishes_len;
	p->text.cap_bytes = POM_TEXT_BYTES;
	p->parser = XML_ParserCreate(NULL);
	if (p->parser != NULL) {
		read_all(p);
		XML_ParserFree(p->parser);
		wishes_expand(p);
		e = p->has_stopped ? -EINVAL : 0;
	} else {
		report_note(&d->report->errors, "memory", f->in, -1,
			    "no memory to read it");
	}
	buf_done(&p->text);
	free(p);
	return e;
}
