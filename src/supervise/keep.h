/* keep.h -- keeps what a run added to its cache (--cache), after everything in
 * the vessel is dead.
 *
 * What the command wrote lies in the one tmpfs, and never in the directory of
 * the caller's: files, directories and links of it are read there, checked and
 * written to a new tree (plan/cache.h), beside the old one.  Sockets, fifos,
 * devices, links that lead out, and every bit of a mode but "executable" stay
 * behind.  See docs/cache.md. */
#ifndef CUPEL_SUPERVISE_KEEP_H
#define CUPEL_SUPERVISE_KEEP_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "launch/sync.h"

#define KEEP_ENTRIES_MAX 1000000 /* names in a tree */
#define KEEP_DEPTH_MAX                                                         \
	64              /* directories in each other; three are open
				  * for each */
#define KEEP_BLOCK 4096 /* what a name costs, and a file at least */

/* The most that keeping takes: twice what KEEP_ENTRIES_MAX names take when the
 * machine has nothing else to do.  Then the most that it takes to remove what was
 * not kept; a later run removes the rest. */
#define KEEP_MS        120000
#define KEEP_REMOVE_MS 2000

struct keep {
	int dir_fd;       /* of --cache */
	int tree_fd;      /* that the run was shown, locked; -1: none */
	const char *tree; /* its name; "" = none */
	int tmpfs_fd;     /* -1: the vessel had none */
	uint64_t bytes;   /* the most that a tree may take */
	uid_t uid;        /* to whom files are given when root keeps them */
	gid_t gid;
	uint64_t deadline_ns; /* CLOCK_MONOTONIC: then it gives up */
	bool is_cancelled;    /* before it began */
	int cancel_fd;        /* readable once it is cancelled; -1: never */
};

struct kept {
	bool is_saved;    /* there is a new tree */
	const char *why;  /* when it could not be: a word; else NULL */
	uint64_t bytes;   /* what the new tree takes at most */
	uint64_t entries; /* names in it */
	uint64_t left_out;
};

/* keep_write -- make a tree of what the run saw and what it changed, bring it to
 * the disk, and let it be the one that the next run is shown.
 *
 * Either all of it or nothing: a failure leaves the tree as it was, and why
 * says which: "busy" (another run is keeping its own), "changed_meanwhile" (another
 * run has), "too_large", "too_many", "too_deep", "unreadable", "write_failed",
 * "cancelled", "too_slow".  When nothing was changed, is_saved is false and why
 * NULL. */
void keep_write(const struct keep *k, struct kept *ret);

/* keep_tree_write -- the tree itself, in an empty directory.
 *
 * @old_fd	the tree before, or -1
 * @upper_fd	what overlayfs wrote beside it
 * Returns NULL, or the word for why. */
const char *keep_tree_write(const struct keep *k, int old_fd, int upper_fd,
			    int new_fd, struct kept *ret);

/* keep_why_over -- why it must end now, "cancelled" or "too_slow"; or NULL. */
const char *keep_why_over(const struct keep *k);

/* keep_sync -- bring to the disk what was written, until it is over.
 *
 * Returns NULL, or the word for why not. */
const char *keep_sync(const struct keep *k, enum sync_what what, int fd);

#endif
