/* node.h -- what the pieces of node_manifest share; private to the probe. */
#ifndef CUPEL_PARSERS_NODE_H
#define CUPEL_PARSERS_NODE_H

#include <stdbool.h>
#include <stdint.h>

#include "parsers/common/digest.h"
#include "parsers/common/parse.h"
#include "parsers/common/slice_list.h"
#include "parsers/common/text_piece.h"
#include "parsers/project/project.h"

/* The profile has 512 MB of address space; inputs may take 200 of them. */
#define NODE_LOCK_BYTES  ((size_t)160 << 20) /* one JSON lockfile at a time */
#define NODE_FACTS_BYTES ((size_t)48 << 20)  /* texts that outlive a lockfile */
#define NODE_PINS_MAX    600000U             /* of all lockfiles together */
#define NODE_WISHES_MAX  1000000U            /* in one record */
#define NODE_COMPARES    4000000U /* dependencies compared with a lockfile */
#define NODE_CHOICES_MAX 262144U  /* of all lockfiles together */
/* Directories in which a package is looked for, from that of a package.json
 * upward.  The last one is the lockfile's own. */
#define NODE_LEVELS_MAX 33U
#define NODE_HEAD_BYTES (3 * (size_t)4096) /* a name and a constraint */

#define NODE_SLICE_BYTES        (PARSE_SLICE_BYTES - 1024)
#define NODE_DEPENDENCIES_BYTES ((size_t)512 << 10) /* of the packages */
/* Of one package and one lockfile, less than any list's share of the slice. */
#define NODE_DEPENDENCIES_ONE ((size_t)128 << 10)
#define NODE_IMPORTERS_BYTES  ((size_t)128 << 10)
/* Of one lockfile; more are counted. */
#define NODE_ORIGINS_MAX 64U
#define NODE_SCRIPTS_MAX 256U

/* The lists of the slice. */
enum node_list {
	NODE_PACKAGES,
	NODE_LOCKFILES,
	NODE_NATIVES,
	NODE_MISMATCH,
	NODE_INSTALLED,
	NODE_LISTS_MAX_
};

struct node_package {
	const struct manifest *manifest;
	const struct parse_input *in; /* the manifest's */
	struct json_value tree;       /* the same */
	bool is_listed;
	const struct parse_input *compared; /* the lockfile it last was */
};

/* One resolved package of a lockfile; strings in node.facts or an input. */
struct node_pin {
	struct json_text name, version;
	struct json_text integrity;     /* bytes NULL = none */
	const struct json_text *scheme; /* of yarn's checksums; NULL: W3C's */
	struct digest_content content;
	bool is_top; /* what the project's own packages get, says npm */
	const struct parse_input *in;
	size_t order; /* of the text, to keep the first one first */
};

/* How a lockfile says which version a package.json gets. */
enum node_way {
	NODE_BY_DIRECTORY, /* npm: key is the name of a directory in the
			    * node_modules of place */
	NODE_BY_IMPORTER, /* pnpm: key is a name in the package.json of place */
	NODE_BY_HEAD,     /* yarn: key is "name@constraint" */
};

/* What a lockfile means by a name; the texts are kept ones or static. */
struct node_choice {
	struct json_text key;   /* is first: text_place() */
	struct json_text place; /* a directory below the lockfile's; "" is it */
	struct json_text version; /* bytes NULL: a directory, without one */
	enum node_way way;
	const struct parse_input *in; /* the lockfile */
};

/* What a lockfile means by the names in one package.json, the nearest directory
 * first. */
struct node_choices {
	struct node_choice_level {
		const struct node_choice *items; /* sorted by key */
		size_t len;
	} levels[NODE_LEVELS_MAX];
	size_t len;
};

/* One module that is or may be compiled code. */
struct node_native {
	struct json_text name, version; /* version.bytes NULL = unknown */
	struct json_text family; /* "@x/y-*"; bytes NULL: the name is the row */
	const char *reason;
	const struct parse_input *in;
};

/* The catalogue, sorted. */
struct node_catalogue {
	struct json_text *names, *prefixes;
	size_t names_len, prefixes_len;
};

