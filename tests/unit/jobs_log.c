/* jobs_log.c -- the run log: appended whole, never through a link. */
#include "jobs/common/log.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "tap.h"

static char dir[64], path[96];
static struct cupel_error err;

static void enter(void)
{
	strcpy(dir, "/tmp/cupel-log.XXXXXX");
	ok(mkdtemp(dir) != NULL);
	(void)snprintf(path, sizeof path, "%s/new/log", dir);
}

static long size_of(void)
{
	struct stat st = { 0 };

	ok_int(stat(path, &st), 0);
	return (long)st.st_size;
}

static void leave(void)
{
	char sub[96];

	(void)unlink(path);
	(void)snprintf(sub, sizeof sub, "%s/new", dir);
	(void)rmdir(sub);
	(void)rmdir(dir);
}

static void makes_folder_and_file_private(void)
{
	struct stat st = { 0 };
	int fd;

	enter();
	fd = log_open(path, -1, &err);
	ok(fd >= 0);
	ok_int(stat(path, &st), 0);
	ok_int(st.st_mode & 0777, 0600);
	ok_int(log_append(fd, -1, "one\n", 4, &err), 0);
	close(fd);
	fd = log_open(path, -1, &err);
	ok_int(log_append(fd, -1, "two\n", 4, &err), 0);
	ok_int(size_of(), 8);
	close(fd);
	leave();
}

static void closes_a_torn_line(void)
{
	int fd;

	enter();
	fd = log_open(path, -1, &err);
	ok_int((int)write(fd, "torn", 4), 4);
	close(fd);
	fd = log_open(path, -1, &err);
	ok_int(size_of(), 5);
	close(fd);
	leave();
}

static void a_link_or_fifo_is_refused(void)
{
	enter();
	path[strlen(path) - 8] = '\0'; /* .../ */
	strcat(path, "/log");
	ok_int(symlink("/dev/null", path), 0);
	ok(log_open(path, -1, &err) < 0);
	ok_has(err.what, "log");
	(void)unlink(path);
	ok_int(mkfifo(path, 0600), 0);
	ok(log_open(path, -1, &err) < 0);
	leave();
}

