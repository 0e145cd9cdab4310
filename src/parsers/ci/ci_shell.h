/* ci_shell.h -- what a shell script of the repository runs.  Private to ci_*. */
#ifndef CUPEL_PARSERS_CI_SHELL_H
#define CUPEL_PARSERS_CI_SHELL_H

#include <stdbool.h>

#include "parsers/ci/ci_make.h"

/* ci_shell_find -- whether the script tests something when it is run with these
 * words: the lines outside of functions and of "case", those of functions that
 * are called by them or named after a word ("_run_unit" for "unit"), and those
 * of a case for a word.
 *
 * @words	the program and its words, a NUL between each two of them
 * @depth	how many Makefiles and scripts run this one */
bool ci_shell_find(struct ci *ci, const struct ci_dir *dir,
		   struct json_text words, unsigned depth);

/* ci_script_file -- the file at path, which is relative to dir, or NULL; what
 * stands before a variable in it does not matter if only one file ends so. */
const struct parse_input *ci_script_file(struct ci *ci, struct ci_dir dir,
					 struct json_text path);

void ci_shells_done(struct ci *ci);

#endif
