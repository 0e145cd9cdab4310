/* json_private.h -- what the files of the JSON reader share; nobody else. */
#ifndef CUPEL_BOUNDARY_JSON_PRIVATE_H
#define CUPEL_BOUNDARY_JSON_PRIVATE_H

#include <assert.h>

#include "boundary/json.h"

/* The text and the place in it.  Every lex_ function that returns false has
 * filled *err. */
struct json_lexer {
	const char *bytes;
	size_t n, at;
	struct arena *arena;
	size_t arena_start;    /* used before this text */
	struct json_caps caps; /* without zeros */
	struct json_error *err;
};

/* json_caps_fill -- caps with the defaults where they are 0 (or NULL). */
struct json_caps json_caps_fill(const struct json_caps *caps);

/* lex_fail -- false, with *err filled for the byte at offset. */
bool lex_fail(struct json_lexer *lex, enum json_code code, size_t offset,
	      const char *expected);
/* lex_unexpected -- false; the byte here is not what was expected. */
bool lex_unexpected(struct json_lexer *lex, const char *expected);
/* lex_begin -- the caps and the BOM. */
bool lex_begin(struct json_lexer *lex);
void lex_space(struct json_lexer *lex);
/* lex_peek -- the byte here, or -1 at the end. */
int lex_peek(const struct json_lexer *lex);
bool lex_string(struct json_lexer *lex, struct json_text *ret);
/* lex_scalar -- a string, number, or literal. */
bool lex_scalar(struct json_lexer *lex, struct json_value *ret);
/* lex_alloc -- count elements from the arena within the cap on memory, or NULL
 * (for count 0 too, without an error then). */
void *lex_alloc(struct json_lexer *lex, size_t count, size_t size);

#endif
