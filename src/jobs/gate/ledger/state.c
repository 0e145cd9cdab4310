/* state.c -- see state.h. */
#include "jobs/gate/ledger/state.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/hooks.h"
#include "base/outfile.h"
#include "jobs/common/inside.h"
#include "jobs/common/lock.h"

#define DIGITS 64U

static int refuse(struct cupel_error *err, const char *path, const char *why)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EPERM,
			  "--state: %.300s: %s", path, why);
}

static int fail(struct cupel_error *err, const char *path, int sys)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(sys), sys,
			  "--state: %.300s: %s", path, strerror(sys));
}

int state_path(const char *name, char ret[PATH_MAX], struct cupel_error *err)
{
	const char *xdg = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	bool is_xdg = xdg != NULL && xdg[0] == '/';
	int n;

	if (!is_xdg && (home == NULL || home[0] != '/'))
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, ENOENT,
			"--state: give it when neither XDG_STATE_HOME nor HOME "
			"is an absolute path");
	n = snprintf(ret, PATH_MAX, "%s%s/cupel/gates%s%s", is_xdg ? xdg : home,
		     is_xdg ? "" : "/.local/state", name[0] != '\0' ? "/" : "",
		     name);
	return n >= PATH_MAX ? fail(err, "XDG_STATE_HOME", ENAMETOOLONG) : 0;
}

/* --- the directory ---------------------------------------------------------- */

static int inside_refuse(struct cupel_error *err, const char *path)
{
	return refuse(err, path,
		      "is in the work tree, whose author could write to it");
}

static bool is_inside(int fd, const struct state_request *req)
{
	return req->worktree_fd >= 0 && inside_is_below(fd, req->worktree_fd) &&
	       !test_wall_is_down(TEST_WALL_GATE_STATE);
}

/* Check that it is the caller's own.  Returns 0 or -errno. */
static int dir_check(int fd, const struct state_request *req, const char *path,
		     struct cupel_error *err)
{
	struct stat st;

	if (fstat(fd, &st) < 0)
		return fail(err, path, errno);
	if (st.st_uid != geteuid())
		return refuse(err, path, "belongs to another user");
	if ((st.st_mode & 077) != 0)
		return refuse(err, path,
			      "is open to other users; chmod 700 it");
	return is_inside(fd, req) ? inside_refuse(err, path) : 0;
}

/* Cut path[0..*n-1] to the directory above, or "." */
static void above_cut(char *path, size_t *n)
{
	while (*n > 0 && path[*n - 1] == '/')
		path[--*n] = '\0';
	while (*n > 0 && path[*n - 1] != '/')
		path[--*n] = '\0';
}

/* Before anything is made, check that the nearest existing directory is not
 * inside the work tree.  Returns 0 or -errno. */
static int above_check(const struct state_request *req, const char *path,
		       struct cupel_error *err)
{
	char above[PATH_MAX];
	size_t n = strlen(path);
	owned_fd int fd = -1;

	memcpy(above, path, n + 1);
	while (fd < 0) {
		fd = openat(AT_FDCWD, n > 0 ? above : ".",
			    O_PATH | O_DIRECTORY | O_CLOEXEC);
		if (fd < 0 && n == 0)
			return fail(err, path, errno);
		above_cut(above, &n);
	}
	return is_inside(fd, req) ? inside_refuse(err, path) : 0;
}

static int folders_open(const struct state_request *req, struct state *s,
			struct cupel_error *err)
{
	mode_t make = req->is_made ? 0700 : 0;
	char name[NAME_MAX + 1];
	owned_fd int parent = outfile_open_dir(s->path, make, name, err);
	int e;

	if (parent < 0)
		return parent;
	s->dir_fd = outfile_open_folder(parent, name, make);
	if (s->dir_fd == -ELOOP)
		return refuse(err, s->path, "is a symbolic link");
	if (s->dir_fd < 0)
		return fail(err, s->path, -s->dir_fd);
	e = dir_check(s->dir_fd, req, s->path, err);
	if (e < 0)
		return e;
	s->evidence_fd = outfile_open_folder(s->dir_fd, STATE_EVIDENCE, make);
	if (s->evidence_fd == -ELOOP)
		return refuse(err, s->path,
			      "has a symbolic link in place of its directory "
			      "of evidence");
	if (s->evidence_fd == -ENOENT && !req->is_made)
		return 0; /* nothing has been kept yet */
	if (s->evidence_fd < 0)
		return fail(err, s->path, -s->evidence_fd);
	e = dir_check(s->evidence_fd, req, s->path, err);
	if (e == 0 && req->is_made && fsync(s->dir_fd) < 0)
		e = fail(err, s->path, errno);
	return e;
}

int state_open(const struct state_request *req, struct state *ret,
	       struct cupel_error *err)
{
	struct state s = STATE_NONE;
	int e = 0;

