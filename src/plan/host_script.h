/* host_script.h -- the interpreter that the first line of a script names. */
#ifndef CUPEL_PLAN_HOST_SCRIPT_H
#define CUPEL_PLAN_HOST_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#define SCRIPT_LINE_BYTES 256 /* as many as the kernel reads */

struct script_line {
	char text[SCRIPT_LINE_BYTES + 1];
	/* For "#!/usr/bin/env NAME": NAME, to be looked up.  Otherwise the path
	 * of the interpreter.  NULL when it is no script; within text. */
	const char *name;
	const char *path;
};

/* host_script_read -- read the first line of the file at dir/name.
 *
 * @dir		a directory whose path is not followed again; NULL when name
 *		is the path of a file that only root or the caller can have
 *		chosen
 * @name	below dir, where no link is followed; or a path
 *
 * A file that is not regular, cannot be read or has no such line has no
 * interpreter.  Source: execve(2), "Interpreter scripts". */
void host_script_read(const char *dir, const char *name,
		      struct script_line *ret);

/* host_script_head -- read the first room bytes of such a file.
 *
 * @dir, @name	as above
 * Returns how many, or -1 when it is not regular or cannot be read. */
ssize_t host_script_head(const char *dir, const char *name, char *ret,
			 size_t room);

/* host_script_is_language -- whether name is that of an interpreter of scripts
 * ("python3.12", "node"), which a script of the repository may ask for. */
bool host_script_is_language(const char *name);

/* host_script_is_tool -- the same, and also tools that come with such an
 * interpreter and run under it ("npm", "pytest"). */
bool host_script_is_tool(const char *name);

#endif
