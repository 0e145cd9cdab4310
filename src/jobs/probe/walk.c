/* walk.c -- see walk.h.  Breadth first, so one directory is open at a time;
 * each directory is sorted by itself and the whole put together at the end. */
#include "jobs/probe/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/grow.h"
#include "base/hooks.h"
#include "jobs/common/beneath.h"
#include "jobs/probe/catalogue.h"

#define NAMES_BYTES ((size_t)64 << 20) /* 50,000 names of 1.3 KiB */
#define NO_DIR      SIZE_MAX

struct entry {
	const char *path;
	const char *base; /* within path */
	size_t dir;       /* its place among the directories, or NO_DIR */
	unsigned char type;
};

struct directory {
	const char *path;
	size_t first, len; /* its entries */
};

struct tree {
	const struct walk_request *req;
	struct walk *out;
	struct entry *entries;
	size_t entries_len, entries_room;
	struct directory *dirs;
	size_t dirs_len, dirs_room;
	size_t files;
};

static unsigned char type_of(int dir_fd, const struct dirent *d)
{
	int nofollow =
		test_wall_is_down(TEST_WALL_WALK) ? 0 : AT_SYMLINK_NOFOLLOW;
	struct stat st;

	if (d->d_type != DT_UNKNOWN && nofollow != 0)
		return d->d_type;
	if (fstatat(dir_fd, d->d_name, &st, nofollow) < 0)
		return DT_UNKNOWN;
	return (unsigned char)IFTODT(st.st_mode);
}

static bool is_passed_over(const struct tree *t, const char *name)
{
	return (strcmp(name, "node_modules") == 0 &&
		!t->req->with_node_modules) ||
	       strcmp(name, ".git") == 0 ||
	       (strcmp(name, ".cupel") == 0 && !t->req->with_own_output);
}

static bool directory_add(struct tree *t, const char *path)
{
	if (!array_grow((void **)&t->dirs, t->dirs_len, &t->dirs_room,
			sizeof *t->dirs))
		return false;
	t->dirs[t->dirs_len++] = (struct directory){ .path = path };
	return true;
}

/* One name of a directory.  Returns NULL, or why the walk stops. */
static const char *entry_add(struct tree *t, const char *dir, const char *name,
			     unsigned char type)
{
	size_t dir_len = strlen(dir), len = strlen(name);
	char *path;

	t->out->has_modules |=
		type == DT_DIR && strcmp(name, "node_modules") == 0;
	if (type == DT_DIR && is_passed_over(t, name) &&
	    !test_wall_is_down(TEST_WALL_PASSED_OVER))
		return NULL;
	if ((type == DT_DIR ? t->dirs_len : t->files++) == PROBE_FILES_MAX &&
	    !test_wall_is_down(TEST_WALL_WALK_FILES))
		return "walk_files";
	path = arena_alloc(&t->out->arena, dir_len + len + 2);
	if (path == NULL || !array_grow((void **)&t->entries, t->entries_len,
					&t->entries_room, sizeof *t->entries))
		return "walk_names";
	if (dir_len > 0) {
		memcpy(path, dir, dir_len);
		path[dir_len++] = '/';
	}
	memcpy(path + dir_len, name, len);
	if (type == DT_DIR && !directory_add(t, path))
		return "walk_names";
	t->entries[t->entries_len++] = (struct entry){
		.path = path,
		.base = path + dir_len,
		.dir = type == DT_DIR ? t->dirs_len - 1 : NO_DIR,
		.type = type,
	};
	return NULL;
}

/* By the bytes that follow in the whole path: a directory's next is '/'. */
static int entry_compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	size_t i = 0;
	unsigned char c, d;

	while (x->base[i] != '\0' && x->base[i] == y->base[i])
		i++;
	c = (unsigned char)x->base[i];
	d = (unsigned char)y->base[i];
	if (c == '\0' && x->dir != NO_DIR)
		c = '/';
	if (d == '\0' && y->dir != NO_DIR)
		d = '/';
	return (c > d) - (c < d);
}

