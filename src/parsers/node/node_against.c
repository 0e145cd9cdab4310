/* node_against.c -- compares what a lockfile remembers of its manifests with
 * them.
 *
 * pnpm and yarn 2 keep the constraints of each package of the workspace; yarn 1
 * only has "name@constraint" for whatever was asked for. */
#include <string.h>

#include "parsers/node/node.h"

#define SECTIONS_LOCKED 3
static const char *const sections_locked[SECTIONS_LOCKED] = {
	"dependencies", "devDependencies", "optionalDependencies"
};

/* "npm:" is what yarn 2 assumes when a range has no protocol. */
static struct json_text range_of(const struct node_against *a,
				 struct json_text t)
{
	if (a->has_protocols && t.len >= 4 && memcmp(t.bytes, "npm:", 4) == 0) {
		t.bytes += 4;
		t.len -= 4;
	}
	return t;
}

static struct json_text member_text(const struct json_value *section,
				    struct json_text name)
{
	const struct json_value *v =
		section ? json_find_bytes(section, name.bytes, name.len) : NULL;

	if (v == NULL || v->type != JSON_STRING)
		return (struct json_text){ NULL, 0 };
	return v->u.string;
}

/* Whether any section of the manifest has name with this constraint. */
static bool is_declared(const struct node_against *a,
			const struct node_package *p, struct json_text name,
			struct json_text constraint)
{
	for (size_t i = 0; i < NODE_SECTIONS; i++) {
		const struct json_value *s =
			node_section_find(p, node_sections[i].key);
		struct json_text t = member_text(s, name);

		if (t.bytes != NULL &&
		    text_order(range_of(a, t), range_of(a, constraint)) == 0)
			return true;
	}
	return false;
}

static bool has_name(const struct node_package *p, struct json_text name)
{
	for (size_t i = 0; i < NODE_SECTIONS; i++) {
		const struct json_value *s =
			node_section_find(p, node_sections[i].key);

		if (s != NULL && json_find_bytes(s, name.bytes, name.len))
			return true;
	}
	return false;
}

static void differs(const struct node_against *a, struct json_text name,
		    struct json_text expected, struct json_text found)
{
	node_mismatch_write(a->lock->node, &(struct node_mismatch){
						   .name = name,
						   .expected = expected,
						   .found = found,
						   .reason = "manifest_differs",
						   .in = a->lock->in });
}

static void wanted_compare(const struct node_against *a,
			   const struct node_record *r,
			   const struct node_package *p,
			   const struct json_member *m)
{
	struct json_text expected =
		parse_text(&m->value, p->in, a->lock->node->report);
	const struct node_wish *w = node_record_find(r, m->name);

	if (expected.bytes == NULL || node_record_find(a->overridden, m->name))
		return;
	if (w == NULL)
		differs(a, m->name, expected, (struct json_text){ NULL, 0 });
	else if (!is_declared(a, p, m->name, w->constraint))
		differs(a, m->name, expected, w->constraint);
}

void node_compare_record(const struct node_against *a,
			 const struct node_record *r,
			 const struct node_package *p)
{
	if (r->is_cut || !node_compare_spend(a->lock->node, a->lock->in, p))
		return;
	for (size_t i = 0; i < SECTIONS_LOCKED; i++) {
		const struct json_value *s =
			node_section_find(p, sections_locked[i]);

		for (size_t k = 0; s != NULL && k < s->u.object.len; k++)
			wanted_compare(a, r, p, &s->u.object.members[k]);
	}
	for (size_t i = 0; i < r->len; i++)
		if (!has_name(p, r->items[i].name) &&
		    !node_record_find(a->overridden, r->items[i].name))
			differs(a, r->items[i].name,
				(struct json_text){ NULL, 0 },
				r->items[i].constraint);
}

/* A package of the workspace is linked and therefore not locked.  The version
 * that a catalogue stands for is in another file. */
