/* loop.c -- one epoll set for each run; turns readiness into events. */
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "plan/plan.h"
#include "supervise/clock.h"
#include "supervise/control.h"
#include "supervise/run.h"
#include "supervise/stream.h"

#define RECORDS_A_STEP 4 /* init sends two in its life */
#define READS_A_STEP   4 /* 1 MiB of a stream before the others' turn */

int run_watch_fd(struct run *r, int fd, uint32_t events, enum source id)
{
	struct epoll_event e = { .events = events, .data.u64 = id };

	return epoll_ctl(r->epoll_fd, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

void run_close_fd(struct run *r, int *fd)
{
	if (*fd >= 0)
		(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_DEL, *fd, NULL);
	cleanup_fd(fd);
}

/* --- output ---------------------------------------------------------- */

struct reader {
	int *fd;
	struct stream *to;
	enum source source;
	enum kill_cause cause; /* KILL_NONE: never a reason */
	enum run_stream hook;  /* 0: nobody listens */
	uint64_t cap;
};

static void take_output(struct run *r, const struct reader *from, size_t n)
{
	const struct plan_watch *w = &r->plan->watch;
	size_t within = stream_take(from->to, from->cap, r->buffer, n);

	if (from->hook == RUN_STDOUT && w->result_on_stdout)
		(void)stream_take(&r->out.payload, w->result_bytes, r->buffer,
				  n);
	if (buf_has_failed(&from->to->kept) ||
	    buf_has_failed(&r->out.payload.kept))
		run_break(r, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory to keep the command's output");
	if (from->hook != 0 && within > 0 && r->hooks.output != NULL)
		r->hooks.output(r->hooks.data, from->hook, r->buffer, within);
	if (from->cause != KILL_NONE && w->output_mode == OUTPUT_KILL &&
	    from->to->bytes > from->cap)
		r->fired |= 1U << from->cause;
}

static void read_stream(struct run *r, const struct reader *from, int turns)
{
	for (int i = 0; i < turns && *from->fd >= 0; i++) {
		ssize_t n = read(*from->fd, r->buffer, RUN_BUFFER_BYTES);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		if (n <= 0)
			run_close_fd(r, from->fd);
		else
			take_output(r, from, (size_t)n);
		if (n < RUN_BUFFER_BYTES / 2)
			return; /* emptied: do not ask again for EAGAIN */
	}
}

void run_read_streams(struct run *r, int turns, bool all)
{
	const struct plan_watch *w = &r->plan->watch;
	const struct reader readers[] = {
		{ &r->child.stdout_fd, &r->out.out, SOURCE_STDOUT,
		  KILL_OUTPUT_STDOUT, RUN_STDOUT, w->output_bytes },
		{ &r->child.stderr_fd, &r->out.errs, SOURCE_STDERR,
		  KILL_OUTPUT_STDERR, RUN_STDERR, w->output_bytes },
		{ &r->child.result_fd, &r->out.payload, SOURCE_RESULT,
		  KILL_NONE, 0, w->result_bytes },
	};

	for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
		if (all || r->ready[readers[i].source] != 0)
			read_stream(r, &readers[i], turns);
}

static void on_streams(struct run *r)
{
	run_read_streams(r, READS_A_STEP, false);
	for (int i = SOURCE_STDOUT; i <= SOURCE_RESULT; i++)
		r->ready[i] = 0; /* one handler serves all three */
}

/* --- the other sources ------------------------------------------------ */

static void on_control(struct run *r)
{
	for (int i = 0; i < RECORDS_A_STEP && r->child.control_fd >= 0; i++) {
		struct control_message m;
		int e = control_read(r->child.control_fd, &m);

		if (e == 0) {
			run_take_record(r, &m);
			continue;
		}
		if (e == -EAGAIN)
			return;
		/* The pidfd reports the end of a PID namespace's init. */
		(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_DEL, r->child.control_fd,
				NULL);
		if (e == -EPIPE && !backend_has(r->child.backend, WALL_PIDNS))
			run_event(r, EVENT_HUNG_UP);
		if (e == -EMFILE)
			run_break(r, CUPEL_CAUSE_BUSY, EMFILE,
				  "no room for the descriptors of init");
		else if (e != -EPIPE)
			run_break(r, CUPEL_CAUSE_BUG, -e,
				  "init sent an invalid record");
		return;
	}
}

static void on_cancel(struct run *r)
{
	uint64_t count;
	int signal = atomic_load(&r->cancel_signal);

	(void)!read(r->cancel_fd, &count, sizeof count);
	if (signal != 0 && r->out.cancel_signal == 0) {
		r->out.cancel_signal = signal;
		run_raise(r, EVENT_SIGNAL, KILL_CANCEL);
	}
	if (atomic_load(&r->cancel_kill))
		run_raise(r, EVENT_KILL, KILL_CANCEL);
}

static void on_timer(struct run *r)
{
	uint64_t count;

	(void)!read(r->timer_fd, &count, sizeof count);
	r->armed_ns = RUN_NEVER;
}

static void on_feed(struct run *r)
{
	feed_run(&r->feed, (r->ready[SOURCE_STDIN] & EPOLLERR) != 0);
	r->ready[SOURCE_FEED] = 0;
}

static void on_pidfd(struct run *r)
{
	on_control(r); /* records that it sent just before its end */
	(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_DEL, r->child.pidfd, NULL);
	run_event(r, EVENT_GONE);
}

static void (*const handlers[])(struct run *r) = {
	[SOURCE_CONTROL] = on_control, [SOURCE_STDOUT] = on_streams,
	[SOURCE_STDERR] = on_streams,  [SOURCE_RESULT] = on_streams,
	[SOURCE_CANCEL] = on_cancel,   [SOURCE_TIMER] = on_timer,
	[SOURCE_STDIN] = on_feed,      [SOURCE_FEED] = on_feed,
	[SOURCE_TRACE] = trace_run,    [SOURCE_RELAY] = egress_run,
	[SOURCE_PIDFD] = on_pidfd,     [SOURCE_ASKED] = asked_run,
};
static_assert(sizeof handlers / sizeof *handlers == SOURCE_MAX_,
	      "a handler for every source");

/* --- time ------------------------------------------------------------- */

/* Before a cause is named, read what init has sent since this step's
 * epoll_wait: a forbidden call or the command's end comes first. */
static void look_at_control(struct run *r)
{
	struct pollfd p = { .fd = r->child.control_fd, .events = POLLIN };

	if (!r->is_asked && p.fd >= 0 && poll(&p, 1, 0) > 0 &&
	    (p.revents & POLLIN) != 0)
		on_control(r);
}

static bool are_helpers_over(const struct run *r)
{
	return egress_is_over(r) && trace_is_over(r);
}

static uint64_t helpers_deadline(const struct run *r)
{
	return r->egress.deadline_ns < r->trace.deadline_ns
		       ? r->egress.deadline_ns
		       : r->trace.deadline_ns;
}

static void look_at_tree(struct run *r, uint64_t now)
{
	if (r->phase != PHASE_RUNNING || now < r->watch.next_ns)
		return;
	if (r->proc_fd < 0 && r->watch.is_offered) {
		run_ask_carry(r);
		return;
	}
	run_note_helpers(r);
	r->fired |= 1U << watch_run(&r->watch, &r->out, r->buffer,
				    RUN_BUFFER_BYTES);
}

/* All limits that fired in one step did so at one reading of the clock, so the
 * cause that stands first wins.  Output can arrive before the record that the
 * command runs; its cap is checked when that record has come. */
static void judge_time(struct run *r)
{
	uint64_t now = clock_now_ns();
	unsigned due;

	look_at_tree(r, now);
	r->fired &= ~(1U << KILL_NONE);
	if (now >= r->wall_ns) {
		r->wall_ns = RUN_NEVER;
		r->fired |= 1U << KILL_WALL;
	}
	if (r->fired != 0)
		look_at_control(r);
	due = r->phase == PHASE_STARTING ? r->fired & (1U << KILL_WALL)
					 : r->fired;
	if (due != 0)
		run_raise(r, EVENT_LIMIT, (enum kill_cause)__builtin_ctz(due));
	r->fired &= ~due;
	egress_judge(r, now);
	trace_judge(r, now);
	/* The relay and the tracer have time limits of their own for their last
	 * records. */
	if (r->phase == PHASE_DRAINING && now >= r->patience_ns &&
	    !are_helpers_over(r))
		r->patience_ns = helpers_deadline(r);
	if (now >= r->patience_ns) {
		r->patience_ns = RUN_NEVER;
		run_raise(r, EVENT_LATE, KILL_CANCEL);
	}
	if (r->phase == PHASE_DRAINING && r->child.stdout_fd < 0 &&
	    r->child.stderr_fd < 0 && r->child.result_fd < 0 &&
	    are_helpers_over(r))
		run_event(r, EVENT_DRAINED);
}

static uint64_t next_deadline(const struct run *r)
{
	uint64_t next = r->patience_ns;

	if (helpers_deadline(r) < next)
		next = helpers_deadline(r);
	if (r->phase > PHASE_RUNNING)
		return next;
	if (r->wall_ns < next)
		next = r->wall_ns;
	if (r->phase == PHASE_RUNNING && r->watch.next_ns < next)
		next = r->watch.next_ns;
	return next;
}

void run_arm(struct run *r)
{
	uint64_t next = next_deadline(r);
	struct itimerspec at = { 0 };

	if (next == r->armed_ns || r->phase == PHASE_DONE)
		return;
	r->armed_ns = next;
	if (next != RUN_NEVER) {
		at.it_value.tv_sec = (time_t)(next / NS_PER_S);
		at.it_value.tv_nsec = (long)(next % NS_PER_S);
	}
	if (timerfd_settime(r->timer_fd, TFD_TIMER_ABSTIME, &at, NULL) < 0)
		run_break(r, CUPEL_CAUSE_BUG, errno,
			  "the timer could not be set");
}

/* --- steps ------------------------------------------------------------ */

static int run_turn(struct run *r, int timeout_ms)
{
	struct epoll_event events[SOURCE_MAX_];
	int n;

	if (r->phase == PHASE_DONE)
		return RUN_ENDED;
	n = epoll_wait(r->epoll_fd, events, SOURCE_MAX_, timeout_ms);
	if (n < 0 && errno != EINTR) {
		int sys = errno;

		run_break(r, CUPEL_CAUSE_BUG, sys, "epoll_wait failed");
		run_end_now(r);
		return -sys;
	}
	memset(r->ready, 0, sizeof r->ready);
	for (int i = 0; i < n; i++)
		r->ready[events[i].data.u64] = events[i].events;
	for (int i = 0; i < SOURCE_MAX_ && r->phase != PHASE_DONE; i++)
		if (r->ready[i] != 0)
			handlers[i](r);
	judge_time(r);
	run_arm(r);
	return r->phase == PHASE_DONE ? RUN_ENDED : RUN_GOES_ON;
}

int run_step(struct run *r)
{
	return run_turn(r, 0);
}

int run_wait(struct run *r)
{
	int e = RUN_GOES_ON;

	while (e == RUN_GOES_ON)
		e = run_turn(r, -1);
	return e;
}

void run_await_start(struct run *r)
{
	const struct outcome *o = &r->out;

	while (!o->started && o->exec_errno == 0 &&
	       o->error.stage == CUPEL_STAGE_NONE &&
	       run_turn(r, -1) == RUN_GOES_ON)
		;
}

int run_fd(const struct run *r)
{
	return r->epoll_fd;
}

int run_follow(struct run *r, const struct run *last, const struct run *next)
{
	const int over[] = { r->timer_fd, r->cancel_fd, r->child.pidfd };
	struct epoll_event e = { .events = EPOLLIN };

	/* sources that are ready, or will be, but are no longer read */
	for (size_t i = 0; i < sizeof over / sizeof *over; i++)
		(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_DEL, over[i], NULL);
	if (last != NULL)
		(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_DEL, last->epoll_fd,
				NULL);
	return epoll_ctl(r->epoll_fd, EPOLL_CTL_ADD, next->epoll_fd, &e) < 0
		       ? -errno
		       : 0;
}

const struct outcome *run_outcome(const struct run *r)
{
	return &r->out;
}

bool run_is_cancelled(const struct run *r)
{
	return atomic_load(&r->cancel_signal) != 0 ||
	       atomic_load(&r->cancel_kill);
}

int run_cancel_fd(const struct run *r)
{
	return r->cancel_fd;
}

void run_cancel(struct run *r, int signal)
{
	const uint64_t one = 1;
	int saved = errno;
	int none = 0;

	if (signal <= 0 || signal > 64 ||
	    !atomic_compare_exchange_strong(&r->cancel_signal, &none, signal))
		atomic_store(&r->cancel_kill, true);
	(void)!write(r->cancel_fd, &one, sizeof one);
	errno = saved;
}
