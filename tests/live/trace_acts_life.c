/* trace_acts_life.c -- stops, signals, other ABIs, debuggers: what must be the same
 * for a traced program, and what it cannot have. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "trace_acts.h"

static void sleep_ms(long ms)
{
	struct timespec t = { ms / 1000, ms % 1000 * 1000000 };

	while (nanosleep(&t, &t) < 0)
		;
}

/* A child that is stopped, continues, is reported so, and ends by a signal. */
static int act_stops(char **args)
{
	int status, told[3] = { 0 };
	pid_t pid = fork();

	(void)args;
	if (pid == 0)
		for (;;)
			(void)pause();
	(void)kill(pid, SIGSTOP);
	told[0] = waitpid(pid, &status, WUNTRACED) == pid &&
		  WIFSTOPPED(status) && WSTOPSIG(status) == SIGSTOP;
	sleep_ms(50);
	told[0] &= waitpid(pid, &status, WUNTRACED | WNOHANG) == 0;
	(void)kill(pid, SIGCONT);
	told[1] = waitpid(pid, &status, WCONTINUED) == pid &&
		  WIFCONTINUED(status);
	(void)kill(pid, SIGTERM);
	told[2] = waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) &&
		  WTERMSIG(status) == SIGTERM;
	(void)printf("stopped %d continued %d ended %d\n", told[0], told[1],
		     told[2]);
	return 0;
}

/* Signals that do nothing by default end no call: not one that sleeps, nor one
 * that would say EINTR if a signal did something. */
static int act_sleeps(char **args)
{
	struct epoll_event e;
	int poll_fd = epoll_create1(0), slept, waited;
	struct timespec t = { .tv_nsec = 300000000 };
	pid_t pid = fork();

	(void)args;
	if (pid == 0) {
		for (int i = 0; i < 5; i++) {
			sleep_ms(20);
			(void)kill(getppid(), SIGWINCH);
		}
		_exit(0);
	}
	slept = nanosleep(&t, NULL);
	(void)waitpid(pid, NULL, 0);
	pid = fork();
	if (pid == 0) {
		sleep_ms(50);
		_exit(0); /* SIGCHLD */
	}
	waited = epoll_wait(poll_fd, &e, 1, 300);
	(void)printf("slept %d waited %d\n", slept, waited);
	return 0;
}

static int act_debug(char **args)
{
	pid_t pid = fork();
	int status, seized;

	(void)args;
	if (pid == 0)
		_exit(ptrace(PTRACE_TRACEME, 0, 0, 0) < 0 ? errno : 0);
	(void)waitpid(pid, &status, 0);
	pid = fork();
	if (pid == 0)
		for (;;)
			(void)pause();
	seized = ptrace(PTRACE_SEIZE, pid, 0, 0) < 0 ? errno : 0;
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	(void)printf("traceme %d seize %d\n", WEXITSTATUS(status), seized);
	return 0;
}

/* A child that calls execve by the numbers of 32 bits, or of x32. */
static int act_foreign(char **args)
{
	int status = 0;
	pid_t pid = fork();

	(void)args;
	if (pid == 0) {
#ifdef __x86_64__
		long r = syscall(0x40000000 | 520, 0, 0, 0);

		if (r != -1 || errno != ENOSYS)
			_exit(90);
		__asm__ volatile("int $0x80" : "=a"(r) : "a"(20) : "memory");
#endif
		_exit(91);
	}
	(void)waitpid(pid, &status, 0);
	(void)printf("signal %d\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
	return 0;
}

/* A process that is not traced from its birth, and that another one inside tries to
 * trace, to let its calls go on: it executes nothing. */
static int act_adopted(char **args)
{
	int status = 0, refused;
	long pid = syscall(SYS_clone, 0x00800000 | SIGCHLD, 0, 0, 0, 0);

	(void)args;
	if (pid == 0) {
		sleep_ms(200);
		(void)execl("/repo/trace_acts", "unseen", "leave", "0",
			    (char *)NULL);
		_exit(errno);
	}
	refused = ptrace(PTRACE_SEIZE, (pid_t)pid, 0, PTRACE_O_TRACESECCOMP) < 0
			  ? errno
			  : 0;
	while (refused == 0 && waitpid((pid_t)pid, &status, __WALL) > 0 &&
	       WIFSTOPPED(status))
		(void)ptrace(PTRACE_CONT, (pid_t)pid, 0, 0);
	if (refused != 0)
		(void)waitpid((pid_t)pid, &status, 0);
	(void)printf("seize %d errno %d\n", refused, WEXITSTATUS(status));
	return 0;
}

/* A process that is not traced from its birth: it executes nothing. */
static int act_untraced(char **args)
{
	int status = 0;
	long pid = syscall(SYS_clone, 0x00800000 | SIGCHLD, 0, 0, 0, 0);

	(void)args;
	if (pid == 0) {
		(void)execl("/repo/trace_acts", "unseen", "leave", "0",
			    (char *)NULL);
		_exit(errno);
	}
	(void)waitpid((pid_t)pid, &status, 0);
	(void)printf("errno %d\n", WEXITSTATUS(status));
	return 0;
}

/* Waits until it is ended from outside. */
static int act_wait(char **args)
{
	(void)args;
	(void)printf("waits\n");
	(void)fflush(stdout);
	sleep_ms(60000);
	return 0;
}

const struct act acts_life[] = {
	{ "stops", act_stops },     { "sleeps", act_sleeps },
	{ "debug", act_debug },     { "foreign", act_foreign },
	{ "adopted", act_adopted }, { "untraced", act_untraced },
	{ "wait", act_wait },       { 0 },
};
