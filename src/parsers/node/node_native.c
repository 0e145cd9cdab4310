/* node_native.c -- modules that are compiled code, or may well be. */
#include <stdlib.h>
#include <string.h>

#include "base/grow.h"
#include "parsers/common/address_clean.h"
#include "parsers/node/node.h"

#define NATIVES_MAX 100000U /* the slice's cap is reached long before */

void node_native_add(struct node *n, const struct node_native *native)
{
	struct node_native kept = *native;

	kept.name.bytes = arena_copy(&n->facts, kept.name.bytes, kept.name.len);
	if (kept.version.bytes != NULL)
		kept.version.bytes = arena_copy(&n->facts, kept.version.bytes,
						kept.version.len);
	if (kept.name.bytes == NULL ||
	    (native->version.bytes != NULL && kept.version.bytes == NULL) ||
	    n->natives_len == NATIVES_MAX ||
	    !array_grow((void **)&n->natives, n->natives_len, &n->natives_room,
			sizeof *n->natives)) {
		n->lists[NODE_NATIVES].is_cut = true;
		return;
	}
	if (strcmp(kept.reason, "catalogue") == 0)
		kept.family = node_native_family(n, kept.name);
	n->natives[n->natives_len++] = kept;
}

static bool has_tool(const struct json_value *tree)
{
	static const char *const tools[] = { "@napi-rs/cli", "@neon-rs/cli",
					     "cargo-cp-artifact" };
	const struct json_value *napi = json_find(tree, "napi");

	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		for (size_t k = 0; k < NODE_SECTIONS; k++) {
			const struct json_value *s =
				json_find(tree, node_sections[k].key);

			if (s != NULL && json_find(s, tools[i]) != NULL)
				return true;
		}
	return napi != NULL && napi->type == JSON_OBJECT;
}

/* The file that shows that the package is built with Rust: its package.json or
 * a Cargo.toml beside it; or NULL. */
static const struct parse_input *rust_find(const struct node *n,
					   const struct node_package *p)
{
	if (has_tool(&p->tree))
		return p->in;
	return input_find(n->inputs, p->in->name, input_dir_len(p->in),
			  "Cargo.toml");
}

bool node_native_has_gyp(const struct node *n, const struct parse_input *in,
			 const struct json_value *tree)
{
	const struct json_value *v = json_find(tree, "gypfile");

	if (v != NULL && v->type == JSON_BOOL)
		return v->u.boolean;
	if (input_find(n->inputs, in->name, input_dir_len(in), "binding.gyp"))
		return true;
	return input_find(n->inputs, in->name, input_dir_len(in),
			  "src/binding.gyp") != NULL;
}

static bool names_compiler(struct json_text command)
{
	static const char *const tools[] = { "node-gyp",      "node-pre-gyp",
					     "prebuild",      "cmake-js",
					     "pkg-prebuilds", "napi" };

	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		if (memmem(command.bytes, command.len, tools[i],
			   strlen(tools[i])) != NULL)
			return true;
	return false;
}

bool node_native_has_script(const struct json_value *tree, bool is_any)
{
	static const char *const names[] = { "preinstall", "install",
					     "postinstall" };
	const struct json_value *scripts = json_find(tree, "scripts");

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		const struct json_value *v =
			scripts ? json_find(scripts, names[i]) : NULL;

		if (v != NULL && v->type == JSON_STRING &&
		    (is_any || names_compiler(v->u.string)))
			return true;
	}
	return false;
}

bool node_native_has_builder(const struct json_value *tree)
{
	static const char *const builders[] = {
		"@mapbox/node-pre-gyp",
		"bindings",
		"cmake-js",
		"nan",
		"napi-macros",
		"node-addon-api",
		"node-gyp",
		"node-gyp-build",
		"node-pre-gyp",
		"pkg-prebuilds",
		"prebuild-install",
	};
	static const char *const sections[] = { "dependencies",
						"optionalDependencies" };

	for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
		const struct json_value *s = json_find(tree, sections[i]);

		for (size_t k = 0;
		     s != NULL && k < sizeof builders / sizeof *builders; k++)
			if (json_find(s, builders[k]) != NULL)
				return true;
	}
	return false;
}

