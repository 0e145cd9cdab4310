/* worker.h -- the options of cupel worker and cupel submit, which cupel-worker
 * reads by the same tables. */
#ifndef CUPEL_CLI_WORKER_H
#define CUPEL_CLI_WORKER_H

#include "cli/option.h"

/* Rows of both tables, and then of each. */
enum {
	WORKER_NATS,
	WORKER_STREAM,
	WORKER_CREDS,
	WORKER_TLS_CA,
	WORKER_ADDRESS_OPTIONS,
};
enum {
	WORKER_JOBS = WORKER_ADDRESS_OPTIONS,
	WORKER_ROOT,
	WORKER_GIT_HOST,
	WORKER_GIT_CA,
	WORKER_WORK,
	WORKER_ACK_WAIT,
	WORKER_TIME_MAX,
	WORKER_DRAIN_FOR,
	WORKER_METRICS,
	WORKER_CHECK,
	WORKER_QUIET,
	WORKER_OPTIONS,
};
enum {
	SUBMIT_WAIT = WORKER_ADDRESS_OPTIONS,
	SUBMIT_NO_WAIT,
	SUBMIT_TIMEOUT,
	SUBMIT_QUIET,
	SUBMIT_OPTIONS,
};

/* worker_begin -- become cupel-worker with these words.  Returns the exit
 * status when that cannot be done. */
int worker_begin(int argc, char *argv[]);

#endif
