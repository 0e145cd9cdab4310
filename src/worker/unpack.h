/* unpack.h -- makes the files of a commit from the objects that a vessel
 * prints.  Each object is checked against the hash that an earlier one gives
 * for it.
 *
 * The bytes are as `git cat-file --batch` prints them: first the commit and its
 * tree, then what each tree contains, in the tree's order, and a tree before
 * its contents.  Neither the vessel nor the server is believed: the request has
 * the hash of the commit, the commit that of its tree, and a tree those of its
 * entries.  No path is followed: each file is made below the descriptor of its
 * own directory.  Sources: gitformat-pack(5) on loose objects,
 * git-cat-file(1). */
#ifndef CUPEL_WORKER_UNPACK_H
#define CUPEL_WORKER_UNPACK_H

#include <stddef.h>
#include <stdint.h>

struct worker_unpack;

#define WORKER_CHECKOUT_BYTES ((uint64_t)512 << 20)
#define WORKER_CHECKOUT_FILES 200000U
#define WORKER_TREE_BYTES     ((size_t)8 << 20)
#define WORKER_CHECKOUT_DEPTH 64

/* worker_unpack_new -- begin to make the files of a commit below dir_fd.
 *
 * @commit	40 hexadecimal digits
 * Returns NULL without memory, or if libcrypto has no SHA-1. */
struct worker_unpack *worker_unpack_new(int dir_fd, const char *commit);
void worker_unpack_free(struct worker_unpack *u); /* NULL is fine */

/* worker_unpack_take -- take the next bytes.  Returns 0 or -errno; it must not
 * be called again after that. */
int worker_unpack_take(void *unpack, const char *bytes, size_t n);

/* worker_unpack_why -- NULL: every file of the commit has been made; otherwise
 * what is wrong or missing. */
const char *worker_unpack_why(const struct worker_unpack *u);

#endif
