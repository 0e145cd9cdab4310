/* cgroup_remove.c -- the end of a run's cgroup, and of those that a killed
 * supervisor left. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "launch/native/cgroup.h"

#define TRIES      100 /* of TRY_MS each: a killed process may end late */
#define TRY_MS     20
#define LIST_BYTES 4096
#define LISTS_MAX  64 /* of names: those beyond are left to the next run */
#define STAT_BYTES 1024

struct listed { /* linux_dirent64, getdents64(2) */
	uint64_t ino;
	int64_t off;
	uint16_t length;
	uint8_t type;
	char name[];
};

static long name_remove(int dir_fd, const char *name)
{
	return sys_raw(SYS_unlinkat, dir_fd, sys_arg(name), AT_REMOVEDIR, 0, 0,
		       0);
}

/* Linux 5.14.  Before that the end of the PID namespace does the same. */
static void kill_all(int dir_fd)
{
	owned_fd int fd = openat(dir_fd, "cgroup.kill", O_WRONLY | O_CLOEXEC);

	if (fd >= 0)
		(void)!write(fd, "1", 1);
}

/* Wait until cgroup.events changes, TRY_MS at most. */
static void await_change(int events_fd)
{
	struct {
		int fd;
		short events, revents;
	} p = { .fd = events_fd, .events = 2 /* POLLPRI */ };
	struct timespec most = { .tv_nsec = TRY_MS * 1000000L };
	char text[64];

	/* A change counts as new until the file was read. */
	(void)!pread(events_fd, text, sizeof text, 0);
	(void)sys_raw(SYS_ppoll, sys_arg(&p), events_fd >= 0, sys_arg(&most), 0,
		      0, 0);
}

void cgroup_remove(struct cgroup *c)
{
	char path[sizeof "../" + CGROUP_NAME_BYTES];
	owned_fd int events = -1;
	long r;

	if (c->dir_fd < 0)
		return;
	(void)snprintf(path, sizeof path, "../%s", c->name);
	r = name_remove(c->dir_fd, path);
	if (r == -EBUSY)
		events = openat(c->dir_fd, "cgroup.events",
				O_RDONLY | O_CLOEXEC);
	for (int i = 0; r == -EBUSY && i < TRIES; i++) {
		kill_all(c->dir_fd);
		await_change(events);
		r = name_remove(c->dir_fd, path);
	}
	cleanup_fd(&c->dir_fd);
	*c = CGROUP_NOWHERE;
}

/* --- sweeping ------------------------------------------------------------- */

/* A process is gone only if that is certain: it does not exist, or its number
 * now belongs to another process. */
static bool is_gone(const struct cgroup_owner *o,
		    const struct cgroup_owner *self)
{
	char path[40];
	char text[STAT_BYTES];
	owned_fd int fd = -1;
	uint64_t started;
	ssize_t n;

	if (o->pidns != self->pidns ||
	    (o->pid == self->pid && o->started == self->started))
		return false;
	if (o->pid == 0 || o->pid > INT32_MAX)
		return true;
	if (sys_raw(SYS_kill, (long)o->pid, 0, 0, 0, 0, 0) == -ESRCH)
		return true;
	(void)snprintf(path, sizeof path, "/proc/%d/stat", (int)o->pid);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
	if (n <= 0)
		return false; /* it exists, but we may not look at it */
	text[n] = '\0';
	started = cgroup_find_started(text);
	return started != 0 && started != o->started;
}

static bool is_own(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_uid == geteuid();
}

/* The owner of a run holds the lock of its cgroup.  What /proc says of a
 * process can be wrong: its number may be of another PID namespace, and its
 * start time depends on the clock of the reader (time_namespaces(7)). */
static bool is_held(int fd)
{
	return flock(fd, LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK;
}

/* A leaf that a caller moved to may hold the caller's children, which are none
 * of our business.  A run's cgroup holds nobody who should live. */
static void sweep_name(int dir_fd, const char *name,
		       const struct cgroup_owner *self)
{
	struct cgroup_owner owner;
	bool is_run = cgroup_name_read(CGROUP_RUN_PREFIX, true, name, &owner);
	owned_fd int fd = -1;

	if (!is_run &&
	    !cgroup_name_read(CGROUP_CALLER_PREFIX, false, name, &owner))
		return;
	if (!is_gone(&owner, self))
		return;
	fd = openat(dir_fd, name,
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0 || !is_own(fd) || (is_run && is_held(fd)))
		return;
	if (name_remove(dir_fd, name) != -EBUSY || !is_run)
		return;
	kill_all(fd);
	(void)name_remove(dir_fd, name); /* if it fails, the next run does it */
}

void cgroup_sweep(struct sys *k, int dir_fd, const struct cgroup_owner *self)
{
	_Alignas(struct listed) char list[LIST_BYTES];

	for (int i = 0; i < LISTS_MAX; i++) {
		long n = sys3(k, SYS_getdents64, dir_fd, list, sizeof list);

		if (n <= 0)
			return;
		for (long at = 0; at < n;) {
			struct listed *e = (struct listed *)(list + at);

			sweep_name(dir_fd, e->name, self);
			at += e->length;
		}
	}
}
