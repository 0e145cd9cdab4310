/* walk.h -- lists every name of a repository once. */
#ifndef CUPEL_JOBS_PROBE_WALK_H
#define CUPEL_JOBS_PROBE_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"

struct cupel_error;

struct walk_name {
	const char *path;   /* relative, NUL-terminated bytes, in the arena */
	unsigned char type; /* DT_REG, DT_LNK, ...; never DT_DIR */
};

/* A directory that could not be entered. */
struct walk_skip {
	const char *path;
	const char *code; /* beneath_name() */
};

#define WALK_SKIPS_MAX 64U /* more are counted, not kept */

struct walk_request {
	int root_fd;
	bool with_node_modules;
	bool with_own_output; /* enter .cupel, too */
	/* A directory to skip like .git, or zeroes.  It is the one that the
	 * output goes to, which is no input. */
	dev_t out_dev;
	ino_t out_ino;
};

struct walk {
	struct walk_name
		*names; /* sorted by the bytes of the paths; malloc'd */
	size_t len;
	struct walk_skip skips[WALK_SKIPS_MAX];
	size_t skips_len, skips_total;
	bool has_modules; /* there is a directory node_modules */
	/* The walk stopped early (which is an error): "walk_files" or
	 * "walk_names", else NULL.  The names seen so far are there. */
	const char *stopped;
	struct arena arena;
};

/* walk_run -- list everything below root_fd that is no directory.
 *
 * Never follows a link, never leaves the file system. node_modules (unless
 * asked for), .git and .cupel (likewise) are not entered.  The directories nearest to the
 * root come first, in case the walk has to stop.
 *
 * @ret		zeroed by the caller; walk_done() frees it, on failure too
 * Returns 0, or -errno when root itself cannot be listed. */
int walk_run(const struct walk_request *req, struct walk *ret,
	     struct cupel_error *err);
void walk_done(struct walk *w);

#endif
