/* gate_job.h -- a gate that is about to run over a work tree. */
#ifndef CUPEL_CLI_GATE_JOB_H
#define CUPEL_CLI_GATE_JOB_H

#include <limits.h>
#include <stdbool.h>

#include "cli/gate.h"
#include "jobs/gate/attempt_run.h"
#include "jobs/gate/catalogue.h"
#include "jobs/gate/vuln/osv.h"

/* A gate over a work tree: what run and baseline need. */
struct gate_job {
	const struct gate_words *w;
	char worktree[PATH_MAX]; /* its real path */
	int worktree_fd, stop_fd;
	struct catalogue catalogue;
	const struct gate *gate;
	struct gate_option options[2];
	struct osv osv;
	bool has_osv;
};

/* gate_job_open -- find the work tree and the gate, and check all that no attempt
 * could do; complains.
 *
 * @ret		gate_job_close() ends it, whatever is returned
 * Returns CLI_OK or an exit status. */
int gate_job_open(const struct gate_words *w, struct gate_job *ret);
void gate_job_close(struct gate_job *r);

/* gate_stopped -- complain that a signal stopped the job, and more; returns the
 * exit status. */
int gate_stopped(const struct gate_job *r, const char *more);

/* gate_tell -- print a line of progress, unless --quiet.
 * @data	the job */
void gate_tell(void *data, const char *line);

#endif
