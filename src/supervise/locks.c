/* locks.c -- see locks.h.  Source: proc_pid_fdinfo(5). */
#include "supervise/locks.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "supervise/clock.h"
#include "supervise/procfs.h"

#define GROWN_BYTES (8ULL << 20) /* half of what LOCKS_MAX locks take */
#define LOOK_MS     100          /* of one look; the next one goes on */
#define COST_SHARE  20        /* counting may take one part in 20 of the time */
#define ENTRIES_MAX (1 << 20) /* of a directory: more than fs.nr_open */

struct count {
	struct locks *l;
	uint64_t deadline_ns;
	bool is_late;
	uint32_t threads; /* of the process that is walked now */
	int dir_fd;       /* of what is walked now */
	char *text;
	size_t room;
};

static bool is_enough(const struct count *c)
{
	return c->is_late || c->l->found > LOCKS_MAX;
}

/* Walk the directory name below c->dir_fd. */
static void dir_walk(struct count *c, const char *name,
		     void (*each)(void *data, const char *name))
{
	owned_fd int fd =
		openat(c->dir_fd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int above = c->dir_fd;

	if (fd < 0)
		return; /* it ended meanwhile */
	c->dir_fd = fd;
	(void)procfs_each_pid(fd, ENTRIES_MAX, each, c);
	c->dir_fd = above;
}

/* No other line of such a file has this word.  One lock is missed where a
 * piece ends in it. */
static void add_text(struct count *c)
{
	for (const char *at = c->text; (at = strstr(at, "lock:")) != NULL; at++)
		c->l->found++;
}

static void add_descriptor(void *data, const char *name)
{
	struct count *c = data;
	owned_fd int fd = -1;
	ssize_t n = 1;

	if (is_enough(c))
		return;
	fd = openat(c->dir_fd, name, O_RDONLY | O_CLOEXEC);
	while (fd >= 0 && n > 0 && !is_enough(c)) {
		n = read(fd, c->text, c->room - 1);
		c->text[n > 0 ? n : 0] = '\0';
		add_text(c);
	}
}

/* A thread may have a table of descriptors of its own. */
static void add_thread(void *data, const char *name)
{
	struct count *c = data;
	char path[PROCFS_PID_BYTES + sizeof "/fdinfo"];

	if (is_enough(c) || c->threads++ < c->l->threads)
		return;
	(void)snprintf(path, sizeof path, "%s/fdinfo", name);
	dir_walk(c, path, add_descriptor);
	c->l->threads = c->threads;
	c->is_late = clock_now_ns() >= c->deadline_ns;
}

static void add_process(void *data, const char *name)
{
	struct count *c = data;
	uint32_t pid = (uint32_t)strtoul(name, NULL, 10);
	char path[PROCFS_PID_BYTES + sizeof "/task"];

	if (is_enough(c) || pid <= c->l->last_pid)
		return;
	if (pid != c->l->at_pid)
		c->l->threads = 0;
	c->l->at_pid = pid;
	c->threads = 0;
	(void)snprintf(path, sizeof path, "%s/task", name);
	dir_walk(c, path, add_thread);
	if (!c->is_late)
		c->l->last_pid = pid;
}

/* The host's kernel memory that is not given back under pressure; 0 where
 * nobody tells. */
static uint64_t slab_read(char *text, size_t room)
{
	return procfs_read(AT_FDCWD, "/proc/meminfo", text, room) > 0
		       ? procfs_find_kib(text, "SUnreclaim")
		       : 0;
}

/* Whether the host's kernel memory has grown so much that it may be locks.  The
 * first look only notes how much there is. */
static bool has_grown(struct locks *l, uint64_t slab)
{
	if (slab == 0)
		return true;
	if (l->slab_bytes == 0 || slab < l->slab_bytes)
		l->slab_bytes = slab;
	return slab - l->slab_bytes >= GROWN_BYTES;
}

bool locks_look(struct locks *l, int proc_fd, uint64_t now_ns, char *text,
		size_t room)
{
	uint64_t slab = slab_read(text, room);
	struct count c = {
		.l = l,
		.deadline_ns = now_ns + LOOK_MS * NS_PER_MS,
		.dir_fd = proc_fd,
		.text = text,
		.room = room,
	};

	/* A count that was begun is ended in any case. */
	if ((!has_grown(l, slab) && l->at_pid == 0) || now_ns < l->next_ns)
		return false;
	(void)procfs_each_pid(proc_fd, ENTRIES_MAX, add_process, &c);
	if (l->found > LOCKS_MAX)
		return true;
	l->slab_bytes = slab;
	/* one that holds many is soon looked at again */
	if (l->found < LOCKS_MAX / COST_SHARE)
		l->next_ns = now_ns + (clock_now_ns() - now_ns) * COST_SHARE;
	if (!c.is_late)
		l->last_pid = l->at_pid = l->found = 0;
	return false;
}