struct node {
	const struct parse_inputs *inputs;
	struct parse_report *report;
	struct arena facts; /* strings that outlive a lockfile's tree */
	bool has_lost;      /* facts is full, and this was noted */
	struct project project;
	struct node_package *packages; /* project.manifests, one for one */
	size_t packages_len;
	size_t dependencies_cap; /* of the list, while a package is written */
	size_t dependencies_cut; /* left out */
	struct node_pin *pins;
	size_t pins_len, pins_room;
	/* Kept if the caller has set has_choices; choices_end is how far the
	 * lockfile that is being read may fill them. */
	bool has_choices, has_cut_choices;
	struct node_choice *choices;
	size_t choices_len, choices_room, choices_end;
	struct node_native *natives;
	size_t natives_len, natives_room;
	struct node_catalogue catalogue;
	size_t lockfiles; /* read without an error */
	size_t compares;  /* done, of NODE_COMPARES */
	struct slice_list lists[NODE_LISTS_MAX_];
};

/* The four sections of a manifest in which names have constraints. */
struct node_section {
	const char *key;
	const char *kind;
};
#define NODE_SECTIONS      4
#define NODE_SECTION_RUN   0
#define NODE_SECTION_PEERS 2
extern const struct node_section node_sections[NODE_SECTIONS];

/* node_manifest.c: manifests and lockfiles, for this probe and for
 * dependencies.  n is zeroed by the caller, but for has_choices;
 * node_manifest_done() frees it, after a failure too.  0 or -ENOMEM. */
int node_manifest_read(const struct parse_inputs *in, struct parse_report *r,
		       struct node *n);
void node_manifest_done(struct node *n);

/* node_text.c */
/* t for as long as n lives: in the input itself, when it stands there at byte
 * at (or after a quote), else a copy.  bytes NULL when memory has run out
 * (noted once) or t had none. */
struct json_text node_text_keep(struct node *n, const struct parse_input *in,
				size_t at, struct json_text t);
/* The position of w, to remove later what is written from here on. */
struct node_mark {
	size_t len;
	unsigned depth;
	bool has_items;
};
struct node_mark node_mark_of(const struct jsonw *w);
/* Whether w is over cap_bytes; then it goes back to mark. */
bool node_mark_cut(struct jsonw *w, struct node_mark mark, size_t cap_bytes);
/* "name@range" in two; range.bytes NULL when there is no '@' but the first. */
void node_text_split(struct json_text t, struct json_text *ret_name,
		     struct json_text *ret_range);
/* dir/path without "." and "..", into out; false when it leaves the root. */
bool node_path_join(struct buf *out, struct json_text dir,
		    struct json_text path);

/* node_package.c */
int node_packages_read(struct node *n); /* 0 or -ENOMEM */
void node_packages_write(struct node *n);
/* The package.json in directory dir (no slash at its end), or NULL. */
struct node_package *node_package_find(const struct node *n,
				       struct json_text dir);
/* The member of a package's tree that is an object, or NULL. */
const struct json_value *node_section_find(const struct node_package *p,
					   const char *key);

/* node_directory.c: warn when the directory path, as seen from in, has no
 * package.json that is read: it lies in what is not entered, behind a link, or
 * outside.  Its scripts are not known then, and it is installed all the same. */
void node_directory_look(struct node *n, const struct parse_input *in,
			 size_t offset, struct json_text path);
/* The same for every constraint of a package that names a directory. */
void node_directories_look(struct node *n, const struct node_package *p);

/* node_lock.c: shared by the readers of lockfiles. */
struct node_lock {
	struct node *node;
	const struct parse_input *in;
	const char *kind;
	struct json_text version; /* as written; bytes NULL = null */
	bool is_number;           /* version is a JSON number */
	size_t entries;
	struct buf importers_text; /* a JSON array */
	struct jsonw importers;
	size_t importers_cut; /* over NODE_IMPORTERS_BYTES */
	/* what node_origin_note() has seen; the texts are kept ones */
	struct json_text origins[NODE_ORIGINS_MAX];
	size_t origins_len, origins_omitted;
	struct json_text scripts[NODE_SCRIPTS_MAX];
	size_t scripts_len, scripts_omitted;
	size_t without_integrity;
};

