/* deploy_line.h -- a Dockerfile as instructions, a line at a time.
 *
 * Private to the probe deployment.  Lines that end in the escape character go
 * on, comments and here-documents are passed over, as by BuildKit.
 * Source: docs.docker.com/reference/dockerfile. */
#ifndef CUPEL_PARSERS_DEPLOY_LINE_H
#define CUPEL_PARSERS_DEPLOY_LINE_H

#include <stdbool.h>

#include "base/buf.h"
#include "boundary/json.h"

#define DOCKER_LINE_BYTES ((size_t)64 << 10) /* of a whole instruction */

struct docker_lines {
	const char *at, *end; /* what is left of the file */
	const char *start;
	char escape;       /* backslash, or a grave accent */
	bool is_past_head; /* directives are behind us */
	unsigned tries;    /* here-documents without an end */
	struct buf line;   /* the instruction, continuations joined */
	const char *from;  /* where it begins in the file */
	bool is_too_long;  /* it was cut: not to be used */
};

void deploy_lines_init(struct docker_lines *l, const char *bytes, size_t n);
void deploy_lines_done(struct docker_lines *l);

/* deploy_line_next -- the next instruction into l->line; false at the end. */
bool deploy_line_next(struct docker_lines *l);

/* deploy_word_next -- the next word between blanks, empty at the end; *at moves
 * behind it. */
struct json_text deploy_word_next(const char **at, const char *end);

/* Whether the word is that one (small letters) in any case. */
bool deploy_word_is(struct json_text word, const char *lower);

#endif
