/* manifest.c -- one folder of manifests.  See manifest.h. */
#include "jobs/gather/manifest.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/hooks.h"
#include "base/name.h"
#include "jobs/gather/manifest_parse.h"

#define NAMES_MAX 4096U /* looked at in one folder */

struct folder {
	int fd;
	char *names[MANIFESTS_MAX];
	size_t len;
};

static int refuse(struct cupel_error *err, const char *dir, int sys,
		  const char *why)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, sys,
			  "probe folder %.300s: %s", dir, why);
}

const char *manifest_distrust(const struct stat *st)
{
	if (test_wall_is_down(TEST_WALL_MANIFEST_TRUST))
		return NULL;
	if (st->st_uid != 0 && st->st_uid != geteuid())
		return "belongs to another user";
	if ((st->st_mode & (S_IWGRP | S_IWOTH)) != 0)
		return "can be written by others";
	return NULL;
}

static bool is_manifest(const char *name)
{
	size_t n = strlen(name);

	return n > 5 && strcmp(name + n - 5, ".json") == 0 && name[0] != '.' &&
	       !(n > 12 && strcmp(name + n - 12, ".schema.json") == 0);
}

static int name_order(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void folder_done(struct folder *f)
{
	for (size_t i = 0; i < f->len; i++)
		free(f->names[i]);
	cleanup_fd(&f->fd);
}

/* Returns 0 or -errno. */
static int names_read(struct folder *f)
{
	int fd = openat(f->fd, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd >= 0 ? fdopendir(fd) : NULL;
	const struct dirent *d;
	size_t seen = 0;
	int e = 0;

	if (dir == NULL) {
		e = -errno;
		cleanup_fd(&fd);
		return e;
	}
	while (e == 0 && (d = readdir(dir)) != NULL) {
		if (seen++ == NAMES_MAX)
			e = -E2BIG;
		if (!is_manifest(d->d_name))
			continue;
		if (f->len == MANIFESTS_MAX) {
			e = -E2BIG;
			break;
		}
		f->names[f->len] = strdup(d->d_name);
		if (f->names[f->len] == NULL)
			e = -ENOMEM;
		else
			f->len++;
	}
	closedir(dir);
	if (f->len > 0)
		qsort(f->names, f->len, sizeof *f->names, name_order);
	return e;
}

static int folder_open(const char *dir, struct folder *ret,
		       struct cupel_error *err)
{
	const char *why;
	struct stat st;
	int e;

	*ret = (struct folder){ .fd = -1 };
	ret->fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (ret->fd < 0 || fstat(ret->fd, &st) < 0)
		return refuse(err, dir, errno, strerror(errno));
	why = manifest_distrust(&st);
	if (why != NULL)
		return refuse(err, dir, EPERM, why);
	e = names_read(ret);
	return e < 0 ? refuse(err, dir, -e,
			      e == -E2BIG ? "has too many files" : strerror(-e))
		     : 0;
}

static void complain(struct buf *lines, const char *dir, const char *file,
		     const struct manifest_fault *fault)
{
	name_write(lines, dir, strlen(dir));
	buf_char(lines, '/');
	name_write(lines, file, strlen(file));
	buf_text(lines, ": ");
	name_write(lines, fault->text, strlen(fault->text));
	buf_char(lines, '\n');
}

static int probes_add(const char *dir, const struct folder *f,
		      struct manifests *ret, struct buf *lines)
{
	struct probe *more =
		reallocarray(ret->items, ret->len + f->len + 1, sizeof *more);

	if (more == NULL)
		return -ENOMEM;
	ret->items = more;
	for (size_t i = 0; i < f->len; i++) {
		struct probe p = { 0 };
		struct manifest_fault fault = { 0 };
		int e = manifest_parse(f->fd, f->names[i], &ret->arena, &p,
				       &fault);

		if (e == -ENOMEM)
			return e;
		if (e == 0) {
			ret->items[ret->len++] = p;
		} else {
			ret->bad++;
			complain(lines, dir, f->names[i], &fault);
		}
	}
	return buf_has_failed(lines) ? -ENOMEM : 0;
}

int manifest_read(const char *dir, struct manifests *ret, struct buf *lines,
		  struct cupel_error *err)
{
	struct folder f;
	int e = folder_open(dir, &f, err);

	if (e == 0) {
		e = probes_add(dir, &f, ret, lines);
		if (e < 0)
			(void)refuse(err, dir, -e, strerror(-e));
	}
	folder_done(&f);
	return e;
}

void manifests_done(struct manifests *m)
{
	free(m->items);
	arena_done(&m->arena);
	*m = (struct manifests){ 0 };
}
