/* ci_row.h -- holds a command against a row of the table.  Private to ci_*. */
#ifndef CUPEL_PARSERS_CI_ROW_H
#define CUPEL_PARSERS_CI_ROW_H

#include <stdint.h>

#include "parsers/ci/ci_table.h"
#include "parsers/ci/ci_words.h"

#define CI_NO_PLACE SIZE_MAX

/* The words of one command, and where the work with them is counted. */
struct ci_command {
	const struct ci_words *w;
	size_t *work;
};

bool ci_word_fits(const struct ci_command *c, struct json_text pattern,
		  struct json_text word);
/* ci_word_is_option -- what is skipped by "--": -x, --x=y, +nightly. */
bool ci_word_is_option(struct json_text word);
bool ci_word_is_assignment(struct json_text word);
/* ci_word_takes_next -- an option that may take the word behind it. */
bool ci_word_takes_next(struct json_text word);

/* ci_row_fit -- match the row from its first word at from.  Returns where the
 * words go on, or CI_NO_PLACE. */
size_t ci_row_fit(const struct ci_row *row, const struct ci_command *c,
		  size_t from);
/* ci_row_excludes -- whether a word is one with which the row's test is none. */
bool ci_row_excludes(const struct ci_row *row, const struct ci_command *c);

#endif
