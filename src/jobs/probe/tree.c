/* tree.c -- see tree.h.
 *
 * The outer directory is ours with mode 0700, so nobody else can change a name
 * between our steps.  The inner one can be read by the user that the vessel
 * runs as. */
#include "jobs/probe/tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"

#define PREFIX     "cupel-probe."
#define INNER      "repo"
#define BASE_BYTES (PATH_MAX - 64) /* our own names follow */
#define STALE_S    60

static int fail(struct cupel_error *err, const char *what, const char *name)
{
	int sys = errno;

	return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(sys), sys,
			  "a probe's inputs: %s: %.200s: %s", what, name,
			  strerror(sys));
}

static bool is_own(int fd, time_t made_before)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid() &&
	       (st.st_mode & 077) == 0 && st.st_mtime <= made_before;
}

/* --- where ----------------------------------------------------------------- */

/* The directory around all others: the caller's, or the user's own where there is
 * one. */
static int base_open(const char *wanted, char path[BASE_BYTES])
{
	const char *names[] = { wanted != NULL ? wanted
					       : getenv("XDG_RUNTIME_DIR"),
				wanted != NULL ? NULL : getenv("TMPDIR"),
				wanted != NULL ? NULL : "/tmp" };

	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		int fd = -1;

		if (names[i] != NULL && names[i][0] == '/')
			fd = open(names[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		if (fd >= 0 &&
		    faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) == 0 &&
		    snprintf(path, BASE_BYTES, "%s", names[i]) < BASE_BYTES)
			return fd;
		cleanup_fd(&fd);
	}
	errno = ENOENT;
	return -1;
}

static int entry_remove(const char *path, const struct stat *st, int type,
			struct FTW *at)
{
	(void)st;
	(void)type;
	(void)at;
	(void)remove(path);
	return 0;
}

/* Whether the process that made it is dead: it is ours, nobody holds its lock,
 * and it is too old to be between making and locking. */
