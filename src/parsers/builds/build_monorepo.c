/* build_monorepo.c -- tools that run a repository of many packages. */
#include <string.h>

#include "parsers/builds/build_system.h"
#include "parsers/common/address_clean.h"

static void tool_put(struct build *b, const char *name, const char *evidence,
		     struct json_text version, const struct parse_input *in)
{
	struct jsonw *w = slice_item(&b->lists[BUILD_MONOREPO]);

	jsonw_text(w, "name", name);
	address_put(w, "version", version, ADDRESS_TEXT);
	jsonw_text(w, "evidence", evidence);
	source_write(w, "source", in);
	slice_item_end(&b->lists[BUILD_MONOREPO]);
}

static struct json_text rush_version(struct build *b,
				     const struct parse_input *in)
{
	const struct json_value *v =
		b->project.declared.rush
			? json_find(&b->project.declared.rush_tree,
				    "rushVersion")
			: NULL;

	return parse_text(v, in, b->report);
}

static struct json_text bazel_version(struct build *b,
				      const struct parse_input *in)
{
	struct json_text line = { NULL, 0 };
	struct lines lines;
	size_t offset;

	in = project_find(&b->project, ".bazelversion");
	lines = lines_of(in);
	if (in == NULL || in->is_name_only ||
	    !line_next(&lines, &line, &offset) || line.len > TEXT_LINE_BYTES)
		return (struct json_text){ NULL, 0 };
	return text_trim(line);
}

static const struct monorepo_tool {
	const char *name;
	const char *const files[5]; /* in home; the first that exists counts */
	const char *const packages[5];
	/* The file that gives the version; NULL: none does. */
	struct json_text (*version)(struct build *b,
				    const struct parse_input *in);
} tools[] = {
	{ .name = "nx",
	  .files = { "nx.json" },
	  .packages = { "nx", "@nrwl/workspace", "@nrwl/cli" } },
	{ .name = "turbo",
	  .files = { "turbo.json", "turbo.jsonc" },
	  .packages = { "turbo" } },
	{ .name = "lerna",
	  .files = { "lerna.json" },
	  .packages = { "lerna", "lerna-lite" } },
	{ .name = "rush",
	  .files = { "rush.json" },
	  .packages = { "@microsoft/rush" },
	  .version = rush_version },
	{ .name = "moon",
	  .files = { ".moon/workspace.yml", ".moon/workspace.yaml" },
	  .packages = { "@moonrepo/cli" } },
	{ .name = "bazel",
	  .files = { "MODULE.bazel", "WORKSPACE.bazel", "WORKSPACE",
		     "WORKSPACE.bzlmod" },
	  .version = bazel_version },
	{ .name = "lage",
	  .files = { "lage.config.js", "lage.config.cjs", "lage.config.mjs" },
	  .packages = { "lage" } },
	{ .name = "bit",
	  .files = { "workspace.jsonc" },
	  .packages = { "@teambit/bit" } },
	{ .name = "bolt", .packages = { "bolt" } },
	{ .name = "wireit", .packages = { "wireit" } },
	{ .name = "pants", .files = { "pants.toml" } },
	{ .name = "buck", .files = { ".buckconfig" } },
};

static void tool_read(struct build *b, const struct monorepo_tool *t)
{
	const struct manifest *top = b->project.top;
	const struct parse_input *in = NULL;
	struct json_text version = { NULL, 0 };
	bool depends = false;

	for (size_t i = 0; i < 5 && in == NULL && t->files[i] != NULL; i++)
		in = project_find(&b->project, t->files[i]);
	for (size_t i = 0;
	     i < 5 && top != NULL && t->packages[i] != NULL && !depends; i++)
		depends = project_manifest_depends(&b->project, top,
						   t->packages[i], &version);
	if (in != NULL && t->version != NULL)
		version = t->version(b, in);
	if (in != NULL)
		tool_put(b, t->name, "config", version, in);
	else if (depends)
		tool_put(b, t->name, "dependency", version, top->in);
}

static void pnpm_put(struct build *b)
{
	const struct workspace *w =
		&b->project.declared.workspaces[WORKSPACE_PNPM];
	const struct claim *c = build_manager_decided(b);
	struct json_text version = { NULL, 0 };

	if (w->in == NULL)
		return;
	if (c != NULL && strcmp(c->manager, "pnpm") == 0)
		version = c->version;
	tool_put(b, "pnpm", "config", version, w->in);
}

void build_monorepo_read(struct build *b)
{
	for (size_t i = 0; i < sizeof tools / sizeof *tools; i++)
		tool_read(b, &tools[i]);
	pnpm_put(b);
}
