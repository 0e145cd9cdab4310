/* host_exec.h -- says why the kernel could not execute a file that is there. */
#ifndef CUPEL_PLAN_HOST_EXEC_H
#define CUPEL_PLAN_HOST_EXEC_H

#include <stdbool.h>
#include <stddef.h>

struct host;

/* host_exec_say -- look at the command's file and at its interpreters, which the
 * kernel would not execute, and write what is wrong, as the rest of a sentence
 * that begins with the command's name.
 *
 * Call it after the run: the files may have changed since, and what a run made
 * itself is not found.  They may be a stranger's: only their first page is read,
 * and nothing in it is believed but names, which are printed.
 *
 * @has_root	the run had a root of its own, in which paths are others
 * @command	argv[0]
 * @ret		room bytes; "" when nothing wrong was found */
void host_exec_say(const struct host *h, bool has_root, const char *command,
		   char *ret, size_t room);

#endif