/* One resolved package, its texts kept (node_text_keep) or static. */
struct node_entry {
	struct json_text name, version, integrity;
	const struct json_text *scheme;
	enum digest_kind digest;   /* of integrity, or of what stands for it */
	bool is_top;               /* see struct node_pin */
	struct json_text resolved; /* a URL; bytes NULL: there is none */
	struct json_text fetched; /* the version by which it is asked for, where
				    * that is not `version`; bytes NULL: it is */
	bool is_inside;  /* of the repository, or in another one's archive */
	bool has_script; /* the lockfile says that it has an install script */
	bool is_built;   /* and that script may well compile something */
};

/* node_origin.c: where packages come from.  Add one resolved package, and set what is
 * known of its content. */
void node_origin_note(struct node_lock *l, const struct node_entry *e,
		      struct digest_content *ret);
/* node_archive.c: the version in the name of the archive that an entry's address leads
 * to, if that is named as registries name them and it is not the entry's own version;
 * else bytes NULL. */
struct json_text node_archive_version(const struct node_entry *e);
/* Whether the archive is named after the package, as "NAME-VERSION.tgz". */
bool node_archive_is_own(struct json_text place, struct json_text name);
/* Members origins, without_integrity and install_scripts of a lockfile. */
void node_origins_write(const struct node_lock *l, struct jsonw *w);
/* Member scripts of a package: those that installing, building and testing run,
 * the one that a binding.gyp stands for, too. */
void node_scripts_write(const struct node *n, const struct node_package *p,
			struct jsonw *w);

void node_locks_read(struct node *n);
void node_lock_entry(struct node_lock *l, const struct node_entry *e);
/* Notes the importer; returns its package.json if there is one that has not
 * been compared with this lockfile. */
const struct node_package *node_lock_importer(struct node_lock *l,
					      struct json_text path);
/* Warn unless the version's first number is one of majors (ends with 0). */
void node_lock_check_version(struct node_lock *l, const unsigned *majors,
			     const char *expected);

/* One each: package-lock.json and npm-shrinkwrap.json; pnpm-lock.yaml;
 * yarn.lock; yarn.lock of yarn 2 and later; bun.lock.  0 or -EINVAL (noted). */
int node_npm_read(struct node_lock *l);
int node_pnpm_read(struct node_lock *l);
int node_yarn_read(struct node_lock *l);
int node_berry_read(struct node_lock *l);
int node_bun_read(struct node_lock *l);

/* node_pnpm_key.c: "/@a/b/1.0.0_peer@2" (lockfiles before 6) or
 * "@a/b@1.0.0(peer@2)" in two; version.bytes NULL when there is none. */
void node_pnpm_key_split(struct json_text key, bool is_before_6,
			 struct json_text *ret_name,
			 struct json_text *ret_version);

/* node_record.c: names with constraints, as a lockfile remembers them. */
struct node_wish {
	struct json_text name, constraint;
};
struct node_record {
	struct node_wish *items;
	size_t len, room;
	bool is_cut; /* over NODE_WISHES_MAX, or no memory */
};
void node_record_add(struct node_record *r, struct json_text name,
		     struct json_text constraint);
void node_record_sort(struct node_record *r);
/* In a sorted record; NULL when it is not there. */
const struct node_wish *node_record_find(const struct node_record *r,
					 struct json_text name);
/* Whether a name of the sorted record begins with text. */
bool node_record_has_prefix(const struct node_record *r, struct json_text text);
/* Note the first name that stands twice in the sorted record of a lockfile: the
 * package manager reads only one of them, or nothing. */
void node_record_note_twice(const struct node_record *r, struct node *n,
			    const struct parse_input *in);
void node_record_clear(struct node_record *r); /* keeps the memory */
void node_record_done(struct node_record *r);
/* The names that a table of overrides changes: "a", "a@1", "b>a", a path of them. */
void node_record_add_override(struct node_record *r, struct json_text key);

