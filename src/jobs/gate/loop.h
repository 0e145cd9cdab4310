/* loop.h -- runs a gate from its first attempt to its end.
 *
 * Each step is on disk before the next one begins.  So a runner can be killed
 * at any moment: the next one finds the attempt, counts it as lost and goes
 * on. */
#ifndef CUPEL_JOBS_GATE_LOOP_H
#define CUPEL_JOBS_GATE_LOOP_H

#include <stdbool.h>

#include "jobs/gate/attempt_run.h"
#include "jobs/gate/attempts.h"

struct cupel_error;
struct state;

struct loop_request {
	const struct gate *gate;
	const char *worktree; /* its real path; a gate stays with it */
	const char *work_dir; /* the state's real path; attempt_run.h */
	const struct baseline *baseline;   /* or NULL */
	const char *baseline_hash;         /* its name, or NULL */
	const struct gate_option *options; /* or NULL */
	const struct osv *osv;             /* or NULL */
	const char *replan;                /* the planner's command, or NULL */
	unsigned max_attempts;             /* 1..GATE_ATTEMPTS_MAX */
	const char *operator_ack;          /* who allows more than the gate, or
					   * NULL: nobody */
	const char *chain_head;            /* of an earlier ledger, or NULL */
	bool resume; /* go on with a gate that has not ended */
	int stop_fd; /* readable: stop; -1: never */
	/* Makes an attempt: gate_attempt_run(), except in a test. */
	int (*attempt_run)(const struct gate_attempt_request *req,
			   struct gate_attempt *ret, struct cupel_error *err);
	void *data;
	/* Called with one line for each step. */
	void (*tell)(void *data, const char *line);
};

/* loop_run -- run the gate until it ends.  The caller holds the state's lock.
 *
 * @ret		one of the ends (attempts.h)
 * Returns 0; LEDGER_BROKEN (ledger.h) with nothing written; -EINTR: stopped,
 * and can go on with resume; or -errno, cause caller: the request is wrong, or
 * there is a gate that has not ended and resume is not set. */
int loop_run(const struct loop_request *req, const struct state *s,
	     enum attempts_state *ret, struct cupel_error *err);

#endif
