/* jobs_log.c -- the run log: appended whole, never through a link. */
#include "jobs/confirm/log.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/stat.h>
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
	fd = log_open(path, &err);
	ok(fd >= 0);
	ok_int(stat(path, &st), 0);
	ok_int(st.st_mode & 0777, 0600);
	ok_int(log_append(fd, "one\n", 4, &err), 0);
	close(fd);
	fd = log_open(path, &err);
	ok_int(log_append(fd, "two\n", 4, &err), 0);
	ok_int(size_of(), 8);
	close(fd);
	leave();
}

static void closes_a_torn_line(void)
{
	int fd;

	enter();
	fd = log_open(path, &err);
	ok_int((int)write(fd, "torn", 4), 4);
	close(fd);
	fd = log_open(path, &err);
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
	ok(log_open(path, &err) < 0);
	ok_has(err.what, "log");
	(void)unlink(path);
	ok_int(mkfifo(path, 0600), 0);
	ok(log_open(path, &err) < 0);
	leave();
}

static void a_short_write_is_taken_back(void)
{
	struct rlimit old, small = { 6, 0 };
	int fd;

	enter();
	fd = log_open(path, &err);
	ok_int(log_append(fd, "one\n", 4, &err), 0);
	ok_int(getrlimit(RLIMIT_FSIZE, &old), 0);
	small.rlim_max = old.rlim_max;
	signal(SIGXFSZ, SIG_IGN);
	ok_int(setrlimit(RLIMIT_FSIZE, &small), 0);
	ok(log_append(fd, "second\n", 7, &err) < 0);
	ok_int(setrlimit(RLIMIT_FSIZE, &old), 0);
	ok_int(size_of(), 4);
	close(fd);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(makes_folder_and_file_private), CASE(closes_a_torn_line),
		CASE(a_link_or_fifo_is_refused),
		CASE(a_short_write_is_taken_back), TAP_END });
}