static void a_short_write_is_taken_back(void)
{
	struct rlimit old, small = { 6, 0 };
	int fd;

	enter();
	fd = log_open(path, -1, &err);
	ok_int(log_append(fd, -1, "one\n", 4, &err), 0);
	ok_int(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	ok_int(setrlimit(RLIMIT_FSIZE, &small), 0);
	ok(log_append(fd, -1, "second\n", 7, &err) < 0);
	ok_int(setrlimit(RLIMIT_FSIZE, &old), 0);
	ok_int(size_of(), 4);
	close(fd);
	leave();
}

/* What the log is after one more line. */
static void append_is(const char *before, const char *want)
{
	char got[200] = "";
	int fd;

	enter();
	fd = log_open(path, -1, &err);
	ok_int((int)write(fd, before, strlen(before)), (int)strlen(before));
	ok_int(log_append(fd, -1, "{\"n\":1}\n", 8, &err), 0);
	ok(pread(fd, got, sizeof got - 1, 0) > 0);
	ok(strcmp(got, want) == 0);
	close(fd);
	leave();
}

static void what_somebody_died_in_is_taken_away(void)
{
	append_is("{\"a\":1}\n{\"ts\":\"20", "{\"a\":1}\n{\"n\":1}\n");
	append_is("{\"ts\"", "{\"n\":1}\n");
	append_is("{\"a\":1}\n{\"b\":1}\n{\"",
		  "{\"a\":1}\n{\"b\":1}\n{\"n\":1}\n");
	append_is("{\"a\":1}", "{\"a\":1}\n{\"n\":1}\n");
	append_is("{\"a\":1}\nmy notes", "{\"a\":1}\nmy notes\n{\"n\":1}\n");
	append_is("", "{\"n\":1}\n");
	append_is("\n", "\n{\"n\":1}\n");
}

static void a_limit_is_an_error_and_no_signal(void)
{
	struct rlimit old, small = { 6, 0 };
	int fd;

	enter();
	fd = log_open(path, -1, &err);
	ok_int(log_append(fd, -1, "one\n", 4, &err), 0);
	ok_int(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_DFL);
	ok_int(setrlimit(RLIMIT_FSIZE, &small), 0);
	ok_int(log_append(fd, -1, "second\n", 7, &err), -EFBIG);
	ok_int(log_append(fd, -1, "2\n", 2, &err), 0);
	ok_int(setrlimit(RLIMIT_FSIZE, &old), 0);
	ok_int(size_of(), 6);
	close(fd);
	leave();
}

#define WRITER_LINES 2000
#define LINE_MAX_    30000

/* A line of a writer: its letter, repeated as often as the number says. */
static void line_fill(char *line, int letter, size_t n)
{
	memset(line, letter, n);
	memcpy(line, "{\"a\":\"", 6);
	memcpy(line + n - 3, "\"}\n", 3);
}

static void writer_run(int letter, int lines, size_t least)
{
	static char line[1 << 20];
	int fd = log_open(path, -1, &err);

	srand((unsigned)letter);
	for (int i = 0; i < lines; i++) {
		size_t n = least + (size_t)rand() % LINE_MAX_;

		line_fill(line, letter, n);
		if (log_append(fd, -1, line, n, &err) < 0)
			_exit(1);
	}
	_exit(0);
}

/* Check that every line is whole and of one writer; returns how many there
 * are. */
static int lines_check(void)
{
	static char line[1 << 20];
	FILE *f = fopen(path, "r");
	int lines = 0;

	while (fgets(line, sizeof line, f) != NULL) {
		size_t n = strlen(line);

		lines++;
		ok(n >= 10 && memcmp(line, "{\"a\":\"", 6) == 0 &&
		   memcmp(line + n - 3, "\"}\n", 3) == 0 &&
		   strspn(line + 6, (char[]){ line[6], '\0' }) == n - 9);
	}
	(void)fclose(f);
	return lines;
}

static void two_processes_interleave_by_line(void)
{
	pid_t child[2];
	int status;

	enter();
	close(log_open(path, -1, &err));
	for (int i = 0; i < 2; i++) {
		child[i] = fork();
		if (child[i] == 0)
			writer_run('A' + i, WRITER_LINES, 10);
	}
	for (int i = 0; i < 2; i++) {
		ok(waitpid(child[i], &status, 0) == child[i]);
		ok_int(status, 0);
	}
	ok_int(lines_check(), 2 * WRITER_LINES);
	leave();
}

static void killed_writers_leave_whole_lines(void)
{
	enter();
	close(log_open(path, -1, &err));
	for (int i = 0; i < 30; i++) {
		pid_t child = fork();

		if (child == 0)
			writer_run('A' + i % 26, 1 << 20, 900000);
		/* Some are killed in their first line; the last of them have
		 * time for a line on a slow machine as well. */
		usleep((useconds_t)(3000 + 4000 * i + rand() % 9000));
		ok_int(kill(child, SIGKILL), 0);
		ok(waitpid(child, NULL, 0) == child);
	}
	close(log_open(path, -1, &err));
	ok(lines_check() > 0);
	leave();
}

static bool map_write(const char *name, const char *text)
{
	FILE *f = fopen(name, "w");

	return f != NULL && fputs(text, f) >= 0 && fclose(f) == 0;
}

/* This runs in a mount namespace of its own, if the host allows one. */
static void full_run(void)
{
	char uids[40], gids[40];
	int fd, e = 0, lines = 0;

	(void)snprintf(uids, sizeof uids, "0 %u 1", getuid());
	(void)snprintf(gids, sizeof gids, "0 %u 1", getgid());
	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 ||
	    !map_write("/proc/self/setgroups", "deny") ||
	    !map_write("/proc/self/uid_map", uids) ||
	    !map_write("/proc/self/gid_map", gids) ||
	    mount("none", dir, "tmpfs", 0, "size=64k") < 0)
		_exit(77);
	(void)snprintf(path, sizeof path, "%s/log", dir);
	fd = log_open(path, -1, &err);
	for (; e == 0 && lines < 1000; lines++) {
		char line[5001];

		line_fill(line, 'A', sizeof line);
		e = log_append(fd, -1, line, sizeof line, &err);
	}
	tap_bad = 0;
	ok_int(e, -ENOSPC);
	ok_int(lines_check(), lines - 1);
	ok_has(err.what, "No space left");
	_exit(tap_bad != 0);
}

static void a_full_file_system_takes_nothing_of_it(void)
{
	int status = 0;
	pid_t child;

	enter();
	child = fork();
	if (child == 0)
		full_run();
	ok(waitpid(child, &status, 0) == child);
	leave();
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		skip("no mount namespace here");
	ok_int(status, 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(makes_folder_and_file_private), CASE(closes_a_torn_line),
		CASE(a_link_or_fifo_is_refused),
		CASE(a_short_write_is_taken_back),
		CASE(what_somebody_died_in_is_taken_away),
		CASE(a_limit_is_an_error_and_no_signal),
		CASE(two_processes_interleave_by_line),
		CASE(killed_writers_leave_whole_lines),
		CASE(a_full_file_system_takes_nothing_of_it), TAP_END });
}
