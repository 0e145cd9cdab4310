/* idle.h -- whether a script of package.json does anything. */
#ifndef CUPEL_JOBS_GATE_KINDS_IDLE_H
#define CUPEL_JOBS_GATE_KINDS_IDLE_H

#include <stdbool.h>

#include "boundary/json.h"

/* script_is_idle -- whether a shell's command line clearly runs nothing that could
 * fail, or hides how that ended, so that its own status is 0 all the same.
 *
 * The status of a list is that of its last command, and everything that replaces
 * the status of a program counts as hiding it: "x || true", "x; exit 0", "x &",
 * "! x", a compound command in which nothing exits with a failure, a trap that
 * exits, a function.  What `sh -c` and `eval` are given is read, too.
 *
 * @is_test	it is to say how tests ended: commands that move files and print,
 *		and the status of a pipeline whose last program only reads, say
 *		nothing of that
 *
 * A script that hides it better is not found.  What a tree's own programs do
 * shows in their report and their trace. */
bool script_is_idle(struct json_text command, bool is_test);

#endif
