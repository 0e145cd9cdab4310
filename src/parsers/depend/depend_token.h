/* depend_token.h -- the tokens of a Python program; private to the probe
 * dependencies. */
#ifndef CUPEL_PARSERS_DEPEND_TOKEN_H
#define CUPEL_PARSERS_DEPEND_TOKEN_H

#include <stdbool.h>

#include "parsers/common/text_piece.h"

enum token_kind {
	TOKEN_END,
	TOKEN_WORD,
	TOKEN_TEXT, /* between quotes, as written */
	TOKEN_MARK, /* one byte */
};

struct token {
	enum token_kind kind;
	struct json_text text;
	bool is_formatted; /* f"{x}" */
};

bool token_is_word_byte(char c);

/* token_next -- cut the next token off *rest.  Comments, blanks and the ends of
 * lines are skipped.
 *
 * Source: Python's language reference, "Lexical analysis". */
struct token token_next(struct json_text *rest);

/* token_ahead -- the next token, without taking it. */
struct token token_ahead(struct json_text rest);

/* token_is_mark -- whether t is one of the bytes in any. */
bool token_is_mark(const struct token *t, const char *any);

/* token_is_word -- whether t is the word s. */
bool token_is_word(const struct token *t, const char *s);

/* token_depth -- how many brackets are open behind t, when depth were open
 * before it. */
size_t token_depth(size_t depth, const struct token *t);

/* token_computed_cut -- *rest begins behind a word: cut ".x", "(...)" and "[...]" off,
 * with which it is a value that is computed.  Returns whether one was there. */
bool token_computed_cut(struct json_text *rest);

#endif
