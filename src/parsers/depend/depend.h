/* depend.h -- what the pieces of the probe dependencies share; private to it.
 *
 * Each file of a package manager has a reader.  It hands over what the file
 * declares (a name and a constraint) and what it pins (a name and a version).
 * When all files have been read, it is decided which pin belongs to which
 * declaration. */
#ifndef CUPEL_PARSERS_DEPEND_H
#define CUPEL_PARSERS_DEPEND_H

#include <stdbool.h>

#include "parsers/common/parse.h"
#include "parsers/common/role.h"
#include "parsers/common/slice_list.h"
#include "parsers/common/text_piece.h"

/* The profile has 512 MB of address space.  Inputs may take 200 MB of them, and
 * the reader of npm's files (parsers/node) runs before the others. */
#define DEPEND_FACTS_BYTES    ((size_t)64 << 20) /* texts that are kept */
#define DEPEND_TREE_BYTES     ((size_t)96 << 20) /* of one file at a time */
#define DEPEND_ITEMS_MAX      200000U            /* declarations, and pins */
#define DEPEND_REQUIRES_MAX   512U               /* of one package */
#define DEPEND_FILES_MAX      4000U
#define DEPEND_HOMES_MAX      4000U
#define DEPEND_PATTERNS_MAX   256U /* each is tried against every file */
#define DEPEND_SLICE_BYTES    (PARSE_SLICE_BYTES - 2048)
#define DEPEND_CONSTRAINT_MAX ((size_t)4096)

struct depend;

enum depend_ecosystem {
	DEPEND_CARGO,
	DEPEND_COMPOSER,
	DEPEND_GEM,
	DEPEND_GO,
	DEPEND_MAVEN,
	DEPEND_NPM,
	DEPEND_PYPI,
	DEPEND_ECOSYSTEM_MAX_
};

/* Where a package comes from. */
enum depend_origin {
	DEPEND_REGISTRY,
	DEPEND_GIT,
	DEPEND_URL,
	DEPEND_PATH, /* a directory, so it has no package URL */
	DEPEND_ORIGIN_MAX_
};

/* A file that was recognised. */
struct depend_file {
	const struct parse_input *in;
	const struct depend_format *format;
	struct role role;
	struct json_text name, version; /* of the package that it describes */
	bool is_bad;                    /* it could not be read */
	size_t dependencies, packages;  /* in it */
	size_t hashes;                  /* modules that a go.sum has */
};

/* One row for each kind of file. */
struct depend_format {
	const char *pattern; /* of the whole path (base/glob.h) */
	const char *name;
	enum depend_ecosystem ecosystem;
	bool is_lock;
	/* Returns 0 or -EINVAL (noted).  NULL: npm's, which are read
	 * together. */
	int (*read)(struct depend *d, struct depend_file *f);
};

/* A name with a constraint.  Texts with bytes NULL are unknown. */
struct depend_wish {
	struct depend_file *file;
	struct json_text name, constraint;
	const char *kind; /* runtime, dev, build, optional, ... */
	enum depend_origin origin;
	struct json_text url;
	struct json_text resolved;
	size_t order;
};

/* A name with a version. */
struct depend_pin {
	struct depend_file *file;
	struct json_text name, version;
	enum depend_origin origin;
	struct json_text url;
	struct json_text *requires; /* "name" or "name version" */
	size_t requires_len;
	/* Of several versions, this is the one that a declaration of the
	 * project's means. */
	bool is_first;
	size_t order;
};

struct depend {
	const struct parse_inputs *inputs;
	struct parse_report *report;
	struct arena facts;
	/* The file that is being read, how far it may fill the lists, and
	 * whether it was noted that they, or facts, have no more room for
	 * it. */
	const struct depend_file *current;
	size_t wishes_end, pins_end;
	bool has_lost;
	struct depend_file *files;
	size_t files_len;
	struct depend_wish *wishes;
	size_t wishes_len, wishes_room;
	struct depend_pin *pins;
	size_t pins_len, pins_room;
	struct role_homes homes;
	size_t patterns; /* patterns of members, which were looked for */
};

/* depend_formats.c: the table, and the row that fits a name, or NULL. */
const struct depend_format *depend_format_find(const struct parse_input *in);

