/* build_system.h -- what the pieces of node_build_system share; private to it. */
#ifndef CUPEL_PARSERS_BUILD_SYSTEM_H
#define CUPEL_PARSERS_BUILD_SYSTEM_H

#include "parsers/common/slice_list.h"
#include "parsers/common/text_piece.h"
#include "parsers/project/project.h"

#define CLAIMS_MAX 256U

/* The places that name a package manager, in the order in which they decide. */
enum claim_kind {
	CLAIM_PACKAGE_MANAGER, /* "packageManager" */
	CLAIM_DEV_ENGINES,     /* "devEngines": {"packageManager"} */
	CLAIM_RUSH,            /* "pnpmVersion" of rush.json */
	CLAIM_VOLTA,           /* "volta" */
	CLAIM_YARN_PATH, /* yarnPath of .yarnrc.yml, yarn-path of .yarnrc */
	CLAIM_LOCKFILE,
	CLAIM_WORKSPACE_FILE, /* pnpm-workspace.yaml */
	CLAIM_YARNRC,         /* .yarnrc.yml, .yarnrc, .pnp.cjs by presence */
	CLAIM_TOOL_VERSIONS,  /* .tool-versions, mise.toml */
	/* The ones from here on count only when nothing above names a manager,
	 * and never as a contradiction. */
	CLAIM_ENGINES, /* "engines": {"pnpm"} */
	CLAIM_NPMRC,   /* settings that only pnpm knows */
	CLAIM_KIND_MAX_
};

enum yarn_flavour { YARN_UNKNOWN, YARN_CLASSIC, YARN_BERRY };

struct claim {
	const char *manager;      /* static: npm, pnpm, yarn, bun */
	struct json_text version; /* as written; bytes NULL: unknown */
	enum yarn_flavour flavour;
	enum claim_kind kind;
	const struct parse_input *in;
};

/* The lists of the slice. */
enum build_list {
	BUILD_NODES,
	BUILD_SCRIPTS,
	BUILD_BUNDLERS,
	BUILD_TYPESCRIPT,
	BUILD_MONOREPO,
	BUILD_LISTS_MAX_
};

struct build {
	struct project project;
	struct parse_report *report;
	struct claim claims[CLAIMS_MAX];
	size_t claims_len;
	struct json_text declared; /* packageManager as written */
	struct slice_list lists[BUILD_LISTS_MAX_];
};

/* build_manager.c: every claim of home, then the decision among them. */
void build_claim_add(struct build *b, const struct claim *c);
void build_claims_read(struct build *b);
/* build_manager_decided -- the claim that decides, or NULL. */
const struct claim *build_manager_decided(struct build *b);
void build_manager_write(struct build *b, struct jsonw *slice);

/* build_claim.c: files that speak of a package manager. */
void build_claims_read_files(struct build *b);
/* build_flavour_of -- "1.22.19" is classic, "3.2.1" and "berry" are berry. */
enum yarn_flavour build_flavour_of(struct json_text version);

/* build_node.c */
void build_nodes_read_manifest(struct build *b, const struct manifest *m);
void build_nodes_read_files(struct build *b);
void build_nodes_read_rush(struct build *b);

/* build_bundler.c */
void build_bundlers_read(struct build *b);

/* build_monorepo.c */
void build_monorepo_read(struct build *b);

/* build_workspaces_write -- "workspaces": an object or null.
 *
 * @manager	"npm", "pnpm", "yarn", "bun" or NULL: the name of
 *		WORKSPACE_MANIFEST */
void build_workspaces_write(const struct project *p, const char *manager,
			    size_t cap_bytes, struct jsonw *slice);

/* build_typescript.c: 0 or -ENOMEM. */
int build_typescript_read(struct build *b);

#endif
