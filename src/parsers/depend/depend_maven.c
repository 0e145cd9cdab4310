/* depend_maven.c -- pom.xml, read with expat.
 *
 * No document type is allowed, so there are no entities except XML's own five,
 * and nothing is fetched.  "${name}" is replaced if this file defines it.  What
 * a parent defines is not known here, so it stays as it is written; what it manages
 * is looked up afterwards (depend_managed.c).
 * Source: maven.apache.org, "POM Reference". */
#include <errno.h>
#include <expat.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#include "parsers/depend/depend.h"
#include "parsers/depend/depend_pom.h"

#define POM_DEPTH 64U

enum place {
	PLACE_OTHER,
	PLACE_PROJECT,
	PLACE_PARENT,
	PLACE_PROFILES,
	PLACE_PROFILE, /* perhaps active: what it adds is taken */
	PLACE_PROPERTIES,
	PLACE_MODULES,
	PLACE_MANAGEMENT,
	PLACE_DEPENDENCIES,
	PLACE_DEPENDENCY,
	PLACE_REPOSITORY, /* also a mirror */
	PLACE_ANY,        /* of ways[]: anywhere */
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

struct pom {
	struct depend *depend;
	struct depend_file *file;
	XML_Parser parser;
	enum place places[POM_DEPTH + 1];
	unsigned depth;
	bool has_stopped, is_managed, is_parent_elsewhere;
	struct buf text; /* of the open element */
	struct json_text fields[FIELD_MAX_];
	struct pom_properties properties;
	size_t from; /* the first wish of this file */
	size_t registries_from;
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
	{ PLACE_PROJECT, "profiles", PLACE_PROFILES },
	{ PLACE_PROFILES, "profile", PLACE_PROFILE },
	{ PLACE_PROFILE, "modules", PLACE_MODULES },
	{ PLACE_PROFILE, "dependencies", PLACE_DEPENDENCIES },
	{ PLACE_PROFILE, "dependencyManagement", PLACE_MANAGEMENT },
	{ PLACE_MANAGEMENT, "dependencies", PLACE_DEPENDENCIES },
	{ PLACE_DEPENDENCIES, "dependency", PLACE_DEPENDENCY },
	{ PLACE_ANY, "repository", PLACE_REPOSITORY },
	{ PLACE_ANY, "pluginRepository", PLACE_REPOSITORY },
	{ PLACE_ANY, "snapshotRepository", PLACE_REPOSITORY },
	{ PLACE_ANY, "mirror", PLACE_REPOSITORY },
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
		if ((ways[i].in == p->places[p->depth - 1] ||
		     ways[i].in == PLACE_ANY) &&
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
	place = p->places[p->depth] = place_find(p, element);
	if (place == PLACE_DEPENDENCY)
		memset(p->fields, 0, sizeof p->fields);
	p->is_managed |= place == PLACE_MANAGEMENT;
	p->text.len = 0;
	p->text.failed = false;
}

static void XMLCALL on_text(void *data, const char *bytes, int len)
{
	struct pom *p = data;

	/* Maven takes the blanks off, however many. */
	while (p->text.len == 0 && len > 0 &&
	       strchr(" \t\r\n", *bytes) != NULL) {
		bytes++;
		len--;
	}
	buf_add(&p->text, bytes, (size_t)len);
}

static struct json_text text_take(struct pom *p)
{
	struct json_text t = { p->text.bytes, p->text.len };

	if (buf_has_failed(&p->text))
		report_note(&p->depend->report->errors, "string_too_long",
			    p->file->in,
			    (int64_t)XML_GetCurrentByteIndex(p->parser),
			    "a text over 4 KiB is left out");
	if (buf_has_failed(&p->text) || t.len == 0)
		return (struct json_text){ NULL, 0 };
	return depend_keep(p->depend, text_trim_lines(t));
}

static void property_put(struct pom *p, const char *name)
{
	const struct json_text t = { name, strlen(name) };
	const struct json_text none = { NULL, 0 };
	/* A long list of something stays as "${name}". */
	const struct json_text value =
		buf_has_failed(&p->text) ? none : text_take(p);

	/* Another pom.xml may use it as the address of a repository. */
	if (text_has(value, "://"))
		depend_registry_add(p->depend, p->file, value);
	depend_property_put(&p->properties, depend_keep(p->depend, t), value);
}

/* <relativePath/> says that the parent is not in the repository. */
static void parent_put(struct pom *p, const char *element)
{
	if (strcmp(element, "artifactId") == 0) {
		p->file->parent = text_take(p);
	} else if (strcmp(element, "relativePath") == 0) {
		p->file->parent_path = text_take(p);
		p->is_parent_elsewhere = p->file->parent_path.len == 0;
	}
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
	if (is_parent)
		parent_put(p, element);
	if (strcmp(element, "version") == 0 &&
	    (!is_parent || p->file->version.bytes == NULL))
		p->file->version = text_take(p);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (names[i].is_parent == is_parent &&
		    strcmp(element, names[i].element) == 0)
			property_put(p, names[i].name);
}

static const char *kind_of_scope(const struct pom *p)
{
	if (text_is(p->fields[FIELD_SCOPE], "test"))
		return "dev";
	if (text_is(p->fields[FIELD_SCOPE], "provided"))
		return "build";
	return "runtime";
}

static const char *kind_of(const struct pom *p)
{
	if (p->is_managed)
		return "managed";
	return text_is(p->fields[FIELD_OPTIONAL], "true") ? "optional"
							  : kind_of_scope(p);
}

static void dependency_end(struct pom *p)
{
	owned_buf struct buf name = { .cap_bytes = POM_TEXT_BYTES };
	struct depend_wish w = {
		.file = p->file,
		.kind = kind_of(p),
		.managed_kind = p->is_managed ? kind_of_scope(p) : NULL,
		.has_kind = p->fields[FIELD_SCOPE].len > 0 ||
			    text_is(p->fields[FIELD_OPTIONAL], "true"),
	};
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
	p->is_managed &= place != PLACE_MANAGEMENT;
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
	case PLACE_REPOSITORY:
		if (strcmp(element, "url") == 0)
			depend_registry_add(p->depend, p->file, text_take(p));
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

static void text_expand(struct pom *p, struct json_text *t)
{
	*t = depend_text_expand(p->depend, &p->properties, *t);
}

static void wishes_expand(struct pom *p)
{
	struct depend *d = p->depend;

	depend_properties_sort(&p->properties);
	text_expand(p, &p->file->version);
	for (size_t i = p->from; i < d->wishes_len; i++) {
		text_expand(p, &d->wishes[i].name);
		text_expand(p, &d->wishes[i].constraint);
	}
	for (size_t i = p->registries_from; i < d->registries_len; i++)
		text_expand(p, &d->registries[i].text);
	if (p->properties.is_cut)
		report_note(&d->report->errors, "truncated", p->file->in, -1,
			    "too many properties; some texts stay as they are "
			    "written, or have an earlier value");
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
	p->registries_from = d->registries_len;
	p->text.cap_bytes = POM_TEXT_BYTES;
	p->parser = XML_ParserCreate(NULL);
	if (p->parser != NULL) {
		read_all(p);
		XML_ParserFree(p->parser);
		wishes_expand(p);
		if (p->is_parent_elsewhere)
			f->parent = (struct json_text){ NULL, 0 };
		e = p->has_stopped ? -EINVAL : 0;
	} else {
		report_note(&d->report->errors, "memory", f->in, -1,
			    "no memory to read it");
	}
	buf_done(&p->text);
	free(p);
	return e;
}
