/* program.h -- the command's program and its interpreters: what was taken. */
#ifndef CUPEL_PLAN_PROGRAM_H
#define CUPEL_PLAN_PROGRAM_H

#include <stddef.h>

#define PROGRAMS_MAX 12 /* the command and interpreters; a shell names more */

struct jsonw;

enum program_origin {
	PROGRAM_SYSTEM,     /* in the runtime that every vessel shows */
	PROGRAM_PATH,       /* in a prefix that the caller's PATH names */
	PROGRAM_SHIM,       /* what a version manager's shim stands for */
	PROGRAM_RUNTIME,    /* --runtime */
	PROGRAM_REPOSITORY, /* a file of the repository */
	PROGRAM_ORIGIN_MAX_
};

struct program {
	const char *name;  /* as in the command or a first line */
	const char *found; /* where the caller's shell finds it */
	const char *taken; /* its path inside, with links followed */
	enum program_origin origin;
};

/* programs_write -- write the member "programs", an array: what was taken, the
 * command first, then the interpreter of each. */
void programs_write(struct jsonw *w, const struct program programs[],
		    size_t len);

#endif