/* depend_add.c */
/* Each file may use half of the room that the files before it left.  Call this
 * before what the file holds is handed over, and depend_files_end() after the
 * last file. */
void depend_file_begin(struct depend *d, const struct depend_file *f);
void depend_files_end(struct depend *d);
/* A copy that lives as long as d.  bytes are NULL without memory (noted once),
 * or if t has none or is over DEPEND_CONSTRAINT_MAX. */
struct json_text depend_keep(struct depend *d, struct json_text t);
/* The same for a string; for anything else bytes are NULL. */
struct json_text depend_keep_string(struct depend *d,
				    const struct json_value *v);
/* The texts of w and p must have been kept; an item without a name is
 * skipped. */
void depend_wish_add(struct depend *d, const struct depend_wish *w);
void depend_pin_add(struct depend *d, const struct depend_pin *p);
/* Add a directory that a build file of f includes.  dir may be a pattern, and
 * is relative to f's directory. */
void depend_home_add(struct depend *d, const struct depend_file *f,
		     struct json_text dir);
/* Add a directory, relative to the root; it must live as long as d. */
void depend_home_put(struct depend *d, const struct parse_input *includer,
		     struct json_text dir);

/* depend_clean.c: remove users, passwords and tokens from the addresses in all
 * texts.  Call it once, when everything has been read. */
void depend_clean(struct depend *d);

/* depend_resolve.c: set `resolved` of every wish, from the pins of the lockfile
 * in its directory or in the nearest one above. */
void depend_resolve(struct depend *d);
/* depend_purl.c */
struct depend_purl {
	enum depend_ecosystem ecosystem;
	struct json_text name, version; /* version.bytes NULL: none */
	enum depend_origin origin;
	struct json_text url;
};
/* depend_purl_write -- write the package URL, or nothing if there can be none.
 * Source: the purl specification and its types. */
void depend_purl_write(const struct depend_purl *p, struct buf *out);
const char *depend_ecosystem_name(enum depend_ecosystem e);

/* depend_write.c */
void depend_write(struct depend *d);

/* depend_requirement.c: take one requirement of PEP 508, or of pip. */
void depend_requirement_take(struct depend *d, struct depend_file *f,
			     struct json_text text, const char *kind);

/* depend_ruby.c: the text in the quotes at the start of *rest, after blanks,
 * commas and a bracket.  *rest then begins after the quotes.  bytes NULL: there
 * is none. */
struct json_text depend_quoted_next(struct json_text *rest);

/* depend_npm.c: every package.json and lockfile of npm and its kin, as the
 * readers of node_manifest have read them. */
struct node;
void depend_npm_read(struct depend *d, const struct node *n);

/* The readers. */
int depend_pyproject_read(struct depend *d, struct depend_file *f);
int depend_pipfile_read(struct depend *d, struct depend_file *f);
int depend_requirements_read(struct depend *d, struct depend_file *f);
int depend_setup_cfg_read(struct depend *d, struct depend_file *f);
int depend_pipfile_lock_read(struct depend *d, struct depend_file *f);
int depend_poetry_lock_read(struct depend *d, struct depend_file *f);
int depend_uv_lock_read(struct depend *d, struct depend_file *f);
int depend_go_mod_read(struct depend *d, struct depend_file *f);
int depend_go_sum_read(struct depend *d, struct depend_file *f);
int depend_go_work_read(struct depend *d, struct depend_file *f);
int depend_cargo_toml_read(struct depend *d, struct depend_file *f);
int depend_cargo_lock_read(struct depend *d, struct depend_file *f);
int depend_pom_read(struct depend *d, struct depend_file *f);
int depend_gradle_read(struct depend *d, struct depend_file *f);
int depend_groovy_read(struct depend *d, struct depend_file *f);
int depend_gemfile_read(struct depend *d, struct depend_file *f);
int depend_gemspec_read(struct depend *d, struct depend_file *f);
int depend_gem_read(struct depend *d, struct depend_file *f);
int depend_composer_read(struct depend *d, struct depend_file *f);
int depend_composer_lock_read(struct depend *d, struct depend_file *f);

#endif
