/* osv.c -- sorts records by package, and finds the packages of a tree in
 * them. */
#include "jobs/gate/vuln/osv.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"

static const struct {
	const char *ecosystem; /* OSV's word */
	const char *type;      /* the same type in package URLs and in facts */
} ecosystems[] = {
	{ "npm", "npm" },
	{ "PyPI", "pypi" },
};

/* An ecosystem may have a suffix, ":" and a part of it: that says where the
 * record applies, and what cannot be told apart counts as the same. */
static const char *type_find(const char *ecosystem)
{
	size_t n = ecosystem != NULL ? strcspn(ecosystem, ":") : 0;

	for (size_t i = 0; n > 0 && i < sizeof ecosystems / sizeof *ecosystems;
	     i++)
		if (strlen(ecosystems[i].ecosystem) == n &&
		    memcmp(ecosystems[i].ecosystem, ecosystem, n) == 0)
			return ecosystems[i].type;
	return NULL;
}

/* --- records ---------------------------------------------------------------------- */

static int entry_put(struct osv *o, const struct osv_entry *entry)
{
	if (o->len == o->room) {
		size_t room = o->room * 2 + 256;
		struct osv_entry *entries =
			realloc(o->entries, room * sizeof *entries);

		if (entries == NULL)
			return -ENOMEM;
		o->entries = entries;
		o->room = room;
	}
	o->entries[o->len++] = *entry;
	return 0;
}

static int affected_read(struct osv *o, const struct json_value *record,
			 const struct json_value *affected)
{
	const struct json_value *package = json_find(affected, "package");
	const char *type = type_find(vuln_text_find(package, "ecosystem"));
	const char *name = vuln_text_find(package, "name");
	const char *severity = vuln_text_find(
		json_find(record, "database_specific"), "severity");
	owned_buf struct buf text = { 0 };
	struct osv_entry e = { 0 };

	if (type == NULL)
		return 0;
	if (name == NULL)
		return -EINVAL;
	json_write(affected, &text);
	if (buf_has_failed(&text))
		return -ENOMEM;
	e.package = vulns_purl_build(&o->arena, type, name);
	e.id = arena_text(&o->arena, vuln_text_find(record, "id"));
	e.affected = arena_copy(&o->arena, text.bytes, text.len);
	if (severity != NULL)
		e.severity = arena_text(&o->arena, severity);
	if (e.package == NULL || e.id == NULL || e.affected == NULL)
		return -ENOMEM;
	return entry_put(o, &e);
}

/* A record is withdrawn if it says when. */
static bool is_withdrawn(const struct json_value *record)
{
	const char *when = vuln_text_find(record, "withdrawn");

	return when != NULL && when[0] >= '0' && when[0] <= '9';
}

int osv_entries_read(struct osv *o, const char *bytes, size_t n)
{
	const struct json_caps caps = { .text_bytes = OSV_FILE_BYTES };
	const struct json_value *affected;
	struct arena scratch = { 0 };
	struct json_value record;
	struct json_error bad = { 0 };
	int e = json_parse(bytes, n, &caps, &scratch, &record, &bad);

	if (e == 0 && vuln_text_find(&record, "id") == NULL)
		e = -EINVAL;
	if (e == 0) {
		affected = json_find(&record, "affected");
		if (affected != NULL && affected->type != JSON_ARRAY &&
		    affected->type != JSON_NULL)
			e = -EINVAL;
		for (size_t i = 0;
		     e == 0 && affected != NULL &&
		     affected->type == JSON_ARRAY && !is_withdrawn(&record) &&
		     i < affected->u.array.len;
		     i++)
			e = affected_read(o, &record,
					  &affected->u.array.items[i]);
	}
	arena_done(&scratch);
	return e;
}

static int order(const void *a, const void *b)
{
	return strcmp(((const struct osv_entry *)a)->package,
		      ((const struct osv_entry *)b)->package);
}

void osv_sort(struct osv *o)
{
	if (o->len > 0)
		qsort(o->entries, o->len, sizeof *o->entries, order);
}

void osv_done(struct osv *o)
{
	free(o->entries);
	arena_done(&o->arena);
	*o = (struct osv){ 0 };
}

