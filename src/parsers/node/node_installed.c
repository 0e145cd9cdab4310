/* node_installed.c -- reads node_modules, when that was declared, too.
 *
 * Such a package is not the repository's own.  It shows which version is
 * installed, to be compared with the lockfiles, and whether it is compiled. */
#include <string.h>

#include "parsers/common/address_clean.h"
#include "parsers/node/node.h"

#define TREE_BYTES ((size_t)56 << 20) /* of one package.json */

/* Whether any lockfile has the name in this version; *ret_first is one of the
 * name's pins, or NULL. */
static bool is_locked(const struct node *n, struct json_text name,
		      struct json_text version,
		      const struct node_pin **ret_first)
{
	const struct node_pin *p = node_pins_find(n, name);

	*ret_first = p;
	for (; p != NULL && p < n->pins + n->pins_len &&
	       text_order(p->name, name) == 0;
	     p++)
		if (text_order(p->version, version) == 0)
			return true;
	return false;
}

static void version_compare(struct node *n, const struct parse_input *in,
			    struct json_text name, struct json_text version)
{
	const struct node_pin *first;
	struct node_mismatch m = { .name = name,
				   .version = version,
				   .found = version,
				   .reason = "installed_differs",
				   .in = in };

	if (n->lockfiles == 0 || n->has_lost || n->pins_len == NODE_PINS_MAX ||
	    is_locked(n, name, version, &first))
		return;
	if (first != NULL)
		m.expected = first->version;
	node_mismatch_write(n, &m);
}

static void natives_find(struct node *n, const struct parse_input *in,
			 const struct json_value *tree,
			 struct json_text version)
{
	struct node_native native = { .version = version, .in = in };

	native.name = parse_text(json_find(tree, "name"), in, n->report);
	if (node_native_is_known(n, native.name))
		native.reason = "catalogue";
	else if (node_native_has_gyp(n, in, tree))
		native.reason = "binding.gyp";
	else if (node_native_has_script(tree, false) ||
		 (node_native_has_script(tree, true) &&
		  node_native_has_builder(tree)))
		native.reason = "install-script";
	if (native.reason != NULL)
		node_native_add(n, &native);
}

/* The last segment of path, cut off it. */
static struct json_text segment_take(struct json_text *path)
{
	const char *slash =
		path->len > 0 ? memrchr(path->bytes, '/', path->len) : NULL;
	size_t len = slash != NULL ? (size_t)(slash - path->bytes) : 0;
	size_t skip = slash != NULL ? len + 1 : 0;
	struct json_text last = { path->bytes + skip, path->len - skip };

	path->len = len;
	return last;
}

/* node_modules/a/package.json or node_modules/@b/a/package.json; packages have
 * others deeper within them, which are not what is installed. */
static bool is_package(const struct parse_input *in)
{
	struct json_text path = { in->name, input_dir_len(in) };
	struct json_text above;

	if (!input_base_is(in, "package.json") || in->is_name_only)
		return false;
	(void)segment_take(&path);
	above = segment_take(&path);
	if (above.len > 1 && above.bytes[0] == '@')
		above = segment_take(&path);
	return text_is(above, "node_modules");
}

static void package_read(struct node *n, const struct parse_input *in)
{
	struct slice_list *list = &n->lists[NODE_INSTALLED];
	struct arena arena = { 0 };
	struct json_value tree;
	struct json_text name, version;
	struct jsonw *w;

	if (parse_json(in, &arena, TREE_BYTES, &tree, n->report) == 0) {
		name = parse_text(json_find(&tree, "name"), in, n->report);
		version =
			parse_text(json_find(&tree, "version"), in, n->report);
		if (name.bytes != NULL && version.bytes != NULL) {
			w = slice_item(list);
			address_put(w, "name", name, ADDRESS_NAME);
			address_put(w, "version", version, ADDRESS_TEXT);
			source_write(w, "source", in);
			slice_item_end(list);
			version_compare(n, in, name, version);
			natives_find(n, in, &tree, version);
		}
	}
	arena_done(&arena);
}

void node_installed_read(struct node *n)
{
	for (size_t i = 0; i < n->inputs->len; i++) {
		const struct parse_input *in = &n->inputs->items[i];

		if (is_package(in))
			package_read(n, in);
	}
}
