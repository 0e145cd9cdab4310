/* output.c -- see output.h.
 *
 * The directory may have come with the repository.  So everything in it is
 * opened by name under its descriptor, never through a link, and a file is
 * written as a new one that replaces the old one. */
#include "jobs/gather/output.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/hooks.h"
#include "base/outfile.h"
#include "jobs/common/lock.h"

#define LOCK_WAIT_MS 30000
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
	return cupel_fail(
		err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, ELOOP,
		"the output, %.300s: is a symbolic link, which is not followed",
		name);
}

static int refuse_place(const char *out, int sys, struct cupel_error *err)
{
	bool is_ours = strcmp(out, OUTPUT_DIR) == 0;

	return cupel_fail(
		err, CUPEL_STAGE_JOB,
		cupel_cause_of(sys) == CUPEL_CAUSE_BUSY ? CUPEL_CAUSE_BUSY
							: CUPEL_CAUSE_CALLER,
		sys, "--out %.300s: cannot be written: %s%s", out,
		strerror(sys),
		is_ours ? "; choose another place with --out DIR" : "");
}

/* The directory name below parent, no link. */
static int directory_open(int parent_fd, const char *name, const char *shown,
			  bool can_make, struct cupel_error *err)
{
	int fd = outfile_open_folder(parent_fd, name, can_make ? 0700 : 0);

	if (fd == -ELOOP)
		return refuse_link(err, shown);
	return fd < 0 ? refuse_place(shown, -fd, err) : fd;
}

/* DIR into the directory above it and the last name. */
static int parent_open(const char *out, char name[NAME_MAX + 1],
		       struct cupel_error *err)
{
	struct cupel_error why = { 0 };
	int fd = outfile_open_dir(out, 0, name, &why);

	return fd >= 0 ? fd
		       : cupel_fail(err, CUPEL_STAGE_JOB, why.cause, why.sys,
				    "--out %s", why.what);
}

static bool is_same(int a_fd, int b_fd)
{
	struct stat a, b;

	return fstat(a_fd, &a) == 0 && fstat(b_fd, &b) == 0 &&
	       a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* A .gitignore keeps it out of version control.  An existing one is left
 * alone. */
static void gitignore_make(int out_fd)
{
	owned_fd int fd = outfile_make(out_fd, ".gitignore", 0600);

	if (fd >= 0 && outfile_write(fd, "*\n", 2) < 0)
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
		return fd;
	if (is_same(fd, root_fd))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "--out %.300s: is the repository itself; "
				  "choose another directory",
				  out ? out : OUTPUT_DIR);
	if (can_make)
		gitignore_make(fd);
	return take_fd(&fd);
}

int output_can_write(int root_fd, const char *out, struct cupel_error *err)
{
	owned_fd int fd = output_open(root_fd, out, false, err);
	owned_fd int above = -1;
	char name[NAME_MAX + 1];

	if (fd < 0 && fd != -ENOENT)
		return fd;
	if (fd < 0 && out != NULL)
		above = parent_open(out, name, err);
	if (fd < 0 && out != NULL && above < 0)
		return above;
	if (faccessat(fd >= 0      ? fd
		      : above >= 0 ? above
				   : root_fd,
		      ".", W_OK | X_OK, AT_EACCESS) == 0)
		return 0;
	return refuse_place(out ? out : OUTPUT_DIR, errno, err);
}

int output_lock(int out_fd, int stop_fd, struct cupel_error *err)
{
	int e = lock_take(out_fd, LOCK_EX, LOCK_WAIT_MS, stop_fd);

	if (e == -EBUSY)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, EBUSY,
				  "the output: another gather has held its "
				  "lock for half a minute");
	return e == 0 || e == -EINTR ? e : fail(err, "lock", -e);
}

int output_put(int out_fd, const char *name, const char *bytes, size_t n,
	       struct cupel_error *err)
{
	char fresh[NAME_MAX + 1];
	owned_fd int fd = -1;
	int e;

	/* All gathers use one temporary name; the owner of the lock may remove
	 * it. */
	(void)snprintf(fresh, sizeof fresh, "%s%s",
		       test_wall_is_down(TEST_WALL_OUTPUT_FRESH) ? ""
								 : NEW_PREFIX,
		       name);
	if (!test_wall_is_down(TEST_WALL_OUTPUT_FRESH) &&
	    unlinkat(out_fd, fresh, 0) < 0 && errno != ENOENT)
		return fail(err, fresh, errno);
	fd = outfile_make(out_fd, fresh, 0600);
	if (fd < 0)
		return fail(err, fresh, -fd);
	e = outfile_write(fd, bytes, n);
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
