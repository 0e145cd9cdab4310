/* watch.c -- after the start: reaps, passes signals on, ends with the
 * supervisor. */
#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/statfs.h>
#include <sys/wait.h>

#include "launch/native/init/init.h"

#define CONTROL   0
#define CHILDREN  1
#define FORBIDDEN 2

#define WAIT_ALL 0          /* P_ALL */
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

/* Whether the command has ended and waits to be reaped.  A command that failed
 * to exec is about to end and sends no signal then, so we wait for it. */
static bool is_over(struct init *in)
{
	int how = in->out.exec_errno != 0 ? WALL : WNOHANG;
	siginfo_t si;

	si.si_pid = 0;
	return sys5(&in->k, SYS_waitid, WAIT_PID, in->command_pid, &si,
		    WEXITED | WNOWAIT | how, 0) == 0 &&
	       si.si_pid != 0;
}

/* Find a child that has ended and waits to be reaped; 0 = none, or -errno. */
static long ended_find(struct init *in)
{
	/* A command that failed to exec is found only with __WALL. */
	int how = in->out.exec_errno != 0 ? WALL : 0;
	siginfo_t si;
	long r;

	si.si_pid = 0;
	r = sys5(&in->k, SYS_waitid, WAIT_ALL, 0, &si,
		 WEXITED | WNOWAIT | WNOHANG | how, 0);
	return r < 0 ? r : si.si_pid;
}

/* Look at what the command takes with it when it is reaped. */
static void command_look(struct init *in)
{
	struct rlimit now = { 0 };

	forbidden_settle(in);
	if (sys4(&in->k, SYS_prlimit64, in->command_pid, RLIMIT_CPU, 0, &now) ==
	    0)
		in->out.cpu_soft_s = now.rlim_cur;
}

/* Reap what can be reaped now.  Returns 1 when the command is among them, or
 * -errno. */
static int children_reap(struct init *in)
{
	int found = 0;

	if (is_over(in))
		command_look(in);
	for (;;) {
		struct rusage usage = { 0 };
		int status = 0;
		long pid = ended_find(in);

		if (pid == 0 || pid == -ECHILD)
			return found;
		if (pid == in->command_pid)
			command_look(in);
		if (pid > 0)
			pid = sys4(&in->k, SYS_wait4, pid, &status, WALL,
				   &usage);
		if (pid < 0)
			return (int)pid;
		in->out.processes++;
		if (pid != in->command_pid)
			continue;
		command_record(in, status, &usage);
		found = 1;
	}
}

/* SIGKILL goes to the command alone: its end takes all others along, and a
 * keeper that has not run yet is still in its process group. */
static void order_signal(struct init *in, int signal)
{
	int to = signal == SIGKILL ? in->command_pid : -in->command_pid;

	(void)sys2(&in->k, SYS_kill, to, signal);
}

static int order_take(struct init *in, const struct order *order)
{
	if (order->kind == ORDER_SIGNAL && order->signal > 0 &&
	    order->signal <= 64)
		order_signal(in, order->signal);
	return order->kind == ORDER_CARRY ? report_carried(in) : 0;
}

/* Take all orders that wait: one signal may stand for several. */
static int orders_take(struct init *in)
{
	for (;;) {
		struct order order = { 0 };
		long r = sys_call(&in->k, SYS_recvfrom, in->control_fd,
				  sys_arg(&order), sizeof order, MSG_DONTWAIT,
				  0, 0);

		if (r == -EAGAIN)
			return 0;
		if (r <= 0)
			return -EPIPE;
		if (r == sizeof order && order_take(in, &order) < 0)
			return -EPIPE;
	}
}

/* How init waits.  It receives notifications, which signals interrupt.  Without
 * a listener, a PID namespace or what these signals need, it uses ppoll(2). */
struct watch {
	bool is_receiving;
	bool is_deaf; /* a test took the lifeline down */
	struct pollfd fds[3];
};

static int polling_open(struct init *in, struct watch *w)
{
	uint64_t mask = UINT64_C(1) << (SIGCHLD - 1);
	long r = sys4(&in->k, SYS_signalfd4, -1, &mask, 8, 02000000);

	w->is_receiving = false;
	w->fds[CONTROL] = (struct pollfd){ in->control_fd, POLLIN, 0 };
	w->fds[CHILDREN] = (struct pollfd){ (int)r, POLLIN, 0 };
	w->fds[FORBIDDEN] = (struct pollfd){ in->listener_fd, POLLIN, 0 };
	return r < 0 ? (int)r : 0;
}

