/* child.h -- runs the command as a child, with caps on its output and its
 * time. */
#ifndef CUPEL_WORKER_CHILD_H
#define CUPEL_WORKER_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"

struct cupel_error;

/* How much of a child's stderr is kept; one line of it is used. */
#define WORKER_ERR_BYTES ((size_t)16 << 10)
/* A child that was asked to end is killed after this time. */
#define WORKER_END_MS 10000U

struct worker_child {
	const char *program;
	const char *const *argv;
	int cwd_fd;        /* the directory that it starts in */
	const char *input; /* on its stdin */
	size_t input_len;
	size_t out_bytes; /* how much stdout it may write; more ends it */
	/* given stdout as it comes, which then is not kept; not 0 ends the
	 * child */
	int (*take)(void *ctx, const char *bytes, size_t n);
	uint64_t time_max_ms;
	uint64_t tick_ms; /* how often tick() is called */
	void (*tick)(void *ctx);
	void *ctx; /* of take */
	void *tick_ctx;
	int stop_fd; /* readable: end it */
};

struct worker_child_end {
	struct buf out; /* worker_child_end_done() frees it */
	char said[256]; /* the last line of its stderr, printable */
	int status;     /* its exit status; 128 + the signal */
	bool is_out_cut, is_late, is_stopped, is_refused; /* by take */
};

/* worker_child_run -- start it, and wait for its end.
 *
 * Its environment is fixed, it has the descriptors 0, 1 and 2, no signal is
 * blocked, and it is killed when the calling thread ends.
 * Returns 0, or -errno with *err when it could not be started. */
int worker_child_run(const struct worker_child *c, struct worker_child_end *ret,
		     struct cupel_error *err);

void worker_child_end_done(struct worker_child_end *e);

/* worker_now_ms -- CLOCK_MONOTONIC. */
uint64_t worker_now_ms(void);

#endif
