/* trace.c -- see trace.h. */
#include "supervise/trace.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "plan/plan.h"
#include "supervise/clock.h"
#include "supervise/control.h"
#include "supervise/run.h"

/* Either takes some milliseconds, and seconds on a busy host.  A tracer that
 * hangs must still end the run. */
#define READY_MS       10000 /* to confine itself */
#define END_MS         10000 /* for its last records */
#define RECORDS_A_TURN 256   /* before the others' turn */

#define NET_CONNECT (UINT64_C(1) << 1) /* linux/landlock.h, ABI 4 */

int trace_init(struct run *r, int tracer_fd)
{
	r->trace.deadline_ns = RUN_NEVER;
	if (tracer_fd < 0)
		return 0;
	r->trace.state = TRACE_STATE_STARTING;
	r->trace.deadline_ns = clock_after_ms(clock_now_ns(), READY_MS);
	return run_watch_fd(r, tracer_fd, EPOLLIN, SOURCE_TRACE);
}

static int config_send(int tracer_fd, const struct tracer_config *config,
		       int fd)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control = { 0 };
	struct iovec iov = { .iov_base = (void *)(uintptr_t)config,
			     .iov_len = sizeof *config };
	const struct msghdr msg = { .msg_iov = &iov,
				    .msg_iovlen = 1,
				    .msg_control = &control,
				    .msg_controllen = sizeof control };

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
	if (sendmsg(tracer_fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return -errno;
	return 0;
}

void trace_take_socket(struct run *r, struct control_message *m)
{
	const struct plan_landlock *l = &r->plan->landlock;
	const struct trace_plan *traced = &r->plan->trace;
	const struct tracer_config config = {
		.traced = (traced->exec ? TRACER_EXECS : 0U) |
			  (traced->connect ? TRACER_CONNECTS : 0U),
		.refuses_tcp = l->wanted && (l->handled_net & NET_CONNECT) != 0,
	};
	int e;

	if (r->trace.state != TRACE_STATE_STARTING || m->sockets_len != 1)
		return;
	e = config_send(r->child.tracer.control_fd, &config, m->sockets[0]);
	/* If the tracer is gone, it says so itself or its end does. */
	if (e < 0 && e != -EPIPE)
		run_break(r, cupel_cause_of(-e), -e,
			  "telling the tracer what to trace");
	r->trace.state = TRACE_STATE_RUNNING;
	if (r->trace.is_ready)
		r->trace.deadline_ns = RUN_NEVER;
}

void trace_note_start(struct run *r)
{
	if (r->trace.state == TRACE_STATE_STARTING &&
	    (r->out.applied & WALL_BIT(WALL_TRACE)) == 0)
		r->trace.deadline_ns = RUN_NEVER;
}

/* --- what it says ---------------------------------------------------------------- */

static void take_ready(struct run *r)
{
	r->trace.is_ready = true;
	r->out.trace.is_on = true;
	if (r->trace.state == TRACE_STATE_RUNNING)
		r->trace.deadline_ns = RUN_NEVER;
}

/* The tracer ends with this.  Init then finds nobody to ask; in a partial run
 * it goes on. */
static void take_failed(struct run *r, const struct trace_record *rec,
			const char *what)
{
	char text[128];

	r->trace.state = TRACE_STATE_OVER;
	r->trace.deadline_ns = RUN_NEVER;
	if (r->plan->allow_partial)
		return;
	(void)snprintf(text, sizeof text, "the tracer lacks %.*s",
		       (int)(rec->path_len < 96 ? rec->path_len : 96), what);
	run_break(r, CUPEL_CAUSE_HOST, rec->result, text);
}

static void take_end(struct run *r, const char *bytes, size_t n)
{
	struct trace_log *log = &r->out.trace;
	struct trace_end end;

	if (n != sizeof end)
		return;
	memcpy(&end, bytes, sizeof end);
	r->trace.state = TRACE_STATE_OVER;
	r->trace.deadline_ns = RUN_NEVER;
	log->is_whole = true;
	log->omitted += end.omitted;
	log->lost += end.lost;
	trace_log_note_gap(log, TRACE_GAP_LIMIT,
			   (uint64_t)end.omitted + end.lost);
	trace_log_note_gap(log, TRACE_GAP_TRACER_REFUSED, end.refused);
	trace_log_note_gap(log, TRACE_GAP_FOREIGN_ABI, end.foreign_abi);
}

/* Returns whether it is a record. */
static bool take_record(struct run *r, const char *bytes, size_t n)
{
	struct trace_record rec;
	struct trace_event event;
	uint16_t kind;

	memcpy(&kind, bytes, n < sizeof kind ? n : sizeof kind);
	if (n == sizeof(struct trace_end) && kind == TRACER_SAYS_END) {
		take_end(r, bytes, n);
		return true;
	}
	if (n < sizeof rec)
		return false;
	memcpy(&rec, bytes, sizeof rec);
	if (kind == TRACER_SAYS_READY)
		take_ready(r);
	else if (kind == TRACER_SAYS_FAILED && rec.path_len == n - sizeof rec)
		take_failed(r, &rec, bytes + sizeof rec);
	else if (trace_record_read(bytes, n, r->begun_ns, &event))
		trace_log_add(&r->out.trace, &event);
	else
		return false;
	return true;
}

/* Whether the run needs the tracer.  It does not if it may be partial and no
 * tracer ever stood. */
static bool is_wanted(const struct run *r)
{
	return (r->out.applied & WALL_BIT(WALL_TRACE)) != 0 ||
	       !r->plan->allow_partial;
}

static void lose(struct run *r, int error)
{
	(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_DEL, r->child.tracer.control_fd,
			NULL);
	if (r->trace.state == TRACE_STATE_OVER)
		return;
	r->trace.state = TRACE_STATE_OVER;
	r->trace.deadline_ns = RUN_NEVER;
	if (error == -EPIPE && !is_wanted(r))
		return;
	run_break(r, CUPEL_CAUSE_BUG, error == -EPIPE ? 0 : -error,
		  error == -EPROTO ? "the tracer sent an invalid record"
				   : "the tracer ended before the run did");
}

void trace_run(struct run *r)
{
	char bytes[TRACE_RECORD_BYTES];

	for (int i = 0; i < RECORDS_A_TURN && r->child.tracer.control_fd >= 0;
	     i++) {
		ssize_t n = recv(r->child.tracer.control_fd, bytes,
				 sizeof bytes, MSG_DONTWAIT | MSG_TRUNC);
		int e = n < 0 ? -errno : n == 0 ? -EPIPE : 0;

		if (e == -EAGAIN || e == -EINTR)
			return;
		if (e == -ECONNRESET)
			e = -EPIPE;
		if (e == 0 && ((size_t)n > sizeof bytes ||
			       !take_record(r, bytes, (size_t)n)))
			e = -EPROTO;
		if (e < 0) {
			lose(r, e);
			return;
		}
	}
}

/* --- the end -------------------------------------------------------------------- */

void trace_judge(struct run *r, uint64_t now_ns)
{
	struct trace_watch *t = &r->trace;

	if (now_ns < t->deadline_ns)
		return;
	t->deadline_ns = RUN_NEVER;
	if (t->state == TRACE_STATE_OVER)
		return;
	if (t->state == TRACE_STATE_ENDING)
		run_break(r, CUPEL_CAUSE_BUG, ETIMEDOUT,
			  "the tracer did not end");
	else
		run_break(r, CUPEL_CAUSE_HOST, ETIMEDOUT,
			  "the tracer was not ready in time");
	t->state = TRACE_STATE_OVER;
}

/* It ends by itself when everything that it traced is dead.  A tracer that
 * traced nothing ends when we close our end of the socket. */
void trace_end(struct run *r)
{
	struct trace_watch *t = &r->trace;

	if (t->state == TRACE_STATE_STARTING ||
	    (t->state == TRACE_STATE_RUNNING &&
	     (r->out.applied & WALL_BIT(WALL_TRACE)) == 0)) {
		t->state = TRACE_STATE_OVER;
		t->deadline_ns = RUN_NEVER;
		return;
	}
	if (t->state != TRACE_STATE_RUNNING)
		return;
	t->state = TRACE_STATE_ENDING;
	t->deadline_ns = clock_after_ms(clock_now_ns(), END_MS);
}

bool trace_is_over(const struct run *r)
{
	return r->trace.state == TRACE_STATE_NONE ||
	       r->trace.state == TRACE_STATE_OVER;
}

void trace_done(struct run *r)
{
	r->trace.deadline_ns = RUN_NEVER;
	run_close_fd(r, &r->child.tracer.control_fd);
}
