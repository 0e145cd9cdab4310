/* asked.c -- handles a phase that the keeper of its files has yet to make
 * (docs/copies.md).
 *
 * Until the phase is made, its end is that of the keeper: cancelling the run,
 * or its wall time, ends the keeper and with it all phases.  A copy does not wait
 * for its keeper's answer and may have ended before it, so its records are read
 * only afterwards; or the end of the run would be the keeper's. */
#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/wait.h>

#include "base/error.h"
#include "supervise/clock.h"
#include "supervise/control.h"
#include "supervise/run.h"

/* A template answers as soon as it gets the processor, or not at all. */
#define TEMPLATE_MS 2000

int asked_watch(struct run *r)
{
	r->is_asked = true;
	if (r->hooks.is_copy)
		r->patience_ns = clock_after_ms(clock_now_ns(), TEMPLATE_MS);
	return run_watch_fd(r, launch_asked_fd(r->hooks.holder), EPOLLIN,
			    SOURCE_ASKED);
}

void asked_done(struct run *r)
{
	if (r->is_asked)
		(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_DEL,
				launch_asked_fd(r->hooks.holder), NULL);
	r->is_asked = false;
}

static int made_watch(struct run *r, int pidfd)
{
	int e;

	run_close_fd(r, &r->child.pidfd);
	r->child.pidfd = pidfd;
	e = run_watch_fd(r, pidfd, EPOLLIN, SOURCE_PIDFD);
	if (e == 0)
		e = run_watch_fd(r, r->child.control_fd, EPOLLIN,
				 SOURCE_CONTROL);
	/* What it has said already is read in this turn. */
	r->ready[SOURCE_CONTROL] = EPOLLIN;
	if (e == 0)
		e = egress_init(r, r->child.relay.control_fd);
	return e == 0 ? trace_init(r, r->child.tracer.control_fd) : e;
}

void asked_run(struct run *r)
{
	struct cupel_error why = { 0 };
	int pidfd = -1;
	int e;

	if (r->phase != PHASE_STARTING) { /* we have ended the keeper */
		asked_done(r);
		return;
	}
	e = launch_take(r->hooks.holder, r->plan, &r->child, &pidfd, &why);
	if (e == -EAGAIN)
		return;
	asked_done(r);
	if (r->hooks.is_copy && r->out.cancel_signal == 0)
		r->patience_ns = RUN_NEVER;
	if (pidfd >= 0 && made_watch(r, pidfd) < 0)
		run_break(r, CUPEL_CAUSE_BUSY, ENOMEM,
			  "cannot watch the init of a phase");
	if (e < 0 && r->out.error.stage == CUPEL_STAGE_NONE)
		r->out.error = why;
	r->is_answer_lost = e < 0;
	if (e < 0)
		run_event(r, EVENT_SETUP_FAILED);
	else if (r->out.cancel_signal != 0)
		(void)control_send_signal(r->child.control_fd,
					  r->out.cancel_signal);
}

void asked_end(struct run *r)
{
	struct outcome *o = &r->out;
	bool was_killed = WIFSIGNALED(o->wait_status) &&
			  WTERMSIG(o->wait_status) == SIGKILL;

	if (r->is_answer_lost && r->hooks.is_copy && o->has_status &&
	    !was_killed)
		o->error = (struct cupel_error){ 0 };
}
