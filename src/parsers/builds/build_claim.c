/* build_claim.c -- lockfiles and settings that tell the package manager.
 *
 * Sources: yarnpkg.com "Configuration" (yarnPath, .yarnrc.yml), classic
 * .yarnrc (yarn-path), pnpm.io "Settings (.npmrc)". */
#include <string.h>

#include "parsers/builds/build_system.h"
#include "parsers/yaml/yaml.h"

#define YARN_LOCK_HEAD 4096U

static const struct {
	const char *base;
	const char *manager;
	enum claim_kind kind;
	enum yarn_flavour flavour;
} files[] = {
	{ "package-lock.json", "npm", CLAIM_LOCKFILE, YARN_UNKNOWN },
	{ "npm-shrinkwrap.json", "npm", CLAIM_LOCKFILE, YARN_UNKNOWN },
	{ "pnpm-lock.yaml", "pnpm", CLAIM_LOCKFILE, YARN_UNKNOWN },
	{ "bun.lock", "bun", CLAIM_LOCKFILE, YARN_UNKNOWN },
	{ "bun.lockb", "bun", CLAIM_LOCKFILE, YARN_UNKNOWN },
	{ "pnpm-workspace.yaml", "pnpm", CLAIM_WORKSPACE_FILE, YARN_UNKNOWN },
	{ ".pnp.cjs", "yarn", CLAIM_YARNRC, YARN_BERRY },
};

/* Settings in an .npmrc that only pnpm reads. */
static const char pnpm_settings[] =
	"shamefully-hoist public-hoist-pattern public-hoist-pattern[] "
	"hoist-pattern hoist-pattern[] node-linker auto-install-peers "
	"strict-peer-dependencies link-workspace-packages "
	"shared-workspace-lockfile save-workspace-protocol "
	"prefer-workspace-packages use-node-version package-manager-strict "
	"manage-package-manager-versions recursive-install "
	"dedupe-peer-dependents resolution-mode virtual-store-dir "
	"side-effects-cache ignore-workspace-root-check "
	"enable-pre-post-scripts";

enum yarn_flavour build_flavour_of(struct json_text version)
{
	size_t at = 0;

	if (text_in(version, "berry stable canary"))
		return YARN_BERRY;
	while (at < version.len && strchr("^~>=v", version.bytes[at]) != NULL &&
	       version.bytes[at] != '\0')
		at++;
	version = text_from(version, at);
	version = text_cut(version, '.', NULL);
	if (version.len == 0 || version.bytes[0] < '0' ||
	    version.bytes[0] > '9')
		return YARN_UNKNOWN;
	return text_is(version, "0") || text_is(version, "1") ? YARN_CLASSIC
							      : YARN_BERRY;
}

/* ".yarn/releases/yarn-3.2.1.cjs": the version in the name of the release. */
static void yarn_path_take(struct build *b, const struct parse_input *in,
			   struct json_text path)
{
	struct claim c = { .manager = "yarn",
			   .kind = CLAIM_YARN_PATH,
			   .in = in };
	struct json_text rest = path;

	if (path.bytes == NULL || path.len == 0)
		return;
	while (rest.bytes != NULL) {
		path = rest;
		(void)text_cut(path, '/', &rest);
	}
	if (text_begins(path, "yarn-") &&
	    (text_ends(path, ".cjs") || text_ends(path, ".js"))) {
		c.version = text_from(path, 5);
		c.version.len -= text_ends(path, ".cjs") ? 4 : 3;
	}
	if (c.version.len == 0)
		c.version.bytes = NULL;
	if (text_is(c.version, "berry"))
		c.flavour = YARN_BERRY;
	build_claim_add(b, &c);
}

static void yarnrc_yml_read(struct build *b)
{
	const struct parse_input *in = project_find(&b->project, ".yarnrc.yml");
	struct yaml_caps caps = { .memory_bytes = project_memory(&b->project) };
	struct yaml_documents docs = { 0 };

	if (in == NULL || in->is_name_only)
		return;
	/* Yarn 1 ignores the file, so its presence says little about which yarn
	 * runs.  A version in it decides. */
	build_claim_add(b, &(struct claim){ .manager = "yarn",
					    .kind = CLAIM_YARNRC,
					    .flavour = YARN_BERRY,
					    .in = in });
	(void)yaml_read(in, &caps, &b->project.arena, &docs, b->report);
	if (docs.len > 0)
		yarn_path_take(b, in,
			       yaml_text(yaml_find(docs.items[0], "yarnPath"),
					 in, b->report));
}

/* yarn-path ".yarn/releases/yarn-1.22.17.cjs" */
static void yarnrc_read(struct build *b)
{
	const struct parse_input *in = project_find(&b->project, ".yarnrc");
	struct lines lines = lines_of(in);
	struct json_text line;
	size_t offset;

	if (in == NULL || in->is_name_only)
		return;
	build_claim_add(b, &(struct claim){ .manager = "yarn",
					    .kind = CLAIM_YARNRC,
					    .flavour = YARN_CLASSIC,
					    .in = in });
	while (line_next(&lines, &line, &offset)) {
		struct json_text key = text_word(&line);

		if (text_is(text_unquote(key), "yarn-path") &&
		    line.len <= TEXT_LINE_BYTES)
			yarn_path_take(b, in, text_unquote(text_trim(line)));
	}
}

static void npmrc_read(struct build *b)
{
	const struct parse_input *in = project_find(&b->project, ".npmrc");
	struct lines lines = lines_of(in);
	struct json_text line;
	size_t offset;

	if (in == NULL || in->is_name_only)
		return;
	while (line_next(&lines, &line, &offset)) {
		struct json_text key = text_trim(text_cut(line, '=', NULL));

		if (key.len > 64 || !text_in(key, pnpm_settings))
			continue;
		build_claim_add(b, &(struct claim){ .manager = "pnpm",
						    .kind = CLAIM_NPMRC,
						    .in = in });
		return;
	}
}

static void yarn_lock_read(struct build *b)
{
	const struct parse_input *in = project_find(&b->project, "yarn.lock");
	struct claim c = { .manager = "yarn",
			   .kind = CLAIM_LOCKFILE,
			   .in = in };
	struct json_text head;

	if (in == NULL)
		return;
	head = (struct json_text){ in->bytes, in->len < YARN_LOCK_HEAD
						      ? in->len
						      : YARN_LOCK_HEAD };
	if (!in->is_name_only && text_has(head, "# yarn lockfile v1"))
		c.flavour = YARN_CLASSIC;
	else if (!in->is_name_only && text_has(head, "__metadata:"))
		c.flavour = YARN_BERRY;
	build_claim_add(b, &c);
}

void build_claims_read_files(struct build *b)
{
	for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
		const struct parse_input *in =
			project_find(&b->project, files[i].base);

		if (in != NULL)
			build_claim_add(
				b, &(struct claim){ .manager = files[i].manager,
						    .kind = files[i].kind,
						    .flavour = files[i].flavour,
						    .in = in });
	}
	yarn_lock_read(b);
	yarnrc_yml_read(b);
	yarnrc_read(b);
	npmrc_read(b);
}
