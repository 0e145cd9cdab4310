/* attempt_run.h -- one attempt: phases, evidence, signals. */
#ifndef CUPEL_JOBS_GATE_ATTEMPT_RUN_H
#define CUPEL_JOBS_GATE_ATTEMPT_RUN_H

#include "jobs/gate/gate.h"

struct baseline;
struct cupel_error;
struct osv;

/* An option of cupel-run(1) that the caller of the gate sets on every phase,
 * after the catalogue's own options: "backend", "cgroup".  A NULL name ends a
 * list. */
struct gate_option {
	const char *name, *value;
};

struct gate_attempt_request {
	const struct gate *gate;
	const char *worktree; /* host directory; never written to */
	/* Where artifacts are kept while the attempt runs: a directory that is
	 * locked for the caller, so that what a killed run left there can be
	 * removed.  NULL: where temporary files are. */
	const char *work_dir;
	/* The tree as it was when the attempt began: at its end it is read
	 * again.  NULL: neither. */
	const struct judged *tree;
	unsigned number;                   /* from 1 */
	const struct baseline *baseline;   /* NULL: none was given */
	const struct gate_option *options; /* or NULL */
	const struct osv *osv; /* records, vuln/osv.h; NULL: none were given */
	bool wants_context;    /* gather even if no kind asks: for a baseline */
	int stop_fd;           /* readable: end what runs; -1: never */
	/* Called when a phase has ended and the next one has not begun, so that
	 * its costs are written down at once.  run is the attempt's.  Not 0
	 * ends the attempt with that error.  May be NULL. */
	int (*ended)(void *data, const struct gate_run *run,
		     struct cupel_error *err);
	void *data;
};

/* gate_attempt_run -- run the gate's phases once over a clean writable overlay
 * of the work tree, gather its context, and make the signals.
 *
 * The first phase that is not OK ends the attempt, unless it says goes_on; the
 * later phases have no run.  Every kind that the gate asks for has a signal,
 * unless the attempt was lost.
 *
 * @ret		zeroed by the caller; gate_attempt_done() frees it, on failure
 *		too.  lost: the host failed, which is no error here
 * Returns 0; -EINTR when stop_fd was readable; -errno: a bug of ours, or a
 * request that is wrong (cause caller), such as a phase's spec. */
int gate_attempt_run(const struct gate_attempt_request *req,
		     struct gate_attempt *ret, struct cupel_error *err);

/* gate_attempt_check -- check what gate_attempt_run() would refuse, and that no
 * phase runs in a lesser class of isolation than the gate's, without starting
 * anything.
 *
 * Returns 0 or -errno; cause host: the class is not available. */
int gate_attempt_check(const struct gate_attempt_request *req,
		       struct cupel_error *err);

void gate_attempt_done(struct gate_attempt *a);

#endif
