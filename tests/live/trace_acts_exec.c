/* trace_acts_exec.c -- ways to execute. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace_acts.h"

#define SELF "/repo/trace_acts"

static int await(pid_t pid)
{
	int status = -1;

	die_unless(pid > 0 && waitpid(pid, &status, 0) == pid, "waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + status;
}

/* Copy the program to a new file. */
static void copy_self(int to)
{
	char bytes[65536];
	int from = open(SELF, O_RDONLY | O_CLOEXEC);
	ssize_t n;

	die_unless(from >= 0 && to >= 0, "copy");
	while ((n = read(from, bytes, sizeof bytes)) > 0)
		die_unless(write(to, bytes, (size_t)n) == n, "write");
	(void)close(from);
}

static void copy_to(const char *path)
{
	int to = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);

	copy_self(to);
	(void)close(to);
}

/* The program that all of these execute: it exits with its argument. */
static int act_leave(char **args)
{
	return number(args, 0, 0);
}

static void *thread_exec(void *data)
{
	(void)data;
	(void)execl(SELF, "of-thread", "leave", "7", (char *)NULL);
	exit(97);
}

static int act_thread(char **args)
{
	pthread_t thread;

	(void)args;
	die_unless(pthread_create(&thread, NULL, thread_exec, NULL) == 0,
		   "pthread_create");
	(void)pthread_join(thread, NULL);
	return 96;
}

static int act_vfork(char **args)
{
	static volatile int order;
	pid_t pid = vfork();

	(void)args;
	if (pid == 0) {
		order = 1;
		(void)execl(SELF, "of-vfork", "leave", "0", (char *)NULL);
		_exit(97);
	}
	die_unless(order == 1, "the parent of a vfork ran first");
	return await(pid);
}

static int act_spawn(char **args)
{
	char *const argv[] = { "of-spawn", "leave", "0", NULL };
	char *const none[] = { NULL };
	pid_t pid = -1;

	(void)args;
	errno = posix_spawn(&pid, SELF, NULL, NULL, argv, none);
	return await(pid);
}

/* A descriptor that is not closed by the exec: "" and AT_EMPTY_PATH. */
static pid_t fd_exec(int fd, const char *name)
{
	char *const argv[] = { (char *)(size_t)name, "leave", "0", NULL };
	char *const none[] = { NULL };
	pid_t pid = fork();

	if (pid == 0) {
		(void)execveat(fd, "", argv, none, AT_EMPTY_PATH);
		_exit(97);
	}
	return pid;
}

static int act_memfd(char **args)
{
	int fd = memfd_create("hidden", 0);

	(void)args;
	copy_self(fd);
	return await(fd_exec(fd, "of-memfd"));
}

static int act_deleted(char **args)
{
	int fd;

	(void)args;
	copy_to("/scratch/gone");
	fd = open("/scratch/gone", O_RDONLY);
	die_unless(unlink("/scratch/gone") == 0, "unlink");
	return await(fd_exec(fd, "of-deleted"));
}

