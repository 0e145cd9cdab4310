/* worker.h -- takes requests from a JetStream server, lets the command do them,
 * and publishes the answers.
 *
 * Room: worker.  A program of its own, linked with libnats, so that the command
 * itself stays static and small (docs/batch.md).
 *
 * Must:     treat a request as written by an attacker: what may be asked for is
 *           a list, and nothing else is
 *           have the command do the work, as a child: there is no second way to
 *           a vessel
 *           hold every answer against its schema before it is published, and
 *           acknowledge a request only after the server has stored its answer
 * Must not: give a child anything of this process but what it needs: no
 *           descriptor, no environment of the caller's
 *           read a wall clock for anything but messages */
#ifndef CUPEL_WORKER_WORKER_H
#define CUPEL_WORKER_WORKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "worker/metrics.h"

struct worker_link;

/* A slot is a thread and, while it works, a child. */
#define WORKER_JOBS_MAX 256U
/* The largest request: what a server takes by default, minus room for
 * headers. */
#define WORKER_REQUEST_BYTES ((size_t)1000 << 10)
/* A request that failed by itself this often is not tried again. */
#define WORKER_FAILURES_MAX 5U
/* A request that was delivered this often without an end, and was not given
 * back, has ended its workers. */
#define WORKER_DELIVERIES_MAX 50U

/* Where the repositories of requests may be, and from where they may be
 * fetched. */
struct worker_sources {
	const char *const *roots;
	size_t roots_len;
	const char *const *git_hosts; /* HOST or HOST:PORT */
	size_t git_hosts_len;
	const char *git_ca; /* certificates for these, or NULL */
};

struct worker {
	const char *cupel; /* path of the command */
	const char *name;  /* of this worker, in answers */
	struct worker_link *link;
	struct worker_sources sources;
	unsigned jobs;
	size_t answer_max; /* bytes that the server takes in one message */
	uint64_t ack_wait_ms, drain_ms, time_max_ms;
	int work_fd;           /* a directory of this process alone */
	const char *work_path; /* its path */
	int drain_fd;          /* readable: take no new requests */
	int stop_fd;           /* readable: also end what runs */
	struct worker_metrics metrics;
};

#endif
