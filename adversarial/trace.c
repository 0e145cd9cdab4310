/* trace.c -- executions that are meant to be missing from a trace: "won" when the
 * program was executed at all.  The result says which of them the trace has. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define SELF     "/repo/attack"
#define NAME     "hidden" /* argv[0] of the program that is executed */
#define MODE     0755
#define RC       7 /* its exit status */
#define UNTRACED 0x00800000

static char *const hidden[] = { (char *)NAME, (char *)"exit", (char *)"7",
				NULL };
static char *const none[] = { NULL };

static _Noreturn void won_if(pid_t pid, const char *what)
{
	int status = 0;

	if (pid < 0)
		say(errno_name(errno), "%s", what);
	if (waitpid(pid, &status, __WALL) != pid)
		say("lost", "%s: nobody to wait for", what);
	if (WIFEXITED(status) && WEXITSTATUS(status) == RC)
		say("won", "%s", what);
	if (WIFSIGNALED(status))
		say("killed", "%s: signal %d", what, WTERMSIG(status));
	say(errno_name(WEXITSTATUS(status)), "%s", what);
}

/* --- execs ------------------------------------------------------------------------ */

static void *exec_here(void *data)
{
	(void)execve(SELF, hidden, none);
	_exit(errno);
	return data;
}

static void exec_thread(char **args)
{
	pid_t pid = fork();
	pthread_t thread;

	(void)args;
	if (pid == 0) {
		if (pthread_create(&thread, NULL, exec_here, NULL) == 0)
			(void)pthread_join(thread, NULL);
		_exit(EAGAIN);
	}
	won_if(pid, "exec of a thread");
}

static void exec_vfork(char **args)
{
	pid_t pid = vfork();

	(void)args;
	if (pid == 0) {
		(void)execve(SELF, hidden, none);
		_exit(EAGAIN);
	}
	won_if(pid, "exec of a vfork");
}

static void copy_to(int to)
{
	char bytes[65536];
	int from = open(SELF, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	while (from >= 0 && (n = read(from, bytes, sizeof bytes)) > 0)
		if (write(to, bytes, (size_t)n) != n)
			say(errno_name(errno), "copy");
}

static pid_t fd_run(int fd)
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)syscall(SYS_execveat, fd, "", hidden, none,
			      AT_EMPTY_PATH);
		_exit(errno);
	}
	return pid;
}

static void exec_memfd(char **args)
{
	int fd = (int)syscall(SYS_memfd_create, NAME, MFD_CLOEXEC);

	(void)args;
	if (fd < 0)
		say(errno_name(errno), "memfd_create");
	copy_to(fd);
	won_if(fd_run(fd), "exec of a memory file");
}

static void exec_deleted(char **args)
{
	static const char path[] = "/scratch/gone";
	int to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, MODE), fd;

	(void)args;
	copy_to(to);
	(void)close(to);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	(void)unlink(path);
	won_if(fd_run(fd), "exec of a file that is gone");
}

/* Run this program as the interpreter of a script. */
static void exec_script(char **args)
{
	static const char path[] = "/scratch/script";
	static const char text[] = "#!" SELF " exit-script\n";
	int to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, MODE);
	pid_t pid;

	(void)args;
	if (write(to, text, sizeof text - 1) < 0)
		say(errno_name(errno), "write");
	(void)close(to);
	pid = fork();
	if (pid == 0) {
		(void)execve(path, hidden, none);
		_exit(errno);
	}
	won_if(pid, "a script");
}

/* What the script above runs. */
static void exit_script(char **args)
{
	(void)args;
	_exit(RC);
}

/* Run a program that may be executed but not read, so that nobody can look at
 * its file. */
static void exec_unreadable(char **args)
{
	static const char path[] = "/scratch/unreadable";
	int to = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0111);
	pid_t pid;

	(void)args;
	copy_to(to);
	(void)close(to);
	pid = fork();
	if (pid == 0) {
		(void)execve(path, hidden, none);
		_exit(errno);
	}
	won_if(pid, "a program that may not be read");
}

/* Call execve through another ABI's number: nothing is executed, as the path is
 * NULL. */
static void exec_int80(char **args)
{
	pid_t pid = fork();

	(void)args;
	if (pid == 0) {
		long r = -ENOSYS;
#ifdef __x86_64__
		__asm__ volatile("int $0x80"
				 : "=a"(r)
				 : "a"(11), "b"(0), "c"(0), "d"(0)
				 : "memory");
#endif
		_exit(r == -EFAULT || r == -ENOENT ? RC : (int)-r);
	}
	won_if(pid, "execve of 32 bits");
}

