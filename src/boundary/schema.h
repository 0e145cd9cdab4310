/* schema.h -- JSON Schema draft 2020-12 over our value tree.
 *
 * Never fetches anything: the 2020-12 metaschemas are built in, other
 * documents are added by their identifier.
 */
#ifndef CUPEL_BOUNDARY_SCHEMA_H
#define CUPEL_BOUNDARY_SCHEMA_H

#include <stddef.h>

#include "boundary/json.h"

struct buf;

struct schema_set; /* documents and what was compiled from them */

enum schema_code {
	SCHEMA_OK,
	SCHEMA_MALFORMED,   /* a document is not strict JSON */
	SCHEMA_INVALID,     /* a keyword has a value the metaschema forbids */
	SCHEMA_UNRESOLVED,  /* a $ref names nothing that was given */
	SCHEMA_BAD_PATTERN, /* not a usable ECMA-262 pattern */
	SCHEMA_MATCH_LIMIT, /* a pattern ran into its match limit */
	SCHEMA_TOO_DEEP,    /* $ref loops or nesting over the cap */
	SCHEMA_TOO_COSTLY,  /* the evaluation's step cap was reached */
	SCHEMA_NO_MEMORY,
	SCHEMA_CODE_MAX_
};

/* Why a schema could not be used.  text is one printable line. */
struct schema_fault {
	enum schema_code code;
	char text[320];
};

/* One violation: RFC 6901 pointers and a sentence, escaped and capped. */
struct schema_violation {
	const char *instance; /* "/items/3/name" */
	const char *schema;   /* "https://.../s.json#/properties/items/type" */
	const char *message;  /* "expected integer, found string" */
};

#define SCHEMA_VIOLATIONS_MAX 32 /* more are counted, not kept */

struct schema_report {
	bool valid;
	struct schema_violation *violations; /* in arena; first is the first */
	size_t len;                          /* kept */
	size_t total;                        /* found */
};

/* schema_set_new -- an empty set with the metaschemas; NULL without memory. */
struct schema_set *schema_set_new(void);
void schema_set_free(struct schema_set *set); /* NULL is fine */

/* schema_set_add -- give the document that $ref to uri shall find.
 *
 * @uri		absolute, may be NULL for the root document without $id
 * @bytes	copied; strict JSON
 * Returns 0 or -EINVAL with *fault filled. */
int schema_set_add(struct schema_set *set, const char *uri, const char *bytes,
		   size_t n, struct schema_fault *fault);

/* schema_set_use -- choose the root document by the uri it was added under
 * (NULL: the one added with NULL) and compile: every reference resolves, every
 * pattern compiles, every keyword of an active vocabulary is well-formed.
 * Returns 0 or -EINVAL with *fault filled. */
int schema_set_use(struct schema_set *set, const char *uri,
		   struct schema_fault *fault);

/* schema_validate -- hold v against the root document.
 *
 * @arena	receives the report's strings
 * Returns 0 (report says whether valid), or -EINVAL with *fault filled when
 * the schema could not give an answer (match limit, cost, memory). */
int schema_validate(const struct schema_set *set, const struct json_value *v,
		    struct arena *arena, struct schema_report *ret,
		    struct schema_fault *fault);

const char *schema_code_name(enum schema_code code);

#endif
