/* ci_words.h -- splits a shell's command line into words, and knows nothing
 * else of a shell.
 * */
#ifndef CUPEL_PARSERS_CI_WORDS_H
#define CUPEL_PARSERS_CI_WORDS_H

#include <stdbool.h>

#include "parsers/ci/ci_match.h"

/* The words of one simple command, quotes taken off; each ends with a NUL. */
struct ci_words {
	struct json_text items[CI_WORDS_MAX];
	size_t len;
	bool is_cut; /* there were more */
};

/* A walk over one line; to is CI_LINE_BYTES long and holds the words. */
struct ci_cursor {
	const char *at, *end;
	char *to;
	size_t used;
};

/* ci_words_next -- the next simple command, perhaps of no words; false at the end.
 *
 * Commands end at ; & | ( ) and line ends.  What stands in $(), ``, ${}, ${{}},
 * $[[]] or << >> stays part of its word, as written.  Linear in the line. */
bool ci_words_next(struct ci_cursor *c, struct ci_words *ret);

/* ci_words_program -- the name of the program that a word stands for, without
 * directories and without an ending like ".exe": "a/b.exe", "$(which b)". */
struct json_text ci_words_program(struct json_text word);

/* ci_words_stem -- the name of a script without its ending: "a/b.sh".  A row of the
 * table would have to try each ending with each name: ten times as much. */
struct json_text ci_words_stem(struct json_text file);

/* ci_words_run_shell -- whether what stands before a here document runs a shell that
 * reads it, perhaps another user's or another machine's: "sudo -u x sh",
 * "su x -c '/bin/sh -e'". */
bool ci_words_run_shell(struct json_text before);

#endif
