/* watch.c -- after the start: reap, pass signals on, end with the supervisor. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "launch/init/init.h"

#define CONTROL   0
#define CHILDREN  1
#define FORBIDDEN 2

#define WAIT_PID 1          /* P_PID */
#define WALL     0x40000000 /* __WALL */

static uint64_t time_us(const struct timeval *t)
{
	return (uint64_t)t->tv_sec * 1000000 + (uint64_t)t->tv_usec;
}

static void command_record(struct init *in, int status,
			   const struct rusage *usage)
{
	in->out.wait_status = status;
	in->out.cpu_user_us = time_us(&usage->ru_utime);
	in->out.cpu_system_us = time_us(&usage->ru_stime);
}

static void tree_record(struct init *in)
{
	struct rusage usage = { 0 };

	if (sys2(&in->k, SYS_getrusage, RUSAGE_CHILDREN, &usage) < 0)
		return;
	in->out.tree_user_us = time_us(&usage.ru_utime);
	in->out.tree_system_us = time_us(&usage.ru_stime);
	in->out.max_rss_kib = (uint64_t)usage.ru_maxrss;
}

/* Whether the command has ended and waits to be reaped. */
static bool is_over(struct init *in)
{
	siginfo_t si;

	si.si_pid = 0;
	return sys5(&in->k, SYS_waitid, WAIT_PID, in->command_pid, &si,
		    WEXITED | WNOHANG | WNOWAIT, 0) == 0 &&
	       si.si_pid != 0;
}

/* Reap what can be reaped now.  Returns 1 when the command is among it, or
 * -errno. */
static int children_reap(struct init *in)
{
	/* Without its exec the command is what only __WALL finds. */
	int how = in->out.exec_errno != 0 ? WNOHANG | WALL : WNOHANG;
	bool was_asked = is_over(in);
	int found = 0;

	if (was_asked)
		forbidden_settle(in);
	for (;;) {
		struct rusage usage = { 0 };
		int status = 0;
		long pid = sys4(&in->k, SYS_wait4, -1, &status, how, &usage);

		if (pid < 0 && pid != -ECHILD)
			return (int)pid;
		if (pid <= 0)
			return found;
		in->out.processes++;
		if (pid != in->command_pid)
			continue;
		command_record(in, status, &usage);
		if (!was_asked) /* it ended just now, or cannot be looked at */
			forbidden_settle(in);
		found = 1;
	}
}

/* SIGKILL is for the command alone: its end takes all others along, and a keeper
 * that has not run yet is still in its group. */
static void order_signal(struct init *in, int signal)
{
	int to = signal == SIGKILL ? in->command_pid : -in->command_pid;

	(void)sys2(&in->k, SYS_kill, to, signal);
}

static int orders_take(struct init *in)
{
	struct order order = { 0 };
	long r = sys_call(&in->k, SYS_recvfrom, in->control_fd, sys_arg(&order),
			  sizeof order, 0, 0, 0);

	if (r <= 0)
		return -EPIPE;
	if (r == sizeof order && order.kind == ORDER_SIGNAL &&
	    order.signal > 0 && order.signal <= 64)
		order_signal(in, order.signal);
	if (r == sizeof order && order.kind == ORDER_CARRY)
		return report_carried(in);
	return 0;
}

static int signals_open(struct init *in)
{
	uint64_t mask = UINT64_C(1) << (SIGCHLD - 1);

	return (int)sys4(&in->k, SYS_signalfd4, -1, &mask, 8, 02000000);
}

/* Returns 0 when the command has been reaped, or -errno. */
static int command_await(struct init *in, int signal_fd)
{
	struct pollfd fds[] = {
		[CONTROL] = { .fd = in->control_fd, .events = POLLIN },
		[CHILDREN] = { .fd = signal_fd, .events = POLLIN },
		[FORBIDDEN] = { .fd = in->listener_fd, .events = POLLIN },
	};
	char siginfo[128];

	for (;;) {
		long r = children_reap(in);

		if (r != 0)
			return r > 0 ? 0 : (int)r;
		r = sys5(&in->k, SYS_ppoll, fds, 3, 0, 0, 8);
		if (r < 0 && r != -EINTR)
			return (int)r;
		if (fds[CHILDREN].revents != 0)
			(void)sys3(&in->k, SYS_read, signal_fd, siginfo,
				   sizeof siginfo);
		if ((fds[FORBIDDEN].revents & POLLIN) != 0)
			(void)forbidden_take(in);
		else if (fds[FORBIDDEN].revents != 0)
			fds[FORBIDDEN].fd = -1; /* no filter is left */
		if (fds[CONTROL].revents == 0 || orders_take(in) == 0)
			continue;
		if (!init_drops(in, DROP_LIFELINE))
			return -EPIPE;
		fds[CONTROL].fd = -1;
	}
}

int command_watch(struct init *in)
{
	int signal_fd = signals_open(in);
	int r = signal_fd;

	(void)place_back(&in->k, &in->begin.cpus);
	if (r >= 0)
		r = command_await(in, signal_fd);
	descendants_kill(in);
	if (r >= 0) {
		tree_record(in);
		r = report_exited(in);
	}
	/* The run is over: removing what it made is none of its time.  That the
	 * socket is closed says that nothing else is left to do. */
	if (in->has_scratch)
		sys_close(in->control_fd);
	scratch_remove(in);
	return r;
}
