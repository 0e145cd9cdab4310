/* walk.h -- which names of a repository a probe has declared. */
#ifndef CUPEL_JOBS_PROBE_WALK_H
#define CUPEL_JOBS_PROBE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "jobs/probe/catalogue.h"

struct cupel_error;

struct walk_hit {
	const char *name; /* relative path, NUL-terminated bytes, in arena */
	uint64_t cap_bytes;
	/* Why it is not read, or NULL: "symlink", "fifo", "socket", "device" */
	const char *skip;
};

struct walk {
	struct walk_hit *hits; /* sorted by the bytes of the names; malloc'd */
	size_t len, room;
	size_t seen; /* names looked at */
	/* The walk stopped early: "walk_files" or "walk_names" (CONTRACT 4.2:
	 * loudly), or NULL. */
	const char *stopped;
	size_t unreadable; /* directories that could not be listed */
	struct arena arena;
};

/* walk_run -- list what fits rules below root_fd.
 *
 * Never follows a link, never leaves the file system; node_modules and .git are
 * not entered.  The order of the answer is that of the names' bytes.
 *
 * @ret		zeroed by the caller; walk_done() frees it, on failure too
 * Returns 0, or -errno when root itself cannot be listed. */
int walk_run(int root_fd, const struct probe_input_rule *rules,
	     struct walk *ret, struct cupel_error *err);
void walk_done(struct walk *w);

#endif
