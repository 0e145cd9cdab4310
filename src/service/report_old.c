/* report_old.c -- see report_old.h. */
#include "service/report_old.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "plan/plan.h"
#include "supervise/artifact.h"

/* These values differ once a file is written to or replaced.  The time of
 * change is not used, because removing a link to the file changes it. */
struct old_file {
	uint64_t ino;
	int64_t size;
	struct timespec written;
};

static bool is_same_time(const struct timespec *a, const struct timespec *b)
{
	return a->tv_sec == b->tv_sec && a->tv_nsec == b->tv_nsec;
}

static void file_mark(struct report_old *old, int tmpfs_fd, const char *path)
{
	const char *why = NULL;
	owned_fd int fd = artifact_open(tmpfs_fd, path, UINT64_MAX, &why);
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0) {
		/* It may become readable, and is old all the same. */
		old->is_unknown |= fd >= 0 || strcmp(why, "not_found") != 0;
		return;
	}
	old->items[old->len++] = (struct old_file){ .ino = st.st_ino,
						    .size = st.st_size,
						    .written = st.st_mtim };
}

void report_old_mark(struct report_old *ret, int tmpfs_fd,
		     const struct report_source *from)
{
	struct artifact_list list = { 0 };
	size_t len = 1;

	if (from->format == REPORT_NONE || from->path == NULL)
		return;
	if (from->is_dir) {
		ret->is_unknown =
			artifact_names(tmpfs_fd, from->path, &list) < 0;
		len = list.len;
	}
	ret->is_unknown |= len > REPORTS_MAX;
	if (!ret->is_unknown && len > 0) {
		ret->items = calloc(len, sizeof *ret->items);
		ret->is_unknown = ret->items == NULL;
	}
	for (size_t i = 0; !ret->is_unknown && i < len; i++)
		file_mark(ret, tmpfs_fd,
			  from->is_dir ? list.items[i].path : from->path);
	artifact_list_done(&list);
}

bool report_old_has(const struct report_old *old, int fd)
{
	struct stat st;

	if (old->is_unknown)
		return true;
	if (old->len == 0)
		return false;
	if (fstat(fd, &st) < 0)
		return true;
	for (size_t i = 0; i < old->len; i++)
		if (old->items[i].ino == st.st_ino &&
		    old->items[i].size == st.st_size &&
		    is_same_time(&old->items[i].written, &st.st_mtim))
			return true;
	return false;
}

void report_old_done(struct report_old *old)
{
	free(old->items);
	*old = (struct report_old){ 0 };
}
