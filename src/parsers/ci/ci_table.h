/* ci_table.h -- the rows of profiles/data/ci-commands.txt; private to ci_*. */
#ifndef CUPEL_PARSERS_CI_TABLE_H
#define CUPEL_PARSERS_CI_TABLE_H

#include "parsers/ci/ci_match.h"

#define CI_ROW_WORDS 8U
#define CI_ROWS_MAX  1200U

enum ci_row_kind {
	CI_ROW_TEST,
	CI_ROW_BUILD,
	CI_ROW_NOT,
	CI_ROW_ARG,
	CI_ROW_WRAP,
	CI_ROW_INSIDE,
	CI_ROW_SHELL,
	CI_ROW_STEP_TEST,
	CI_ROW_STEP_BUILD,
	CI_ROW_STEP_SCRIPT,
	CI_ROW_MAX_
};

/* One row; texts are the data's own bytes. */
struct ci_row {
	enum ci_row_kind kind;
	struct json_text name;
	struct json_text words[CI_ROW_WORDS]; /* of a step: name, then inputs */
	size_t len;
	struct json_text condition; /* of a step */
	struct json_text not, arg;  /* patterns for words; bytes NULL: none */
	size_t order;               /* of the data */
};

struct ci_table {
	struct ci_row *rows; /* sorted by words[0], then by order */
	size_t len;
};

/* ci_rows_find -- the first row whose words[0] is key, or table->len. */
size_t ci_rows_find(const struct ci_table *t, struct json_text key);
/* ci_row_is -- whether the at-th row exists and its words[0] is key. */
bool ci_row_is(const struct ci_table *t, size_t at, struct json_text key);

#endif
