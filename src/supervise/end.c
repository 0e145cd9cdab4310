/* end.c -- ends init, by a signal or by an order, and waits for it. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "supervise/clock.h"
#include "supervise/run.h"

#ifndef P_PIDFD
#define P_PIDFD 3
#endif

/* ECHILD is fine: the caller ignores SIGCHLD, or reaps whatever ends. */
void run_reap_init(struct run *r)
{
	siginfo_t si = { 0 };

	if (waitid((idtype_t)P_PIDFD, (id_t)r->child.pidfd, &si,
		   WEXITED | WNOHANG | __WALL) == 0 &&
	    si.si_pid != 0)
		r->init_status =
			si.si_code == CLD_EXITED ? si.si_status : -si.si_status;
}

/* Whether init has nothing left to do but remove the scratch.  It closes the
 * control socket before that; when the run is over, our side is closed. */
static bool is_removing(const struct run *r)
{
	struct pollfd p = { .fd = r->child.control_fd };

	return !backend_has(r->child.backend, WALL_PIDNS) &&
	       (p.fd < 0 ||
		(poll(&p, 1, 0) == 1 && (p.revents & POLLHUP) != 0));
}

/* The CPU time of a child; 0 where it cannot be had. */
static uint64_t child_cpu_ns(pid_t pid)
{
	struct timespec t;
	clockid_t clock;

	if (pid <= 0 || clock_getcpuclockid(pid, &clock) != 0 ||
	    clock_gettime(clock, &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * NS_PER_S + (uint64_t)t.tv_nsec;
}

void run_note_helpers(struct run *r)
{
	uint64_t us = (child_cpu_ns(r->child.relay.pid) +
		       child_cpu_ns(r->child.tracer.pid)) /
		      1000;

	if (us > r->out.helpers_us)
		r->out.helpers_us = us;
}

/* Kill init if it lives, and wait until it and its namespaces have ended.
 * Removing what the command made may take as long as it needs, provided that it
 * makes progress. */
static void await_init(struct run *r)
{
	struct pollfd p = { .fd = r->child.pidfd, .events = POLLIN };
	uint64_t before_ns, now_ns = child_cpu_ns(r->child.pid);
	int n;

	launch_end(&r->child);
	do {
		before_ns = now_ns;
		do
			n = poll(&p, 1, RUN_GONE_MS);
		while (n < 0 && errno == EINTR);
		now_ns = child_cpu_ns(r->child.pid);
	} while (n == 0 && is_removing(r) && now_ns > before_ns);
	launch_kill(&r->child); /* the last word, if init still needs one */
	run_reap_init(r);
}

bool run_has_gone(const struct run *r)
{
	struct pollfd p = { .fd = r->child.pidfd, .events = POLLIN };

	return p.fd < 0 || poll(&p, 1, 0) != 0;
}

void run_end_now(struct run *r)
{
	if (r->phase == PHASE_DONE) {
		await_init(r);
		return;
	}
	await_init(r);
	r->phase = PHASE_DRAINING;
	run_event(r, EVENT_LATE);
}