static int act_procfd(char **args)
{
	char path[64];
	pid_t pid;
	int fd;

	(void)args;
	copy_to("/scratch/linked");
	fd = open("/scratch/linked", O_RDONLY);
	(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	pid = fork();
	if (pid == 0) {
		(void)execl(path, "of-procfd", "leave", "0", (char *)NULL);
		_exit(97);
	}
	return await(pid);
}

static int act_fails(char **args)
{
	static const char *const tries[] = { "/scratch/none/tool", "/tmp/tool",
					     "/usr/bin/tool" };

	(void)args;
	for (size_t i = 0; i < sizeof tries / sizeof *tries; i++)
		(void)execl(tries[i], "tool", (char *)NULL);
	(void)execl("/etc/passwd", "other", (char *)NULL);
	return errno == EACCES ? 0 : 95;
}

static int act_burst(char **args)
{
	int n = number(args, 0, 100);

	for (int i = 0; i < n; i++) {
		pid_t pid = vfork();

		if (pid == 0) {
			(void)execl(SELF, "b", "leave", "0", (char *)NULL);
			_exit(97);
		}
		if (await(pid) != 0)
			return 94;
	}
	return 0;
}

/* The whole tree is gone an instant after its exec. */
static int act_hurry(char **args)
{
	pid_t pid = vfork();

	(void)args;
	if (pid == 0) {
		(void)execl(SELF, "in-a-hurry", "leave", "0", (char *)NULL);
		_exit(97);
	}
	_exit(0);
}

/* Kill a process at the instant of its exec, again and again.  The exec gives the
 * caller back its memory, while the tracer still looks at the process. */
static int act_killed(char **args)
{
	int n = number(args, 0, 300);

	for (int i = 0; i < n; i++) {
		pid_t pid = vfork();

		if (pid == 0) {
			(void)execl(SELF, "to-be-killed", "leave", "0",
				    (char *)NULL);
			_exit(97);
		}
		for (volatile int later = i % 64 * 200; later > 0; later--)
			;
		if (pid < 0 || kill(pid, SIGKILL) < 0)
			return 94;
		(void)await(pid);
	}
	return 0;
}

/* --- memory that changes at the instant of the call -------------------------------- */

static char flipped[64];
static const char *sides[2];
static atomic_int over;

static void *flip(void *data)
{
	for (unsigned i = 0; !over; i++)
		memcpy(flipped, sides[i & 1], strlen(sides[0]) + 1);
	return data;
}

/* The exit status tells which program runs, or with which argument. */
static int flip_run(int n, int by_argument, int ret_counts[2])
{
	pthread_t thread;

	memcpy(flipped, sides[0], strlen(sides[0]) + 1);
	die_unless(pthread_create(&thread, NULL, flip, NULL) == 0,
		   "pthread_create");
	for (int i = 0; i < n; i++) {
		pid_t pid = vfork(); /* memory is shared: the thread goes on */
		int status;

		if (pid == 0) {
			if (by_argument)
				(void)execl(SELF, "f", "leave", flipped,
					    (char *)NULL);
			else
				(void)execl(flipped, "f", "which",
					    (char *)NULL);
			_exit(97);
		}
		status = await(pid);
		if (status == 11 || status == 22)
			ret_counts[status == 22]++;
	}
	over = 1;
	(void)pthread_join(thread, NULL);
	(void)printf("counts %d %d\n", ret_counts[0], ret_counts[1]);
	return 0;
}

static int act_which(char **args)
{
	char path[256] = "";

	(void)args;
	die_unless(readlink("/proc/self/exe", path, sizeof path - 1) > 0,
		   "readlink");
	return path[strlen(path) - 1] == 'a' ? 11 : 22;
}

static int act_flip(char **args)
{
	int counts[2] = { 0, 0 };

	copy_to("/scratch/side-a");
	copy_to("/scratch/side-b");
	sides[0] = "/scratch/side-a";
	sides[1] = "/scratch/side-b";
	return flip_run(number(args, 0, 300), 0, counts);
}

static int act_flip_argv(char **args)
{
	int counts[2] = { 0, 0 };

	sides[0] = "11";
	sides[1] = "22";
	return flip_run(number(args, 0, 300), 1, counts);
}

/* --- words that a parent writes over ------------------------------------------------- */

/* The state of that process, and where its words are, by proc_pid_stat(5). */
static char stat_look(const char *path, unsigned long *ret_words)
{
	char text[1024];
	int fd = open(path, O_RDONLY | O_CLOEXEC), field = 3;
	ssize_t n = read(fd, text, sizeof text - 1);
	char *at, state;

	(void)close(fd);
	text[n > 0 ? n : 0] = '\0';
	at = strrchr(text, ')');
	if (at == NULL)
		return 'X';
	state = at[2];
	for (at += 2; field < 48 && at != NULL; field++)
		at = strchr(at + 1, ' ');
	*ret_words = at != NULL ? strtoul(at, NULL, 10) : 0;
	return state;
}

static long word_write(pid_t pid, unsigned long at, const char *word)
{
	struct iovec from = { (void *)(size_t)word, strlen(word) };
	struct iovec to = { (void *)at, strlen(word) };

	return process_vm_writev(pid, &from, 1, &to, 1, 0);
}

/* Its child executes a shell that ends with 22.  Until the tracer has looked,
 * let its words say 11. */
static long forge(pid_t pid, unsigned long own)
{
	unsigned long words = own;
	char path[64], state = 'R';
	long wrote = -1;

	(void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	while ((words == own || words == 0) && state != 'Z')
		state = stat_look(path, &words);
	words += sizeof "sh" + sizeof "-c" + strlen("exit ");
	wrote = word_write(pid, words, "11");
	for (int i = 0; i < 1000 && state == 'R'; i++)
		state = stat_look(path, &own);
	while (state == 't')
		state = stat_look(path, &own);
	(void)word_write(pid, words, "22");
	return wrote;
}

static int act_forge(char **args)
{
	int counts[2] = { 0, 0 }, wrote = 0;
	unsigned long own = 0;

	(void)stat_look("/proc/self/stat", &own);
	for (int i = number(args, 0, 300); i > 0; i--) {
		pid_t pid = fork();
		int status;

		if (pid == 0) {
			(void)execl("/bin/sh", "sh", "-c", "exit 22",
				    (char *)NULL);
			_exit(97);
		}
		errno = 0;
		wrote += forge(pid, own) > 0;
		status = await(pid);
		if (status == 11 || status == 22)
			counts[status == 22]++;
	}
	(void)printf("counts %d %d wrote %d\n", counts[0], counts[1], wrote);
	return 0;
}

const struct act acts_exec[] = {
	{ "leave", act_leave },   { "thread", act_thread },
	{ "vfork", act_vfork },   { "spawn", act_spawn },
	{ "memfd", act_memfd },   { "deleted", act_deleted },
	{ "procfd", act_procfd }, { "fails", act_fails },
	{ "burst", act_burst },   { "hurry", act_hurry },
	{ "killed", act_killed }, { "which", act_which },
	{ "flip", act_flip },     { "flip-argv", act_flip_argv },
	{ "forge", act_forge },   { 0 },
};
