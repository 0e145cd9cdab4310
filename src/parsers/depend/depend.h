/* depend.h -- what the pieces of the probe dependencies share; private to it.
 *
 * Each file of a package manager has a reader.  It hands over what the file
 * declares (a name and a constraint) and what it pins (a name and a version).
 * When all files have been read, it is decided which pin belongs to which
 * declaration. */
#ifndef CUPEL_PARSERS_DEPEND_H
#define CUPEL_PARSERS_DEPEND_H

#include <stdbool.h>

#include "parsers/common/digest.h"
#include "parsers/common/parse.h"
#include "parsers/common/role.h"
#include "parsers/common/slice_list.h"
#include "parsers/common/text_piece.h"

/* The profile has 512 MB of address space.  Inputs may take 200 MB of them, and
 * the reader of npm's files (parsers/node) runs before the others. */
#define DEPEND_FACTS_BYTES    ((size_t)64 << 20) /* texts that are kept */
#define DEPEND_TREE_BYTES     ((size_t)96 << 20) /* of one file at a time */
#define DEPEND_ITEMS_MAX      200000U            /* declarations, and pins */
#define DEPEND_REGISTRIES_MAX ((size_t)4096)
#define DEPEND_REQUIRES_MAX   512U /* of one package */
#define DEPEND_FILES_MAX      4000U
#define DEPEND_HOMES_MAX      4000U
#define DEPEND_PATTERNS_MAX   256U /* each is tried against every file */
#define DEPEND_SLICE_BYTES    (PARSE_SLICE_BYTES - 2048)
#define DEPEND_CONSTRAINT_MAX ((size_t)4096)
#define DEPEND_NAME_BYTES     512U /* no package has a longer name */
#define DEPEND_INCLUDES_BYTES ((size_t)1 << 20) /* paths that files include */
/* In all files together; what is behind that is an error that names the file. */
#define DEPEND_LOOKUPS_MAX ((size_t)3000000) /* of a pom.xml's properties */

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
	const char *kind; /* of all that a file of requirements declares */
	/* Of a pom.xml: its parent's artifactId (bytes NULL: it is not in the
	 * repository) and where it says that lies, and the parent itself. */
	struct json_text parent, parent_path;
	const struct depend_file *above;
	bool has_shared_version;       /* the workspace's: depend_named.c */
	bool is_bad;                   /* it could not be read */
	size_t dependencies, packages; /* in it */
	size_t hashes;                 /* modules that a go.sum has */
};

/* One row for each kind of file. */
struct depend_format {
	const char *pattern; /* of the whole path (base/glob.h) */
	const char *name;
	enum depend_ecosystem ecosystem;
	bool is_lock, is_settings;
	bool is_program; /* it is not read, only told */
	/* Returns 0 or -EINVAL (noted).  NULL: npm's, which are read
	 * together, and programs. */
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
	bool is_resolved;      /* resolved holds, even if it is unknown */
	struct json_text from; /* the name that it has in the workspace; bytes
				* NULL: it stands here */
	/* Of a pom.xml: what is managed has this kind where it is used, and a
	 * dependency says itself which kind it is. */
	const char *managed_kind;
	bool has_kind;
	size_t order;
};

/* Where a file says that packages are taken from. */
struct depend_registry {
	struct depend_file *file;
	struct json_text text;
};

/* What a workspace has, and its members use by a name. */
struct depend_named {
	struct json_text key;
	struct depend_wish wish;
};

/* A name with a version. */
struct depend_pin {
	struct depend_file *file;
	struct json_text name, version;
	enum depend_origin origin;
	struct json_text url;
	struct digest_content content;
	bool has_other; /* an archive has another version, which was noted */
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
	 * what was noted of it: that they, or facts, have no more room, that
	 * a text is too long, that a package requires too many, and that
	 * nobody looks for what it includes. */
	const struct depend_file *current;
	size_t wishes_end, pins_end, registries_end;
	bool has_lost, has_long, has_many, has_unlooked;
	struct depend_file *files;
	size_t files_len;
	struct depend_wish *wishes;
	size_t wishes_len, wishes_room;
	struct depend_pin *pins;
	size_t pins_len, pins_room;
	struct depend_named *named;
	size_t named_len, named_room;
	bool has_lost_named, has_lost_registry;
	struct depend_registry *registries;
	size_t registries_len, registries_room;
	struct role_homes homes;
	size_t patterns; /* patterns of members, which were looked for */
	size_t lookups;  /* see DEPEND_LOOKUPS_MAX */
	size_t includes; /* see DEPEND_INCLUDES_BYTES */
};

/* depend_formats.c: the table, and the row that fits a name, or NULL. */
const struct depend_format *depend_format_find(const struct parse_input *in);
/* Whether it is the name of a file of requirements.  Only those patterns are tried,
 * because a file may include a hundred thousand others. */
