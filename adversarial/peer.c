/* peer.c -- where no namespace is: init, the supervisor and everything else of
 * the same user can be named, and the host's files are at their own paths. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <unistd.h>

#define NR_pidfd_send_signal 424
#define NR_pidfd_open        434

static long end_by_kill(pid_t pid)
{
	return kill(pid, SIGKILL);
}

static long end_by_stop(pid_t pid)
{
	return kill(pid, SIGSTOP);
}

static long end_by_pidfd(pid_t pid)
{
	long fd = syscall(NR_pidfd_open, pid, 0);

	return fd < 0 ? fd
		      : syscall(NR_pidfd_send_signal, fd, SIGKILL, NULL, 0);
}

static long end_by_queue(pid_t pid)
{
	siginfo_t si = { .si_code = SI_QUEUE };

	return syscall(SYS_rt_tgsigqueueinfo, pid, pid, SIGKILL, &si);
}

/* Make another process the owner of a pipe, so that the kernel signals it when
 * data arrive, with a signal that the attacker chooses. */
static long end_by_owner(pid_t pid)
{
	int ends[2];

	if (pipe(ends) < 0 || fcntl(ends[0], F_SETOWN, pid) < 0 ||
	    fcntl(ends[0], F_SETSIG, SIGKILL) < 0 ||
	    fcntl(ends[0], F_SETFL, O_ASYNC | O_NONBLOCK) < 0)
		return -1;
	return write(ends[1], "x", 1);
}

static long end_by_limit(pid_t pid)
{
	const struct rlimit none = { 0, 0 };

	return prlimit(pid, RLIMIT_CPU, &none, NULL);
}

static long end_by(const char *how, pid_t pid)
{
	static const struct {
		const char *how;
		long (*end)(pid_t pid);
	} ways[] = {
		{ "kill", end_by_kill },   { "stop", end_by_stop },
		{ "pidfd", end_by_pidfd }, { "queue", end_by_queue },
		{ "owner", end_by_owner }, { "limit", end_by_limit },
	};

	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++)
		if (strcmp(ways[i].how, how) == 0)
			return ways[i].end(pid);
	say("usage", "no way is called %s", how);
}

/* Leave a daemon, then end or stop init, so that init cannot end the daemon. */
static void outlive(char **args)
{
	const char *how = arg(args, 0);
	long r;
	int err;

	daemon_leave(arg(args, 1));
	pause_ms(50);
	r = end_by(how, getppid());
	err = errno;
	pause_ms(200);
	errno = err;
	say_errno(r, how);
}

/* Find the supervisor, which is the parent of init: everybody may read its
 * number in /proc. */
static pid_t parent_of(pid_t pid)
{
	char path[64];
	char text[512];
	char *at;
	int parent = 0;

	(void)snprintf(path, sizeof path, "/proc/%d/stat", pid);
	if (file_read(path, text, sizeof text) < 0)
		say(errno_name(errno), "%s", path);
	at = strrchr(text, ')');
	if (at == NULL || sscanf(at, ") %*c %d", &parent) != 1)
		say("usage", "%s", text);
	return parent;
}

static void kill_supervisor(char **args)
{
	pid_t pid = parent_of(getppid());

	daemon_leave(arg(args, 0));
	pause_ms(50);
	if (pid <= 1)
		say("usage", "the supervisor is %d", pid);
	say_errno(kill(pid, SIGKILL), "kill");
}

/* --- files of the same owner, which may not be written to ------------------ */

static void ioctl_path(char **args)
{
	long buf[8] = { 0x40 }; /* "no dump", "no atime", a generation */
	int fd = open(arg(args, 0), O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		say(errno_name(errno), "open");
	say_errno(ioctl(fd, arg_u64(args, 1), buf), args[1]);
}

static void open_with(char **args)
{
	say_errno(open(arg(args, 0), (int)arg_u64(args, 1)), args[1]);
}

static void truncate_path(char **args)
{
	say_errno(truncate(arg(args, 0), 0), args[0]);
}

static void own_path(char **args)
{
	say_errno(chown(arg(args, 0), getuid(), getgid()), args[0]);
}

/* --- System V and POSIX objects --------------------------------------------- */

static void make_object(char **args)
{
	const char *kind = arg(args, 0);
	long id;

	if (strcmp(kind, "shm") == 0) {
		id = shmget(IPC_PRIVATE, 4096, 0600);
		if (id >= 0)
			(void)shmctl((int)id, IPC_RMID, NULL);
	} else if (strcmp(kind, "sem") == 0) {
		id = semget(IPC_PRIVATE, 1, 0600);
		if (id >= 0)
			(void)semctl((int)id, 0, IPC_RMID);
	} else if (strcmp(kind, "msg") == 0) {
		id = msgget(IPC_PRIVATE, 0600);
		if (id >= 0)
			(void)msgctl((int)id, IPC_RMID, NULL);
	} else {
		id = syscall(SYS_mq_open, arg(args, 1), O_CREAT | O_RDWR, 0600,
			     NULL);
		if (id >= 0)
			(void)syscall(SYS_mq_unlink, args[1]);
	}
	say_errno(id, kind);
}

const struct attack attacks_peer[] = {
	{ "outlive", outlive },         { "kill-supervisor", kill_supervisor },
	{ "ioctl-path", ioctl_path },   { "open-with", open_with },
	{ "truncate", truncate_path },  { "chown", own_path },
	{ "make-object", make_object }, { 0 },
};
