/* project.h -- the manifests of a repository and how they belong together.
 *
 * Shared by node_build_system and test_inventory: which directory is the
 * project's, every package.json, and which of them are its workspaces. */
#ifndef CUPEL_PARSERS_PROJECT_H
#define CUPEL_PARSERS_PROJECT_H

#include <stdbool.h>

#include "parsers/common/parse.h"
#include "parsers/common/role.h"
#include "parsers/common/slice_list.h"
#include "parsers/common/text_piece.h"

/* Address space is 512 MiB, inputs may take 200 of them, and node_manifest reads
 * lockfiles beside the trees. */
#define PROJECT_MANIFESTS_BYTES ((size_t)56 << 20) /* every package.json */
#define PROJECT_DECLARED_BYTES  ((size_t)16 << 20) /* of one directory's files */
#define PROJECT_TREES_BYTES     ((size_t)96 << 20) /* with every other file */
#define PROJECT_GLOBS_MAX       1000U              /* of one declaration */
#define PROJECT_HOMES_MAX       64U /* directories that declare workspaces */
/* Of bytes of a pattern times bytes of a directory, over every pattern and
 * package.json: a second.  500 packages and 20 patterns take 10 million. */
#define PROJECT_MATCH_WORK ((uint64_t)1 << 30)

enum manifest_role {
	/* In home, unless others lie beside home; or where workspaces are
	 * declared. */
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
	bool is_listed; /* home, or of home's workspaces when it has some */
	/* The file that declares it a workspace, or NULL. */
	const struct parse_input *includer;
	/* Of a workspace whose dependencies are in the lockfile of another
	 * directory: that directory.  bytes NULL: it has its own lockfile. */
	struct json_text home;
	bool is_home; /* it is that directory's */
};

/* One way for each file that can declare workspaces; docs/gather.md says what
 * the patterns mean. */
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

/* What the files of one directory declare. */
struct declared {
	struct json_text dir;
	struct workspace workspaces[WORKSPACE_KIND_MAX_];
	/* In the order in which they count: the first one present decides which
	 * packages are workspaces. */
	const enum workspace_kind *order; /* WORKSPACE_KIND_MAX_ of them */
	const struct parse_input *rush;   /* rush.json when it was read */
	struct json_value rush_tree;
};

struct project {
	const struct parse_inputs *inputs; /* own.inputs */
	struct role_inputs own;            /* whose each of them is */
	struct role_homes homes;           /* workspaces, in the arena */
	struct parse_report *report;
	struct arena arena; /* trees, lists, texts */
	struct json_text home;
	struct manifest *manifests; /* in the order of the inputs */
	size_t manifests_len;
	struct manifest **named; /* those with names, by name */
	size_t named_len;
	struct manifest *top;     /* the manifest in home, or NULL */
	struct declared declared; /* in home */
	uint64_t work;            /* of PROJECT_MATCH_WORK */
};

/* The version of node_build_system and node_manifest: it is raised when their answers
 * change, in jobs/probe/catalogue.c too.  test_inventory has its own. */
#define PROJECT_PROBES_VERSION "1.14"

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

/* project_memory -- how much of PROJECT_TREES_BYTES a tree may still use. */
size_t project_memory(const struct project *p);

/* project_find -- the input of that name in home, or NULL. */
const struct parse_input *project_find(const struct project *p,
				       const char *base);

/* project_manifest_next -- the listed manifests that are the project's own, the
 * one in home first.
 *
 * @m		the one before, or NULL for the first
 * Returns NULL behind the last. */
const struct manifest *project_manifest_next(const struct project *p,
					     const struct manifest *m);

/* project_manifest_in -- the manifest in directory dir (no slash at its end), or NULL. */
struct manifest *project_manifest_in(const struct project *p, const char *dir,
				     size_t dir_len);

/* project_manifests_below -- where those in dir and below it begin.
 *
 * Returns how many there are. */
size_t project_manifests_below(const struct project *p, struct json_text dir,
			       size_t *ret_from);

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

/* project_declared_read -- read what the files in d->dir declare.
 *
 * Files that cannot be read are noted, and declare nothing.
 *
 * @arena	owns the patterns and trees
 * @d		zero but for dir; project_declared_done() frees it
 * Returns 0 or -ENOMEM. */
int project_declared_read(struct project *p, struct arena *arena,
			  struct declared *d);
void project_declared_done(struct declared *d);

/* project_decides -- the kind of declaration that decides, or
 * WORKSPACE_KIND_MAX_ when the files declare no workspaces. */
enum workspace_kind project_decides(const struct declared *d);

/* project_glob_trim -- "./packages/x/" is "packages/x", and "." is "". */
struct json_text project_glob_trim(struct json_text glob);

/* project_glob_judge -- warn of a pattern with a form that is not supported. */
void project_glob_judge(struct project *p, const struct parse_input *in,
			struct json_text glob, size_t offset);

/* project_glob_has -- whether the patterns of w include the directory dir,
 * given relative to the declaration.  False when the allowed work is used
 * up. */
bool project_glob_has(struct project *p, const struct workspace *w,
		      enum workspace_kind kind, struct json_text dir);

/* project_roles_decide -- set role, home and is_listed of every manifest, and
 * read what home declares.  0 or -ENOMEM. */
int project_roles_decide(struct project *p);

#endif
