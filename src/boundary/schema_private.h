/* schema_private.h -- shared by the files of the schema engine and nobody else.
 *
 * A set is built in three steps.  Scan (schema_scan.c): every value of every
 * document that a known keyword makes a schema becomes a node; $id, $anchor and
 * $dynamicAnchor are noted.  Link (schema_link.c): from the root document on,
 * whatever can be reached has its keywords checked, its references resolved
 * and its patterns compiled.  Evaluate (schema_eval*.c): the nodes are only
 * read, so one set serves many threads. */
#ifndef CUPEL_BOUNDARY_SCHEMA_PRIVATE_H
#define CUPEL_BOUNDARY_SCHEMA_PRIVATE_H

#include <stdbool.h>

#include "base/arena.h"
#include "boundary/pattern.h"
#include "boundary/schema.h"

/* The vocabularies, as bits of a dialect. */
enum schema_vocabulary {
	VOCAB_CORE = 1,
	VOCAB_APPLICATOR = 2,
	VOCAB_UNEVALUATED = 4,
	VOCAB_VALIDATION = 8,
	VOCAB_METADATA = 16,
	VOCAB_FORMAT = 32,
	VOCAB_CONTENT = 64,
	VOCAB_ALL = 127
};

/* Every keyword of 2020-12 in the order of evaluation: a keyword that depends
 * on others (additionalProperties, unevaluated...) comes after them. */
enum keyword_id {
	KW_REF,
	KW_DYNAMIC_REF,
	KW_TYPE,
	KW_CONST,
	KW_ENUM,
	KW_MULTIPLE_OF,
	KW_MAXIMUM,
	KW_EXCLUSIVE_MAXIMUM,
	KW_MINIMUM,
	KW_EXCLUSIVE_MINIMUM,
	KW_MAX_LENGTH,
	KW_MIN_LENGTH,
	KW_PATTERN,
	KW_MAX_ITEMS,
	KW_MIN_ITEMS,
	KW_UNIQUE_ITEMS,
	KW_MAX_PROPERTIES,
	KW_MIN_PROPERTIES,
	KW_REQUIRED,
	KW_DEPENDENT_REQUIRED,
	KW_PREFIX_ITEMS,
	KW_ITEMS,
	KW_CONTAINS,
	KW_PROPERTY_NAMES,
	KW_PROPERTIES,
	KW_PATTERN_PROPERTIES,
	KW_ADDITIONAL_PROPERTIES,
	KW_DEPENDENT_SCHEMAS,
	KW_ALL_OF,
	KW_ANY_OF,
	KW_ONE_OF,
	KW_NOT,
	KW_IF,
	KW_UNEVALUATED_ITEMS,
	KW_UNEVALUATED_PROPERTIES,
	/* evaluated with the keywords above, or not at all */
	KW_THEN,
	KW_ELSE,
	KW_MAX_CONTAINS,
	KW_MIN_CONTAINS,
	KW_ID,
	KW_SCHEMA,
	KW_ANCHOR,
	KW_DYNAMIC_ANCHOR,
	KW_VOCABULARY,
	KW_COMMENT,
	KW_DEFS,
	KW_TITLE,
	KW_DESCRIPTION,
	KW_DEFAULT,
	KW_DEPRECATED,
	KW_READ_ONLY,
	KW_WRITE_ONLY,
	KW_EXAMPLES,
	KW_FORMAT,
	KW_CONTENT_ENCODING,
	KW_CONTENT_MEDIA_TYPE,
	KW_CONTENT_SCHEMA,
	KW_MAX_
};
#define KW_EVALUATED (KW_UNEVALUATED_PROPERTIES + 1)

/* What a keyword's value must be, and where schemas are in it. */
enum keyword_shape {
	SHAPE_ANY,
	SHAPE_STRING,
	SHAPE_BOOL,
	SHAPE_ARRAY,
	SHAPE_NUMBER,
	SHAPE_POSITIVE,  /* a number above 0 */
	SHAPE_COUNT,     /* a whole number from 0 */
	SHAPE_TYPES,     /* a type's name, or an array of them */
	SHAPE_NAMES,     /* an array of different strings */
	SHAPE_NAMES_MAP, /* an object of those */
	SHAPE_PATTERN,
	SHAPE_ID, /* no fragment but an empty one */
	SHAPE_ANCHOR,
	SHAPE_BOOL_MAP,
	SHAPE_SCHEMA, /* from here on there are schemas in it */
	SHAPE_SCHEMA_LIST,
	SHAPE_SCHEMA_MAP,
	SHAPE_PATTERN_MAP, /* a map whose names are patterns */
};

struct keyword {
	const char *name;
	enum schema_vocabulary vocabulary;
	enum keyword_shape shape;
};

extern const struct keyword schema_keywords[KW_MAX_];

/* schema_keyword_check -- NULL when the value has the keyword's shape, else
 * what it must be: "must be a string". */
const char *schema_keyword_check(enum keyword_id id,
				 const struct json_value *v);

/* The bits of schema_type_mask.  A whole number is an integer too. */
enum {
	TYPE_NULL = 1,
	TYPE_BOOLEAN = 2,
	TYPE_OBJECT = 4,
	TYPE_ARRAY = 8,
	TYPE_NUMBER = 16,
	TYPE_STRING = 32,
	TYPE_INTEGER = 64
};
unsigned schema_type_bit(const struct json_text *name); /* 0: no such type */

