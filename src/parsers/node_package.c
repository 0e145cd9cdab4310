/* node_package.c -- package.json: one package and what it declares. */
#include <string.h>

#include "base/name.h"
#include "parsers/node.h"

static const char *const role_names[] = {
	[NODE_ROOT] = "root",
	[NODE_WORKSPACE] = "workspace",
	[NODE_STANDALONE] = "standalone",
};

void packages_read(struct node *n)
{
	for (size_t i = 0; i < n->inputs->len; i++) {
		const struct parse_input *in = &n->inputs->items[i];
		struct node_package *p = &n->packages[n->packages_len];

		if (!input_base_is(in, "package.json"))
			continue;
		*p = (struct node_package){ .in = in };
		if (parse_json(in, &p->arena,
			       NODE_TREES_BYTES - n->trees_bytes + 1, &p->tree,
			       n->report) < 0) {
			arena_done(&p->arena);
			continue;
		}
		n->trees_bytes += p->arena.used;
		if (n->trees_bytes > NODE_TREES_BYTES)
			n->trees_bytes = NODE_TREES_BYTES;
		n->packages_len++;
	}
}

const struct node_package *package_find(const struct node *n, const char *dir,
					size_t dir_len)
{
	const struct parse_input *in =
		input_find(n->inputs, dir, dir_len, "package.json");
	size_t from = 0, to = n->packages_len;

	/* Packages stand in the order of their inputs. */
	while (in != NULL && from < to) {
		size_t mid = from + (to - from) / 2;

		if (n->packages[mid].in == in)
			return &n->packages[mid];
		if (n->packages[mid].in < in)
			from = mid + 1;
		else
			to = mid;
	}
	return NULL;
}

static void dependency_write(struct node *n, const struct parse_input *in,
			     struct json_text name, struct json_text constraint,
			     const char *kind)
{
	struct jsonw *w = &n->packages_out;

	if (name.len > PARSE_STRING_BYTES) {
		report_note(&n->report->errors, "string_too_long", in, -1,
			    "a dependency's name over 64 KiB");
		return;
	}
	jsonw_object(w, NULL);
	jsonw_bytes(w, "name", name.bytes, name.len);
	text_write(w, "constraint", constraint);
	jsonw_text(w, "kind", kind);
	source_write(w, "source", in);
	jsonw_end_object(w);
}

static void section_write(struct node *n, const struct node_package *p,
			  const struct json_value *section, const char *kind)
{
	if (section == NULL)
		return;
	if (section->type != JSON_OBJECT) {
		report_note(&n->report->warnings, "bad_dependencies", p->in,
			    (int64_t)section->offset,
			    "expected an object of names and constraints");
		return;
	}
	for (size_t i = 0; i < section->u.object.len; i++) {
		const struct json_member *m = &section->u.object.members[i];

		if (m->value.type != JSON_STRING)
			report_note(&n->report->warnings, "bad_constraint",
				    p->in, (int64_t)m->value.offset,
				    "expected a constraint in quotes");
		dependency_write(n, p->in, m->name,
				 parse_text(&m->value, p->in, n->report), kind);
	}
}

/* bundleDependencies: a list of names, or true for all of dependencies. */
static void bundled_write(struct node *n, const struct node_package *p)
{
	const struct json_value *deps = json_find(&p->tree, "dependencies");
	const struct json_value *b = json_find(&p->tree, "bundleDependencies");
	const struct json_value *from;

	if (b == NULL)
		b = json_find(&p->tree, "bundledDependencies");
	if (b == NULL)
		return;
	if (b->type == JSON_BOOL && b->u.boolean) {
		section_write(n, p, deps, "bundled");
		return;
	}
	if (b->type != JSON_ARRAY)
		return;
	for (size_t i = 0; i < b->u.array.len; i++) {
		struct json_text name =
			parse_text(&b->u.array.items[i], p->in, n->report);

		if (name.bytes == NULL)
			continue;
		from = json_find_bytes(deps ? deps : b, name.bytes, name.len);
		dependency_write(n, p->in, name,
				 parse_text(from, p->in, n->report), "bundled");
	}
}

static void package_write(struct node *n, const struct node_package *p)
{
	struct jsonw *w = &n->packages_out;
	owned_buf struct buf dir = { 0 };

	name_write(&dir, p->in->name, input_dir_len(p->in));
	jsonw_object(w, NULL);
	jsonw_text(w, "path", dir.len > 0 ? dir.bytes : ".");
	text_write(w, "name",
		   parse_text(json_find(&p->tree, "name"), p->in, n->report));
	text_write(
		w, "version",
		parse_text(json_find(&p->tree, "version"), p->in, n->report));
	jsonw_text(w, "role", role_names[p->role]);
	source_write(w, "source", p->in);
	jsonw_array(w, "dependencies");
	for (size_t i = 0; i < NODE_SECTIONS; i++)
		section_write(n, p, json_find(&p->tree, node_sections[i].key),
			      node_sections[i].kind);
	bundled_write(n, p);
	jsonw_end_array(w);
	jsonw_end_object(w);
}

void packages_write(struct node *n)
{
	for (size_t i = 0; i < n->packages_len; i++)
		if (n->packages[i].is_listed)
			package_write(n, &n->packages[i]);
}
