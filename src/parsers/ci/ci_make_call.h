/* ci_make_call.h -- the words of one make.  Private to ci_*. */
#ifndef CUPEL_PARSERS_CI_MAKE_CALL_H
#define CUPEL_PARSERS_CI_MAKE_CALL_H

#include "parsers/ci/ci_make.h"

#define CI_TARGETS_MAX CI_WORDS_MAX /* of one command: none is left out */

/* A make with its operands. */
struct ci_make_call {
	struct ci_dir dir;
	struct json_text file; /* of -f; bytes NULL: none */
	struct json_text targets[CI_TARGETS_MAX];
	size_t targets_len;
	bool is_unknown; /* a target is not known, or nothing is run */
};

/* ci_make_read -- read the words behind the program: targets, and the options
 * that say which Makefile is read.
 *
 * @m		its dir is where make is started; the rest is zero */
void ci_make_read(struct ci_make_call *m, struct json_text words);

#endif
