/* tell.c -- connections that are meant to be missing from a trace ("won" when one
 * was made at all), and programs that look for signs of a tracer. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define FASTOPEN 0x20000000

/* --- connections -------------------------------------------------------------------- */

static int listener(struct sockaddr_in *ret)
{
	socklen_t n = sizeof *ret;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*ret = (struct sockaddr_in){ .sin_family = AF_INET };
	ret->sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0 || bind(fd, (void *)ret, n) < 0 || listen(fd, 64) < 0 ||
	    getsockname(fd, (void *)ret, &n) < 0)
		say(errno_name(errno), "listener");
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	return fd;
}

static void connect_fast(char **args)
{
	struct sockaddr_in to;
	int l = listener(&to), s = socket(AF_INET, SOCK_STREAM, 0);

	(void)args;
	if (sendto(s, "x", 1, FASTOPEN, (void *)&to, sizeof to) < 0)
		say(errno_name(errno), "a send that connects");
	say(accept(l, NULL, NULL) >= 0 ? "won" : "lost",
	    "a send that connects");
}

static void connect_sctp(char **args)
{
	int s = socket(AF_INET, SOCK_SEQPACKET, 0);

	(void)args;
	say_errno(s, "a socket that connects by a send");
}

/* The program's own filter answers the connect call in the kernel's place, with
 * data that mean nothing. */
static void connect_answered(char **args)
{
	struct sockaddr_in to;
	int l = listener(&to), s = socket(AF_INET, SOCK_STREAM, 0);

	if (strcmp(arg(args, 0), "filter") == 0 &&
	    filter_add(SYS_connect, SECCOMP_RET_TRACE | 99, 0) < 0)
		say(errno_name(errno), "a filter for connect");
	if (connect(s, (void *)&to, sizeof to) < 0)
		say(errno_name(errno), "connect");
	say(accept(l, NULL, NULL) >= 0 ? "won" : "lost", "connect");
}

/* A call that only the program's own filter stops. */
static void call_answered(char **args)
{
	if (strcmp(arg(args, 0), "filter") == 0 &&
	    filter_add(SYS_getppid, SECCOMP_RET_TRACE | 3, 0) < 0)
		say(errno_name(errno), "a filter for getppid");
	say_errno(syscall(SYS_getppid), "getppid");
}

static struct sockaddr_in flipped;
static in_port_t ports[2];
static atomic_int is_over;
static atomic_uint flips;

static void *flip(void *data)
{
	for (; !is_over; flips++)
		flipped.sin_port = ports[flips & 1];
	return data;
}

/* Change the address after the tracer has read it: the first one is for the
 * tracer, the second is the real one. */
static void connect_flip(char **args)
{
	struct sockaddr_in to[2];
	int l[2] = { listener(&to[0]), listener(&to[1]) }, met = 0;
	pthread_t thread;

	for (int i = 0; i < 2; i++)
		ports[i] = to[i].sin_port;
	flipped = to[0];
	if (pthread_create(&thread, NULL, flip, NULL) != 0)
		say(errno_name(errno), "pthread_create");
	for (uint64_t i = arg_u64(args, 0); i > 0; i--) {
		int s = socket(AF_INET, SOCK_STREAM, 0);

		/* On a busy machine the thread may run only after a while. */
		for (unsigned seen = flips; flips - seen < 2;)
			(void)sched_yield();
		(void)connect(s, (void *)&flipped, sizeof flipped);
		(void)close(s);
		for (int k = 0; k < 2; k++)
			for (int c; (c = accept(l[k], NULL, NULL)) >= 0;) {
				met += k;
				(void)close(c);
			}
	}
	is_over = 1;
	(void)pthread_join(thread, NULL);
	say(met > 0 ? "won" : "lost", "%d", met);
}

/* --- is somebody there? --------------------------------------------------------------- */

static long tracer_number(void)
{
	char text[4096];
	const char *at;

	if (file_read("/proc/self/status", text, sizeof text) <= 0)
		say(errno_name(errno), "status");
	at = strstr(text, "TracerPid:");
	return at != NULL ? strtol(at + 10, NULL, 10) : -1;
}

/* The same for a child that its own parent traces. */
static void tracer_child(char **args)
{
	int status = 0;
	pid_t pid = fork();

	(void)args;
	if (pid == 0) {
		if (ptrace(PTRACE_TRACEME, 0, 0, 0) < 0)
			_exit(1);
		_exit(tracer_number() > 0 ? 7 : 2);
	}
	(void)waitpid(pid, &status, 0);
	say(WIFEXITED(status) && WEXITSTATUS(status) == 7 ? "won" : "lost",
	    "status %x", (unsigned)status);
}

/* "won" when the tracer's number, or the tracer itself, can be found. */
static void tracer_find(char **args)
{
	long n = tracer_number();

	(void)args;
	if (n > 0)
		say("won", "the tracer is %ld", n);
	say("none", "TracerPid %ld", n);
}

static void tracer_me(char **args)
{
	(void)args;
	say_errno(ptrace(PTRACE_TRACEME, 0, 0, 0), "PTRACE_TRACEME");
}

/* Stop and kill every process that can be named. If the tracer were among them,
 * the exec that follows would not be recorded. */
static void tracer_kill(char **args)
{
	char *const hidden[] = { (char *)"hidden", (char *)"exit", (char *)"0",
				 NULL };
	pid_t pid;

	(void)args;
	for (int other = 2; other < 400; other++)
		if (other != getpid()) {
			(void)kill(other, SIGSTOP);
			(void)kill(other, SIGKILL);
		}
	pid = vfork();
	if (pid == 0) {
		(void)execv("/repo/attack", hidden);
		_exit(1);
	}
	say_errno(waitpid(pid, NULL, 0), "exec after all are killed");
}

/* A child stops and ends: "won" when its parent is told anything else than
 * without a tracer. */
static void tracer_statuses(char **args)
{
	int status = 0, ok;
	pid_t pid = fork();

	(void)args;
	if (pid == 0) {
		(void)raise(SIGSTOP);
		(void)raise(SIGTRAP);
		_exit(1);
	}
	ok = waitpid(pid, &status, WUNTRACED) == pid && WIFSTOPPED(status) &&
	     WSTOPSIG(status) == SIGSTOP;
	(void)kill(pid, SIGCONT);
	ok = ok && waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
	     WTERMSIG(status) == SIGTRAP;
	say(ok ? "same" : "won", "status %x", (unsigned)status);
}

const struct attack attacks_tell[] = {
	{ "connect-fast", connect_fast },
	{ "connect-sctp", connect_sctp },
	{ "connect-flip", connect_flip },
	{ "connect-answered", connect_answered },
	{ "call-answered", call_answered },
	{ "tracer-find", tracer_find },
	{ "tracer-child", tracer_child },
	{ "tracer-me", tracer_me },
	{ "tracer-kill", tracer_kill },
	{ "tracer-statuses", tracer_statuses },
	{ 0 },
};
