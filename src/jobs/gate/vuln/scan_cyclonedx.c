/* scan_cyclonedx.c -- reads CycloneDX 1.4 to 1.6 with vulnerabilities.
 *
 * What the report says in mitigation ("analysis", affects[].versions[].status)
 * does not count, because whoever is judged wrote it. */
#include <stdlib.h>
#include <string.h>

#include "jobs/gate/vuln/scan.h"

#define DEPTH_MAX 64U /* of components within components */

struct part {
	const char *ref;
	const struct json_value *component;
};

struct parts {
	struct part *items; /* sorted by ref */
	size_t len;
};

static int order(const void *a, const void *b)
{
	return strcmp(((const struct part *)a)->ref,
		      ((const struct part *)b)->ref);
}

static const struct json_value *list_find(const struct json_value *v,
					  const char *name)
{
	const struct json_value *m = json_find(v, name);

	return m != NULL && m->type == JSON_ARRAY ? m : NULL;
}

/* Add a component and its parts, which references may lead to, too.  If items
 * is NULL they are only counted. */
static void part_add(const struct json_value *one, unsigned depth,
		     struct parts *ret)
{
	const char *ref = vuln_text_find(one, "bom-ref");
	const struct json_value *list = list_find(one, "components");

	if (ref != NULL && ret->items != NULL)
		ret->items[ret->len] = (struct part){ ref, one };
	ret->len += ref != NULL;
	for (size_t i = 0; depth > 0 && list != NULL && i < list->u.array.len;
	     i++)
		part_add(&list->u.array.items[i], depth - 1, ret);
}

/* Add what the document is about, and its parts. */
static void parts_add(const struct json_value *root, struct parts *ret)
{
	const struct json_value *metadata = json_find(root, "metadata");
	const struct json_value *about =
		metadata != NULL ? json_find(metadata, "component") : NULL;

	if (about != NULL)
		part_add(about, DEPTH_MAX, ret);
	part_add(root, DEPTH_MAX, ret);
}

static bool parts_read(const struct json_value *root, struct vulns *v,
		       struct parts *ret)
{
	parts_add(root, ret);
	ret->items = arena_array(v->arena, ret->len + 1, sizeof *ret->items);
	if (ret->items == NULL) {
		v->no_memory = true;
		return false;
	}
	ret->len = 0;
	parts_add(root, ret);
	if (ret->len > 0)
		qsort(ret->items, ret->len, sizeof *ret->items, order);
	return true;
}

/* The first rating that gives a severity, and not only that it is unknown. */
static const struct json_value *severity_find(const struct json_value *v)
{
	const struct json_value *list = list_find(v, "ratings");

	for (size_t i = 0; list != NULL && i < list->u.array.len; i++) {
		const struct json_value *s =
			json_find(&list->u.array.items[i], "severity");

		if (s != NULL && !json_is_text(s, "unknown"))
			return s;
	}
	return NULL;
}

/* Add a component by its reference.  One in another document is named by the
 * reference itself. */
static void affected_add(const struct json_value *v, const char *ref,
			 const struct parts *parts, struct vulns *ret)
{
	const struct part wanted = { .ref = ref };
	const struct part *part =
		parts->len > 0 ? bsearch(&wanted, parts->items, parts->len,
					 sizeof *parts->items, order)
			       : NULL;
	const struct json_value *c = part != NULL ? part->component : NULL;
	const char *purl = vuln_text_find(c, "purl");
	const char *name = vuln_text_find(c, "name");
	const char *group = vuln_text_find(c, "group");

	/* "@angular" and "core" are one package of npm's */
	if (name != NULL && group != NULL && group[0] != '\0')
		name = arena_format(ret->arena, "%s/%s", group, name);
	if (purl == NULL || purl[0] == '\0')
		purl = name != NULL
			       ? vulns_purl_build(ret->arena, "generic", name)
			       : ref;
	vulns_add(ret,
		  &(struct vuln_said){
			  .id = json_find(v, "id"),
			  .package = purl,
			  .version = c != NULL ? json_find(c, "version") : NULL,
			  .severity = severity_find(v),
		  });
}

static bool vulnerability_read(const struct json_value *v,
			       const struct parts *parts, struct vulns *ret)
{
	const struct json_value *affects = list_find(v, "affects");

	if (v->type != JSON_OBJECT)
		return false;
	if (affects == NULL || affects->u.array.len == 0) {
		affected_add(v, "pkg:generic/unnamed", parts, ret);
		return true;
	}
	for (size_t i = 0; i < affects->u.array.len; i++) {
		const char *ref =
			vuln_text_find(&affects->u.array.items[i], "ref");

		if (ref == NULL)
			return false;
		affected_add(v, ref, parts, ret);
	}
	return true;
}

bool scan_cyclonedx_read(const struct json_value *root, struct vulns *ret)
{
	static const char *const versions[] = { "1.4", "1.5", "1.6" };
	const struct json_value *format = json_find(root, "bomFormat");
	const struct json_value *version = json_find(root, "specVersion");
	const struct json_value *list = list_find(root, "vulnerabilities");
	struct parts parts = { 0 };
	bool is_known = false;

	for (size_t i = 0; version != NULL && i < 3; i++)
		is_known |= json_is_text(version, versions[i]);
	/* Without such a list, nobody looked for vulnerabilities. */
	if (!is_known || format == NULL || !json_is_text(format, "CycloneDX") ||
	    list == NULL || !parts_read(root, ret, &parts))
		return false;
	for (size_t i = 0; i < list->u.array.len; i++)
		if (!vulnerability_read(&list->u.array.items[i], &parts, ret))
			return false;
	return true;
}
