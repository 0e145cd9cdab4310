/* node.h -- what the pieces of node_manifest share; private to the probe. */
#ifndef CUPEL_PARSERS_NODE_H
#define CUPEL_PARSERS_NODE_H

#include <stdbool.h>

#include "parsers/parse.h"

/* The profile has 512 MB of address space; inputs may take 200 of them. */
#define NODE_TREES_BYTES ((size_t)56 << 20)  /* every package.json together */
#define NODE_LOCK_BYTES  ((size_t)160 << 20) /* one lockfile at a time */
#define NODE_PINS_MAX    600000U             /* of all lockfiles together */

enum node_role { NODE_ROOT, NODE_WORKSPACE, NODE_STANDALONE, NODE_ROLE_MAX_ };

struct node_package {
	const struct parse_input *in;
	struct arena arena; /* owns tree */
	struct json_value tree;
	bool is_listed;
	enum node_role role;
};

/* One resolved package of a lockfile; strings in node.facts. */
struct node_pin {
	struct json_text name, version, integrity;
	const struct parse_input *in;
	size_t order; /* of the text, to keep the first one first */
};

/* One module that is, or may be, compiled code. */
struct node_native {
	struct json_text name, version; /* version.bytes NULL = unknown */
	const char *reason;
	const struct parse_input *in;
};

struct node {
	const struct parse_inputs *inputs;
	struct parse_report *report;
	struct arena facts; /* strings that outlive a lockfile's tree */
	struct node_package *packages;
	size_t packages_len;
	size_t trees_bytes; /* in use, of NODE_TREES_BYTES */
	struct node_pin *pins;
	size_t pins_len, pins_room;
	struct node_native *natives;
	size_t natives_len, natives_room;
	/* JSON arrays of the slice */
	struct buf packages_text, lockfiles_text, natives_text, mismatch_text;
	struct jsonw packages_out, lockfiles_out, natives_out, mismatch_out;
};

/* The four sections of a manifest in which names have constraints. */
struct node_section {
	const char *key;
	const char *kind;
};
#define NODE_SECTIONS 4
extern const struct node_section node_sections[NODE_SECTIONS];

/* node_package.c */
void packages_read(struct node *n);
void packages_write(struct node *n);
/* The package.json in directory dir (no slash at its end), or NULL. */
const struct node_package *package_find(const struct node *n, const char *dir,
					size_t dir_len);

/* node_workspace.c: decides role and is_listed of every package. */
void workspaces_decide(struct node *n);

/* node_lock.c: one package-lock.json or npm-shrinkwrap.json. */
void lock_read(struct node *n, const struct parse_input *in);

/* node_compare.c: what a lockfile says of a manifest against the manifest. */
void compare_importer(struct node *n, const struct parse_input *lock,
		      const struct json_value *entry,
		      const struct node_package *p);
void compare_top_level(struct node *n, const struct parse_input *lock,
		       const struct json_value *dependencies,
		       const struct node_package *p);

/* node_integrity.c: same name and version, two different hashes. */
void pin_add(struct node *n, const struct node_pin *pin);
void pins_write(struct node *n);

/* node_native.c */
bool native_is_known(struct json_text name);
void native_add(struct node *n, const struct node_native *native);
void natives_read_packages(struct node *n);
void natives_write(struct node *n);

/* One entry of integrity_mismatch; texts with bytes NULL become null. */
struct node_mismatch {
	struct json_text name, version, expected, found;
	const char *reason;
	const struct parse_input *in;
};
void mismatch_write(struct node *n, const struct node_mismatch *m);

/* By bytes, like strcmp(3). */
int text_compare(struct json_text a, struct json_text b);

/* A text, or null when bytes is NULL. */
void text_write(struct jsonw *w, const char *key, struct json_text t);

#endif
