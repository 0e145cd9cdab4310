/* node_compare.c -- compares what the lockfile remembers of a manifest with it.
 *
 * npm copies the sections of each package.json into the lockfile; when they
 * differ, an install from the lockfile is not what the manifest asks for. */
#include <string.h>

#include "parsers/node/node.h"

static const struct json_value *declared_find(const struct json_value *package,
					      struct json_text name)
{
	for (size_t i = 0; i < NODE_SECTIONS; i++) {
		const struct json_value *section =
			json_find(package, node_sections[i].key);
		const struct json_value *v =
			json_find_bytes(section, name.bytes, name.len);

		if (section != NULL && v != NULL)
			return v;
	}
	return NULL;
}

static bool same_text(const struct json_value *a, const struct json_value *b)
{
	return a->type == JSON_STRING && b->type == JSON_STRING &&
	       a->u.string.len == b->u.string.len &&
	       memcmp(a->u.string.bytes, b->u.string.bytes, a->u.string.len) ==
		       0;
}

/* The names of a's sections that b has not, or has otherwise.  a_is_manifest
 * says which of the two is the package.json. */
static void sections_compare(struct node *n, const struct parse_input *lock,
			     const struct json_value *a,
			     const struct json_value *b, bool a_is_manifest)
{
	for (size_t i = 0; i < NODE_SECTIONS; i++) {
		const struct json_value *section =
			json_find(a, node_sections[i].key);

		if (section == NULL || section->type != JSON_OBJECT)
			continue;
		for (size_t k = 0; k < section->u.object.len; k++) {
			const struct json_member *m =
				&section->u.object.members[k];
			const struct json_value *v = declared_find(b, m->name);
			struct node_mismatch out = { .name = m->name,
						     .in = lock };

			if (v != NULL &&
			    (!a_is_manifest || same_text(&m->value, v) ||
			     same_text(declared_find(a, m->name), v)))
				continue;
			out.reason = "manifest_differs";
			if (a_is_manifest)
				out.expected =
					parse_text(&m->value, lock, n->report);
			if (v != NULL)
				out.found = parse_text(v, lock, n->report);
			else if (!a_is_manifest)
				out.found =
					parse_text(&m->value, lock, n->report);
			node_mismatch_write(n, &out);
		}
	}
}

bool node_compare_spend(struct node *n, const struct parse_input *lock,
			const struct node_package *p)
{
	size_t cost = 1;
	bool first = n->compares <= NODE_COMPARES;

	for (size_t i = 0; i < NODE_SECTIONS; i++) {
		const struct json_value *s =
			node_section_find(p, node_sections[i].key);

		cost += s != NULL ? s->u.object.len : 0;
	}
	n->compares += cost;
	if (n->compares <= NODE_COMPARES)
		return true;
	if (first)
		report_note(&n->report->warnings, "truncated", lock, -1,
			    "more than 4000000 dependencies to compare with "
			    "lockfiles; the rest is not compared");
	return false;
}

void node_compare_importer(struct node *n, const struct parse_input *lock,
			   const struct json_value *entry,
			   const struct node_package *p)
{
	if (!node_compare_spend(n, lock, p))
		return;
	sections_compare(n, lock, &p->tree, entry, true);
	sections_compare(n, lock, entry, &p->tree, false);
}

/* lerna links the packages of one workspace, each with a lockfile of its own. */
static bool is_sibling(const struct node *n, const struct node_package *p,
		       struct json_text name)
{
	const struct manifest *m = project_manifest_named(&n->project, name);

	return m != NULL && m->includer != NULL &&
	       m->includer == p->manifest->includer;
}

/* Version 1 keeps no constraints, so only missing names can be found. */
void node_compare_top_level(struct node *n, const struct parse_input *lock,
			    const struct json_value *dependencies,
			    const struct node_package *p)
{
	if (!node_compare_spend(n, lock, p))
		return;
	for (size_t i = 0; i < 2; i++) { /* runtime and dev */
		const struct json_value *section =
			json_find(&p->tree, node_sections[i].key);

		if (section == NULL || section->type != JSON_OBJECT)
			continue;
		for (size_t k = 0; k < section->u.object.len; k++) {
			const struct json_member *m =
				&section->u.object.members[k];
			struct node_mismatch out = { .name = m->name,
						     .in = lock };

			if (json_find_bytes(dependencies, m->name.bytes,
					    m->name.len) != NULL ||
			    is_sibling(n, p, m->name))
				continue;
			out.reason = "manifest_differs";
			out.expected = parse_text(&m->value, lock, n->report);
			node_mismatch_write(n, &out);
		}
	}
}
