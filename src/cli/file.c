/* file.c -- read and replace whole files. */
#include "cli/file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "cli/cli.h"
#include "lib/file.h"

static int fail(struct cupel_error *err, const char *path, int sys)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, sys,
			  "%.300s: %s", path, strerror(sys));
}

int file_read_all(const char *path, size_t cap_bytes, struct buf *out,
		  struct cupel_error *err)
{
	if (strcmp(path, "-") != 0)
		return file_read(NULL, path, cap_bytes, out, err);
	return file_read_fd(NULL, path, STDIN_FILENO, cap_bytes, out, err);
}

/* The descriptor that path is another name of, or -1. */
static int find_descriptor(const char *path)
{
	static const char dir[] = "/dev/fd/";
	char *end;
	long n;

	if (strcmp(path, "/dev/stdout") == 0)
		return STDOUT_FILENO;
	if (strcmp(path, "/dev/stderr") == 0)
		return STDERR_FILENO;
	if (strncmp(path, dir, sizeof dir - 1) != 0 ||
	    path[sizeof dir - 1] < '0' || path[sizeof dir - 1] > '9')
		return -1;
	n = strtol(path + sizeof dir - 1, &end, 10);
	return *end == '\0' && n <= INT_MAX ? (int)n : -1;
}

/* Whether path is written to as it is.  Returns 1, 0, or -errno. */
static int is_stream(const char *path, struct cupel_error *err)
{
	struct stat st;

	if (find_descriptor(path) >= 0)
		return 1;
	if (lstat(path, &st) < 0)
		return errno == ENOENT ? 0 : fail(err, path, errno);
	if (S_ISLNK(st.st_mode))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  ELOOP, "%.300s: is a symbolic link", path);
	if (S_ISDIR(st.st_mode))
		return fail(err, path, EISDIR);
	return !S_ISREG(st.st_mode);
}

/* The directory part of path, as open(2) takes it. */
static void write_dir(const char *path, char out[PATH_MAX])
{
	const char *slash = strrchr(path, '/');
	size_t n = slash != NULL ? (size_t)(slash - path) : 0;

	if (slash == NULL)
		(void)snprintf(out, PATH_MAX, ".");
	else if (n == 0)
		(void)snprintf(out, PATH_MAX, "/");
	else
		(void)snprintf(out, PATH_MAX, "%.*s", (int)n, path);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash != NULL ? slash + 1 : path;
}

static int open_dir(const char *path, int *ret_fd, struct cupel_error *err)
{
	char dir[PATH_MAX];
	int fd;

	if (strlen(path) >= PATH_MAX - NAME_MAX || base_name(path)[0] == '\0')
		return fail(err, path, ENOENT);
	write_dir(path, dir);
	fd = open(dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (fd < 0)
		return fail(err, path, errno);
	*ret_fd = fd;
	return 0;
}

int file_can_write(const char *path, struct cupel_error *err)
{
	owned_fd int dir = -1;
	int r = is_stream(path, err);

	if (r != 0)
		return r < 0 ? r : 0;
	r = open_dir(path, &dir, err);
	if (r < 0)
		return r;
	if (faccessat(dir, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return fail(err, path, errno);
	return 0;
}

static int write_stream(const char *path, const char *bytes, size_t n,
			struct cupel_error *err)
{
	int fd = find_descriptor(path);
	owned_fd int own = -1;
	int r;

	if (fd < 0)
		fd = own = open(path,
				O_WRONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY);
	if (fd < 0)
		return fail(err, path, errno);
	r = cli_write(fd, bytes, n);
	return r < 0 ? fail(err, path, -r) : 0;
}

/* A new file beside the old one; its name goes to out. */
static int open_beside(int dir, const char *path, char out[NAME_MAX + 1],
		       struct cupel_error *err)
{
	for (unsigned i = 0; i < 100; i++) {
		int fd;

		(void)snprintf(out, NAME_MAX + 1, ".%.200s.%d.%u",
			       base_name(path), (int)getpid(), i);
		fd = openat(dir, out,
			    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW |
				    O_CLOEXEC,
			    0666);
		if (fd >= 0)
			return fd;
		if (errno != EEXIST)
			break;
	}
	return fail(err, path, errno);
}

int file_write(const char *path, const char *bytes, size_t n,
	       struct cupel_error *err)
{
	char name[NAME_MAX + 1];
	owned_fd int dir = -1, fd = -1;
	int r = is_stream(path, err);

	if (r < 0)
		return r;
	if (r > 0)
		return write_stream(path, bytes, n, err);
	r = open_dir(path, &dir, err);
	if (r < 0)
		return r;
	fd = open_beside(dir, path, name, err);
	if (fd < 0)
		return fd;
	r = cli_write(fd, bytes, n);
	if (r == 0 && renameat(dir, name, dir, base_name(path)) < 0)
		r = -errno;
	if (r < 0) {
		(void)unlinkat(dir, name, 0);
		return fail(err, path, -r);
	}
	return 0;
}
