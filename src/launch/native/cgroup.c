/* cgroup.c -- see cgroup.h: makes a cgroup with its limits, before there is a
 * process in it. */
#include "launch/native/cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/sysinfo.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "plan/plan.h"

#define PERIOD_US 100000 /* of cpu.max: the kernel's own default */
#define DIR_FLAGS (O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)

/* Write one value into one file of a cgroup. */
static int file_write(struct sys *k, int dir_fd, const char *name,
		      const char *text)
{
	long fd = sys4(k, SYS_openat, dir_fd, name, O_WRONLY | O_CLOEXEC, 0);
	long r;

	if (fd < 0)
		return (int)fd;
	r = sys3(k, SYS_write, fd, text, strlen(text));
	sys_close((int)fd);
	return r < 0 ? (int)r : 0;
}

static int number_write(struct sys *k, int dir_fd, const char *name,
			uint64_t value)
{
	char text[24];

	(void)snprintf(text, sizeof text, "%llu", (unsigned long long)value);
	return file_write(k, dir_fd, name, text);
}

/* --- the directory that it is made in ------------------------------------- */

/* A cgroup that holds a process cannot be divided.  The one that holds only us
 * can be, once we have moved into a leaf of it. */
static int step_aside(struct sys *k, int dir_fd,
		      const struct cgroup_owner *self)
{
	char name[CGROUP_NAME_BYTES];
	owned_fd int fd = -1;
	int r;

	cgroup_name_write(CGROUP_CALLER_PREFIX, self, NULL, name);
	r = (int)sys3(k, SYS_mkdirat, dir_fd, name, 0755);
	if (r < 0 && r != -EEXIST)
		return r;
	fd = (int)sys4(k, SYS_openat, dir_fd, name, DIR_FLAGS, 0);
	r = fd < 0 ? fd : file_write(k, fd, "cgroup.procs", "0");
	if (r < 0)
		(void)sys_raw(SYS_unlinkat, dir_fd, sys_arg(name), AT_REMOVEDIR,
			      0, 0, 0);
	return r;
}

/* The controllers of the limits, as far as they can be had.  No other is turned
 * on: that is up to the directory's owner, and at the top of the tree it would
 * affect the whole machine. */
static unsigned needed(const struct plan_cgroup *plan)
{
	unsigned set = 0;

	if (plan->memory_bytes != SPEC_UNLIMITED)
		set |= CGROUP_MEMORY;
	if (plan->pids != SPEC_UNLIMITED)
		set |= CGROUP_PIDS;
	if (plan->cpu_milli != SPEC_UNLIMITED)
		set |= CGROUP_CPU;
	return set & plan->can;
}

/* Each is enabled by itself, so that one that is refused does not keep the
 * others away.  Its limit is then found to be missing. */
static void controllers_enable(struct sys *k, int dir_fd, unsigned set)
{
	static const char *const words[] = { "+memory", "+pids", "+cpu" };

	for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
		if (set & 1U << i)
			(void)file_write(k, dir_fd, "cgroup.subtree_control",
					 words[i]);
}

static int parent_open(struct sys *k, const struct plan_cgroup *plan,
		       const struct cgroup_owner *self)
{
	owned_fd int fd =
		(int)sys4(k, SYS_openat, AT_FDCWD, plan->dir, DIR_FLAGS, 0);
	int r = fd < 0 ? fd : 0;

	if (r == 0 && plan->kind == CGROUP_ALONE)
		r = step_aside(k, fd, self);
	if (r < 0)
		return r;
	if (plan->kind == CGROUP_V1)
		return take_fd(&fd);
	controllers_enable(k, fd, needed(plan) & ~plan->has);
	return take_fd(&fd);
}

/* --- limits --------------------------------------------------------------- */

/* Swap counts as memory of the tree, too: with a swap limit of 0, memory.max
 * covers all of it.  A kernel that does not count swap does no harm where there
 * is no swap. */
static int swap_write(struct sys *k, int dir_fd)
{
	struct sysinfo host;
	int r = file_write(k, dir_fd, "memory.swap.max", "0");

	if (r == -ENOENT && sysinfo(&host) == 0 && host.totalswap == 0)
		return 0;
	return r;
}

/* The limit is written last: if one of the others was refused, the kernel never
 * kills behind the watchdog's back. */
static int memory_write(struct sys *k, int dir_fd, uint64_t bytes)
{
	/* Kill all or none: when the kernel has killed one process of a tree,
	 * what the rest does tells nothing of use. */
	int r = file_write(k, dir_fd, "memory.oom.group", "1");

	if (r == 0)
		r = swap_write(k, dir_fd);
	if (r == 0)
		r = number_write(k, dir_fd, "memory.max", bytes);
	return r;
}

