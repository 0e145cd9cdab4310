/* replan.h -- runs the planner: a command of the caller's, on the host, that
 * changes the work tree.
 *
 * It is given to /bin/sh -c, in the caller's directory and in a process group
 * of its own, with the caller's environment and CUPEL_WORKTREE.  Its stdin is
 * the summary, a sealed memory file; its stdout goes to our stderr.  When its
 * first process ends, the rest of the group is killed, so that nothing of it
 * changes the work tree while an attempt runs.
 */
#ifndef CUPEL_JOBS_GATE_REPLAN_H
#define CUPEL_JOBS_GATE_REPLAN_H

#include <stddef.h>

struct cupel_error;

#define REPLAN_NO_PLAN 75 /* EX_TEMPFAIL: it has no plan */

struct replan_request {
	const char *command;
	const char *worktree;
	const char *input; /* JSON */
	size_t input_len;
	int stop_fd; /* readable: the group is ended; -1: never */
};

/* replan_run -- start it and wait for its end.
 *
 * @ret_status	its exit status; 128 + the signal that it died of
 * System calls: posix_spawn, pidfd_open, poll, waitid, kill.
 * Returns 0; -EINTR: stopped, and the whole group is gone; or -errno. */
int replan_run(const struct replan_request *req, int *ret_status,
	       struct cupel_error *err);

#endif
