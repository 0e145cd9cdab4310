/* keep_tree.c -- writes a tree of a cache: what is new or changed is copied out
 * of the dead vessel's tmpfs, the rest is linked. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/hooks.h"
#include "base/outfile.h"
#include "supervise/keep.h"

#define COPY_BYTES 65536
#define OPEN_DIR   (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
#define OPEN_FILE  (O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
#define OPAQUE     "user.overlay.opaque" /* overlayfs: nothing below shows */

struct tree {
	const struct keep *keep;
	struct kept *ret;
	const char *why;
};

/* One directory of the three; old and upper are -1 where there is none. */
struct place {
	int old, upper, made;
	unsigned depth;
};

static bool fail(struct tree *t, const char *why)
{
	if (t->why == NULL)
		t->why = why;
	return false;
}

static bool goes_on(struct tree *t)
{
	const char *why = keep_why_over(t->keep);

	return why == NULL || fail(t, why);
}

/* Count a name, and what a file of that size takes at most. */
static bool count(struct tree *t, uint64_t bytes)
{
	uint64_t cap = test_wall_is_down(TEST_WALL_KEEP_SIZE) ? UINT64_MAX
							      : t->keep->bytes;
	uint64_t room = cap - t->ret->bytes;

	if (!goes_on(t))
		return false;
	if (++t->ret->entries > KEEP_ENTRIES_MAX)
		return fail(t, "too_many");
	if (bytes > room || KEEP_BLOCK > room - bytes ||
	    KEEP_BLOCK - 1 > room - bytes - KEEP_BLOCK)
		return fail(t, "too_large");
	t->ret->bytes +=
		KEEP_BLOCK + (bytes + KEEP_BLOCK - 1) / KEEP_BLOCK * KEEP_BLOCK;
	return true;
}

/* Give it to whom the tree belongs, then set the mode, which loses whatever the
 * command set besides "executable". */
static bool dress(struct tree *t, int fd, const struct stat *st)
{
	bool is_dir = S_ISDIR(st->st_mode);
	mode_t mode = is_dir || (st->st_mode & 0100) != 0 ? 0755 : 0644;
	const struct timespec times[2] = { st->st_mtim, st->st_mtim };

	if (test_wall_is_down(TEST_WALL_KEEP_MODE))
		mode = st->st_mode & 07777;
	if ((geteuid() == 0 && fchown(fd, t->keep->uid, t->keep->gid) < 0) ||
	    fchmod(fd, mode) < 0 || futimens(fd, times) < 0)
		return fail(t, "write_failed");
	return true;
}

