/* tree.h -- a trace as a tree of processes, for a person. */
#ifndef CUPEL_JOBS_TRACE_TREE_H
#define CUPEL_JOBS_TRACE_TREE_H

struct buf;
struct happened;

/* tree_write -- what was executed, each below the process that started it, and
 * what it connected to below that; then what may be missing.  h has a trace.
 * Returns 0 or -ENOMEM. */
int tree_write(const struct happened *h, struct buf *out);

#endif
