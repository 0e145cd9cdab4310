/* supervise.h -- watches one vessel from outside until nothing of it lives.
 *
 * Room: supervise.
 *
 * Must:     wait for nothing but its own epoll descriptor; hold one absolute
 *           deadline; drain every stream; kill through the pidfd
 *           after the end, keep a cache for no longer than keep.h says
 *           work whatever the caller does with SIGCHLD, threads and waitpid
 * Must not: parse what came from inside; install handlers; block in step */
#ifndef CUPEL_SUPERVISE_SUPERVISE_H
#define CUPEL_SUPERVISE_SUPERVISE_H

#include <stdbool.h>
#include <stddef.h>

#include "supervise/outcome.h"

struct cupel_error;
struct holder;
struct launch;
struct plan;
struct run; /* one vessel in flight */

enum run_stream { RUN_STDOUT = 1, RUN_STDERR = 2 };

struct run_hooks {
	void *data;
	/* The bytes that the command writes, as they come, before any cap on
	 * what is kept but never more in all than the cap; may be NULL. */
	void (*output)(void *data, enum run_stream s, const char *bytes,
		       size_t n);
	int stdin_fd; /* fed to the command's stdin; borrowed; -1 = empty */
	const int *inputs; /* sealed memory files: descriptors 4, 5, ... */
	size_t inputs_len;
	int exec_fd; /* sealed memory file to execute; 0 or -1 = look up */
	bool is_alone; /* nothing else is to be done meanwhile (launch/native/place.h) */
	/* From launch_begin(), with the same inputs and exec_fd; consumed by
	 * run_start whatever it returns.  NULL = nothing was begun. */
	struct launch *begun;
	struct holder *holder; /* it is a phase, and uses its files */
	bool is_copy;          /* the holder is a template (launch_tree) */
};

/* run_start -- launch the plan.
 *
 * @plan	borrowed until run_free
 * Returns 0, or -errno with *err filled and nothing left behind.  A failure
 * inside (of init) is not a failure of this call: it is in outcome.error. */
int run_start(const struct plan *plan, const struct run_hooks *hooks,
	      struct run **ret, struct cupel_error *err);

/* run_fd -- the epoll descriptor: readable when run_step has work.  Borrowed. */
int run_fd(const struct run *r);

/* run_follow -- after RUN_ENDED: from now on the descriptor of r is readable
 * when that of next is, and no longer when that of last is (NULL: it has
 * followed nobody so far).  Returns 0 or -errno. */
int run_follow(struct run *r, const struct run *last, const struct run *next);

/* run_close_helpers -- after RUN_ENDED: end its relay and its tracer before
 * run_free() does.  Calling it again does nothing. */
void run_close_helpers(struct run *r);

/* run_step -- handle what is ready; never blocks.
 * Returns RUN_GOES_ON, RUN_ENDED, or -errno (our own failure: the vessel is
 * killed and outcome.error says why; then RUN_ENDED at the next call). */
#define RUN_GOES_ON 1
#define RUN_ENDED   0
int run_step(struct run *r);

/* run_wait -- step until RUN_ENDED. */
int run_wait(struct run *r);

/* run_await_start -- step until the command has been started or will not be.
 * The run may have ended by then; run_outcome says. */
void run_await_start(struct run *r);

/* run_cancel -- from any thread or signal handler: forward signal (SIGTERM,
 * SIGINT, SIGHUP, SIGQUIT) once; a second call, or kill_after_ms later, kills.
 * signal 0 kills at once.  Async-signal-safe. */
void run_cancel(struct run *r, int signal);

/* run_terminal -- our end of the command's terminal, borrowed until run_free;
 * -1 before the command has started, and when it has none. */
int run_terminal(const struct run *r);

/* run_outcome -- complete after RUN_ENDED; borrowed until run_free. */
const struct outcome *run_outcome(const struct run *r);

/* run_is_cancelled -- whether run_cancel() was called. */
bool run_is_cancelled(const struct run *r);

/* run_cancel_fd -- after RUN_ENDED: readable when run_cancel() was called since.
 * Borrowed. */
int run_cancel_fd(const struct run *r);

/* run_settle -- after RUN_ENDED: close what it was watched with; run_fd() is of no
 * more use.  Calling it again does nothing. */
void run_settle(struct run *r);

/* run_has_gone -- after RUN_ENDED: whether nothing of the vessel lives any more,
 * so that run_free() waits for nothing. */
bool run_has_gone(const struct run *r);

/* run_free -- kill what lives, reap, close, free.  NULL is fine. */
void run_free(struct run *r);

#endif
