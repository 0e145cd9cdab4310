/* explain.h -- says which file, hash and probe a fact came from. */
#ifndef CUPEL_JOBS_GATHER_EXPLAIN_H
#define CUPEL_JOBS_GATHER_EXPLAIN_H

struct buf;
struct cupel_error;

/* explain_fact -- answer for one path (explain_path.h) in one output directory.
 *
 * Reads the context that the newest run record names, else whichever of the two
 * is there.  Nothing in the directory is trusted: its text is escaped and
 * printed on lines of its own.
 *
 * @out_fd	the directory that gather wrote to
 * @out		receives "key: value" lines
 * @why		receives one line when there is no such fact
 * Returns 0; -ENOENT when there is no such fact, -EINVAL for no path (*why is
 * filled); another -errno with *err filled and *why empty. */
int explain_fact(int out_fd, const char *path, struct buf *out, struct buf *why,
		 struct cupel_error *err);

#endif