struct schema_node;

/* One keyword of one schema. */
struct schema_rule {
	enum keyword_id id;
	const struct json_value *value;
	struct schema_node **subs; /* by its shape; a reference's target */
	size_t len;
	struct pattern **patterns; /* of a pattern, or of a pattern map */
	uint64_t count;            /* of SHAPE_COUNT; type mask */
	struct json_text dynamic;  /* $dynamicRef: the anchor, or empty */
};

/* One schema. */
struct schema_node {
	const struct json_value *value; /* an object or a boolean */
	struct schema_resource *resource;
	const struct schema_node *parent; /* NULL for a document's root */
	const char *step; /* from the parent: "/properties/a~1b" */
	struct schema_rule *rules;
	size_t len;
	uint8_t rule_of[KW_MAX_]; /* place in rules + 1, or 0 */
	bool queued;              /* for linking */
	struct schema_node *next; /* in the queue of scan or link */
};

struct schema_anchor {
	struct schema_anchor *next;
	struct json_text name;
	bool dynamic;
	struct schema_node *node;
};

/* A resource: a document, or a schema with an $id. References inside it are
 * resolved against its URI. */
struct schema_resource {
	struct schema_resource *next;
	const char *uri; /* no fragment; "" for a root without a name */
	struct schema_node *root;
	struct schema_anchor *anchors;
	const struct json_text *dialect; /* its $schema, or NULL */
	struct schema_resource *outer;   /* it is embedded in; or NULL */
	unsigned vocabularies;           /* 0 until asked for */
};

/* Another name that a reference can use for a schema: an anchor. */
struct schema_document {
	struct schema_document *next;
	const char *uri;
	bool named; /* false: added with NULL */
	struct json_value value;
	struct schema_resource *resource; /* once scanned */
};

struct schema_set {
	struct arena arena;
	struct schema_document *documents; /* in the order of adding */
	struct schema_resource *resources;
	struct schema_node **map; /* by value; a hash table */
	size_t map_room, map_len;
	struct schema_node *scan; /* queues */
	struct schema_node *link;
	struct pattern_list *patterns; /* to be freed */
	struct schema_node *root;
	bool used;
};

struct pattern_list {
	struct pattern_list *next;
	struct pattern *pattern;
};

/* Neither documents nor the references in them nest deeper than this. */
#define SCHEMA_DOCUMENT_DEPTH 256

/* schema_document_find -- by the name given, or by the $id at its root. */
struct schema_document *schema_document_find(struct schema_set *set,
					     const char *uri);
/* schema_fail -- -EINVAL, with *fault filled: one line, printable. */
int schema_fail(struct schema_fault *fault, enum schema_code code,
		const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* schema_location -- the node's URI and pointer, then keyword if not NULL. */
void schema_location(const struct schema_node *node, const char *keyword,
		     struct buf *out);
/* schema_pointer_token -- append "/" and the name, escaped (RFC 6901). */
void schema_pointer_token(struct buf *out, const char *name, size_t len);
/* schema_printable -- in the arena: at most cap bytes, no control bytes. */
const char *schema_printable(struct arena *arena, const struct buf *text,
			     size_t cap);

/* schema_scan_document -- nodes for all of the document.  0 or -EINVAL. */
int schema_scan_document(struct schema_set *set, struct schema_document *doc,
			 struct schema_fault *fault);
/* schema_scan_value -- the node of v, made now if a pointer leads to a place
 * that no known keyword makes a schema; near is the node it was found under.
 * Returns NULL with *fault filled. */
struct schema_node *schema_scan_value(struct schema_set *set,
				      const struct json_value *v,
				      const struct schema_node *near,
				      const char *step,
				      struct schema_fault *fault);
struct schema_node *schema_node_find(const struct schema_set *set,
				     const struct json_value *v);
/* schema_resource_find -- by $id, or by the name a document was given under;
 * the metaschemas are read when they are asked for.  NULL if there is none. */
struct schema_resource *schema_resource_find(struct schema_set *set,
					     const char *uri);
struct schema_anchor *schema_anchor_find(const struct schema_resource *r,
					 const char *name, size_t len);
/* schema_vocabularies -- of the dialect of r; 0 with *fault filled. */
unsigned schema_vocabularies(struct schema_set *set, struct schema_resource *r,
			     struct schema_fault *fault);

/* schema_resolve -- the node that ref names, seen from node.
 * @ret_anchor	the anchor it went through, or NULL
 * Returns NULL with *fault filled. */
struct schema_node *schema_resolve(struct schema_set *set,
				   const struct schema_node *node,
				   const struct json_text *ref,
				   struct schema_anchor **ret_anchor,
				   struct schema_fault *fault);
/* schema_link -- from node on, everything that can be reached. */
int schema_link(struct schema_set *set, struct schema_node *node,
		struct schema_fault *fault);

/* The metaschemas, from metaschema/ (schema_meta.c). */
struct schema_builtin {
	const char *uri;
	const unsigned char *bytes;
	size_t len;
};
extern const struct schema_builtin schema_builtins[];
extern const size_t schema_builtins_len;

#endif
