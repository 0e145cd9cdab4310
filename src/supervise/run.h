/* run.h -- one running vessel: what loop.c, act.c and start.c share.
 *
 * Not for other rooms: they see supervise.h.
 * */
#ifndef CUPEL_SUPERVISE_RUN_H
#define CUPEL_SUPERVISE_RUN_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "launch/launch.h"
#include "supervise/egress.h"
#include "supervise/feed.h"
#include "supervise/outcome.h"
#include "supervise/phase.h"
#include "supervise/supervise.h"
#include "supervise/trace.h"
#include "supervise/watch.h"

/* The sources that epoll can report, in the order in which they are handled.
 * Records come first, so that a limit which fires after the command was reaped
 * changes nothing.  The end of init comes last, after everything that it
 * said. */
enum source {
	SOURCE_ASKED, /* before what a phase says by itself */
	SOURCE_TRACE, /* before init finds that the tracer is gone */
	SOURCE_CONTROL,
	SOURCE_STDOUT,
	SOURCE_STDERR,
	SOURCE_RESULT,
	SOURCE_CANCEL,
	SOURCE_TIMER,
	SOURCE_STDIN, /* the pipe to the command */
	SOURCE_FEED,  /* the caller's descriptor */
	SOURCE_RELAY, /* of scoped egress */
	SOURCE_PIDFD,
	SOURCE_MAX_
};

#define RUN_BUFFER_BYTES (256U << 10) /* as much as a full pipe holds */
#define RUN_NEVER        UINT64_MAX

struct control_message;

struct run {
	const struct plan *plan;
	struct run_hooks hooks;
	struct child child;
	struct outcome out;
	enum phase phase;

	int epoll_fd, timer_fd, cancel_fd;
	int proc_fd, shm_fd, sockets_fd; /* owned; -1 = none */
	int terminal_fd;                 /* the same, until run_free */
	uint32_t ready[SOURCE_MAX_];     /* epoll events of this step */
	char *buffer;                    /* RUN_BUFFER_BYTES */
	struct feed feed;
	struct watch watch;
	struct egress_watch egress;
	struct trace_watch trace;

	uint64_t begun_ns;    /* go was said */
	uint64_t ended_ns;    /* the command's end, 0 = not yet */
	uint64_t wall_ns;     /* deadline of the command, or RUN_NEVER */
	uint64_t patience_ns; /* EVENT_LATE, or RUN_NEVER */
	uint64_t armed_ns;    /* what the timer is set to */
	unsigned fired;       /* kill causes of this step: 1 << cause */
	bool has_exited;      /* RECORD_EXITED came */
	bool has_asked;       /* ORDER_CARRY was sent */
	bool is_asked; /* hooks.holder was asked, but has not made it yet */
	bool is_answer_lost; /* and will not say that it made it */
	int init_status;     /* exit status of init, or -signal */

	/* Written by run_cancel from anywhere. */
	atomic_int cancel_signal; /* first signal to forward, 0 = none */
	atomic_bool cancel_kill;
};

/* run_adopt -- supervise a vessel that was launched already.
 *
 * @child	taken over on success, emptied
 * Returns 0, or -errno with *err filled and *child untouched. */
int run_adopt(const struct plan *plan, const struct run_hooks *hooks,
	      struct child *child, struct run **ret, struct cupel_error *err);

/* run_event -- look one event up in the table and carry out its action. */
void run_event(struct run *r, enum event what);

/* run_ask_carry -- ask init for the descriptors that the watchdog needs. */
void run_ask_carry(struct run *r);

/* run_raise -- the same, with the cause that the outcome names if this event
 * ends the run. */
void run_raise(struct run *r, enum event what, enum kill_cause cause);

/* run_take_record -- note a record of init and raise the events that follow
 * from it.  Takes over the descriptors in m. */
void run_take_record(struct run *r, struct control_message *m);

/* run_note_walls -- note which walls stand, now that the command has been
 * started. */
void run_note_walls(struct run *r, const struct record *rec);

/* run_missing_walls -- what was asked for, is not in force, and was not known to
 * be missing. */
wall_set run_missing_walls(const struct run *r);

/* run_break -- note a failure of our own (the first counts) and end the run. */
void run_break(struct run *r, enum cupel_cause cause, int sys,
	       const char *what);

/* run_arm -- set the timer to the nearest deadline. */
void run_arm(struct run *r);

/* The time that the kernel gets to end a killed process. */
#define RUN_GONE_MS 10000

/* run_reap_init -- reap init if it has ended. */
void run_reap_init(struct run *r);

/* run_note_helpers -- note the CPU time that the relay and the tracer have used:
 * they work for the command, which decides how much. */
void run_note_helpers(struct run *r);

/* run_end_now -- kill, wait for the end, drain, finish.  Seconds at most; without
 * a mount namespace as long as init goes on removing what the command made.
 * The one place that blocks: for run_free and when epoll itself fails. */
void run_end_now(struct run *r);

/* run_read_streams -- read the output pipes.
 *
 * @turns	most reads of each, so that one does not starve the rest
 * @all		regardless of what epoll reported */
void run_read_streams(struct run *r, int turns, bool all);

/* run_close_fd -- take *fd out of the epoll set, then close it: a copy in a
 * forked child of the caller's would keep it registered. */
void run_close_fd(struct run *r, int *fd);

/* run_watch_streams -- wait for the command's output from now on.  Call it only
 * after the start was reported, because the command may write, or pass a cap,
 * sooner than init says that it runs. */
void run_watch_streams(struct run *r);

/* asked_watch -- wait for hooks.holder to make the vessel.  Returns 0 or
 * -errno.  asked_run -- handle what it has said.  asked_done -- stop waiting;
 * calling it again does nothing. */
int asked_watch(struct run *r);
void asked_run(struct run *r);
void asked_done(struct run *r);

/* asked_end -- for the end of the run: a copy does not wait for its keeper's answer.  If
 * the answer is lost but the copy's init has reported the command's end, the run is
 * whole: the command must not be reported as one that did not start, and run again.  A
 * SIGKILL may have been ours. */
void asked_end(struct run *r);

/* run_watch_fd -- put fd into the epoll set.  Returns 0 or -errno. */
int run_watch_fd(struct run *r, int fd, uint32_t events, enum source id);

#endif
