/* toml_lex.h -- what the pieces of the TOML reader share; private to it. */
#ifndef CUPEL_PARSERS_TOML_LEX_H
#define CUPEL_PARSERS_TOML_LEX_H

#include <stdbool.h>

#include "boundary/json.h"
#include "parsers/common/parse.h"

enum toml_kind {
	TOML_SCALAR,
	TOML_ARRAY,
	TOML_INLINE, /* a table in braces: nothing is added to it later */
	TOML_TABLE,
	TOML_TABLES, /* an array of tables, by [[name]] */
};

/* One value.  The members of a table are in a list, in the order of the text,
 * and in a balanced tree (AA) by their names, so that a hostile file costs no
 * more than n log n. */
struct toml_node {
	struct json_text name;
	enum toml_kind kind;
	bool is_defined; /* a header named it */
	bool is_dotted;  /* a dotted key made it */
	unsigned depth, level;
	size_t offset, len;             /* len: of its members or items */
	struct toml_node *first, *last; /* members or items */
	struct toml_node *next;         /* of its parent's */
	struct toml_node *root;         /* of the tree of members */
	struct toml_node *left, *right; /* in its parent's tree */
	struct json_value scalar;
};

struct toml {
	const struct parse_input *in;
	struct parse_report *report;
	const char *bytes;
	size_t len, at;
	struct arena *arena;
	size_t before, memory_bytes; /* of the arena */
	bool has_failed;
};

/* toml_fail -- note the first error, at byte at; always false. */
bool toml_fail(struct toml *t, const char *code, size_t at,
	       const char *message);

/* toml_peek -- the next byte, or -1 at the end. */
int toml_peek(const struct toml *t);
/* toml_blanks_pass -- skip spaces and tabs. */
void toml_blanks_pass(struct toml *t);

/* toml_tree.c */
struct toml_node *toml_node_new(struct toml *t, enum toml_kind kind,
				unsigned depth, size_t offset);
struct toml_node *toml_member_find(const struct toml_node *table,
				   struct json_text name);
/* Add a member of that name, which must not be there.  NULL if it is, or
 * without memory (noted). */
struct toml_node *toml_member_add(struct toml *t, struct toml_node *table,
				  struct json_text name, enum toml_kind kind,
				  size_t offset);
struct toml_node *toml_item_add(struct toml *t, struct toml_node *array,
				enum toml_kind kind, size_t offset);
bool toml_tree_convert(struct toml *t, const struct toml_node *n,
		       struct json_value *ret);

/* toml_text.c: read a string of any of the four kinds at t->at, or a part of a
 * key. */
bool toml_string_read(struct toml *t, struct json_text *ret);
bool toml_key_read(struct toml *t, struct json_text *ret);

/* toml_scalar.c: read a boolean, number, date or time at t->at. */
bool toml_scalar_read(struct toml *t, struct json_value *ret);

#endif
