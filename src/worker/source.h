/* source.h -- the repository of a request: a directory below a root, or a
 * commit that is fetched. */
#ifndef CUPEL_WORKER_SOURCE_H
#define CUPEL_WORKER_SOURCE_H

#include "worker/child.h"
#include "worker/request.h"

struct cupel_error;
struct worker;

/* One delivery, while it is done. */
struct worker_job {
	struct worker *w;
	const struct worker_request *q;
	int place_fd;            /* a directory for this request alone */
	const char *place;       /* its path */
	void (*tick)(void *ctx); /* keeps the request alive */
	void *tick_ctx;
};

/* worker_source_open -- open the directory of the request's source.
 *
 * @ret_fd	-1 if the request has no source; owned by the caller
 * Returns an end: WORKER_DONE, or another with *why. */
enum worker_end worker_source_open(const struct worker_job *job, int *ret_fd,
				   struct worker_why *why);

/* worker_git_fetch -- fetch the commit in a vessel that reaches that host
 * alone, and make its files below dir_fd, each checked against its hash.
 *
 * Returns like worker_source_open(). */
enum worker_end worker_git_fetch(const struct worker_job *job, int dir_fd,
				 struct worker_why *why);

/* worker_child_set -- set what is the same for all children of a job. */
void worker_child_set(const struct worker_job *job, struct worker_child *c);

/* worker_child_judge -- judge a request whose child did not end as it
 * should. */
enum worker_end worker_child_judge(const struct worker_job *job,
				   const struct worker_child_end *e,
				   struct worker_why *why);

#endif