/* The same in version 1 (docs/memory.md).  There memory.memsw covers memory and
 * swap together and cannot be lower than the limit of memory alone, so it is
 * written second.  Version 1 cannot kill all or none: the watchdog sees that
 * one process was killed, and kills the others. */
static int memory1_write(struct sys *k, int dir_fd, uint64_t bytes)
{
	struct sysinfo host;
	int r = number_write(k, dir_fd, "memory.limit_in_bytes", bytes);

	if (r < 0)
		return r;
	r = number_write(k, dir_fd, "memory.memsw.limit_in_bytes", bytes);
	if (r == -ENOENT && sysinfo(&host) == 0 && host.totalswap == 0)
		return 0;
	return r;
}

static int cpu_write(struct sys *k, int dir_fd, uint64_t milli)
{
	char text[48];

	(void)snprintf(text, sizeof text, "%llu %d",
		       (unsigned long long)milli * PERIOD_US / 1000, PERIOD_US);
	return file_write(k, dir_fd, "cpu.max", text);
}

static void limits_write(struct sys *k, const struct plan_cgroup *plan,
			 struct cgroup *c)
{
	unsigned set = needed(plan);

	if (plan->kind == CGROUP_V1) {
		if ((set & CGROUP_MEMORY) != 0 &&
		    memory1_write(k, c->dir_fd, plan->memory_bytes) == 0)
			c->held |= CGROUP_MEMORY;
		return;
	}
	if ((set & CGROUP_MEMORY) != 0 &&
	    memory_write(k, c->dir_fd, plan->memory_bytes) == 0)
		c->held |= CGROUP_MEMORY;
	if ((set & CGROUP_PIDS) != 0 &&
	    number_write(k, c->dir_fd, "pids.max", plan->pids) == 0)
		c->held |= CGROUP_PIDS;
	if ((set & CGROUP_CPU) != 0 &&
	    cpu_write(k, c->dir_fd, plan->cpu_milli) == 0)
		c->held |= CGROUP_CPU;
}

/* --- the whole ------------------------------------------------------------ */

static int make(struct sys *k, const struct plan_cgroup *plan,
		struct cgroup *ret)
{
	struct cgroup c = CGROUP_NOWHERE;
	struct cgroup_owner self = { 0 };
	owned_fd int parent = -1;
	uint64_t random = 0;
	int r = cgroup_owner_self(k, &self);

	if (r < 0)
		return r;
	parent = parent_open(k, plan, &self);
	if (parent < 0)
		return parent;
	cgroup_sweep(k, parent, &self);
	r = (int)sys3(k, SYS_getrandom, &random, sizeof random, 0);
	if (r != sizeof random)
		return r < 0 ? r : -EAGAIN;
	cgroup_name_write(CGROUP_RUN_PREFIX, &self, &random, c.name);
	/* Open to nobody else, so that nobody else can hold its lock. */
	r = (int)sys3(k, SYS_mkdirat, parent, c.name, 0700);
	if (r < 0)
		return r;
	c.dir_fd = (int)sys4(k, SYS_openat, parent, c.name, DIR_FLAGS, 0);
	if (c.dir_fd < 0) {
		(void)sys_raw(SYS_unlinkat, parent, sys_arg(c.name),
			      AT_REMOVEDIR, 0, 0, 0);
		return c.dir_fd;
	}
	(void)sys2(k, SYS_flock, c.dir_fd, LOCK_EX | LOCK_NB);
	c.is_v1 = plan->kind == CGROUP_V1;
	limits_write(k, plan, &c);
	/* A cgroup of version 1 is of use only for its limit. */
	if (c.is_v1 && c.held == 0)
		cgroup_remove(&c);
	*ret = c;
	return 0;
}

static int refuse(int r, struct cupel_error *err)
{
	if (r == 0)
		return cupel_fail(err, CUPEL_STAGE_LIMIT, CUPEL_CAUSE_HOST,
				  EOPNOTSUPP,
				  "--cpu-max: the run's cgroup was not given "
				  "the cpu controller");
	return cupel_fail(err, CUPEL_STAGE_LIMIT, cupel_cause_of(-r), -r,
			  "--cpu-max: cannot make a cgroup for the run: %s",
			  strerror(-r));
}

int cgroup_make(struct sys *k, const struct plan_cgroup *plan,
		struct cgroup *ret, struct cupel_error *err)
{
	struct cgroup c = CGROUP_NOWHERE;
	int r;

	*ret = c;
	if (plan->kind == CGROUP_NONE)
		return 0;
	r = make(k, plan, &c);
	if (plan->is_needed && (c.held & CGROUP_CPU) == 0) {
		cgroup_remove(&c);
		return refuse(r, err);
	}
	if (r == 0)
		*ret = c;
	return 0;
}