static void declared_read(struct node *n, const struct node_package *p)
{
	for (size_t i = 0; i < NODE_SECTIONS; i++) {
		const struct json_value *s =
			json_find(&p->tree, node_sections[i].key);

		if (s == NULL || s->type != JSON_OBJECT)
			continue;
		for (size_t k = 0; k < s->u.object.len; k++)
			if (node_native_is_known(n,
						 s->u.object.members[k].name))
				node_native_add(
					n,
					&(struct node_native){
						.name = s->u.object.members[k]
								.name,
						.reason = "catalogue",
						.in = p->in });
	}
}

/* The package itself, as a module that is compiled. */
static void own_add(struct node *n, const struct node_package *p,
		    const char *reason, const struct parse_input *in)
{
	struct node_native own = { .reason = reason, .in = in };

	own.name = parse_text(json_find(&p->tree, "name"), p->in, n->report);
	own.version =
		parse_text(json_find(&p->tree, "version"), p->in, n->report);
	if (own.name.bytes == NULL)
		own.name = (struct json_text){ "", 0 };
	node_native_add(n, &own);
}

void node_natives_read_packages(struct node *n)
{
	for (size_t i = 0; i < n->packages_len; i++) {
		const struct node_package *p = &n->packages[i];

		const struct parse_input *rust;

		if (!p->is_listed)
			continue;
		declared_read(n, p);
		if (node_native_has_gyp(n, p->in, &p->tree))
			own_add(n, p, "binding.gyp", p->in);
		else if (node_native_has_script(&p->tree, false))
			own_add(n, p, "install-script", p->in);
		rust = rust_find(n, p);
		if (rust != NULL)
			own_add(n, p, "rust", rust);
	}
}

/* The name that an entry is listed under. */
static struct json_text native_key(const struct node_native *native)
{
	return native->family.bytes != NULL ? native->family : native->name;
}

/* By family or name; one with a version before one without; then by version,
 * source and name. */
static int native_compare(const void *x, const void *y)
{
	const struct node_native *a = x, *b = y;
	int c = text_order(native_key(a), native_key(b));

	if (c == 0)
		c = (a->version.bytes == NULL) - (b->version.bytes == NULL);
	if (c == 0)
		c = text_order(a->version, b->version);
	if (c == 0)
		c = strcmp(a->reason, b->reason);
	if (c == 0)
		c = (a->in > b->in) - (a->in < b->in);
	return c != 0 ? c : text_order(a->name, b->name);
}

/* Whether b belongs to the entry of a, which stands before it: the same, or one
 * of the same family, which has a package for each platform. */
static bool is_same_entry(const struct node_native *a,
			  const struct node_native *b)
{
	return text_order(native_key(a), native_key(b)) == 0 &&
	       strcmp(a->reason, b->reason) == 0 && a->in == b->in &&
	       text_order(a->version, b->version) == 0;
}

/* Whether b adds nothing to a, which precedes it: a manifest's constraint adds
 * nothing once a lockfile gave the version. */
static bool is_no_news(const struct node_native *a, const struct node_native *b)
{
	return text_order(native_key(a), native_key(b)) == 0 &&
	       b->version.bytes == NULL && strcmp(b->reason, "catalogue") == 0;
}

static void native_write(struct slice_list *list,
			 const struct node_native *native, size_t members)
{
	struct jsonw *w = slice_item(list);

	address_put(w, "name", native->name, ADDRESS_NAME);
	address_put(w, "version", native->version, ADDRESS_TEXT);
	jsonw_text(w, "reason", native->reason);
	if (members > 1) {
		text_put(w, "family", native->family);
		jsonw_uint(w, "members", members);
	}
	source_write(w, "source", native->in);
	slice_item_end(list);
}

void node_natives_write(struct node *n)
{
	const struct node_native *all = n->natives;
	struct slice_list *list = &n->lists[NODE_NATIVES];
	const bool is_cut = list->is_cut; /* some are not in n->natives */
	size_t next, members;

	list->is_cut = false;
	if (n->natives_len > 0)
		qsort(n->natives, n->natives_len, sizeof *n->natives,
		      native_compare);
	for (size_t i = 0; i < n->natives_len; i = next) {
		members = 1;
		for (next = i + 1; next < n->natives_len &&
				   is_same_entry(&all[i], &all[next]);
		     next++)
			members += text_order(all[next - 1].name,
					      all[next].name) != 0;
		if (i == 0 || !is_no_news(&all[i - 1], &all[i]))
			native_write(list, &all[i], members);
	}
	list->is_cut |= is_cut;
}
