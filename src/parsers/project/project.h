/* project.h -- the manifests of a repository and what binds them.
 *
 * Shared by node_build_system and test_inventory: which directory is the
 * project's, every package.json, and which of them are its workspaces. */
#ifndef CUPEL_PARSERS_PROJECT_H
#define CUPEL_PARSERS_PROJECT_H

#include <stdbool.h>

#include "parsers/common/parse.h"
#include "parsers/common/slice_list.h"
#include "parsers/common/text_piece.h"

/* Address space is 512 MiB, inputs may take 200 of them. */
#define PROJECT_TREES_BYTES ((size_t)96 << 20) /* every small file together */
#define PROJECT_GLOBS_MAX   256U               /* of one declaration */
/* Of bytes of a pattern times bytes of a directory, over every pattern and
 * package.json: some seconds.  500 packages and 20 patterns take 10 million. */
#define PROJECT_MATCH_WORK ((uint64_t)4 << 30)

enum manifest_role {
	MANIFEST_ROOT,
	MANIFEST_WORKSPACE,
	MANIFEST_STANDALONE,
	MANIFEST_ROLE_MAX_
};

/* One package.json that could be read. */
struct manifest {
	const struct parse_input *in;
	struct json_value tree;
	struct json_text name; /* bytes NULL: it has none */
	enum manifest_role role;
	bool is_listed; /* the project's own */
};

enum workspace_kind {
	WORKSPACE_PNPM,
	WORKSPACE_MANIFEST, /* npm, yarn or bun: "workspaces" */
	WORKSPACE_LERNA,
	WORKSPACE_RUSH,
	WORKSPACE_BOLT,
	WORKSPACE_KIND_MAX_
};

/* One file's declaration of workspaces. */
struct workspace {
	const struct parse_input *in; /* NULL: there is none of this kind */
	struct json_text *globs;      /* as written */
	size_t globs_len;
	bool *has; /* one for each manifest */
};

struct project {
	const struct parse_inputs *inputs;
	struct parse_report *report;
	struct arena arena; /* trees, lists, texts */
	struct json_text home;
	struct manifest *manifests; /* in the order of the inputs */
	size_t manifests_len;
	struct manifest **named; /* those with names, by name */
	size_t named_len;
	struct manifest *top; /* the manifest in home, or NULL */
	struct workspace workspaces[WORKSPACE_KIND_MAX_];
	const struct parse_input *rush; /* rush.json of home when it was read */
	struct json_value rush_tree;
	uint64_t work; /* of PROJECT_MATCH_WORK */
};

/* project_read -- manifests, home and workspaces of the inputs.
 *
 * Home is the root of the repository where a package.json, a lockfile or a
 * declaration of workspaces lies, or else the shallowest directory with one,
 * the first by its bytes.
 *
 * @ret		zeroed by the caller; project_done() frees it
 * Returns 0 or -ENOMEM. */
int project_read(const struct parse_inputs *in, struct parse_report *r,
		 struct project *ret);
void project_done(struct project *p);

/* project_memory -- what a tree may still take of PROJECT_TREES_BYTES. */
size_t project_memory(const struct project *p);

/* project_find -- the input of that name in home, or NULL. */
const struct parse_input *project_find(const struct project *p,
				       const char *base);

/* project_manifest_next -- the project's own manifests, the one in home first.
 *
 * @m		the one before, or NULL for the first
 * Returns NULL behind the last. */
const struct manifest *project_manifest_next(const struct project *p,
					     const struct manifest *m);

/* project_manifest_in -- the manifest in directory dir (no slash at its end), or NULL. */
struct manifest *project_manifest_in(const struct project *p, const char *dir,
				     size_t dir_len);

/* project_manifest_named -- the first manifest of that name, or NULL. */
const struct manifest *project_manifest_named(const struct project *p,
					      struct json_text name);

/* project_manifest_text -- the text of one of its members. */
struct json_text project_manifest_text(const struct project *p,
				       const struct manifest *m,
				       const char *key);

/* project_manifest_depends -- the constraint that m declares for a package, whether at
 * run time, for development or optional (not what it asks of its users).
 *
 * @ret		bytes NULL when the constraint is no text
 * Returns false when it declares none. */
bool project_manifest_depends(const struct project *p, const struct manifest *m,
			      const char *package, struct json_text *ret);

/* project_workspaces_read -- fills p->workspaces and the roles.  -ENOMEM. */
int project_workspaces_read(struct project *p);

/* build_workspaces_write -- "workspaces": an object or null.
 *
 * @manager	"npm", "pnpm", "yarn", "bun" or NULL: whose declaration counts
 *		where there are several, and the name of WORKSPACE_MANIFEST */
void build_workspaces_write(const struct project *p, const char *manager,
			    size_t cap_bytes, struct jsonw *slice);

#endif