static void exec_x32(char **args)
{
	pid_t pid = fork();

	(void)args;
	if (pid == 0) {
		(void)syscall(0x40000000 | 520, SELF, hidden, none);
		_exit(errno);
	}
	won_if(pid, "execve of x32");
}

static void exec_untraced(char **args)
{
	pid_t pid = (pid_t)syscall(SYS_clone, UNTRACED | SIGCHLD, 0, 0, 0, 0);

	(void)args;
	if (pid == 0) {
		(void)execve(SELF, hidden, none);
		_exit(errno);
	}
	won_if(pid, "exec of who is not followed");
}

/* A debugger inside traces the child, and lets its calls go on. */
static void exec_debugged(char **args)
{
	pid_t pid = (pid_t)syscall(SYS_clone, UNTRACED | SIGCHLD, 0, 0, 0, 0);
	int status = 0;

	(void)args;
	if (pid == 0) {
		pause_ms(200);
		(void)execve(SELF, hidden, none);
		_exit(errno);
	}
	if (ptrace(PTRACE_SEIZE, pid, 0, PTRACE_O_TRACESECCOMP) < 0)
		won_if(pid, "exec under a debugger inside");
	while (waitpid(pid, &status, __WALL) > 0 && WIFSTOPPED(status))
		(void)ptrace(PTRACE_CONT, pid, 0, 0);
	if (WIFEXITED(status) && WEXITSTATUS(status) == RC)
		say("won", "exec under a debugger inside");
	say(errno_name(WEXITSTATUS(status)), "exec under a debugger inside");
}

/* The program's own filter answers the ptrace call in the kernel's place, with
 * data that mean nothing. */
static void exec_answered(char **args)
{
	if (strcmp(arg(args, 0), "filter") == 0 &&
	    filter_add(SYS_ptrace, SECCOMP_RET_TRACE | 99, 0) < 0)
		say(errno_name(errno), "a filter for ptrace");
	exec_debugged(args);
}

/* A filter of the program's own sends a notification before the tracer's stop,
 * and may let the call go on. */
static void exec_listened(char **args)
{
	int fd = filter_add(SYS_execve, SECCOMP_RET_USER_NOTIF,
			    SECCOMP_FILTER_FLAG_NEW_LISTENER);
	struct pollfd p = { .fd = fd, .events = POLLIN };
	struct seccomp_notif asked = { 0 };
	struct seccomp_notif_resp answer = {
		.flags = SECCOMP_USER_NOTIF_FLAG_CONTINUE
	};
	pid_t pid;

	(void)args;
	if (fd < 0)
		say(errno_name(errno), "a listener");
	pid = fork();
	if (pid == 0) {
		(void)execve(SELF, hidden, none);
		_exit(errno);
	}
	if (poll(&p, 1, 5000) != 1 ||
	    ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0)
		say("lost", "no notification");
	answer.id = asked.id;
	(void)ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
	won_if(pid, "exec that a listener lets go on");
}

/* Execute more programs than the trace can hold; the last one is the one to
 * hide. */
static void exec_burst(char **args)
{
	uint64_t n = arg_u64(args, 0);
	static char *const plain[] = { (char *)"noise", (char *)"exit",
				       (char *)"0", NULL };

	for (uint64_t i = 0; i < n; i++) {
		pid_t pid = vfork();

		if (pid == 0) {
			(void)execve(SELF, plain, none);
			_exit(1);
		}
		if (pid < 0 || waitpid(pid, NULL, 0) != pid)
			say(errno_name(errno), "fork");
	}
	exec_vfork(args);
}

const struct attack attacks_trace[] = {
	{ "exec-thread", exec_thread },
	{ "exec-vfork", exec_vfork },
	{ "exec-memfd", exec_memfd },
	{ "exec-deleted", exec_deleted },
	{ "exec-script", exec_script },
	{ "exit-script", exit_script },
	{ "exec-unreadable", exec_unreadable },
	{ "exec-int80", exec_int80 },
	{ "exec-x32", exec_x32 },
	{ "exec-untraced", exec_untraced },
	{ "exec-debugged", exec_debugged },
	{ "exec-answered", exec_answered },
	{ "exec-listened", exec_listened },
	{ "exec-burst", exec_burst },
	{ 0 },
};