static void entries_read(struct tree *t, DIR *d, size_t at)
{
	struct walk *out = t->out;
	size_t first = t->entries_len;
	struct dirent *e;

	while (out->stopped == NULL && (e = readdir(d)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			out->stopped = entry_add(t, t->dirs[at].path, e->d_name,
						 type_of(dirfd(d), e));
	t->dirs[at].first = first;
	t->dirs[at].len = t->entries_len - first;
	if (t->dirs[at].len > 1)
		qsort(t->entries + first, t->dirs[at].len, sizeof *t->entries,
		      entry_compare);
}

static bool is_output(const struct walk_request *req, int fd)
{
	struct stat st;

	return req->out_ino != 0 && fstat(fd, &st) == 0 &&
	       st.st_ino == req->out_ino && st.st_dev == req->out_dev;
}

static enum beneath directory_read(struct tree *t, size_t at)
{
	int fd = -1;
	enum beneath why =
		beneath_open_dir(t->req->root_fd, t->dirs[at].path, &fd);
	bool is_out;
	DIR *d;

	if (why != BENEATH_OK)
		return why;
	is_out = is_output(t->req, fd);
	d = is_out ? NULL : fdopendir(fd);
	if (d == NULL) {
		cleanup_fd(&fd);
		return is_out ? BENEATH_OK : BENEATH_FAILED;
	}
	entries_read(t, d, at);
	(void)closedir(d);
	return BENEATH_OK;
}

static void skip_add(struct walk *w, const char *path, enum beneath why)
{
	if (w->skips_total++ < WALK_SKIPS_MAX)
		w->skips[w->skips_len++] =
			(struct walk_skip){ path, beneath_name(why) };
}

/* How far the walk through one directory's entries has come. */
struct place {
	size_t at, end;
};

/* Put the entries into the order of their paths: a directory's entries go where
 * the directory stands among its neighbours. */
static bool names_lay(const struct tree *t, struct walk *ret)
{
	owned_mem struct place *stack = calloc(t->dirs_len, sizeof *stack);
	size_t depth = 0;

	ret->names = calloc(t->entries_len + 1, sizeof *ret->names);
	if (stack == NULL || ret->names == NULL)
		return false;
	stack[depth++] = (struct place){ t->dirs[0].first,
					 t->dirs[0].first + t->dirs[0].len };
	while (depth > 0) {
		struct place *p = &stack[depth - 1];
		const struct entry *e = &t->entries[p->at];

		if (p->at++ == p->end) {
			depth--;
		} else if (e->dir == NO_DIR) {
			ret->names[ret->len++] =
				(struct walk_name){ e->path, e->type };
		} else {
			const struct directory *d = &t->dirs[e->dir];

			stack[depth++] =
				(struct place){ d->first, d->first + d->len };
		}
	}
	return true;
}

int walk_run(const struct walk_request *req, struct walk *ret,
	     struct cupel_error *err)
{
	struct tree t = { .req = req, .out = ret };
	enum beneath why = BENEATH_FAILED;
	bool is_laid;

	ret->arena.cap_bytes = NAMES_BYTES;
	if (directory_add(&t, ""))
		why = directory_read(&t, 0);
	for (size_t i = 1; why == BENEATH_OK && i < t.dirs_len; i++) {
		enum beneath sub =
			ret->stopped ? BENEATH_OK : directory_read(&t, i);

		if (sub != BENEATH_OK)
			skip_add(ret, t.dirs[i].path, sub);
	}
	is_laid = why == BENEATH_OK && names_lay(&t, ret);
	free(t.entries);
	free(t.dirs);
	if (is_laid)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EACCES,
			  "the repository: %s",
			  why != BENEATH_OK ? beneath_name(why) : "no memory");
}

void walk_done(struct walk *w)
{
	free(w->names);
	arena_done(&w->arena);
	*w = (struct walk){ 0 };
}