static bool bytes_copy(struct tree *t, int from, int to, uint64_t size)
{
	char bytes[COPY_BYTES];
	uint64_t at = 0;

	while (at < size) {
		ssize_t n = pread(from, bytes, sizeof bytes, (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || (uint64_t)n > size - at)
			return fail(t, "unreadable");
		if (!goes_on(t))
			return false;
		if (outfile_write(to, bytes, (size_t)n) < 0)
			return fail(t, "write_failed");
		at += (uint64_t)n;
	}
	return true;
}

static bool file_write(struct tree *t, const struct place *p, const char *name)
{
	owned_fd int from = openat(p->upper, name, OPEN_FILE);
	owned_fd int to = -1;
	struct stat st;

	if (from < 0 && errno == EACCES) { /* the command has closed it */
		t->ret->left_out++;
		return true;
	}
	if (from < 0 || fstat(from, &st) < 0 || !S_ISREG(st.st_mode))
		return fail(t, "unreadable");
	if (!count(t, (uint64_t)st.st_size))
		return false;
	to = outfile_make(p->made, name, 0600);
	if (to < 0)
		return fail(t, "write_failed");
	return bytes_copy(t, from, to, (uint64_t)st.st_size) &&
	       dress(t, to, &st);
}

/* Whether a link stays in the tree: it begins with no more ".." than there are
 * directories above it, and has none after that.  Those directories are real
 * ones, and every other link that it passes is of this form, too. */
static bool is_within(const char *to, unsigned depth)
{
	unsigned up = 0;
	bool is_down = false;

	if (to[0] == '/' || to[0] == '\0')
		return false;
	while (*to != '\0') {
		size_t n = strcspn(to, "/");
		bool is_up = n == 2 && to[0] == '.' && to[1] == '.';

		if (is_up && (is_down || ++up > depth))
			return false;
		is_down |= !is_up && n > 0 && !(n == 1 && to[0] == '.');
		to += n + strspn(to + n, "/");
	}
	return true;
}

static bool link_write(struct tree *t, const struct place *p, const char *name)
{
	char to[PATH_MAX];
	ssize_t n = readlinkat(p->upper, name, to, sizeof to - 1);

	if (n > 0)
		to[n] = '\0';
	if (n <= 0 || (!is_within(to, p->depth) &&
		       !test_wall_is_down(TEST_WALL_KEEP_LINKS))) {
		t->ret->left_out++;
		return true;
	}
	if (!count(t, (uint64_t)n))
		return false;
	if (symlinkat(to, p->made, name) < 0 ||
	    (geteuid() == 0 && fchownat(p->made, name, t->keep->uid,
					t->keep->gid, AT_SYMLINK_NOFOLLOW) < 0))
		return fail(t, "write_failed");
	return true;
}

static bool place_write(struct tree *t, const struct place *p);

/* Open a directory of one of the two trees; from is -1 where there is none.
 * *ret stays -1 when nothing there has the name, or what has it is no directory.
 * Anything else must not look like that: what was written would be lost, and
 * what was removed come back. */
static bool dir_open(struct tree *t, int from, const char *name, int *ret)
{
	*ret = from < 0 ? -1 : openat(from, name, OPEN_DIR);
	return from < 0 || *ret >= 0 || errno == ENOENT || errno == ENOTDIR ||
	       errno == ELOOP || fail(t, "unreadable");
}

/* A directory that is in the old tree, in what was written, or in both. */
static bool dir_write(struct tree *t, const struct place *p, const char *name,
		      const struct stat *st)
{
	owned_fd int old = -1, upper = -1, made = -1;
	char byte;

	if (p->depth >= KEEP_DEPTH_MAX)
		return fail(t, "too_deep");
	if (!dir_open(t, p->old, name, &old) ||
	    !dir_open(t, p->upper, name, &upper))
		return false;
	if (old < 0 && upper < 0)
		return fail(t, "unreadable");
	if (old >= 0 && upper >= 0 && fgetxattr(upper, OPAQUE, &byte, 1) == 1)
		cleanup_fd(&old);
	if (!count(t, 0))
		return false;
	if (mkdirat(p->made, name, 0700) == 0)
		made = openat(p->made, name, OPEN_DIR);
	if (made < 0)
		return fail(t, "write_failed");
	return place_write(t,
			   &(struct place){ old, upper, made, p->depth + 1 }) &&
	       dress(t, made, st);
}

static bool upper_entry(struct tree *t, const struct place *p, const char *name,
			const struct stat *st)
{
	switch (st->st_mode & S_IFMT) {
	case S_IFDIR:
		return dir_write(t, p, name, st);
	case S_IFREG:
		return file_write(t, p, name);
	case S_IFLNK:
		return link_write(t, p, name);
	case S_IFCHR: /* overlayfs: the name was removed */
		t->ret->left_out += st->st_rdev != 0;
		return true;
	default:
		t->ret->left_out++;
		return true;
	}
}

/* What an earlier run left and this one did not touch. */
static bool old_entry(struct tree *t, const struct place *p, const char *name,
		      const struct stat *st)
{
	const struct place only = { p->old, -1, p->made, p->depth };

	if (S_ISDIR(st->st_mode))
		return dir_write(t, &only, name, st);
	if (!S_ISREG(st->st_mode) && !S_ISLNK(st->st_mode)) {
		t->ret->left_out++;
		return true;
	}
	if (!count(t, (uint64_t)st->st_size))
		return false;
	return linkat(p->old, name, p->made, name, 0) == 0 ||
	       fail(t, "write_failed");
}

/* Do one name of one of the two directories. */
static bool name_write(struct tree *t, const struct place *p, const char *name,
		       bool is_old)
{
	struct stat st;

	if (is_old && p->upper >= 0) {
		if (fstatat(p->upper, name, &st, AT_SYMLINK_NOFOLLOW) == 0)
			return true; /* it was done there */
		if (errno != ENOENT)
			return fail(t, "unreadable");
	}
	if (fstatat(is_old ? p->old : p->upper, name, &st,
		    AT_SYMLINK_NOFOLLOW) < 0)
		return fail(t, "unreadable");
	return is_old ? old_entry(t, p, name, &st)
		      : upper_entry(t, p, name, &st);
}

/* Do all names of one of the two directories. */
static bool names_write(struct tree *t, const struct place *p, bool is_old)
{
	owned_fd int fd = openat(is_old ? p->old : p->upper, ".", OPEN_DIR);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *e;
	bool is_ok = true;

	if (dir == NULL)
		return fail(t, "unreadable");
	(void)take_fd(&fd);
	while (is_ok) {
		errno = 0;
		e = readdir(dir);
		if (e == NULL) {
			is_ok = errno == 0 || fail(t, "unreadable");
			break;
		}
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			is_ok = name_write(t, p, e->d_name, is_old);
	}
	(void)closedir(dir);
	return is_ok;
}

static bool place_write(struct tree *t, const struct place *p)
{
	return (p->upper < 0 || names_write(t, p, false)) &&
	       (p->old < 0 || names_write(t, p, true));
}

const char *keep_tree_write(const struct keep *k, int old_fd, int upper_fd,
			    int new_fd, struct kept *ret)
{
	struct tree t = { .keep = k, .ret = ret };
	struct stat st;

	if (fstat(upper_fd, &st) < 0)
		return "unreadable";
	if (place_write(&t, &(struct place){ old_fd, upper_fd, new_fd, 0 }))
		(void)dress(&t, new_fd, &st);
	return t.why;
}