static int watch_open(struct init *in, struct watch *w)
{
	w->is_receiving = in->listener_fd >= 0 && init_can(in, WALL_PIDNS) &&
			  events_open(in) == 0;
	return w->is_receiving ? 0 : polling_open(in, w);
}

static int poll_await(struct init *in, struct watch *w)
{
	char siginfo[128];
	long r = sys5(&in->k, SYS_ppoll, w->fds, 3, 0, 0, 8);

	if (r < 0)
		return r == -EINTR ? 0 : (int)r;
	if (w->fds[CHILDREN].revents != 0)
		(void)sys3(&in->k, SYS_read, w->fds[CHILDREN].fd, siginfo,
			   sizeof siginfo);
	if ((w->fds[FORBIDDEN].revents & POLLIN) != 0)
		(void)forbidden_take(in);
	else if (w->fds[FORBIDDEN].revents != 0)
		w->fds[FORBIDDEN].fd = -1; /* no filter is left */
	return 0;
}

/* Returns 0 when the command has been reaped, or -errno. */
static int command_await(struct init *in)
{
	struct watch w = { 0 };
	int r = watch_open(in, &w);

	if (r >= 0 && in->held_signal != 0)
		order_signal(in, in->held_signal);
	while (r >= 0) {
		r = children_reap(in);
		if (r != 0)
			return r > 0 ? 0 : r;
		if (!w.is_deaf && orders_take(in) < 0) {
			if (!init_drops(in, DROP_LIFELINE))
				return -EPIPE;
			w.is_deaf = true;
			w.fds[CONTROL].fd = -1;
		}
		if (!w.is_receiving)
			r = poll_await(in, &w);
		else if (forbidden_await(in) < 0)
			r = polling_open(in, &w);
	}
	return r;
}

/* Note how much of the one tmpfs is left, before anything that fills it
 * goes. */
static void room_record(struct init *in)
{
	struct statfs fs = { 0 };

	if (!init_can(in, WALL_MOUNTNS) || in->base_fd < 0 ||
	    sys2(&in->k, SYS_fstatfs, in->base_fd, &fs) < 0)
		return;
	in->out.tmpfs_blocks = fs.f_blocks;
	in->out.tmpfs_free_blocks = fs.f_bfree;
	in->out.tmpfs_files = fs.f_files;
	in->out.tmpfs_free_files = fs.f_ffree;
}

/* The last field of /proc/loadavg, proc_loadavg(5): the process id that was
 * handed out last in this namespace.  0 = it cannot be known. */
static uint32_t pid_last(struct init *in)
{
	char text[64];
	/* a /proc of processes alone has no such file */
	owned_sys_fd int fd =
		in->has_shm ? (int)sys4(&in->k, SYS_openat, in->proc_fd,
					"loadavg", O_RDONLY | O_CLOEXEC, 0)
			    : -1;
	uint32_t last = 0;
	long n, at;

	n = fd >= 0 ? sys3(&in->k, SYS_read, fd, text, sizeof text) : 0;
	for (at = n - 1; at > 0 && text[at - 1] != ' '; at--)
		;
	for (; at > 0 && at < n && text[at] >= '0' && text[at] <= '9'; at++)
		last = last * 10 + (uint32_t)(text[at] - '0');
	return last;
}

/* Count all that were ever started: ids are handed out in order.  Ours are the
 * ones before the command's and, if there is one, the keeper's after it. */
static void tasks_record(struct init *in)
{
	int32_t own = in->out.keeper_pid > in->command_pid ? in->out.keeper_pid
							   : in->command_pid;
	uint32_t last = init_can(in, WALL_PIDNS) ? pid_last(in) : 0;

	if (own > 0 && last >= (uint32_t)own)
		in->out.tasks = last - (uint32_t)own + 1;
}

int command_watch(struct init *in)
{
	int r;

	(void)place_back(&in->k, &in->begin.cpus, 0);
	r = command_await(in);
	if (r >= 0)
		room_record(in);
	keeper_kill(in);
	descendants_kill(in);
	if (r >= 0) {
		tree_record(in);
		tasks_record(in);
		r = report_exited(in);
	}
	keeper_reap(in);
	/* The run is over, and the time to remove what it made is not part of
	 * it.  The closed socket says that nothing else is left to do. */
	if (in->has_scratch)
		sys_close(in->control_fd);
	scratch_remove(in);
	return r;
}