static void stale_remove(int base_fd, const char *base, const char *name,
			 time_t made_before)
{
	char path[PATH_MAX];
	owned_fd int fd = openat(
		base_fd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 || !is_own(fd, made_before) ||
	    flock(fd, LOCK_EX | LOCK_NB) != 0)
		return;
	if (snprintf(path, sizeof path, "%s/%s", base, name) < (int)sizeof path)
		(void)nftw(path, entry_remove, 16,
			   FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
}

static void stale_remove_all(int base_fd, const char *base, time_t made_before)
{
	int fd = openat(base_fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *d = fd < 0 ? NULL : fdopendir(fd);
	struct dirent *e;

	if (d == NULL) {
		cleanup_fd(&fd);
		return;
	}
	while ((e = readdir(d)) != NULL)
		if (strncmp(e->d_name, PREFIX, sizeof PREFIX - 1) == 0)
			stale_remove(base_fd, base, e->d_name, made_before);
	(void)closedir(d);
}

static int outer_make(struct probe_tree *t, const char *wanted,
		      struct cupel_error *err)
{
	char base[BASE_BYTES];
	uint64_t random[2];

	t->base_fd = base_open(wanted, base);
	if (t->base_fd < 0)
		return fail(err, "there is no directory to make one in",
			    wanted != NULL ? wanted : "/tmp");
	/* Where the caller has a lock nobody is between making and locking. */
	stale_remove_all(t->base_fd, base,
			 wanted != NULL ? INT64_MAX : time(NULL) - STALE_S);
	if (getrandom(random, sizeof random, 0) != (ssize_t)sizeof random)
		return fail(err, "getrandom", base);
	(void)snprintf(t->name, sizeof t->name, PREFIX "%08llx%08llx",
		       (unsigned long long)random[0] & 0xffffffff,
		       (unsigned long long)random[1] & 0xffffffff);
	if (mkdirat(t->base_fd, t->name, 0700) < 0) {
		t->name[0] = '\0';
		return fail(err, "mkdir", base);
	}
	t->fd = openat(t->base_fd, t->name,
		       O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (t->fd < 0 || !is_own(t->fd, INT64_MAX) ||
	    flock(t->fd, LOCK_EX | LOCK_NB) != 0)
		return fail(err, "open", t->name);
	(void)snprintf(t->path, sizeof t->path, "%s/%s/" INNER, base, t->name);
	return 0;
}

/* --- what ------------------------------------------------------------------ */

/* The umask may be anything, so chmod sets the mode. */
static int directories_make(int root_fd, const char *name)
{
	char path[PATH_MAX];

	for (const char *s = strchr(name, '/'); s; s = strchr(s + 1, '/')) {
		size_t len = (size_t)(s - name);

		if (len >= sizeof path)
			return -ENAMETOOLONG;
		memcpy(path, name, len);
		path[len] = '\0';
		if (mkdirat(root_fd, path, 0700) == 0 &&
		    fchmodat(root_fd, path, 0755, 0) < 0)
			return -errno;
	}
	return 0;
}

static int bytes_copy(int from_fd, uint64_t offset, uint64_t n, int to_fd)
{
	char chunk[(size_t)64 << 10];

	while (n > 0) {
		size_t want = n < sizeof chunk ? (size_t)n : sizeof chunk;
		ssize_t got = pread(from_fd, chunk, want, (off_t)offset);

		if (got <= 0 || write(to_fd, chunk, (size_t)got) != got)
			return -EIO;
		offset += (uint64_t)got;
		n -= (uint64_t)got;
	}
	return 0;
}

static int file_make(int root_fd, const struct probe_inputs *in,
		     const struct gather_input *item, uint64_t offset)
{
	owned_fd int fd = -1;
	int e = directories_make(root_fd, item->name);

	if (e < 0)
		return e;
	fd = outfile_make(root_fd, item->name, 0600);
	if (fd < 0)
		return fd;
	if (fchmod(fd, 0444) < 0)
		return -errno;
	return bytes_copy(in->bytes_fd, offset, item->size, fd);
}

int tree_make(const struct probe_inputs *in, const char *base,
	      struct probe_tree *ret, struct cupel_error *err)
{
	owned_fd int root = -1;
	uint64_t offset = 0;
	int e;

	*ret = (struct probe_tree){ .base_fd = -1, .fd = -1 };
	e = outer_make(ret, base, err);
	if (e < 0)
		return e;
	if (mkdirat(ret->fd, INNER, 0700) < 0 ||
	    fchmodat(ret->fd, INNER, 0755, 0) < 0)
		return fail(err, "mkdir", ret->path);
	root = openat(ret->fd, INNER,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (root < 0)
		return fail(err, "open", ret->path);
	for (size_t i = 0; i < in->len; i++) {
		if (in->items[i].is_names || in->items[i].is_hashed)
			continue;
		e = file_make(root, in, &in->items[i], offset);
		if (e < 0) {
			errno = -e;
			return fail(err, "copy", in->items[i].name);
		}
		offset += in->items[i].size;
	}
	return 0;
}

void tree_remove(struct probe_tree *t)
{
	char outer[PATH_MAX];
	size_t len = strlen(t->path);

	if (t->path[0] != '\0') {
		memcpy(outer, t->path, len + 1);
		outer[len - sizeof INNER] = '\0'; /* the slash before it */
		(void)nftw(outer, entry_remove, 16,
			   FTW_DEPTH | FTW_PHYS | FTW_MOUNT);
	}
	if (t->base_fd >= 0 && t->name[0] != '\0')
		(void)unlinkat(t->base_fd, t->name, AT_REMOVEDIR);
	cleanup_fd(&t->fd);
	cleanup_fd(&t->base_fd);
	*t = (struct probe_tree){ .base_fd = -1, .fd = -1 };
}
