/* host_script.h -- the interpreter that the first line of a script names. */
#ifndef CUPEL_PLAN_HOST_SCRIPT_H
#define CUPEL_PLAN_HOST_SCRIPT_H

#include <stdbool.h>

#define SCRIPT_LINE_BYTES 256 /* of which the kernel reads as many */

struct script_line {
	char text[SCRIPT_LINE_BYTES + 1];
	/* Of "#!/usr/bin/env NAME": NAME, to be looked up.  Else the path of
	 * the interpreter.  NULL when it is no script; within text. */
	const char *name;
	const char *path;
};

/* host_script_read -- read the first line of the file at dir/name.
 *
 * @dir		a directory whose path is not followed again; NULL when name
 *		is the path of a file that nobody but root and the caller
 *		chose
 * @name	below dir, where no link is followed; or a path
 *
 * What is no regular file, cannot be read or has no such line has no
 * interpreter.  Source: execve(2), "Interpreter scripts". */
void host_script_read(const char *dir, const char *name,
		      struct script_line *ret);

/* host_script_is_language -- whether name is that of an interpreter of scripts
 * ("python3.12", "node"), which a script of the repository may ask for. */
bool host_script_is_language(const char *name);

/* host_script_is_tool -- the same, and what comes with such an interpreter and
 * runs under it ("npm", "pytest"). */
bool host_script_is_tool(const char *name);

#endif
