/* cgroup.c -- see cgroup.h. */
#include "supervise/cgroup.h"

#include <errno.h>
#include <string.h>

#include "plan/plan.h"
#include "supervise/procfs.h"
#include "supervise/run.h"

#define TEXT_BYTES 4096 /* of one file; cpu.stat is the longest, some 300 */

static int number_read(const char *at, uint64_t *ret)
{
	uint64_t value = 0;

	if (*at < '0' || *at > '9')
		return -EINVAL;
	for (; *at >= '0' && *at <= '9'; at++)
		if (__builtin_mul_overflow(value, 10, &value) ||
		    __builtin_add_overflow(value, (uint64_t)(*at - '0'),
					   &value))
			return -EINVAL;
	if (*at != '\n' && *at != '\0')
		return -EINVAL;
	*ret = value;
	return 0;
}

int cgroup_find_value(const char *text, const char *key, uint64_t *ret)
{
	size_t n = strlen(key);

	for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, key, n) == 0 && at[n] == ' ')
			return number_read(at + n + 1, ret);
	}
	return -EINVAL;
}

static int key_read(int dir_fd, const char *name, const char *key,
		    uint64_t *ret)
{
	char text[TEXT_BYTES];
	ssize_t n = procfs_read(dir_fd, name, text, sizeof text);

	return n < 0 ? (int)n : cgroup_find_value(text, key, ret);
}

int cgroup_read_cpu(int dir_fd, uint64_t *ret_us)
{
	return key_read(dir_fd, "cpu.stat", "usage_usec", ret_us);
}

/* Version 1 has it beside the switch (Linux 4.13). */
static int kills_read(const struct cgroup *c, uint64_t *ret)
{
	return key_read(c->dir_fd,
			c->is_v1 ? "memory.oom_control" : "memory.events",
			"oom_kill", ret);
}

bool cgroup_has_oom(const struct cgroup *c)
{
	uint64_t kills = 0;

	return c->dir_fd >= 0 && kills_read(c, &kills) == 0 && kills > 0;
}

void cgroup_settle(struct run *r)
{
	if (r->out.killed == KILL_NONE && r->out.error.stage == 0 &&
	    (r->child.cgroup.held & CGROUP_MEMORY) != 0 &&
	    cgroup_has_oom(&r->child.cgroup))
		r->out.killed = KILL_MEMORY;
}

/* Init would have reported it, but its last record is missing if it was killed,
 * too. */
static void cpu_note(struct run *r, const char *text)
{
	struct outcome *o = &r->out;
	uint64_t us = 0;

	if (cgroup_find_value(text, "usage_usec", &us) == 0 &&
	    us > o->tree_cpu_us)
		o->tree_cpu_us = us;
	if (r->has_exited)
		return;
	(void)cgroup_find_value(text, "user_usec", &o->cpu_user_us);
	(void)cgroup_find_value(text, "system_usec", &o->cpu_system_us);
}

/* RLIMIT_NPROC counts the same processes and has the smaller limit, so it
 * refuses first.  That is why the peak (Linux 6.1) is what tells. */
static void pids_note(struct run *r)
{
	struct limits_met *met = &r->out.met;
	int dir = r->child.cgroup.dir_fd;
	uint64_t peak = 0;
	char text[64];

	if (procfs_read(dir, "pids.peak", text, sizeof text) > 0)
		(void)number_read(text, &peak);
	met->has_pids_peak = peak >= r->watch.met.pids;
	(void)key_read(dir, "pids.events", "max", &met->pids_refused);
}

void cgroup_note(struct run *r)
{
	struct outcome *o = &r->out;
	const struct cgroup *c = &r->child.cgroup;
	int dir = c->dir_fd;
	char text[TEXT_BYTES];
	uint64_t value = 0;

	o->cgroup_held = c->held;
	o->cgroup_is_v1 = c->is_v1;
	o->has_cgroup = dir >= 0 && !c->is_v1;
	if (dir < 0)
		return;
	if (!c->is_v1 && procfs_read(dir, "cpu.stat", text, sizeof text) > 0)
		cpu_note(r, text);
	if (o->started && (o->cgroup_held & CGROUP_PIDS))
		pids_note(r);
	if ((o->cgroup_held & CGROUP_MEMORY) == 0)
		return;
	/* version 2: Linux 5.19 */
	if (procfs_read(dir,
			c->is_v1 ? "memory.max_usage_in_bytes" : "memory.peak",
			text, sizeof text) > 0 &&
	    number_read(text, &value) == 0) {
		o->has_memory_peak = true;
		o->memory_peak_bytes = value;
	}
	(void)kills_read(c, &o->oom_kills);
}
