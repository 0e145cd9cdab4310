/* drop.c -- see drop.h. */
#include "hooks/drop.h"

#include <errno.h>
#include <linux/sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

#include "base/error.h"
#include "hooks/drop_edit.h"
#include "plan/backend.h"
#include "plan/plan.h"

static int fail(int sys, const char *what, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER, sys,
			  "CUPEL_TEST_DROP: %s", what);
}

static void limit_remove(struct plan *p, int resource)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->limits_len; i++)
		if (p->limits[i].resource != resource)
			p->limits[kept++] = p->limits[i];
	p->limits_len = kept;
}

/* -- the table */

/* What a name takes down: bits for init, flags of clone3, one rlimit, and a
 * change of the plan. */
struct drop {
	const char *name; /* NULL: the wall's own name */
	enum wall wall;
	wall_set bits;
	uint64_t clone_flags;
	int limit; /* RLIMIT_ + 1, 0 = none */
	int (*edit)(struct plan *p);
};

#define BIT(n)   ((wall_set)1 << (n))
#define LIMIT(n) (RLIMIT_##n + 1)

static const struct drop drops[] = {
	{ .wall = WALL_NETWORK,
	  BIT(WALL_NETNS) | BIT(WALL_NETWORK),
	  CLONE_NEWNET,
	  0,
	  NULL },
	{ .wall = WALL_NETNS,
	  BIT(WALL_NETNS) | BIT(WALL_NETWORK),
	  CLONE_NEWNET,
	  0,
	  NULL },
	{ .wall = WALL_IPCNS, BIT(WALL_IPCNS), CLONE_NEWIPC, 0, NULL },
	{ .wall = WALL_UTSNS, BIT(WALL_UTSNS), CLONE_NEWUTS, 0, NULL },
	{ .wall = WALL_CGROUPNS, BIT(WALL_CGROUPNS), CLONE_NEWCGROUP, 0, NULL },
	{ .wall = WALL_ROOT_READONLY,
	  BIT(WALL_ROOT_READONLY),
	  0,
	  0,
	  drop_root_readonly },
	{ .wall = WALL_REPO_READONLY,
	  BIT(WALL_REPO_READONLY) | BIT(WALL_REPO_OBJECTS) |
		  BIT(WALL_REPO_OVERLAY),
	  0,
	  0,
	  drop_repo_readonly },
	{ .wall = WALL_REPO_OBJECTS,
	  BIT(WALL_REPO_OBJECTS) | BIT(WALL_REPO_OVERLAY),
	  0,
	  0,
	  drop_cross },
	{ "overlay", 0, BIT(WALL_REPO_OBJECTS), 0, 0, NULL },
	{ "upper_hidden", 0, 0, 0, 0, drop_upper_hidden },
	{ .wall = WALL_SCRATCH_SIZE, BIT(WALL_SCRATCH_SIZE), 0, 0, NULL },
	{ .wall = WALL_SCRATCH_INODES, BIT(WALL_SCRATCH_INODES), 0, 0, NULL },
	{ .wall = WALL_PROC_PRIVATE,
	  BIT(WALL_PROC_PRIVATE),
	  0,
	  0,
	  drop_proc_private },
	{ "proc_readonly", 0, 0, 0, 0, drop_proc_readonly },
	{ "hidepid", 0, BIT(WALL_PROC_PRIVATE), 0, 0, NULL },
	{ "covers", 0, 0, 0, 0, drop_covers },
	{ "subset_pid", 0, 0, 0, 0, drop_subset_pid },
	{ .wall = WALL_DEVICES, BIT(WALL_DEVICES), 0, 0, drop_devices },
	{ "host_tree", 0, 0, 0, 0, drop_host_tree },
	{ "mount_flags", 0, 0, 0, 0, drop_mount_flags },
	{ .wall = WALL_HOST_UID, BIT(WALL_HOST_UID), 0, 0, drop_host_uid },
	{ "own_uid", 0, 0, 0, 0, drop_own_uid },
	{ .wall = WALL_CAPABILITIES, BIT(WALL_CAPABILITIES), 0, 0, NULL },
	{ .wall = WALL_SECUREBITS, BIT(WALL_SECUREBITS), 0, 0, NULL },
	{ .wall = WALL_NO_NEW_PRIVS,
	  BIT(WALL_NO_NEW_PRIVS) | BIT(WALL_SECCOMP) | BIT(WALL_LANDLOCK) |
		  BIT(WALL_LANDLOCK_SCOPE),
	  0,
	  0,
	  0 },
	{ .wall = WALL_SUPPLEMENTARY_GROUPS,
	  BIT(WALL_SUPPLEMENTARY_GROUPS),
	  0,
	  0,
	  NULL },
	{ .wall = WALL_DESCRIPTORS, BIT(WALL_DESCRIPTORS), 0, 0, NULL },
	{ .wall = WALL_SESSION, BIT(WALL_SESSION), 0, 0, NULL },
	{ "dispositions", 0, BIT(DROP_DISPOSITIONS), 0, 0, NULL },
	{ "umask", 0, BIT(DROP_UMASK), 0, 0, NULL },
	{ "counts", 0, BIT(DROP_COUNTS), 0, 0, NULL },
	{ "dumpable", 0, BIT(DROP_DUMPABLE), 0, 0, NULL },
	{ "lifeline", 0, BIT(DROP_LIFELINE), 0, 0, NULL },
	{ "pins", 0, BIT(DROP_PINS), 0, 0, NULL },
	{ "keeper", 0, BIT(DROP_KEEPER), 0, 0, NULL },
	{ "early", 0, BIT(DROP_EARLY), 0, 0, NULL },
	{ "ready", 0, BIT(DROP_READY), 0, 0, NULL },
	{ "answer", 0, BIT(DROP_ANSWER), 0, 0, NULL },
	{ "attest", 0, BIT(DROP_ATTEST), 0, 0, NULL },
	{ "attest_bind", 0, BIT(DROP_ATTEST_BIND), 0, 0, NULL },
	{ "attest_device", 0, BIT(DROP_ATTEST_DEVICE), 0, 0, NULL },
	{ "ipv6", 0, BIT(DROP_IPV6), 0, 0, NULL },
	{ "share_ipc", 0, BIT(DROP_SHARED) | BIT(WALL_IPCNS), 0, 0, NULL },
	{ "share_net", 0,
	  BIT(DROP_SHARED) | BIT(WALL_NETNS) | BIT(WALL_NETWORK), 0, 0, NULL },
	{ "share_user", 0, BIT(DROP_SHARED) | BIT(WALL_USERNS), 0, 0, NULL },
	{ "share_scratch", 0,
	  BIT(DROP_SHARED) | BIT(WALL_SCRATCH_SIZE) | BIT(WALL_SCRATCH_INODES),
	  0, 0, NULL },
	{ "turn_command", 0, BIT(DROP_TURN_COMMAND), 0, 0, NULL },
	{ "turn_keeper", 0, BIT(DROP_TURN_KEEPER), 0, 0, NULL },
	{ .wall = WALL_TRACE, BIT(WALL_TRACE), 0, 0, NULL },
	{ .wall = WALL_SECCOMP, BIT(WALL_SECCOMP), 0, 0, NULL },
	{ .wall = WALL_NESTED_USERNS, BIT(WALL_SECCOMP), 0, 0, NULL },
	{ "cross", 0, 0, 0, 0, drop_cross },
	{ "lesser", 0, 0, 0, 0, drop_lesser },
	{ .wall = WALL_VIOLATION_REPORT,
	  BIT(WALL_VIOLATION_REPORT),
	  0,
	  0,
	  drop_violation_report },
	{ .wall = WALL_LANDLOCK,
	  BIT(WALL_LANDLOCK) | BIT(WALL_LANDLOCK_SCOPE),
	  0,
	  0,
	  NULL },
	{ .wall = WALL_LANDLOCK_SCOPE,
	  BIT(WALL_LANDLOCK) | BIT(WALL_LANDLOCK_SCOPE),
	  0,
	  0,
	  NULL },
	{ .wall = WALL_RLIMIT_CPU, BIT(WALL_RLIMIT_CPU), 0, LIMIT(CPU), NULL },
	{ .wall = WALL_RLIMIT_AS, BIT(WALL_RLIMIT_AS), 0, LIMIT(AS), NULL },
	{ .wall = WALL_RLIMIT_DATA,
	  BIT(WALL_RLIMIT_DATA),
	  0,
	  LIMIT(DATA),
	  NULL },
	{ .wall = WALL_RLIMIT_NOFILE,
	  BIT(WALL_RLIMIT_NOFILE),
	  0,
	  LIMIT(NOFILE),
	  NULL },
	{ .wall = WALL_RLIMIT_FSIZE,
	  BIT(WALL_RLIMIT_FSIZE),
	  0,
	  LIMIT(FSIZE),
	  NULL },
	{ .wall = WALL_RLIMIT_NPROC,
	  BIT(WALL_RLIMIT_NPROC) | BIT(WALL_PIDS),
	  0,
	  LIMIT(NPROC),
	  NULL },
	{ .wall = WALL_PIDS,
	  BIT(WALL_RLIMIT_NPROC) | BIT(WALL_PIDS),
	  0,
	  LIMIT(NPROC),
	  drop_pids },
	/* What holds pids besides the cgroup. */
	{ "nproc_alone", 0, BIT(WALL_RLIMIT_NPROC) | BIT(WALL_PIDS), 0,
	  LIMIT(NPROC), NULL },
	{ "cpu_max", 0, 0, 0, 0, drop_cpu_max },
	{ "cgroup", 0, 0, 0, 0, drop_cgroup },
	{ .wall = WALL_RLIMIT_CORE,
	  BIT(WALL_RLIMIT_CORE),
	  0,
	  LIMIT(CORE),
	  NULL },
	{ "rlimit_memlock", 0, 0, 0, LIMIT(MEMLOCK), NULL },
	{ .wall = WALL_MEMORY_TOTAL,
	  BIT(WALL_MEMORY_TOTAL),
	  0,
	  0,
	  drop_memory_total },
	{ .wall = WALL_CPU_TREE, BIT(WALL_CPU_TREE), 0, 0, drop_cpu_tree },
	{ .wall = WALL_WALL_TIME, BIT(WALL_WALL_TIME), 0, 0, drop_wall_time },
	{ .wall = WALL_OUTPUT_STDOUT,
	  BIT(WALL_OUTPUT_STDOUT) | BIT(WALL_OUTPUT_STDERR),
	  0,
	  0,
	  drop_output },
	{ .wall = WALL_OUTPUT_STDERR,
	  BIT(WALL_OUTPUT_STDOUT) | BIT(WALL_OUTPUT_STDERR),
	  0,
	  0,
	  drop_output },
	{ .wall = WALL_ENV, BIT(WALL_ENV), 0, 0, drop_env },
};

