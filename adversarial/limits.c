/* limits.c -- ways past the limits on files, processes, time and output.  Each stops
 * by itself: at 200 MiB, 200 processes, or a few seconds. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define MIB ((uint64_t)1 << 20)

static char block[MIB];

/* Write a whole block.  Returns 0, or -1 with errno. */
static int block_write(int fd)
{
	for (size_t at = 0; at < MIB;) {
		ssize_t n = write(fd, block + at, MIB - at);

		if (n < 0)
			return -1;
		at += (size_t)n;
	}
	return 0;
}

/* Write mib MiB to path, with SIGXFSZ as the caller left it. */
static void fill_file(char **args)
{
	uint64_t mib = arg_u64(args, 1);
	int fd = open(arg(args, 0), O_CREAT | O_WRONLY | O_TRUNC, 0600);

	if (fd < 0)
		say(errno_name(errno), "open");
	for (uint64_t i = 0; i < mib; i++)
		if (block_write(fd) < 0)
			say(errno_name(errno), "after %ju MiB", (uintmax_t)i);
	say("won", "%ju MiB", (uintmax_t)mib);
}

/* The same, but with SIGXFSZ ignored, as Python and Node do. */
static void fill_ignoring(char **args)
{
	(void)signal(SIGXFSZ, SIG_IGN);
	fill_file(args);
}

static void sparse_file(char **args)
{
	int fd = open(arg(args, 0), O_CREAT | O_WRONLY, 0600);

	if (fd < 0)
		say(errno_name(errno), "open");
	(void)signal(SIGXFSZ, SIG_IGN);
	say_errno(ftruncate(fd, (off_t)(arg_u64(args, 1) * MIB)), "ftruncate");
}

/* Fill the disk with many small files, which no limit on a file's size
 * stops. */
static void fill_many(char **args)
{
	const char *dir = arg(args, 0);
	uint64_t mib = arg_u64(args, 1);

	for (uint64_t i = 0; i < mib; i++) {
		char path[512];
		int fd;

		(void)snprintf(path, sizeof path, "%s/f%ju", dir, (uintmax_t)i);
		fd = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0600);
		if (fd < 0 || block_write(fd) < 0)
			say(errno_name(errno), "after %ju MiB", (uintmax_t)i);
		(void)close(fd);
	}
	say("won", "%ju MiB", (uintmax_t)mib);
}

static void fill_inodes(char **args)
{
	const char *dir = arg(args, 0);
	uint64_t n = arg_u64(args, 1);

	for (uint64_t i = 0; i < n; i++) {
		char path[512];

		(void)snprintf(path, sizeof path, "%s/i%ju", dir, (uintmax_t)i);
		if (mknod(path, S_IFREG | 0600, 0) < 0)
			say(errno_name(errno), "after %ju", (uintmax_t)i);
	}
	say("won", "%ju inodes", (uintmax_t)n);
}

static void open_many(char **args)
{
	uint64_t n = arg_u64(args, 0);

	for (uint64_t i = 0; i < n; i++)
		if (dup(0) < 0)
			say(errno_name(errno), "after %ju", (uintmax_t)i);
	say("won", "%ju descriptors", (uintmax_t)n);
}

/* Fork children that only sleep; how many is the argument, at most 200. */
static void fork_many(char **args)
{
	uint64_t n = arg_u64(args, 0), i;
	int err = 0;

	for (i = 0; i < n && i < 200; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			pause_ms(3000);
			_exit(0);
		}
		if (pid < 0) {
			err = errno;
			break;
		}
	}
	if (err)
		say(errno_name(err), "after %ju", (uintmax_t)i);
	say("won", "%ju processes", (uintmax_t)i);
}

static void *thread_sleep(void *data)
{
	pause_ms(3000);
	return data;
}

static void thread_many(char **args)
{
	uint64_t n = arg_u64(args, 0), i;
	pthread_attr_t small;
	pthread_t id;

	(void)pthread_attr_init(&small);
	(void)pthread_attr_setstacksize(&small, 65536);
	for (i = 0; i < n && i < 200; i++) {
		int err = pthread_create(&id, &small, thread_sleep, NULL);

		if (err)
			say(errno_name(err), "after %ju", (uintmax_t)i);
	}
	say("won", "%ju threads", (uintmax_t)i);
}

static void burn(char **args)
{
	burn_ms((unsigned)arg_u64(args, 0));
	say("won", "%s ms", args[0]);
}

static void locks_hold(unsigned files, unsigned each)
{
	for (unsigned n = 0; n < files; n++) {
		char name[64];
		int fd;

		(void)snprintf(name, sizeof name, "/scratch/lock-%d-%u",
			       (int)getpid(), n);
		fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
		/* A lock on every second byte: none can be joined with the
		 * next.  A list is searched from its beginning. */
		for (unsigned i = each; i > 0; i--) {
			struct flock l = { .l_type = F_WRLCK,
					   .l_start = i * 2L,
					   .l_len = 1 };

			if (fd < 0 || fcntl(fd, F_SETLK, &l) < 0)
				_exit(1);
		}
	}
}

/* Hold locks in several processes: a thing of the kernel's that no limit of
 * memory counts. */
