/* judged.h -- names the tree that an attempt judges, and says whether it changed
 * meanwhile.
 *
 * Everything that the vessel can read below /repo counts: each name with its
 * type, its permission bits and its content, sorted.  No link is followed, and
 * git is not asked: its settings in a hostile tree run code. */
#ifndef CUPEL_JOBS_GATE_JUDGED_H
#define CUPEL_JOBS_GATE_JUDGED_H

#include <stddef.h>
#include <stdint.h>

#include "base/blake3.h"
#include "base/sha1.h"

struct cupel_error;
struct jsonw;

/* Twenty times what a gather reads, so that installed modules have room. */
#define JUDGED_NAMES_MAX 1000000U
/* A sparse file can claim more than anybody would wait for. */
#define JUDGED_BYTES_MAX  ((uint64_t)64 << 30)
#define JUDGED_PATH_BYTES 256 /* of a path that is told; longer ones are cut */

/* Zero is valid: not read yet. */
struct judged {
	char hash[BLAKE3_TEXT_BYTES]; /* "": none */
	/* The id that git gives to a tree of these files; "": it is not a git
	 * work tree, or holds what only git knows the id of: a repository
	 * within, or a file that cannot be read. */
	char git_tree[SHA1_TEXT_BYTES];
	/* For each name, when and how it was last changed. */
	uint64_t *marks;
	size_t marks_len, marks_room;
};

/* judged_read -- read the whole tree.
 *
 * The hash is BLAKE3 over one record for each name below the tree, except .git
 * at its top, in the order of the paths' bytes with a '/' after each directory:
 * "TYPE MODE HASH PATH" and a NUL.  cupel-gate-ledger(5) has its parts.
 *
 * @stop_fd	readable: give up; -1: never
 * @before	an earlier reading of the same tree, or NULL
 * @ret		zeroed by the caller; judged_done() frees it, on failure too
 * @changed	receives where the first difference to before is, "" if there is
 *		none: content, or a change that was undone again, as far as the
 *		kernel's times show it
 * Returns 0; -EINTR when stop_fd was readable; or -errno. */
int judged_read(const char *worktree, int stop_fd, const struct judged *before,
		struct judged *ret, char changed[JUDGED_PATH_BYTES],
		struct cupel_error *err);

/* judged_write -- write "tree": {blake3, git_tree}; null if it was not read. */
void judged_write(const struct judged *j, struct jsonw *w);

void judged_done(struct judged *j);

#endif
