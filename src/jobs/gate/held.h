/* held.h -- reads a file of the operator's, which must not be in the work
 * tree. */
#ifndef CUPEL_JOBS_GATE_HELD_H
#define CUPEL_JOBS_GATE_HELD_H

#include <stddef.h>

struct buf;
struct cupel_error;

struct held_request {
	const char *what; /* "the catalogue", for messages */
	const char *path; /* from dir_fd, or absolute */
	int dir_fd;       /* AT_FDCWD, or where path begins */
	int worktree_fd;  /* nothing in there is read; -1: no work tree */
	size_t cap_bytes;
};

/* held_read -- the bytes of a regular file that does not lie in the work tree.
 *
 * The file is identified by what it is: links on the way are followed, and what
 * counts is where they lead.  A file with a second name (a hard link) is
 * refused, because the other name may be in the work tree.
 *
 * @out		receives the bytes
 * @ret_dir_fd	receives the directory that it lies in, owned by the caller; may
 *		be NULL
 * Returns 0 or -errno; *err is one line that names the file. */
int held_read(const struct held_request *req, struct buf *out, int *ret_dir_fd,
	      struct cupel_error *err);

#endif
