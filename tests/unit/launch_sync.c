/* launch_sync.c -- cupel-sync: what it says of a disk, and that nobody waits for one
 * that never answers.  That disk is a FUSE file system whose server reads a request
 * to sync and does not answer it: nothing, not even SIGKILL, ends who waits there. */
#include "launch/sync.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/fuse.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tap.h"

#define WAIT_MS 20000

static void ok_childless(void)
{
	ok(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD);
}

static uint64_t now_ms(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static bool is_over(const struct helper *h, int ms)
{
	struct pollfd p = { .fd = h->control_fd, .events = POLLIN };

	return poll(&p, 1, ms) == 1;
}

/* What it says: 0 or 1, or -1 when it says nothing. */
static int answer_of(int fd, enum sync_what what)
{
	struct helper h = HELPER_NONE;
	char failed = -1;

	ok_int(sync_begin(fd, what, &h), 0);
	ok(is_over(&h, WAIT_MS));
	if (read(h.control_fd, &failed, 1) != 1)
		failed = -1;
	helper_close(&h);
	ok_childless();
	return failed;
}

/* The caller gets what its processes leave, as the first process of a container
 * does: that must be nothing. */
static void it_says_whether_all_is_on_the_disk(void)
{
	int file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	int dir = open("/tmp", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int ends[2];

	ok(file >= 0 && dir >= 0 && pipe2(ends, O_CLOEXEC) == 0);
	ok_int(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	ok_int(answer_of(file, SYNC_FILE), 0);
	ok_int(answer_of(dir, SYNC_FILE), 0);
	ok_int(answer_of(file, SYNC_FILESYSTEM), 0);
	ok_int(answer_of(ends[0], SYNC_FILE), 1); /* a pipe has no disk, */
	ok_int(answer_of(ends[0], SYNC_FILESYSTEM), 0); /* and pipes none */
	ok_int(prctl(PR_SET_CHILD_SUBREAPER, 0), 0);
	(void)close(file);
	(void)close(dir);
	(void)close(ends[0]);
	(void)close(ends[1]);
}

static int fds_count(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir) != NULL)
		n++;
	(void)closedir(dir);
	return n;
}

static void what_cannot_start_leaves_nothing(void)
{
	int file = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	int fds = fds_count(), failed = 0;
	struct rlimit all, few;

	ok_int(getrlimit(RLIMIT_NOFILE, &all), 0);
	for (rlim_t n = 4; n < 16; n++) {
		struct helper h = HELPER_NONE;

		few = (struct rlimit){ n, all.rlim_max };
		ok_int(setrlimit(RLIMIT_NOFILE, &few), 0);
		failed += sync_begin(file, SYNC_FILE, &h) < 0;
		ok_int(setrlimit(RLIMIT_NOFILE, &all), 0);
		helper_close(&h);
		ok_int(fds_count(), fds);
		ok_childless();
	}
	ok(failed > 0 && failed < 12);
	ok_int(sync_begin(-1, SYNC_FILE, &(struct helper){ 0 }), -EBADF);
	ok_int(fds_count(), fds);
	(void)close(file);
}

/* --- a disk that never answers ---------------------------------------------- */

static void fuse_answer(int fd, uint64_t unique, const void *bytes, size_t len)
{
	char out[1024];
	struct fuse_out_header head = {
		.len = (uint32_t)(sizeof head + len),
		.unique = unique,
	};

	memcpy(out, &head, sizeof head);
	memcpy(out + sizeof head, bytes, len);
	(void)!write(fd, out, head.len);
}

/* Serves a directory without names.  Writes a byte when it has read the request to
 * sync, and never answers that one. */
static void fuse_serve(int fd, int told_fd)
{
	static char in[FUSE_MIN_READ_BUFFER + 65536];

	while (read(fd, in, sizeof in) > 0) {
		struct fuse_in_header head;
		struct fuse_init_out init = { .major = FUSE_KERNEL_VERSION,
					      .minor = 31,
					      .max_write = 4096 };
		struct fuse_attr_out attr = {
			.attr = { .ino = 1, .mode = S_IFDIR | 0755, .nlink = 2 }
		};
		struct fuse_open_out opened = { .fh = 1 };

		memcpy(&head, in, sizeof head);
		if (head.opcode == FUSE_INIT)
			fuse_answer(fd, head.unique, &init, sizeof init);
		else if (head.opcode == FUSE_GETATTR)
			fuse_answer(fd, head.unique, &attr, sizeof attr);
		else if (head.opcode == FUSE_OPENDIR)
			fuse_answer(fd, head.unique, &opened, sizeof opened);
		else if (head.opcode == FUSE_FSYNCDIR)
			(void)!write(told_fd, "s", 1);
		else if (head.opcode != FUSE_FORGET)
			fuse_answer(fd, head.unique, "", 0);
	}
	_exit(0);
}

/* Mounted by a process of its own, which ends with us and takes it along.  Returns
 * the directory, or -1 with *ret_why. */
static int fuse_open(pid_t *ret_server, int *ret_told, const char **ret_why)
{
	char options[64], path[64];
	int told[2], dir;
	int fuse = open("/dev/fuse", O_RDWR | O_CLOEXEC);

	*ret_why = "this user cannot open /dev/fuse";
	if (fuse < 0)
		return -1;
	(void)snprintf(options, sizeof options,
		       "fd=%d,rootmode=40000,user_id=%u,group_id=%u", fuse,
		       geteuid(), getegid());
	ok_int(pipe2(told, O_CLOEXEC), 0);
	*ret_server = fork();
	if (*ret_server == 0) {
		(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (unshare(CLONE_NEWNS) < 0 ||
		    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
		    mount("test", "/mnt", "fuse", MS_NOSUID | MS_NODEV,
			  options) < 0)
			_exit(1);
		(void)!write(told[1], "m", 1);
		fuse_serve(fuse, told[1]);
	}
	(void)close(told[1]);
	(void)close(fuse); /* the server's copy is the last one */
	*ret_told = told[0];
	*ret_why = "this user cannot mount FUSE";
	if (read(told[0], path, 1) != 1) {
		(void)waitpid(*ret_server, NULL, 0);
		(void)close(told[0]);
		return -1;
	}
	(void)snprintf(path, sizeof path, "/proc/%d/root/mnt", *ret_server);
	dir = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ok(dir >= 0);
	return dir;
}

/* Who waits in vain: a child of the first process of cupel-sync, or 0. */
static pid_t waiting_pid(pid_t parent)
{
	char path[64], text[32] = "";
	int fd;

	(void)snprintf(path, sizeof path, "/proc/%d/task/%d/children", parent,
		       parent);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	(void)!read(fd, text, sizeof text - 1);
	(void)close(fd);
	return (pid_t)strtol(text, NULL, 10);
}

static const char *status_of(pid_t pid)
{
	static char text[4096];
	char path[64];
	int fd;
	ssize_t n;

	(void)snprintf(path, sizeof path, "/proc/%d/status", pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = read(fd, text, sizeof text - 1);
	text[n > 0 ? n : 0] = '\0';
	(void)close(fd);
	return text;
}

/* The disk does not let it go. */
static bool is_stuck(pid_t pid)
{
	return strstr(status_of(pid), "State:\tD") != NULL;
}

/* SIGKILL waits for it. */
static bool is_told_to_end(pid_t pid)
{
	const char *pending = strstr(status_of(pid), "SigPnd:\t");

	return pending != NULL &&
	       (strtoull(pending + 8, NULL, 16) & 1ULL << (SIGKILL - 1)) != 0;
}

static void nobody_waits_for_a_disk_that_hangs(void)
{
	struct helper h = HELPER_NONE;
	uint64_t begin;
	pid_t server, stuck;
	int told, ends[2];
	const char *why;
	int dir = fuse_open(&server, &told, &why);
	char byte;

	if (dir < 0)
		skip(why);
	ok_int(pipe2(ends, O_CLOEXEC), 0);
	ok_int(sync_begin(dir, SYNC_FILE, &h), 0);
	(void)close(ends[1]);
	ok_int(read(told, &byte, 1), 1); /* the disk has been asked */
	ok(!is_over(&h, 300));
	ok_int(read(ends[0], &byte, 1), 0); /* it has none of our pipes */
	stuck = waiting_pid(h.pid);
	ok(stuck > 0 && !is_told_to_end(stuck));
	begin = now_ms();
	helper_close(&h);
	ok(now_ms() - begin < 5000);
	for (int i = 0; i < 1000 && !is_stuck(stuck); i++)
		(void)poll(NULL, 0, 10);
	ok(is_stuck(stuck) && is_told_to_end(stuck));
	ok_int(waitpid(-1, NULL, WNOHANG | __WALL), 0); /* the server alone */
	(void)kill(server, SIGKILL);
	ok_int(waitpid(server, NULL, 0), server);
	(void)close(dir);
	(void)close(told);
	for (int i = 0; i < 1000 && is_stuck(stuck); i++)
		(void)poll(NULL, 0, 10);
	ok(!is_stuck(stuck));
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(it_says_whether_all_is_on_the_disk),
		CASE(what_cannot_start_leaves_nothing),
		CASE(nobody_waits_for_a_disk_that_hangs), TAP_END });
}
