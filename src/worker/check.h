/* check.h -- whether a worker can work here: for cupel worker --check, and for
 * a request that failed because of the host. */
#ifndef CUPEL_WORKER_CHECK_H
#define CUPEL_WORKER_CHECK_H

#include "worker/child.h"
#include "worker/metrics.h"

struct worker;
struct worker_why;

/* worker_check -- make one vessel, as a request would, and print what was found.
 *
 * @absent	how many streams and consumers are not there yet
 * Returns the exit status. */
int worker_check(const struct worker *w, int absent);

/* worker_host_judge -- whose failure it is when the command says that this host
 * cannot do a request.  It is the host's only if it cannot make a plain vessel
 * either.  Otherwise a request could make one worker after another rest, and
 * would never end.
 *
 * @egress	HOST:PORT that the vessel's egress rule allows, or NULL; nothing
 *		is connected to
 * Returns WORKER_GIVEN_BACK, or WORKER_FAILED if it is the request's own. */
enum worker_end worker_host_judge(const struct worker *w, const char *egress);

#endif
