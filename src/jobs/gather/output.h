/* output.h -- the directory that a gather writes to. */
#ifndef CUPEL_JOBS_GATHER_OUTPUT_H
#define CUPEL_JOBS_GATHER_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

struct cupel_error;

#define OUTPUT_DIR  ".cupel"
#define OUTPUT_RUNS "runs"

/* output_open -- the directory, never through a symbolic link at its end.
 *
 * @root_fd	the repository
 * @out		as the caller gave it, or NULL for .cupel in the repository
 * @can_make	make it (0700) when it is not there, with its .gitignore
 * Returns the descriptor, owned by the caller; -ENOENT when there is none and
 * none is to be made; another -errno, cause caller. */
int output_open(int root_fd, const char *out, bool can_make,
		struct cupel_error *err);

/* output_can_write -- find out, before a probe runs, what output_open() and
 * writing would say after them all: 0 or -errno, *err naming --out.  Changes
 * nothing. */
int output_can_write(int root_fd, const char *out, struct cupel_error *err);

/* output_lock -- be the only gather that writes there, as long as out_fd is
 * open.  Waits for another gather to end, up to a limit, and stops waiting when
 * stop_fd is readable (-EINTR).  Returns 0 or -errno. */
int output_lock(int out_fd, int stop_fd, struct cupel_error *err);

/* output_put -- write bytes[0..n-1] as name (0600), all of it or nothing.  What
 * had the name before is replaced and never written through.  Needs the lock.
 * Returns 0 or -errno. */
int output_put(int out_fd, const char *name, const char *bytes, size_t n,
	       struct cupel_error *err);

/* output_drop -- remove name, if it is there.  Needs the lock. */
void output_drop(int out_fd, const char *name);

/* output_runs -- the directory of the run records, made when missing.
 * Returns the descriptor, owned by the caller, or -errno. */
int output_runs(int out_fd, struct cupel_error *err);

#endif