static void locks(char **args)
{
	uint64_t n = arg_u64(args, 0);
	unsigned files = (unsigned)arg_u64(args, 1);
	unsigned each = (unsigned)arg_u64(args, 2);

	for (uint64_t i = 0; i < n; i++)
		if (fork() == 0) {
			locks_hold(files, each);
			pause_ms(60000);
			_exit(0);
		}
	pause_ms((unsigned)arg_u64(args, 3));
	say("won", "%ju processes with locks", (uintmax_t)n);
}

/* The same between open files: these outlive the descriptor in a socket. */
static void locks_ofd(char **args)
{
	static const int commands[] = { F_OFD_GETLK, F_OFD_SETLK,
					F_OFD_SETLKW };
	int fd = open("/scratch/ofd", O_RDWR | O_CREAT | O_CLOEXEC, 0600);

	(void)args;
	for (size_t i = 0; i < sizeof commands / sizeof *commands; i++) {
		struct flock l = { .l_type = F_WRLCK, .l_len = 1 };

		if (fcntl(fd, commands[i], &l) == 0)
			say("won", "fcntl %d", commands[i]);
	}
	say(errno_name(errno), "fcntl");
}

/* Use CPU time and ignore SIGXCPU. */
static void burn_deaf(char **args)
{
	(void)signal(SIGXCPU, SIG_IGN);
	burn(args);
}

/* The signal that announced the CPU limit, 0 before. */
static volatile sig_atomic_t told;

static void note_told(int sig)
{
	told = sig;
}

/* End well at once when the limit is reached: the signal comes by ticks, before
 * the time is counted. */
static void burn_told(char **args)
{
	(void)args;
	(void)signal(SIGXCPU, note_told);
	for (int i = 0; i < 600 && !told; i++)
		burn_ms(10);
	_exit(told ? 0 : 3);
}

/* Use CPU time in one child after another, each below the limit of one
 * process. */
static void burn_forks(char **args)
{
	unsigned each = (unsigned)arg_u64(args, 0);
	uint64_t n = arg_u64(args, 1);

	if (args[2])
		(void)signal(SIGCHLD, SIG_IGN);
	for (uint64_t i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			burn_ms(each);
			_exit(0);
		}
		if (pid < 0)
			say(errno_name(errno), "fork");
		while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
	}
	say("won", "%ju times %u ms", (uintmax_t)n, each);
}

/* Use CPU time in several children at once, each below the limit of one
 * process. */
static void burn_beside(char **args)
{
	unsigned each = (unsigned)arg_u64(args, 0);
	uint64_t n = arg_u64(args, 1);

	for (uint64_t i = 0; i < n; i++)
		if (fork() == 0) {
			burn_ms(each);
			_exit(0);
		}
	while (wait(NULL) > 0)
		;
	say("won", "%ju beside each other", (uintmax_t)n);
}

static void sleep_on(char **args)
{
	pause_ms((unsigned)arg_u64(args, 0));
	say("won", "%s ms", args[0]);
}

static void sleep_deaf(char **args)
{
	for (int s = 1; s < 65; s++)
		(void)signal(s, SIG_IGN);
	sleep_on(args);
}

/* Stop: the process then uses no CPU time and answers no signal. */
static void stop_self(char **args)
{
	pid_t pid = fork();

	if (pid == 0) {
		pause_ms((unsigned)arg_u64(args, 0));
		(void)kill(getppid(), SIGCONT);
		_exit(0);
	}
	(void)raise(SIGSTOP);
	say("won", "went on after %s ms", args[0]);
}

static void flood(char **args)
{
	int fd = (int)arg_u64(args, 0);
	uint64_t mib = arg_u64(args, 1);

	memset(block, 'x', sizeof block);
	(void)signal(SIGPIPE, SIG_IGN);
	for (uint64_t i = 0; i < mib; i++)
		for (size_t at = 0; at < MIB;) {
			ssize_t n = write(fd, block + at, MIB - at);

			if (n < 0)
				_exit(9);
			at += (size_t)n;
		}
	_exit(0);
}

static void dump_core(char **args)
{
	struct rlimit r = { RLIM_INFINITY, RLIM_INFINITY };

	(void)args;
	if (chdir("/scratch") < 0 && chdir("/tmp") < 0)
		_exit(9);
	(void)setrlimit(RLIMIT_CORE, &r);
	abort();
}

const struct attack attacks_limits[] = {
	{ "fill", fill_file },
	{ "fill-deaf", fill_ignoring },
	{ "sparse", sparse_file },
	{ "fill-many", fill_many },
	{ "inodes", fill_inodes },
	{ "open-many", open_many },
	{ "forks", fork_many },
	{ "threads", thread_many },
	{ "burn", burn },
	{ "locks", locks },
	{ "locks-ofd", locks_ofd },
	{ "burn-deaf", burn_deaf },
	{ "burn-told", burn_told },
	{ "burn-forks", burn_forks },
	{ "burn-beside", burn_beside },
	{ "sleep", sleep_on },
	{ "sleep-deaf", sleep_deaf },
	{ "stop", stop_self },
	{ "flood", flood },
	{ "core", dump_core },
	{ 0 },
};