/* Whether the dependencies of p may still be compared; if not, says so. */
bool node_compare_spend(struct node *n, const struct parse_input *lock,
			const struct node_package *p);

/* node_compare.c: compares a lockfile's copy of a manifest with the
 * manifest. */
void node_compare_importer(struct node *n, const struct parse_input *lock,
			   const struct json_value *entry,
			   const struct node_package *p);
void node_compare_top_level(struct node *n, const struct parse_input *lock,
			    const struct json_value *dependencies,
			    const struct node_package *p);

/* node_against.c: the same from records.  All records are sorted. */
struct node_against {
	struct node_lock *lock;
	const struct node_record *overridden; /* these may differ */
	bool has_protocols;                   /* "npm:1" is "1" */
};
void node_compare_record(const struct node_against *a,
			 const struct node_record *r,
			 const struct node_package *p);
/* A dependency of the manifests that the lockfile governs for which
 * "name@constraint" is not in the record of all descriptors. */
void node_compare_descriptors(const struct node_against *a,
			      const struct node_record *all);
/* "resolutions" of the package.json beside the lockfile, sorted. */
void node_resolutions_read(struct node_lock *l, struct node_record *ret);

/* node_choice.c: what a lockfile means by the names in a package.json. */
/* Each lockfile may use half of the room that the ones before it left. */
void node_choices_start(struct node *n);
/* A choice without a key or a place is skipped; `in` is set. */
void node_choice_add(struct node_lock *l, const struct node_choice *c);
/* One for each name in heads from there on: "name@constraint". */
void node_choice_add_heads(struct node_lock *l, const struct node_record *heads,
			   size_t from, struct json_text version);
/* Call it once, when all lockfiles have been read. */
void node_choices_sort(struct node *n);
/* What the lockfile means for a package.json in its directory or below.  Of more
 * than NODE_LEVELS_MAX directories the nearest ones and the lockfile's own are
 * looked at. */
void node_choices_find(const struct node *n, const struct parse_input *lock,
		       const struct parse_input *manifest,
		       struct node_choices *ret);
/* What name with this constraint is, as the package.json has them, or NULL if the
 * lockfile does not say it.  constraint.bytes NULL: it is no text. */
const struct node_choice *node_choice_find(const struct node_choices *c,
					   struct json_text name,
					   struct json_text constraint);

/* node_integrity.c: same name and version, two different hashes. */
void node_pin_add(struct node *n, const struct node_pin *pin);
void node_pins_sort(struct node *n);
void node_pins_write(struct node *n); /* of sorted ones */
/* The first of the sorted pins that has name, or NULL. */
const struct node_pin *node_pins_find(const struct node *n,
				      struct json_text name);

/* node_catalogue.c: the native modules known by name. */
void node_catalogue_read(struct node *n);
void node_catalogue_done(struct node *n);
bool node_native_is_known(const struct node *n, struct json_text name);
/* node_native_family -- the row of the catalogue that stands for every name that
 * begins so, as written there ("@x/y-*"); bytes NULL: name has none. */
struct json_text node_native_family(const struct node *n,
				    struct json_text name);

/* node_native.c */
void node_native_add(struct node *n, const struct node_native *native);
void node_natives_read_packages(struct node *n);
/* Whether a package.json says, or a binding.gyp beside it, that it is built. */
bool node_native_has_gyp(const struct node *n, const struct parse_input *in,
			 const struct json_value *tree);
/* Whether it runs something when it is installed; is_any: also what names no
 * tool that compiles. */
bool node_native_has_script(const struct json_value *tree, bool is_any);
/* Whether the package.json or the lockfile's entry depends on what compiles modules
 * or finds compiled ones. */
bool node_native_has_builder(const struct json_value *tree);
void node_natives_write(struct node *n);

/* node_installed.c: node_modules, when it was declared too. */
void node_installed_read(struct node *n);

/* One entry of integrity_mismatch; texts with bytes NULL become null. */
struct node_mismatch {
	struct json_text name, version, expected, found;
	const char *reason;
	const struct parse_input *in;
};
void node_mismatch_write(struct node *n, const struct node_mismatch *m);

#endif
