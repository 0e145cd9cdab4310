/* ci_match.h -- matches commands and steps with the table in
 * profiles/data/ci-commands.txt, which describes its format. */
#ifndef CUPEL_PARSERS_CI_MATCH_H
#define CUPEL_PARSERS_CI_MATCH_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary/json.h"

#define CI_LINE_BYTES  ((size_t)8 << 10) /* of a line that are read */
#define CI_WORDS_MAX   64U               /* of one command; the rest: unseen */
#define CI_TESTS_MAX   8U                /* runners named for one line */
#define CI_BUILDS_MAX  4U                /* image builds of one line */
#define CI_TAGS_MAX    16U
#define CI_SHELL_DEPTH 2U /* sh -c "sh -c '...'" */
#define CI_STEP_WORK   8U /* of ci_step_fits(), measured: for each byte */

struct ci_table;

/* One image build; texts with bytes NULL were not given. */
struct ci_build {
	struct json_text tool; /* of the table */
	struct json_text dockerfile, context, repository;
	struct json_text tags[CI_TAGS_MAX];
	size_t tags_len;
};

/* What one command line does.  Its texts lie in `text` or in the table. */
struct ci_found {
	struct json_text tests[CI_TESTS_MAX]; /* names of runners, each once */
	size_t tests_len;
	struct ci_build builds[CI_BUILDS_MAX];
	size_t builds_len;
	bool is_cut; /* one of the caps above was met: there may be more */
	size_t work; /* the work that it took, in bytes read */
	char text[CI_SHELL_DEPTH + 1][CI_LINE_BYTES];
	size_t text_len[CI_SHELL_DEPTH + 1];
};

/* What a step by name is. */
struct ci_step {
	struct json_text name;      /* runner or tool; bytes NULL: unknown */
	struct json_text condition; /* "input=pattern" or "-" */
	struct json_text not, arg;  /* of commands of that runner */
	struct json_text inputs[4]; /* step-build: file, context, tags, name;
				     * step-script: the script */
	enum { CI_STEP_TEST, CI_STEP_BUILD, CI_STEP_SCRIPT } kind;
};

/* ci_table_open -- NULL when memory runs out. */
struct ci_table *ci_table_open(void);
void ci_table_close(struct ci_table *t);

/* ci_command_find -- find out what line[0..n-1] does, and fill f anew.  Of a
 * longer line only CI_LINE_BYTES are read. */
void ci_command_find(const struct ci_table *t, const char *line, size_t n,
		     struct ci_found *f);

/* ci_step_find -- the at-th row for a step by that name (a version behind '@',
 * ':' or '#' is left out); false when there are no more. */
bool ci_step_find(const struct ci_table *t, struct json_text name, size_t at,
		  struct ci_step *ret);

/* ci_step_fits -- whether one of value's words fits the condition's pattern, and none
 * says that a command of that runner is no test: "build -x test". */
bool ci_step_fits(const struct ci_step *s, struct json_text value);
/* ci_step_input -- the input that the condition tests; bytes NULL: none. */
struct json_text ci_step_input(const struct ci_step *s);

#endif
