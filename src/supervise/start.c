/* start.c -- makes and frees struct run. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "plan/plan.h"
#include "supervise/clock.h"
#include "supervise/run.h"

static void outcome_done(struct outcome *o)
{
	buf_done(&o->out.kept);
	buf_done(&o->errs.kept);
	buf_done(&o->payload.kept);
	egress_book_done(&o->egress);
	trace_log_done(&o->trace);
	cleanup_fd(&o->tmpfs_fd);
}

static struct run *run_new(const struct plan *plan,
			   const struct run_hooks *hooks)
{
	struct run *r = calloc(1, sizeof *r);

	if (r == NULL)
		return NULL;
	r->plan = plan;
	r->hooks =
		hooks != NULL ? *hooks : (struct run_hooks){ .stdin_fd = -1 };
	r->child = CHILD_NONE;
	r->epoll_fd = r->timer_fd = r->cancel_fd = -1;
	r->proc_fd = r->shm_fd = r->sockets_fd = r->out.tmpfs_fd = -1;
	r->terminal_fd = -1;
	r->feed.epoll_fd = r->feed.pipe_fd = r->feed.source_fd = -1;
	r->wall_ns = r->patience_ns = r->armed_ns = RUN_NEVER;
	r->watch.next_ns = RUN_NEVER;
	r->buffer = malloc(RUN_BUFFER_BYTES);
	return r;
}

void run_settle(struct run *r)
{
	feed_done(&r->feed);
	watch_done(&r->watch);
	r->feed.epoll_fd = -1;
	cleanup_fd(&r->timer_fd);
	cleanup_fd(&r->cancel_fd);
	cleanup_fd(&r->terminal_fd);
	cleanup_fd(&r->epoll_fd);
	free(r->buffer);
	r->buffer = NULL;
}

void run_close_helpers(struct run *r)
{
	helpers_close(
		(struct helper *const[]){ &r->child.relay, &r->child.tracer },
		2);
}

/* Everything but the vessel. */
static void run_forget(struct run *r)
{
	if (r == NULL)
		return;
	run_settle(r);
	outcome_done(&r->out);
	cleanup_fd(&r->child.pidfd);
	run_close_helpers(r);
	cgroup_remove(&r->child.cgroup);
	free(r);
}

static int open_own(struct run *r)
{
	if (r->buffer == NULL)
		return -ENOMEM;
	r->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (r->epoll_fd < 0)
		return -errno;
	r->timer_fd =
		timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (r->timer_fd < 0)
		return -errno;
	r->cancel_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	return r->cancel_fd < 0 ? -errno : 0;
}

struct watched {
	int fd;
	enum source id;
};

static int watch_each(struct run *r, const struct watched all[], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		int e = all[i].fd < 0 ? 0
				      : run_watch_fd(r, all[i].fd, EPOLLIN,
						     all[i].id);

		if (e < 0)
			return e;
	}
	return 0;
}

void run_watch_streams(struct run *r)
{
	const struct watched streams[] = {
		{ r->child.stdout_fd, SOURCE_STDOUT },
		{ r->child.stderr_fd, SOURCE_STDERR },
		{ r->child.result_fd, SOURCE_RESULT },
	};
	int e = watch_each(r, streams, sizeof streams / sizeof *streams);

	if (e < 0)
		run_break(r, cupel_cause_of(-e), -e,
			  "cannot wait for the command's output");
}

/* What a phase or a copy says is not heard before its keeper has answered
 * (asked.c). */
static int watch_all(struct run *r, const struct child *c)
{
	bool is_asked = r->hooks.holder != NULL;
	const struct watched all[] = {
		{ is_asked ? -1 : c->control_fd, SOURCE_CONTROL },
		{ r->cancel_fd, SOURCE_CANCEL },
		{ r->timer_fd, SOURCE_TIMER },
		{ c->pidfd, SOURCE_PIDFD },
	};
	int e = egress_init(r, c->relay.control_fd);

	if (e == 0)
		e = trace_init(r, c->tracer.control_fd);
	return e < 0 ? e : watch_each(r, all, sizeof all / sizeof *all);
}

int run_adopt(const struct plan *plan, const struct run_hooks *hooks,
	      struct child *child, struct run **ret, struct cupel_error *err)
{
	struct run *r = run_new(plan, hooks);
	int e = r == NULL ? -ENOMEM : open_own(r);

	if (e == 0)
		e = watch_all(r, child);
	if (e == 0 && r->hooks.holder != NULL)
		e = asked_watch(r);
	if (e == 0)
		e = feed_init(&r->feed, r->epoll_fd, r->hooks.stdin_fd,
			      child->stdin_fd, SOURCE_FEED, SOURCE_STDIN);
	if (e < 0) {
		if (r != NULL)
			r->feed.pipe_fd = -1; /* still the child's */
		run_forget(r);
		return cupel_fail(err, CUPEL_STAGE_SUPERVISE,
				  cupel_cause_of(-e), -e,
				  "cannot watch the vessel: %s", strerror(-e));
	}
	r->child = *child;
	r->child.stdin_fd = -1; /* the feed's now */
	*child = CHILD_NONE;
	r->out.is_copy = r->hooks.is_copy;
	r->begun_ns = clock_now_ns();
	if (plan->watch.wall_ms != SPEC_UNLIMITED)
		r->wall_ns = clock_after_ms(r->begun_ns, plan->watch.wall_ms);
	run_arm(r);
	*ret = r;
	return 0;
}

int run_terminal(const struct run *r)
{
	return r->terminal_fd;
}

void run_free(struct run *r)
{
	if (r == NULL)
		return;
	/* while the kernel takes the vessel apart */
	if (r->phase == PHASE_DONE)
		run_settle(r);
	run_end_now(r);
	run_forget(r);
}
