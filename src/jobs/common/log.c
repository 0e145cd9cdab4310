/* log.c -- see log.h. */
#include "jobs/common/log.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"
#include "boundary/json.h"
#include "jobs/common/lock.h"

/* Holders of the lock append one line, so whoever holds it for half a minute is
 * not one of us. */
#define LOCK_WAIT_MS 30000

static int fail(struct cupel_error *err, const char *path, int sys)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, sys,
			  "%s: cannot be appended to: %s", path, strerror(sys));
}

/* A file system without locks still has O_APPEND, which is enough as long as no
 * writer dies. */
static int lock(int fd, int stop_fd, const char *path, struct cupel_error *err)
{
	int e = lock_take(fd, LOCK_EX, LOCK_WAIT_MS, stop_fd);

	if (e == -EBUSY)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, EBUSY,
				  "%s: another program has held its lock for "
				  "half a minute",
				  path);
	if (e == -EINTR)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, EINTR,
				  "%s: stopped while another program held its "
				  "lock",
				  path);
	return 0;
}

static int unlock(int fd, int e)
{
	(void)flock(fd, LOCK_UN);
	return e;
}

/* Read the bytes behind the file's last newline into *ret; returns how many.
 * More than a line may have: returns 0, because that is not ours. */
static size_t tail_read(int fd, off_t size, char **ret)
{
	size_t n =
		(size_t)size < LOG_LINE_BYTES ? (size_t)size : LOG_LINE_BYTES;
	owned_mem char *bytes = malloc(n);
	const char *eol;

	if (bytes == NULL || pread(fd, bytes, n, size - (off_t)n) != (ssize_t)n)
		return 0;
	eol = memrchr(bytes, '\n', n);
	if (eol == NULL && (size_t)size > n)
		return 0;
	if (eol != NULL) {
		n -= (size_t)(eol + 1 - bytes);
		memmove(bytes, eol + 1, n);
	}
	*ret = take_ptr(bytes);
	return n;
}

static bool is_torn_record(const char *bytes, size_t n)
{
	const struct json_caps caps = { .text_bytes = LOG_LINE_BYTES };
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error e;
	bool is_whole;

	if (n == 0 || bytes[0] != '{')
		return false;
	is_whole = json_parse(bytes, n, &caps, &arena, &v, &e) == 0;
	arena_done(&arena);
	return !is_whole && e.code != JSON_NO_MEMORY;
}

/* Call it under the lock: makes the file end with a newline and updates
 * *size. */
static int tail_end(int fd, off_t *size)
{
	owned_mem char *tail = NULL;
	char last = '\n';
	size_t n;

	if (*size == 0 || pread(fd, &last, 1, *size - 1) != 1 || last == '\n')
		return 0;
	n = tail_read(fd, *size, &tail);
	if (is_torn_record(tail, n)) {
		*size -= (off_t)n;
		return ftruncate(fd, *size) < 0 ? -errno : 0;
	}
	if (write(fd, "\n", 1) != 1)
		return -errno;
	++*size;
	return 0;
}

/* The directory of path; made (0700) when only that one is missing. */
static int folder_open(const char *path, char name[NAME_MAX + 1],
		       struct cupel_error *err)
{
	char last[NAME_MAX + 1], above[PATH_MAX];
	owned_fd int parent = -1;
	int fd = outfile_open_dir(path, 0, name, err);
	size_t n = strlen(path);

	if (fd != -ENOENT || n >= sizeof above)
		return fd;
	while (n > 0 && path[n - 1] != '/')
		n--;
	memcpy(above, path, n);
	above[n] = '\0';
	if (strlen(path + n) > NAME_MAX)
		return fail(err, path, ENAMETOOLONG);
	(void)snprintf(name, NAME_MAX + 1, "%s", path + n);
	parent = outfile_open_dir(above, 0, last, err);
	if (parent < 0)
		return parent;
	fd = outfile_open_folder(parent, last, 0700);
	return fd < 0 ? fail(err, path, -fd) : fd;
}

/* Whether it ends with a whole line. */
static int tail_take(int fd, int stop_fd, const char *path,
		     struct cupel_error *err)
{
	struct stat st;
	int e = lock(fd, stop_fd, path, err);

	if (e < 0)
		return e;
	e = fstat(fd, &st) < 0 ? -errno : tail_end(fd, &st.st_size);
	(void)unlock(fd, 0);
	return e < 0 ? fail(err, path, -e) : 0;
}

int log_open(const char *path, int stop_fd, struct cupel_error *err)
{
	char name[NAME_MAX + 1];
	owned_fd int dir = folder_open(path, name, err);
	owned_fd int fd =
		dir < 0 ? dir : outfile_open_log(dir, name, path, err);
	int e = fd < 0 ? fd : tail_take(fd, stop_fd, path, err);

	return e < 0 ? e : take_fd(&fd);
}

int log_open_in(const struct log_place *at, int stop_fd,
		struct cupel_error *err)
{
	owned_fd int dir = outfile_open_folder(at->root_fd, at->folder, 0700);
	owned_fd int fd = -1;
	int e;

	if (dir == -ELOOP)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  ELOOP,
				  "%s: its directory is a symbolic link, which "
				  "is not followed",
				  at->shown);
	if (dir < 0)
		return fail(err, at->shown, -dir);
	fd = outfile_open_log(dir, at->name, at->shown, err);
	e = fd < 0 ? fd : tail_take(fd, stop_fd, at->shown, err);
	return e < 0 ? e : take_fd(&fd);
}

static bool is_over_limit(off_t size, size_t n)
{
	struct rlimit limit;

	return getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	       limit.rlim_cur != RLIM_INFINITY &&
	       (rlim_t)size + n > limit.rlim_cur;
}

int log_put_line(int fd, const char *line, size_t n)
{
	struct stat st;
	ssize_t done;
	int e;

	if (fstat(fd, &st) < 0)
		return -errno;
	if (st.st_nlink == 0) /* it was removed: nobody would find the line */
		return -ESTALE;
	if (is_over_limit(st.st_size, n))
		return -EFBIG;
	do
		done = write(fd, line, n);
	while (done < 0 && errno == EINTR);
	if (done == (ssize_t)n)
		return 0;
	e = done < 0 ? -errno : -ENOSPC;
	/* Take back only our own part, and only while it is still at the
	 * end. */
	if (done > 0 && fstat(fd, &st) == 0 && st.st_size >= done &&
	    ftruncate(fd, st.st_size - done) < 0)
		return -errno;
	return e;
}

/* Under the lock. */
static int append(int fd, const char *line, size_t n)
{
	struct stat st;
	int e;

	if (fstat(fd, &st) < 0)
		return -errno;
	e = tail_end(fd, &st.st_size);
	return e < 0 ? e : log_put_line(fd, line, n);
}

int log_append(int fd, int stop_fd, const char *line, size_t n,
	       struct cupel_error *err)
{
	int e = lock(fd, stop_fd, "the log", err);

	if (e < 0)
		return e;
	e = unlock(fd, append(fd, line, n));
	return e < 0 ? fail(err, "the log", -e) : 0;
}
