/* project_program.h -- which programs a shell command of a script names.
 *
 * This is a bounded look, not a shell.  It takes the words between separators
 * and skips settings of variables, paths into node_modules/.bin and programs
 * that run another one (npx, cross-env, nyc, ...).  Nothing is expanded. */
#ifndef CUPEL_PARSERS_PROJECT_PROGRAM_H
#define CUPEL_PARSERS_PROJECT_PROGRAM_H

#include <stdbool.h>

#include "boundary/json.h"

#define PROGRAM_WORDS 8

struct program {
	struct json_text name;
	struct json_text words[PROGRAM_WORDS]; /* that follow it */
};

struct programs {
	struct json_text rest;
	bool is_inner;   /* a program that runs another one was just skipped */
	bool had_runner; /* in this command */
	bool is_quoting; /* quoted words are commands: concurrently "a" "b" */
};

/* project_programs_of -- begin to look through command. */
struct programs project_programs_of(struct json_text command);

/* project_program_next -- the next one, a runner too; false behind the last. */
bool project_program_next(struct programs *p, struct program *ret);

/* project_program_has_word -- whether word is among the first that follow it. */
bool project_program_has_word(const struct program *p, struct json_text word);

#endif