	if (req->path == NULL)
		e = state_path(req->name, s.path, err);
	else if (strlen(req->path) >= PATH_MAX)
		e = fail(err, req->path, ENAMETOOLONG);
	else
		(void)snprintf(s.path, sizeof s.path, "%s", req->path);
	if (e == 0 && req->is_made && req->worktree_fd >= 0)
		e = above_check(req, s.path, err);
	if (e == 0)
		e = folders_open(req, &s, err);
	if (e < 0) {
		state_close(&s);
		return e;
	}
	*ret = s;
	return 0;
}

int state_lock(const struct state *s, int wait_ms, int stop_fd,
	       struct cupel_error *err)
{
	int e = lock_take(s->dir_fd, LOCK_EX, wait_ms, stop_fd);

	if (e == -EBUSY)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, EBUSY,
				  "--state: %.300s: another runner is using it",
				  s->path);
	return e < 0 ? fail(err, s->path, -e) : 0;
}

int state_lock_evidence(const struct state *s, bool removes, int wait_ms,
			struct cupel_error *err)
{
	int e = 0;

	if (s->evidence_fd >= 0)
		e = lock_take(s->evidence_fd, removes ? LOCK_EX : LOCK_SH,
			      wait_ms, -1);
	if (e == -EBUSY)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, EBUSY,
				  "--state: %.300s: its evidence is being %s "
				  "by another process",
				  s->path, removes ? "read" : "removed");
	return e < 0 ? fail(err, s->path, -e) : 0;
}

void state_close(struct state *s)
{
	cleanup_fd(&s->dir_fd);
	cleanup_fd(&s->evidence_fd);
}

/* --- evidence --------------------------------------------------------------- */

int state_put(const struct state *s, const char *bytes, size_t n,
	      char ret_path[STATE_PATH_BYTES], char ret_hash[BLAKE3_TEXT_BYTES],
	      struct cupel_error *err)
{
	size_t kept = n < STATE_EVIDENCE_BYTES ? n : STATE_EVIDENCE_BYTES;
	struct outfile file = OUTFILE_NONE;
	char hash[BLAKE3_TEXT_BYTES];
	int e;

	blake3_hex_text(bytes, kept, hash);
	e = outfile_open_at(s->evidence_fd, hash + 7, 0600, &file);
	if (e == 0)
		e = outfile_write(file.fd, bytes, kept);
	if (e == 0 && fdatasync(file.fd) < 0)
		e = -errno;
	if (e == 0)
		e = outfile_put(&file);
	if (e == 0 && fsync(s->evidence_fd) < 0)
		e = -errno;
	outfile_done(&file);
	if (e < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(-e), -e,
				  "evidence cannot be stored: %s",
				  strerror(-e));
	memcpy(ret_hash, hash, sizeof hash);
	(void)snprintf(ret_path, STATE_PATH_BYTES, STATE_EVIDENCE "/%s",
		       hash + 7);
	return kept < n;
}

/* The file's name, or NULL if path is not one of evidence. */
static const char *name_of(const char *path)
{
	const char *name = path + sizeof STATE_EVIDENCE;

	if (strncmp(path, STATE_EVIDENCE "/", sizeof STATE_EVIDENCE) != 0 ||
	    strlen(name) != DIGITS ||
	    strspn(name, "0123456789abcdef") != DIGITS)
		return NULL;
	return name;
}

/* Returns NULL, or what is wrong. */
static const char *bytes_read(int fd, struct buf *out)
{
	struct stat st;
	size_t left;

	if (fstat(fd, &st) < 0 || !S_ISREG(st.st_mode) ||
	    (size_t)st.st_size > STATE_EVIDENCE_BYTES)
		return "is not a file of evidence";
	left = (size_t)st.st_size;
	if (buf_reserve(out, left + 1) == NULL)
		return "could not be read: no memory";
	while (left > 0) {
		ssize_t n = read(fd, out->bytes + out->len, left);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return "cannot be read";
		out->len += (size_t)n;
		left -= (size_t)n;
	}
	out->bytes[out->len] = '\0';
	return NULL;
}

const char *state_read(const struct state *s, const char *path, struct buf *out)
{
	const char *name = name_of(path), *why;
	char hash[BLAKE3_TEXT_BYTES];
	owned_fd int fd = -1;
	size_t begin = out->len;

	if (name == NULL)
		return "is not the name of a file of evidence";
	if (s->evidence_fd >= 0)
		fd = openat(s->evidence_fd, name,
			    O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY |
				    O_CLOEXEC);
	if (fd < 0)
		return "is missing";
	why = bytes_read(fd, out);
	if (why != NULL)
		return why;
	blake3_hex_text(out->bytes + begin, out->len - begin, hash);
	return strcmp(hash + 7, name) == 0 ? NULL : "was changed";
}

int state_remove(const struct state *s, const char *path)
{
	const char *name = name_of(path);

	if (name == NULL)
		return -EINVAL;
	return unlinkat(s->evidence_fd, name, 0) < 0 && errno != ENOENT ? -errno
									: 0;
}
