/* tests_token.h -- splits JavaScript into the tokens that matter for
 * counting. */
#ifndef CUPEL_PARSERS_TESTS_TOKEN_H
#define CUPEL_PARSERS_TESTS_TOKEN_H

#include <stdbool.h>

#include "boundary/json.h"

#define TOKEN_TEMPLATES 32U /* templates within templates */

enum token_kind {
	TOKEN_END,
	TOKEN_NAME, /* a word, including keywords */
	TOKEN_NUMBER,
	TOKEN_STRING,   /* text: what is between the quotes, as written */
	TOKEN_TEMPLATE, /* its first part */
	TOKEN_REGEX,
	TOKEN_SIGN, /* one character; "=>" is '=' and then '>' */
	TOKEN_KIND_MAX_
};

struct token {
	enum token_kind kind;
	char sign;        /* of TOKEN_SIGN */
	bool after_break; /* a new line comes before it */
	struct json_text text;
};

struct tokens {
	const char *bytes;
	size_t len, at;
	struct token last; /* the previous token */
	/* How many braces are open inside each ${ of the open templates. */
	size_t braces[TOKEN_TEMPLATES];
	size_t templates;
	/* How many bytes may still be looked at in vain; this keeps the time
	 * linear. */
	size_t patience;
};

/* tests_tokens_of -- the state before the first token of bytes[0..len-1]. */
struct tokens tests_tokens_of(const char *bytes, size_t len);

/* tests_token_next -- take the next token; TOKEN_END at the end, however often
 * it is called. */
struct token tests_token_next(struct tokens *t);

#endif
