/* output.c -- see output.h.
 *
 * The directory may have come with the repository: everything in it is opened
 * by name under its descriptor, nothing through a link, and what is written is
 * a new file that takes the old one's place. */
#include "jobs/gather/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/test_wall.h"

#define LOCK_TRIES   1500 /* of 20 ms each: half a minute */
#define LOCK_WAIT_MS 20
#define NEW_PREFIX   ".new."

static int fail(struct cupel_error *err, const char *name, int sys)
{
	return cupel_fail(err, CUPEL_STAGE_JOB,
			  cupel_cause_of(sys) == CUPEL_CAUSE_BUSY
				  ? CUPEL_CAUSE_BUSY
				  : CUPEL_CAUSE_CALLER,
			  sys, "the output, %.300s: %s", name, strerror(sys));
}

static int refuse_link(struct cupel_error *err, const char *name)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, ELOOP,
			  "the output, %.300s: a symbolic link, which is not "
			  "followed",
			  name);
}

/* The directory name below parent, no link. */
static int directory_open(int parent_fd, const char *name, const char *shown,
			  bool can_make, struct cupel_error *err)
{
	owned_fd int fd = -1;
	bool is_new = can_make && mkdirat(parent_fd, name, 0700) == 0;
	int nofollow = test_wall_is_down("output_links") ? 0 : O_NOFOLLOW;
	struct stat st;

	fd = openat(parent_fd, name,
		    O_RDONLY | O_DIRECTORY | O_CLOEXEC | nofollow);
	if (fd < 0) {
		int sys = errno;

		if (fstatat(parent_fd, name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    S_ISLNK(st.st_mode))
			return refuse_link(err, shown);
		return fail(err, shown, sys);
	}
	/* umask may have taken more than the others' bits */
	if (is_new && fchmod(fd, 0700) < 0)
		return fail(err, shown, errno);
	return take_fd(&fd);
}

/* DIR into the directory above it and the last name. */
static int parent_open(const char *out, char name[NAME_MAX + 1],
		       struct cupel_error *err)
{
	char path[PATH_MAX];
	size_t len = strlen(out);
	char *slash;
	int fd;

	while (len > 1 && out[len - 1] == '/')
		len--;
	if (len == 0 || len >= sizeof path)
		return fail(err, out, len == 0 ? ENOENT : ENAMETOOLONG);
	memcpy(path, out, len);
	path[len] = '\0';
	slash = strrchr(path, '/');
	len = strlen(slash ? slash + 1 : path);
	if (len > NAME_MAX)
		return fail(err, out, ENAMETOOLONG);
	memcpy(name, slash ? slash + 1 : path, len + 1);
	if (slash != NULL)
		slash[slash == path] = '\0';
	if (name[0] == '\0') /* the root directory */
		(void)snprintf(name, NAME_MAX + 1, ".");
	fd = open(slash ? path : ".", O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? fail(err, out, errno) : fd;
}

static bool is_same(int a_fd, int b_fd)
{
	struct stat a, b;

	return fstat(a_fd, &a) == 0 && fstat(b_fd, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* A new file of its own, or none. */
static int fresh_only(void)
{
	return test_wall_is_down("output_fresh") ? O_TRUNC
						 : O_EXCL | O_NOFOLLOW;
}

/* So that no version control takes it in.  One that is there is left alone. */
static void gitignore_make(int out_fd)
{
	owned_fd int fd =
		openat(out_fd, ".gitignore",
		       O_WRONLY | O_CREAT | O_CLOEXEC | fresh_only(), 0600);

	if (fd >= 0 && write(fd, "*\n", 2) != 2)
		(void)unlinkat(out_fd, ".gitignore", 0);
}

int output_open(int root_fd, const char *out, bool can_make,
		struct cupel_error *err)
{
	char name[NAME_MAX + 1];
	owned_fd int parent = -1;
	owned_fd int fd = -1;

	if (out == NULL) {
		fd = directory_open(root_fd, OUTPUT_DIR, OUTPUT_DIR, can_make,
				    err);
	} else {
		parent = parent_open(out, name, err);
		if (parent < 0)
			return -EINVAL; /* made or not, it cannot be */
		fd = directory_open(parent, name, out, can_make, err);
	}
	if (fd < 0)
		return take_fd(&fd);
	if (is_same(fd, root_fd))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "--out %.300s: the repository itself; choose "
				  "a directory of its own",
				  out ? out : OUTPUT_DIR);
	if (can_make)
		gitignore_make(fd);
	return take_fd(&fd);
}

int output_lock(int out_fd, int stop_fd, struct cupel_error *err)
{
	for (int i = 0; flock(out_fd, LOCK_EX | LOCK_NB) != 0; i++) {
		struct pollfd p = { .fd = stop_fd, .events = POLLIN };

		if (errno != EWOULDBLOCK && errno != EINTR)
			return fail(err, "lock", errno);
		if (i == LOCK_TRIES)
			return cupel_fail(err, CUPEL_STAGE_JOB,
					  CUPEL_CAUSE_BUSY, EBUSY,
					  "the output: another gather has been "
					  "writing there for half a minute");
		if (poll(&p, 1, LOCK_WAIT_MS) > 0)
			return -EINTR;
	}
	return 0;
}

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t done = write(fd, bytes, n);

		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return -errno;
		bytes += done;
		n -= (size_t)done;
	}
	return 0;
}

int output_put(int out_fd, const char *name, const char *bytes, size_t n,
	       struct cupel_error *err)
{
	char fresh[NAME_MAX + 1];
	owned_fd int fd = -1;
	int e;

	/* One name for all: whoever has the lock may clear it away. */
	(void)snprintf(fresh, sizeof fresh, "%s%s",
		       test_wall_is_down("output_fresh") ? "" : NEW_PREFIX,
		       name);
	if (!test_wall_is_down("output_fresh") &&
	    unlinkat(out_fd, fresh, 0) < 0 && errno != ENOENT)
		return fail(err, fresh, errno);
	fd = openat(out_fd, fresh,
		    O_WRONLY | O_CREAT | O_CLOEXEC | fresh_only(), 0600);
	if (fd < 0)
		return fail(err, fresh, errno);
	e = write_all(fd, bytes, n);
	if (e == 0 && fchmod(fd, 0600) < 0)
		e = -errno;
	if (e == 0 && renameat(out_fd, fresh, out_fd, name) < 0)
		e = -errno;
	if (e == 0)
		return 0;
	(void)unlinkat(out_fd, fresh, 0);
	return fail(err, name, -e);
}

int output_runs(int out_fd, struct cupel_error *err)
{
	return directory_open(out_fd, OUTPUT_RUNS, OUTPUT_RUNS, true, err);
}

void output_drop(int out_fd, const char *name)
{
	(void)unlinkat(out_fd, name, 0);
}