/* --- packages --------------------------------------------------------------------- */

static void entry_hold(const struct osv_entry *entry, const char *type,
		       const struct json_value *version, struct vulns *ret)
{
	const struct json_caps caps = { .text_bytes = OSV_FILE_BYTES };
	const struct json_value *ranges;
	struct arena scratch = { 0 };
	struct json_value affected, fixed = { .type = JSON_ARRAY };
	struct json_value found[VULN_FIXED_MAX];
	struct json_value id = { .type = JSON_STRING };
	struct json_value severity = { .type = JSON_NULL };
	struct json_error bad = { 0 };

	if (json_parse(entry->affected, strlen(entry->affected), &caps,
		       &scratch, &affected, &bad) < 0) {
		ret->no_memory = true;
		arena_done(&scratch);
		return;
	}
	fixed.u.array.items = found;
	ranges = json_find(&affected, "ranges");
	for (size_t i = 0; ranges != NULL && ranges->type == JSON_ARRAY &&
			   i < ranges->u.array.len;
	     i++) {
		const struct json_value *events =
			json_find(&ranges->u.array.items[i], "events");
		const char *kind =
			vuln_text_find(&ranges->u.array.items[i], "type");

		for (size_t k = 0;
		     kind != NULL && strcmp(kind, "GIT") != 0 &&
		     events != NULL && events->type == JSON_ARRAY &&
		     k < events->u.array.len;
		     k++) {
			const struct json_value *one =
				json_find(&events->u.array.items[k], "fixed");

			if (one != NULL && fixed.u.array.len < VULN_FIXED_MAX)
				found[fixed.u.array.len++] = *one;
		}
	}
	id.u.string = (struct json_text){ entry->id, strlen(entry->id) };
	if (entry->severity != NULL) {
		severity.type = JSON_STRING;
		severity.u.string =
			(struct json_text){ entry->severity,
					    strlen(entry->severity) };
	}
	if (osv_is_affected(&affected, type, version->u.string.bytes))
		vulns_add(ret, &(struct vuln_said){
				       .id = &id,
				       .package = entry->package,
				       .version = version,
				       .severity = &severity,
				       .fixed = &fixed,
			       });
	arena_done(&scratch);
}

static void package_hold(const struct osv *o, const struct json_value *package,
			 struct vulns *ret)
{
	const struct json_value *version = json_find(package, "version");
	const char *type = vuln_text_find(package, "ecosystem");
	const char *name = vuln_text_find(package, "name");
	struct osv_entry wanted = { 0 };
	const struct osv_entry *at;
	bool is_ours = false;

	for (size_t i = 0;
	     type != NULL && i < sizeof ecosystems / sizeof *ecosystems; i++)
		is_ours |= strcmp(ecosystems[i].type, type) == 0;
	if (!is_ours || name == NULL || version == NULL ||
	    version->type != JSON_STRING || o->len == 0)
		return;
	wanted.package = vulns_purl_build(ret->arena, type, name);
	if (wanted.package == NULL) {
		ret->no_memory = true;
		return;
	}
	at = bsearch(&wanted, o->entries, o->len, sizeof *o->entries, order);
	while (at != NULL && at > o->entries && order(at - 1, &wanted) == 0)
		at--;
	for (;
	     at != NULL && at < o->entries + o->len && order(at, &wanted) == 0;
	     at++)
		entry_hold(at, type, version, ret);
}

void osv_match(const struct osv *o, const struct json_value *context,
	       struct vulns *ret)
{
	static const char *const way[] = { "probes", "dependencies", "slice",
					   "packages" };
	const struct json_value *v = context;

	for (size_t i = 0; v != NULL && i < sizeof way / sizeof *way; i++)
		v = json_find(v, way[i]);
	if (v == NULL || v->type != JSON_ARRAY) {
		ret->problem = "no_facts";
		return;
	}
	for (size_t i = 0; i < v->u.array.len; i++) {
		const char *role = vuln_text_find(&v->u.array.items[i], "role");

		if (role == NULL || strcmp(role, "own") == 0)
			package_hold(o, &v->u.array.items[i], ret);
	}
}