bool depend_is_requirements(const struct parse_input *in);

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
/* Room for the names of *len packages, or NULL without memory (noted once).  *len
 * becomes at most DEPEND_REQUIRES_MAX; if it was more, that is an error, once for
 * each file. */
struct json_text *depend_requires_new(struct depend *d, size_t *len);
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

/* depend_named.c */
/* Let the files that use `key` have the name, constraint and origin of w.  All
 * texts must have been kept.  The key "" is the version of a workspace. */
void depend_named_add(struct depend *d, struct json_text key,
		      const struct depend_wish *w);
/* Fill every wish that has `from`.  Call it once, when all has been read. */
void depend_named_fill(struct depend *d);
/* Give the dependencies of each pom.xml the versions and the kinds that its
 * <dependencyManagement>, or that of a parent in the repository, has for them.  Call
 * it once, when all has been read. */
void depend_managed_fill(struct depend *d);
/* Whether what lies in dir applies to what lies in below. */
bool depend_is_above(struct json_text dir, struct json_text below);

/* depend_line.c: a walk over the lines of a file as the tools that read it see
 * them: a lone \r ends one, and with is_python everything that
 * str.splitlines() knows. */
struct depend_lines {
	struct lines lines;
	struct json_text rest; /* of the line that is being cut; bytes NULL:
				* none */
	size_t at;             /* the offset of rest */
	bool is_python;
};
struct depend_lines depend_lines_of(const struct parse_input *in,
				    bool is_python);
bool depend_line_next(struct depend_lines *l, struct json_text *ret,
		      size_t *ret_offset);

/* depend_registry.c */
/* Add a registry, a mirror or a replacement that f names.  One that f has named
 * is not added again; one that is too long is an error. */
void depend_registry_add(struct depend *d, struct depend_file *f,
			 struct json_text text);
/* The same for the scheme and the host of an address alone. */
void depend_registry_host_add(struct depend *d, struct depend_file *f,
			      struct json_text text);
/* Add all addresses and places in the member of v that is called key. */
void depend_registries_take(struct depend *d, struct depend_file *f,
			    const struct json_value *v, const char *key);

/* depend_clean.c: remove users, passwords and tokens from the addresses in all
 * texts.  Call it once, when everything has been read. */
void depend_clean(struct depend *d);

/* depend_resolve.c: set `resolved` of every wish, from the pins of the lockfile
 * in its directory or in the nearest one above. */
void depend_resolve(struct depend *d);
/* The lockfile in the directory of f or the nearest one above it, or NULL.  One
 * without packages does not count. */
const struct depend_file *depend_lock_find(const struct depend *d,
					   const struct depend_file *f);
/* Write the name as its registry compares it to out.  In PyPI the case of letters
 * does not matter, and runs of "-", "_" and "." are one "-" (PEP 503).  In cargo "_"
 * is "-".  In composer the case of letters does not matter.  The others ignore no
 * differences.  Returns the length, 0 if it is over cap. */
size_t depend_name_fold(enum depend_ecosystem e, struct json_text name,
			char *out, size_t cap);
/* depend_archive.c: whether the archive at that address, or of that name, has the pin's
 * version in its name, as PyPI has it.  If it has another one, that is noted, and is a
 * pin as well. */
void depend_archive_check(struct depend *d, struct depend_pin *p,
			  struct json_text address);
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

/* depend_pip.c: note as an error that f is in another coding than UTF-8, for pip;
 * and that it includes a file that no reader takes. */
void depend_coding_check(struct depend *d, const struct depend_file *f);
void depend_include_check(struct depend *d, const struct depend_file *f,
			  struct json_text file, size_t offset);
/* Write the path of file, as it is named in a file in dir, without "." and "..";
 * false if it lies outside of the root. */
bool depend_path_write(struct json_text dir, struct json_text file,
		       struct buf *out);

/* depend_text.c: cut at a '#' at the beginning or after a blank. */
struct json_text depend_comment_cut(struct json_text line);

/* depend_requirement.c: take one requirement of PEP 508, or of pip. */
void depend_requirement_take(struct depend *d, struct depend_file *f,
			     struct json_text text, const char *kind);

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
int depend_gradle_lock_read(struct depend *d, struct depend_file *f);
int depend_gem_read(struct depend *d, struct depend_file *f);
int depend_settings_toml_read(struct depend *d, struct depend_file *f);
int depend_settings_lines_read(struct depend *d, struct depend_file *f);
int depend_wrapper_read(struct depend *d, struct depend_file *f);
int depend_maven_config_read(struct depend *d, struct depend_file *f);
int depend_composer_read(struct depend *d, struct depend_file *f);
int depend_composer_lock_read(struct depend *d, struct depend_file *f);

#endif
