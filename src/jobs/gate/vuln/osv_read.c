/* osv_read.c -- reads the directory of records, which is the caller's and never
 * the tree's. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/hooks.h"
#include "jobs/common/beneath.h"
#include "jobs/common/inside.h"
#include "jobs/gate/vuln/osv.h"

#define READ_BYTES ((size_t)64 << 10)

struct file {
	const char *name; /* relative to the directory */
	char hash[BLAKE3_TEXT_BYTES];
};

/* The state of reading a directory. */
struct reading {
	const char *path;
	int dir_fd, worktree_fd;
	struct osv *o;
	struct arena arena; /* of names */
	struct file *files;
	size_t len, room;
	uint64_t bytes;
	struct cupel_error *err;
};

static int refuse(const struct reading *r, const char *name, int sys,
		  const char *why)
{
	return cupel_fail(r->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, sys,
			  "the OSV records %.200s%s%.200s: %s", r->path,
			  name[0] != '\0' ? "/" : "", name, why);
}

static int no_memory(const struct reading *r)
{
	return cupel_fail(r->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the OSV records");
}

static bool is_in_worktree(const struct reading *r, int dir_fd)
{
	return r->worktree_fd >= 0 &&
	       !test_wall_is_down(TEST_WALL_GATE_WORKTREE) &&
	       inside_is_below(dir_fd, r->worktree_fd);
}

/* --- names ------------------------------------------------------------------------ */

static int file_put(struct reading *r, const char *name)
{
	if (r->len == OSV_FILES_MAX)
		return refuse(r, name, E2BIG, "is one file too many");
	if (r->len == r->room) {
		size_t room = r->room * 2 + 1024;
		struct file *files = realloc(r->files, room * sizeof *files);

		if (files == NULL)
			return no_memory(r);
		r->files = files;
		r->room = room;
	}
	r->files[r->len++] = (struct file){ .name = name };
	return 0;
}

static bool has_ending(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && strcmp(name + n - 5, ".json") == 0;
}

static int names_read(struct reading *r, const char *dir, unsigned depth);

static int name_read(struct reading *r, const char *dir, unsigned depth,
		     const struct dirent *d)
{
	const char *name = arena_format(&r->arena, "%s%s%s", dir,
					dir[0] != '\0' ? "/" : "", d->d_name);
	struct stat st;

	if (name == NULL)
		return no_memory(r);
	if (has_ending(d->d_name))
		return file_put(r, name);
	if (fstatat(r->dir_fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !S_ISDIR(st.st_mode))
		return 0;
	if (depth == OSV_DEPTH)
		return refuse(r, name, EINVAL,
			      "is nested too deep: records are read from the "
			      "directory and from its own directories");
	return names_read(r, name, depth + 1);
}

static int names_read(struct reading *r, const char *dir, unsigned depth)
{
	int fd = -1, e = 0;
	enum beneath b = beneath_open_dir(r->dir_fd, dir, &fd);
	const struct dirent *d;
	DIR *list;

	if (b != BENEATH_OK)
		return refuse(r, dir, EINVAL, beneath_name(b));
	if (is_in_worktree(r, fd)) {
		(void)close(fd);
		return refuse(r, dir, EPERM, "is in the work tree");
	}
	list = fdopendir(fd);
	if (list == NULL) {
		(void)close(fd);
		return no_memory(r);
	}
	errno = 0;
	while (e == 0 && (d = readdir(list)) != NULL) {
		if (strcmp(d->d_name, ".") != 0 && strcmp(d->d_name, "..") != 0)
			e = name_read(r, dir, depth, d);
		errno = 0;
	}
	if (e == 0 && errno != 0)
		e = refuse(r, dir, errno, strerror(errno));
	(void)closedir(list);
	return e;
}

/* --- bytes ------------------------------------------------------------------------ */

static int bytes_read(struct reading *r, const char *name, int fd,
		      struct buf *out)
{
	for (;;) {
		char *room = buf_reserve(out, READ_BYTES);
		ssize_t n = room != NULL ? read(fd, room, READ_BYTES) : -1;

		if (room == NULL)
			return no_memory(r);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return refuse(r, name, errno, strerror(errno));
		if (n == 0)
			return 0;
		out->len += (size_t)n;
		r->bytes += (uint64_t)n;
		if (out->len > OSV_FILE_BYTES || r->bytes > OSV_BYTES)
			return refuse(r, name, EFBIG, "is too long");
	}
}

static int file_read(struct reading *r, struct file *file, struct buf *text)
{
	owned_fd int fd = -1;
	struct stat st;
	off_t size;
	enum beneath b = beneath_open_file(r->dir_fd, file->name, &fd, &size);
	int e;

	if (b != BENEATH_OK)
		return refuse(r, file->name, EINVAL, beneath_name(b));
	if (fstat(fd, &st) < 0)
		return refuse(r, file->name, errno, strerror(errno));
	if (r->worktree_fd >= 0 && st.st_nlink != 1 &&
	    !test_wall_is_down(TEST_WALL_GATE_WORKTREE))
		return refuse(r, file->name, EPERM,
			      "has a second name (a hard link), which may be "
			      "in the work tree");
	text->len = 0;
	e = bytes_read(r, file->name, fd, text);
	if (e < 0)
		return e;
	blake3_hex_text(text->bytes != NULL ? text->bytes : "", text->len,
			file->hash);
	e = osv_entries_read(r->o, text->bytes != NULL ? text->bytes : "",
			     text->len);
	if (e == -EINVAL)
		return refuse(r, file->name, EINVAL, "is not an OSV record");
	return e < 0 ? no_memory(r) : 0;
}

static int order(const void *a, const void *b)
{
	return strcmp(((const struct file *)a)->name,
		      ((const struct file *)b)->name);
}

static int files_read(struct reading *r)
{
	owned_buf struct buf text = { 0 };
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 hash;
	int e = 0;

	if (r->len > 0)
		qsort(r->files, r->len, sizeof *r->files, order);
	blake3_init(&hash);
	for (size_t i = 0; e == 0 && i < r->len; i++) {
		e = file_read(r, &r->files[i], &text);
		blake3_update(&hash, r->files[i].name,
			      strlen(r->files[i].name) + 1);
		blake3_update(&hash, r->files[i].hash,
			      strlen(r->files[i].hash) + 1);
	}
	blake3_final(&hash, digest, sizeof digest);
	blake3_hex(digest, r->o->hash);
	if (e == 0 && r->len == 0)
		e = refuse(r, "", EINVAL, "no records were found");
	osv_sort(r->o);
	return e;
}

int osv_read(const char *path, int worktree_fd, struct osv *ret,
	     struct cupel_error *err)
{
	owned_fd int dir_fd = beneath_open_root(path);
	struct reading r = {
		.path = path,
		.dir_fd = dir_fd,
		.worktree_fd = worktree_fd,
		.o = ret,
		.err = err,
	};
	int e;

	if (dir_fd < 0)
		return refuse(&r, "", -dir_fd, strerror(-dir_fd));
	ret->arena.cap_bytes = OSV_KEPT_BYTES;
	e = names_read(&r, "", 1);
	if (e == 0)
		e = files_read(&r);
	free(r.files);
	arena_done(&r.arena);
	return e;
}
