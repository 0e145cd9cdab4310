/* tree.h -- a directory that holds a probe's declared inputs and no more. */
#ifndef CUPEL_JOBS_PROBE_TREE_H
#define CUPEL_JOBS_PROBE_TREE_H

#include <limits.h>

#include "jobs/probe/inputs.h"

struct cupel_error;

struct probe_tree {
	char path[PATH_MAX]; /* of what becomes /repo; "" = none */
	char name[40];       /* of the private directory around it */
	int base_fd;         /* where that stands */
	int fd;              /* the private directory, locked */
};

/* tree_make -- copy the files of in from its sealed bytes into a new private
 * directory.  What an earlier run left behind because it was killed is removed on
 * the way.
 *
 * @base	below which; the caller has a lock on it, so that what lies there is
 *		nobody's any more.  NULL: $XDG_RUNTIME_DIR, else $TMPDIR, else /tmp,
 *		where only what is a minute old is taken for left behind
 * @ret		tree_remove() frees it, after a failure too
 * Returns 0 or -errno. */
int tree_make(const struct probe_inputs *in, const char *base,
	      struct probe_tree *ret, struct cupel_error *err);
void tree_remove(struct probe_tree *t);

#endif
