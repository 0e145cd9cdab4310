/* life.c -- outliving the run, holding it up, and odd ways to end. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* How long a process that should be dead waits, so that the runner could find
 * it alive. */
#define LINGER_MS 8000

/* Become a daemon as manuals describe it, with a name that the runner looks
 * for. keep: with the pipes still open. Every signal that can be ignored is
 * ignored. */
static void daemonize(const char *name, bool keep)
{
	pid_t pid = fork();

	if (pid < 0)
		say(errno_name(errno), "fork");
	if (pid > 0) {
		(void)waitpid(pid, NULL, 0);
		return;
	}
	(void)setsid();
	if (fork() != 0)
		_exit(0);
	(void)prctl(PR_SET_NAME, name, 0, 0, 0);
	for (int s = 1; s < 65; s++)
		(void)signal(s, SIG_IGN);
	if (!keep)
		for (int fd = 0; fd < 64; fd++)
			(void)close(fd);
	pause_ms(LINGER_MS);
	_exit(0);
}

void daemon_leave(const char *name)
{
	daemonize(name, false);
}

static void daemon_left(char **args)
{
	daemonize(arg(args, 0), false);
	pause_ms(50);
	say("tried", "a daemon was left");
}

static void daemon_holds(char **args)
{
	daemonize(arg(args, 0), true);
	pause_ms(50);
	say("tried", "a daemon holds every pipe");
}

/* Leave many daemons at once, so that a single sweep of the killer would miss
 * some. */
static void daemon_herd(char **args)
{
	uint64_t n = arg_u64(args, 1);

	for (uint64_t i = 0; i < n && i < 60; i++)
		daemonize(arg(args, 0), false);
	say("tried", "%ju daemons", (uintmax_t)n);
}

/* Fork as fast as possible: the parent of each process is gone at once, so a
 * killer that goes by a list is always too late. */
static void hydra(char **args)
{
	if (fork() == 0) {
		(void)prctl(PR_SET_NAME, arg(args, 0), 0, 0, 0);
		for (int i = 0; i < 20000; i++)
			if (fork() > 0)
				_exit(0);
		_exit(0);
	}
	pause_ms(30);
	say("tried", "a hydra");
}

/* Leave dead children that nobody waits for. */
static void zombies(char **args)
{
	uint64_t n = arg_u64(args, 0), i;

	for (i = 0; i < n && i < 200; i++) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0)
			say(errno_name(errno), "after %ju", (uintmax_t)i);
	}
	say("won", "%ju zombies", (uintmax_t)i);
}

/* Leave orphans that are dead: init has to reap them, or the table of processes
 * fills up. */
static void orphans(char **args)
{
	uint64_t n = arg_u64(args, 0), i;

	for (i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			if (fork() == 0)
				_exit(0);
			_exit(0);
		}
		if (pid < 0)
			say(errno_name(errno), "after %ju", (uintmax_t)i);
		(void)waitpid(pid, NULL, 0);
	}
	say("won", "%ju orphans came and went", (uintmax_t)n);
}

static void stopped_child(char **args)
{
	pid_t pid = fork();

	if (pid == 0) {
		(void)prctl(PR_SET_NAME, arg(args, 0), 0, 0, 0);
		(void)signal(SIGHUP, SIG_IGN);
		for (int fd = 0; fd < 64; fd++)
			(void)close(fd);
		(void)raise(SIGSTOP);
		pause_ms(LINGER_MS);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, NULL, WUNTRACED) != pid)
		say(errno_name(errno), "fork");
	say("tried", "a stopped child was left");
}

static void exit_with(char **args)
{
	_exit((int)arg_u64(args, 0));
}

static void die_by(char **args)
{
	int sig = (int)arg_u64(args, 0);

	(void)signal(sig, SIG_DFL);
	(void)kill(getpid(), sig);
	pause_ms(1000);
	_exit(99); /* the signal did not end us */
}

/* Close all descriptors, so that stdout has no writer, and live on. */
static void close_all(char **args)
{
	for (int fd = 0; fd < 64; fd++)
		(void)close(fd);
	pause_ms((unsigned)arg_u64(args, 0));
	_exit(7);
}

/* The signal that was received, 0 before. */
static volatile sig_atomic_t met;

static void note(int sig)
{
	met = sig;
}

static void catch_signal(char **args)
{
	int sig = (int)arg_u64(args, 0);

	(void)signal(sig, note);
	printf("ready\n");
	(void)fflush(stdout);
	for (int i = 0; i < 50 && !met; i++)
		(void)usleep(100000);
	_exit(met ? 40 : 41);
}

/* Wait under a name, so that the runner can see the process appear and
 * disappear. */
static void wait_named(char **args)
{
	(void)prctl(PR_SET_NAME, arg(args, 0), 0, 0, 0);
	if (args[1])
		for (int s = 1; s < 65; s++)
			(void)signal(s, SIG_IGN);
	printf("ready\n");
	(void)fflush(stdout);
	pause_ms(LINGER_MS);
	say("won", "nobody came");
}

const struct attack attacks_life[] = {
	{ "daemon", daemon_left },
	{ "daemon-holds", daemon_holds },
	{ "daemon-herd", daemon_herd },
	{ "hydra", hydra },
	{ "zombies", zombies },
	{ "orphans", orphans },
	{ "stopped", stopped_child },
	{ "exit", exit_with },
	{ "die", die_by },
	{ "close-all", close_all },
	{ "catch", catch_signal },
	{ "wait", wait_named },
	{ 0 },
};
