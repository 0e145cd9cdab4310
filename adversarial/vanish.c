/* vanish.c -- a forbidden call whose thread is gone before anyone is told of the
 * call: none of these runs may end with OK. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "attack.h"

#define LOOKS 2000000 /* the thread may have to wait for a processor */

/* Shared with a child: the number of the thread that makes the call, as the
 * kernel counts. */
static volatile pid_t *caller;

static void *forbidden_make(void *data)
{
	*caller = (pid_t)syscall(SYS_gettid);
	(void)syscall(SYS_mount, "none", "/tmp", "tmpfs", 0, NULL);
	return data;
}

/* Wait until the thread sleeps: it has then made the call, because nothing else
 * makes it sleep. */
static void forbidden_await(pid_t process)
{
	char path[64], text[256];

	for (int i = 0; i < LOOKS; i++) {
		const char *after;

		if (*caller == 0) {
			(void)sched_yield();
			continue;
		}
		(void)snprintf(path, sizeof path, "/proc/%d/task/%d/stat",
			       (int)process, (int)*caller);
		if (file_read(path, text, sizeof text) <= 0)
			return; /* the call has returned: no filter stopped it */
		after = strrchr(text, ')');
		if (after != NULL && after[1] == ' ' && after[2] == 'S')
			return;
	}
	_exit(3);
}

static void caller_start(pthread_t *ret)
{
	caller = mmap(NULL, sizeof *caller, PROT_READ | PROT_WRITE,
		      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (caller == MAP_FAILED)
		_exit(3);
	if (ret != NULL && pthread_create(ret, NULL, forbidden_make, NULL) != 0)
		_exit(3);
}

static void vanish_exit(char **args)
{
	pthread_t t;

	(void)args;
	caller_start(&t);
	forbidden_await(getpid());
	_exit(0);
}

static void vanish_exec(char **args)
{
	char *const argv[] = { (char *)"attack", (char *)"exit", (char *)"0",
			       NULL };
	pthread_t t;

	(void)args;
	caller_start(&t);
	forbidden_await(getpid());
	(void)execv("/proc/self/exe", argv);
	_exit(3);
}

/* The parent of the child reads its exit status, and passes it to nobody. */
static void vanish_child(char **args)
{
	pid_t pid;

	(void)args;
	caller_start(NULL);
	pid = fork();
	if (pid == 0) {
		pthread_t t;

		if (pthread_create(&t, NULL, forbidden_make, NULL) != 0)
			_exit(3);
		for (;;)
			(void)pause();
	}
	forbidden_await(pid);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	_exit(0);
}

static sigjmp_buf back;

static void leave(int sig)
{
	(void)sig;
	siglongjmp(back, 1);
}

static void *forbidden_leave(void *data)
{
	if (sigsetjmp(back, 1) == 0)
		(void)forbidden_make(data);
	return data;
}

static void vanish_signal(char **args)
{
	pthread_t t;

	(void)args;
	(void)signal(SIGUSR1, leave);
	caller_start(NULL);
	if (pthread_create(&t, NULL, forbidden_leave, NULL) != 0)
		_exit(3);
	forbidden_await(getpid());
	(void)pthread_kill(t, SIGUSR1);
	(void)pthread_join(t, NULL);
	_exit(0);
}

/* Try to kill the process that counts the calls before making one. */
static void vanish_keeper(char **args)
{
	for (int pid = 2; pid < 16; pid++)
		if (pid != getpid())
			(void)kill(pid, SIGKILL);
	vanish_exit(args);
}

const struct attack attacks_vanish[] = {
	{ "vanish-exit", vanish_exit },     { "vanish-exec", vanish_exec },
	{ "vanish-child", vanish_child },   { "vanish-signal", vanish_signal },
	{ "vanish-keeper", vanish_keeper }, { 0 },
};
