/* walk.c -- see walk.h.  Breadth first, so one directory is open at a time. */
#include "jobs/probe/walk.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/glob.h"
#include "jobs/beneath.h"

#define NAMES_BYTES ((size_t)64 << 20) /* 50,000 names of 1.3 KiB */

struct queue { /* directories still to be listed */
	const char **paths;
	size_t len, room, at;
};

static bool grow(void **items, size_t len, size_t *room, size_t size)
{
	size_t more = *room > 0 ? *room * 2 : 64;
	void *p;

	if (len < *room)
		return true;
	p = reallocarray(*items, more, size);
	if (p == NULL)
		return false;
	*items = p;
	*room = more;
	return true;
}

static const struct probe_input_rule *rule_of(
	const struct probe_input_rule *rules, const char *name)
{
	for (; rules->pattern != NULL; rules++)
		if (glob_match(rules->pattern, strlen(rules->pattern), name,
			       strlen(name)))
			return rules;
	return NULL;
}

static const char *skip_of(unsigned char type)
{
	switch (type) {
	case DT_LNK:
		return "symlink";
	case DT_FIFO:
		return "fifo";
	case DT_SOCK:
		return "socket";
	case DT_CHR:
	case DT_BLK:
		return "device";
	default:
		return NULL;
	}
}

static unsigned char type_of(int dir_fd, const struct dirent *d)
{
	struct stat st;

	if (d->d_type != DT_UNKNOWN)
		return d->d_type;
	if (fstatat(dir_fd, d->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return DT_UNKNOWN;
	return (unsigned char)IFTODT(st.st_mode);
}

static bool is_passed_over(const char *name)
{
	return strcmp(name, "node_modules") == 0 || strcmp(name, ".git") == 0;
}

/* One name of a directory: to the queue, to the hits, or to neither. */
static int entry_take(struct walk *w, struct queue *q,
		      const struct probe_input_rule *rules, const char *dir,
		      const char *name, unsigned char type)
{
	const struct probe_input_rule *rule;
	char *path;

	if (type == DT_DIR && is_passed_over(name))
		return 0;
	path = arena_format(&w->arena, "%s%s%s", dir, dir[0] ? "/" : "", name);
	if (path == NULL)
		return -ENOMEM;
	if (type == DT_DIR) {
		if (!grow((void **)&q->paths, q->len, &q->room,
			  sizeof *q->paths))
			return -ENOMEM;
		q->paths[q->len++] = path;
		return 0;
	}
	rule = rule_of(rules, path);
	if (rule == NULL)
		return 0;
	if (!grow((void **)&w->hits, w->len, &w->room, sizeof *w->hits))
		return -ENOMEM;
	w->hits[w->len++] =
		(struct walk_hit){ path, rule->cap_bytes, skip_of(type) };
	return 0;
}

static void directory_read(struct walk *w, struct queue *q,
			   const struct probe_input_rule *rules, DIR *d,
			   const char *path)
{
	struct dirent *e;

	while (w->stopped == NULL && (e = readdir(d)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		if (w->seen++ == PROBE_FILES_MAX)
			w->stopped = "walk_files";
		else if (entry_take(w, q, rules, path, e->d_name,
				    type_of(dirfd(d), e)) < 0)
			w->stopped = "walk_names";
	}
}

static enum beneath directory_walk(struct walk *w, struct queue *q,
				   const struct probe_input_rule *rules,
				   int root_fd, const char *path)
{
	int fd = -1;
	enum beneath why = beneath_open_dir(root_fd, path, &fd);
	DIR *d;

	if (why != BENEATH_OK)
		return why;
	d = fdopendir(fd);
	if (d == NULL) {
		cleanup_fd(&fd);
		return BENEATH_FAILED;
	}
	directory_read(w, q, rules, d, path);
	(void)closedir(d);
	return BENEATH_OK;
}

static int hit_compare(const void *a, const void *b)
{
	return strcmp(((const struct walk_hit *)a)->name,
		      ((const struct walk_hit *)b)->name);
}

int walk_run(int root_fd, const struct probe_input_rule *rules,
	     struct walk *ret, struct cupel_error *err)
{
	struct queue q = { 0 };
	enum beneath why;

	ret->arena.cap_bytes = NAMES_BYTES;
	why = directory_walk(ret, &q, rules, root_fd, "");
	while (why == BENEATH_OK && q.at < q.len && ret->stopped == NULL) {
		const char *path = q.paths[q.at++];
		enum beneath sub =
			directory_walk(ret, &q, rules, root_fd, path);

		/* A mount point is passed over like a link: neither is ours. */
		ret->unreadable += sub == BENEATH_UNREADABLE;
	}
	free(q.paths);
	if (why != BENEATH_OK)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EACCES, "the repository: %s",
				  beneath_name(why));
	if (ret->len > 0)
		qsort(ret->hits, ret->len, sizeof *ret->hits, hit_compare);
	return 0;
}

void walk_done(struct walk *w)
{
	free(w->hits);
	arena_done(&w->arena);
	*w = (struct walk){ 0 };
}
