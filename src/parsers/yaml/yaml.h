/* yaml.h -- composes YAML documents within budgets.
 *
 * It uses libyaml's events and a composer of our own.  A scalar stays the text
 * that was written; nobody guesses numbers, dates or truth values.  Two keys
 * are the same name when their text is the same and both, or neither, are
 * strings by the core schema: 1 and "1" are two names, a and "a" are one.  An
 * alias is the node of its anchor, shared and not copied.  A merge key ("<<")
 * is resolved; the mapping's own keys come first.  Tags have no effect, and one
 * outside the core schema gives a warning ("yaml_tag").
 *
 * The cost of a document is counted as if every alias were written out, so that
 * walking the tree is bounded work.  Source: YAML 1.1 (merge keys), YAML 1.2.2
 * chapters 3 and 10. */
#ifndef CUPEL_PARSERS_YAML_H
#define CUPEL_PARSERS_YAML_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"
#include "parsers/common/parse.h"

enum yaml_type { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING, YAML_TYPE_MAX_ };

struct yaml_node {
	enum yaml_type type;
	bool is_plain; /* a scalar without quotes: null, true, 1.10 */
	size_t offset; /* of its first byte in the input */
	union {
		struct json_text text; /* UTF-8, as written after unescaping */
		struct {
			const struct yaml_node *const *items;
			size_t len;
		} sequence;
		struct {
			const struct yaml_pair
				*pairs; /* in order of the text */
			size_t len;
		} mapping;
	} u;
};

struct yaml_pair {
	const struct yaml_node *key, *value;
};

/* Zero means the default of the same name. */
struct yaml_caps {
	size_t nodes;          /* YAML_NODES, with aliases written out */
	size_t memory_bytes;   /* YAML_MEMORY_BYTES, of one input's trees */
	size_t documents;      /* YAML_DOCUMENTS, in one input */
	bool are_keys_names;   /* as in JSON: 1 and "1" are the same */
	bool keeps_duplicates; /* a name that stands twice is two pairs */
};

#define YAML_NODES        ((size_t)4 << 20)
#define YAML_TEXT_NODE    ((size_t)64) /* that many bytes count as one more */
#define YAML_MEMORY_BYTES ((size_t)160 << 20)
#define YAML_DOCUMENTS    ((size_t)10000)
#define YAML_MERGED       ((size_t)1 << 20) /* pairs by merge keys, in all inputs */
/* Containers within containers: PARSE_DEPTH. */

struct yaml_documents {
	const struct yaml_node *const *items;
	size_t len;
	size_t nodes; /* in all of them, with aliases written out */
};

/* yaml_read -- every document of the input.
 *
 * Refused, each with a code of its own, noted as an error of r with file and
 * offset: text that is no YAML ("yaml_syntax"), invalid UTF-8, NUL, a name
 * twice in one mapping ("duplicate_name"; unless caps say that both are kept), an
 * alias without anchor or within its own anchor ("yaml_alias"), depth ("depth"), nodes
 * ("yaml_nodes"), pairs that merge keys take ("yaml_nodes"; they are counted in r,
 * because to put them in order costs more than to read them), memory ("memory").
 * Documents before the place of an error are kept.
 *
 * @arena	owns the trees
 * @caps	NULL: the defaults
 * @ret		documents; an empty one is a null scalar
 * Returns 0, or -EINVAL when there was an error (ret is set all the same). */
int yaml_read(const struct parse_input *in, const struct yaml_caps *caps,
	      struct arena *arena, struct yaml_documents *ret,
	      struct parse_report *r);

/* yaml_find -- the value of a mapping's key, or NULL (also when n is NULL or
 * no mapping). */
const struct yaml_node *yaml_find(const struct yaml_node *n, const char *key);

/* yaml_text -- a scalar's text, { NULL, 0 } for anything else, for a plain null
 * and for one over PARSE_STRING_BYTES (noted as an error of in). */
struct json_text yaml_text(const struct yaml_node *n,
			   const struct parse_input *in,
			   struct parse_report *r);

/* yaml_is_null -- missing, or a plain null, Null, NULL, ~ or nothing. */
bool yaml_is_null(const struct yaml_node *n);

/* yaml_is_string -- a scalar that is no null, truth value or number.
 * Source: YAML 1.2.2, section 10.3.2 (core schema, tag resolution). */
bool yaml_is_string(const struct yaml_node *n);

/* yaml_is_text -- a scalar that reads exactly text. */
bool yaml_is_text(const struct yaml_node *n, const char *text);

#endif
