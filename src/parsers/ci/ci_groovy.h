/* ci_groovy.h -- a Jenkinsfile as words, texts and marks; nothing is run. */
#ifndef CUPEL_PARSERS_CI_GROOVY_H
#define CUPEL_PARSERS_CI_GROOVY_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary/json.h"

enum groovy_kind {
	GROOVY_END,
	GROOVY_WORD, /* a name */
	GROOVY_TEXT, /* between quotes, as written */
	GROOVY_MARK, /* one byte; '\n' for a line's end */
};

struct groovy_token {
	enum groovy_kind kind;
	struct json_text text;
};

struct groovy {
	const char *at, *end;
};

/* ci_groovy_next -- the next token, skipping comments.  Linear in the text, and
 * a copy of *g is a place to come back to. */
struct groovy_token ci_groovy_next(struct groovy *g);

#endif