static bool is_never_locked(const struct node_against *a,
			    const struct node_record *own,
			    struct json_text name, struct json_text constraint)
{
	static const char *const words[] = { "link:", "catalog:", "workspace:",
					     "portal:" };

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (constraint.len >= strlen(words[i]) &&
		    memcmp(constraint.bytes, words[i], strlen(words[i])) == 0)
			return true;
	return node_record_find(own, name) != NULL ||
	       node_record_find(a->overridden, name) != NULL;
}

/* "name@constraint", as it stands or with "npm:", alone or with more behind a
 * "::". */
static bool is_locked(const struct node_against *a,
		      const struct node_record *all, struct json_text name,
		      struct json_text constraint)
{
	static const char *const protocols[] = { "", "npm:" };
	size_t ways = a->has_protocols ? 2 : 1;

	for (size_t i = 0; i < ways; i++) {
		owned_buf struct buf b = { .cap_bytes =
						   3 * PARSE_STRING_BYTES };

		buf_add(&b, name.bytes, name.len);
		buf_char(&b, '@');
		buf_text(&b, protocols[i]);
		buf_add(&b, constraint.bytes, constraint.len);
		if (buf_has_failed(&b))
			return true; /* too long to be told */
		if (node_record_find(all, (struct json_text){ b.bytes, b.len }))
			return true;
		buf_text(&b, "::");
		if (a->has_protocols && !buf_has_failed(&b) &&
		    node_record_has_prefix(
			    all, (struct json_text){ b.bytes, b.len }))
			return true;
	}
	return false;
}

static void package_compare(const struct node_against *a,
			    const struct node_record *all,
			    const struct node_record *own,
			    const struct node_package *p)
{
	struct node *n = a->lock->node;

	if (!node_compare_spend(n, a->lock->in, p))
		return;
	for (size_t i = 0; i < SECTIONS_LOCKED; i++) {
		const struct json_value *s =
			node_section_find(p, sections_locked[i]);

		for (size_t k = 0; s != NULL && k < s->u.object.len; k++) {
			const struct json_member *m = &s->u.object.members[k];
			struct json_text want =
				parse_text(&m->value, p->in, n->report);

			if (want.bytes == NULL ||
			    is_never_locked(a, own, m->name, want) ||
			    is_locked(a, all, m->name, want))
				continue;
			node_mismatch_write(n, &(struct node_mismatch){
						       .name = m->name,
						       .expected = want,
						       .reason = "not_locked",
						       .in = a->lock->in });
		}
	}
}

/* The names of the workspace's packages. */
static void own_read(const struct node_package *packages, size_t len,
		     struct node_record *ret)
{
	for (size_t i = 0; i < len; i++) {
		const struct json_value *name =
			json_find(&packages[i].tree, "name");

		if (name != NULL && name->type == JSON_STRING)
			node_record_add(ret, name->u.string,
					(struct json_text){ NULL, 0 });
	}
	node_record_sort(ret);
}

void node_compare_descriptors(const struct node_against *a,
			      const struct node_record *all)
{
	struct node *n = a->lock->node;
	struct json_text dir = { a->lock->in->name,
				 input_dir_len(a->lock->in) };
	const struct node_package *p = node_package_find(n, dir);
	struct node_record own = { 0 };
	size_t from = 0, len;

	if (p == NULL || all->is_cut)
		return;
	len = p->manifest->is_home
		      ? project_manifests_below(&n->project, dir, &from)
		      : 0;
	own_read(&n->packages[from], len, &own);
	package_compare(a, all, &own, p);
	for (size_t i = from; i < from + len; i++)
		if (n->project.manifests[i].home.bytes != NULL &&
		    text_order(n->project.manifests[i].home, dir) == 0)
			package_compare(a, all, &own, &n->packages[i]);
	node_record_done(&own);
}

void node_resolutions_read(struct node_lock *l, struct node_record *ret)
{
	const struct node_package *p = node_package_find(
		l->node,
		(struct json_text){ l->in->name, input_dir_len(l->in) });
	const struct json_value *s =
		p ? node_section_find(p, "resolutions") : NULL;

	for (size_t i = 0; s != NULL && i < s->u.object.len; i++)
		node_record_add_override(ret, s->u.object.members[i].name);
	node_record_sort(ret);
}
