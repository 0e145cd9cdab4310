/* outfile_path.c -- follows the path to a file that is written, and reports
 * faults in it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/hooks.h"
#include "base/outfile_private.h"

bool outfile_links_are_followed(void)
{
	return test_wall_is_down(TEST_WALL_OUTFILE_LINKS) ||
	       test_wall_is_down(TEST_WALL_OUTPUT_LINKS);
}

static const char *words(int sys)
{
	switch (sys) {
	case ELOOP:
		return "is a symbolic link, which is not followed";
	case ENXIO:
		return "is a fifo that no process reads";
	case EINVAL:
		return "does not name a file";
	case ENOTSUP:
		return "is not a regular file, a fifo or a character device";
	case EMLINK:
		return "has other names (hard links), which would change as "
		       "well";
	case OUTFILE_NOT_REGULAR:
		return "is not a regular file, so lines cannot be appended to "
		       "it";
	case OUTFILE_NOT_OURS:
		return "belongs to another user";
	default:
		return strerror(sys);
	}
}

/* path[0..n-1] is the faulty part. */
static int fail(struct cupel_error *err, const char *path, size_t n, int sys)
{
	return cupel_fail(
		err, CUPEL_STAGE_SPEC,
		cupel_cause_of(sys) == CUPEL_CAUSE_BUSY ? CUPEL_CAUSE_BUSY
							: CUPEL_CAUSE_CALLER,
		sys, "%.*s: %s", (int)(n < 300 ? n : 300), path, words(sys));
}

int outfile_fail(struct cupel_error *err, const char *path, int sys)
{
	return fail(err, path, strlen(path), sys);
}

int outfile_find_descriptor(const char *path)
{
	static const char *const dirs[] = { "/dev/fd/", "/proc/self/fd/" };
	static const char *const names[] = { "/dev/stdin", "/dev/stdout",
					     "/dev/stderr" };

	for (int i = 0; i < 3; i++)
		if (strcmp(path, names[i]) == 0)
			return i;
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++) {
		size_t n = strlen(dirs[i]);
		char *end;
		long fd;

		if (strncmp(path, dirs[i], n) != 0 || path[n] < '0' ||
		    path[n] > '9')
			continue;
		fd = strtol(path + n, &end, 10);
		return *end == '\0' && fd <= INT_MAX ? (int)fd : -1;
	}
	return -1;
}

/* Whether name, a link in the system's own directory, is the system's. */
static bool is_system_link(int at_fd, const char *name)
{
	struct stat dir, link;

	return fstatat(at_fd, "", &dir, AT_EMPTY_PATH) == 0 &&
	       fstatat(at_fd, name, &link, AT_SYMLINK_NOFOLLOW) == 0 &&
	       dir.st_uid == 0 && (dir.st_mode & 022) == 0 && link.st_uid == 0;
}

/* Returns a descriptor or -errno; -ELOOP: a link. */
static int step_open(int at_fd, const char *name, mode_t make, bool is_system)
{
	int nofollow = outfile_links_are_followed() ? 0 : O_NOFOLLOW;
	struct stat st;
	int fd, sys;

	if (make != 0 && mkdirat(at_fd, name, make) < 0 && errno != EEXIST)
		return -errno;
	fd = openat(at_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC | nofollow);
	if (fd >= 0)
		return fd;
	sys = errno;
	if (fstatat(at_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISLNK(st.st_mode))
		return -sys;
	if (!is_system || !is_system_link(at_fd, name))
		return -ELOOP;
	fd = openat(at_fd, name, O_PATH | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

/* Take the next name of *path.  Returns whether it is the last one. */
static int name_take(const char **path, char name[NAME_MAX + 1])
{
	const char *at = *path + strspn(*path, "/");
	size_t n = strcspn(at, "/");

	if (n > NAME_MAX)
		return -ENAMETOOLONG;
	memcpy(name, at, n);
	name[n] = '\0';
	*path = at + n;
	return at[n + strspn(at + n, "/")] == '\0';
}

int outfile_open_dir(const char *path, mode_t make, char ret_name[NAME_MAX + 1],
		     struct cupel_error *err)
{
	owned_fd int at = openat(AT_FDCWD, path[0] == '/' ? "/" : ".",
				 O_PATH | O_DIRECTORY | O_CLOEXEC);
	bool is_system = path[0] == '/';
	const char *next = path;
	char name[NAME_MAX + 1];

	if (at < 0)
		return outfile_fail(err, path, errno);
	for (;;) {
		int r = name_take(&next, name);
		int below;

		if (r < 0)
			return outfile_fail(err, path, -r);
		if (r > 0)
			break;
		below = step_open(at, name, make, is_system);
		if (below < 0)
			return fail(err, path, (size_t)(next - path), -below);
		is_system = is_system && strcmp(name, "var") == 0;
		cleanup_fd(&at);
		at = below;
	}
	if (path[0] == '\0')
		return outfile_fail(err, path, ENOENT);
	if (name[0] == '\0' || strcmp(name, ".") == 0 ||
	    strcmp(name, "..") == 0)
		return outfile_fail(err, path, EINVAL);
	memcpy(ret_name, name, sizeof name);
	return take_fd(&at);
}

int outfile_open_folder(int dir_fd, const char *name, mode_t make)
{
	bool is_new = make != 0 && mkdirat(dir_fd, name, make) == 0;
	owned_fd int at = step_open(dir_fd, name, 0, false);
	int fd;

	if (at < 0)
		return at;
	fd = openat(at, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* the umask may have taken more than the others' bits */
	if (fd >= 0 && is_new && fchmod(fd, make) < 0) {
		(void)close(fd);
		return -EPERM;
	}
	return fd < 0 ? -errno : fd;
}
