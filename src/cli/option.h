/* option.h -- options of the commands that take no spec.
 *
 * The options of `cupel run` and similar commands are rows of spec/field.c.
 * These are the few others, in tables that serve the same purposes: parsing,
 * help, completion and man pages. */
#ifndef CUPEL_CLI_OPTION_H
#define CUPEL_CLI_OPTION_H

#include <stddef.h>

enum option_kind {
	OPTION_FLAG, /* --name */
	OPTION_WORD, /* --name ARG; the last one counts */
	OPTION_LIST, /* --name ARG; each one counts */
};

/* What the argument completes to. */
enum option_values {
	VALUES_NONE,
	VALUES_FILES,
	VALUES_DIRS,
	VALUES_PROFILES,
};

struct option_row {
	const char *name; /* NULL ends a table */
	enum option_kind kind;
	const char *arg; /* "FILE"; NULL for a flag */
	enum option_values values;
	const char *help; /* one line, no full stop */
};

/* What was given for one row: how often, and for arguments the texts, borrowed
 * from argv. */
#define OPTION_LIST_MAX 256
struct option_value {
	size_t count;
	const char **texts; /* freed by option_done */
};

/* option_read -- read options from argv[1..], before and after other words, up
 * to "--".
 *
 * @argv	its words are reordered: options first
 * @rows	ends with a row without a name
 * @ret		one for each row, zeroed by the caller; option_done() frees it
 * @ret_rest	index of the first word
 *
 * "-" is a word.  Returns 0, or OPTION_HELP for --help, or CLI_USAGE after one
 * line on stderr. */
#define OPTION_HELP (-1)
int option_read(int argc, char *argv[], const struct option_row *rows,
		struct option_value *ret, int *ret_rest);
void option_done(const struct option_row *rows, struct option_value *values);

/* option_jobs -- N of --jobs, or 0 when it is not a number of one or two
 * digits. */
unsigned option_jobs(const char *text);

/* option_text -- the last argument given, or fallback. */
const char *option_text(const struct option_value *v, const char *fallback);

#endif