/* The walls that depend on those in bits.  Without namespaces Landlock and the
 * filter keep the host's tree as it is, the filter keeps its objects apart, and
 * the scope keeps init alive. */
static wall_set dependents(const struct plan *p, wall_set bits)
{
	bool lesser = !backend_has(p->backend, WALL_MOUNTNS);
	wall_set more = 0;

	if (bits & BIT(WALL_SECCOMP))
		more |= BIT(WALL_NESTED_USERNS) | BIT(WALL_VIOLATION_REPORT);
	if (lesser && (bits & BIT(WALL_SECCOMP)))
		more |= BIT(WALL_REPO_OBJECTS) | BIT(WALL_NETWORK);
	if (lesser && (bits & (BIT(WALL_LANDLOCK) | BIT(WALL_SECCOMP))))
		more |= BIT(WALL_ROOT_READONLY) | BIT(WALL_REPO_READONLY);
	if (lesser && (bits & BIT(WALL_LANDLOCK_SCOPE)))
		more |= p->on_init;
	return more;
}

static const char *drop_name(const struct drop *d)
{
	return d->name != NULL ? d->name : wall_name(d->wall);
}

static int drop_one(struct plan *p, const struct drop *d,
		    struct cupel_error *err)
{
	int r = d->edit ? d->edit(p) : 0;

	if (r < 0)
		return fail(-r, drop_name(d), err);
	if (d->limit > 0)
		limit_remove(p, d->limit - 1);
	p->clone_flags &= ~d->clone_flags;
	if (d->clone_flags & CLONE_NEWNET) {
		p->loopback = false;
		p->egress.is_wanted = false;
	}
	p->hooks.dropped |= d->bits;
	p->requested &= ~d->bits;
	p->requested &= ~dependents(p, d->bits);
	return 0;
}

static const struct drop *drop_find(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof drops / sizeof *drops; i++)
		if (strlen(drop_name(&drops[i])) == n &&
		    strncmp(drop_name(&drops[i]), name, n) == 0)
			return &drops[i];
	return NULL;
}

int plan_drop(struct plan *p, const char *names, struct cupel_error *err)
{
	while (names != NULL && *names != '\0') {
		size_t n = strcspn(names, ",");
		const struct drop *d = drop_find(names, n);
		int r;

		if (d == NULL)
			return fail(EINVAL, names, err);
		r = drop_one(p, d, err);
		if (r < 0)
			return r;
		names += n + (names[n] == ',');
	}
	return 0;
}
