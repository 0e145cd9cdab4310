/* drop.c -- see drop.h.  Empty in every build that is installed. */
#include "plan/drop.h"

#ifdef CUPEL_TEST_HOOKS

#include <errno.h>
#include <linux/sched.h>
#include <stdbool.h>
#include <string.h>
#include <sys/resource.h>

#include "base/error.h"
#include "plan/drop_edit.h"
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

/* What a name takes down: bits for init, flags of clone3, one rlimit, and
 * what has to be changed in the plan. */
struct drop {
	const char *name;
	wall_set bits;
	uint64_t clone_flags;
	int limit; /* RLIMIT_ + 1, 0 = none */
	int (*edit)(struct plan *p);
};

#define BIT(n)   ((wall_set)1 << (n))
#define LIMIT(n) (RLIMIT_##n + 1)

static const struct drop drops[] = {
	{ "network", BIT(WALL_NETNS) | BIT(WALL_NETWORK), CLONE_NEWNET, 0,
	  NULL },
	{ "netns", BIT(WALL_NETNS) | BIT(WALL_NETWORK), CLONE_NEWNET, 0, NULL },
	{ "ipcns", BIT(WALL_IPCNS), CLONE_NEWIPC, 0, NULL },
	{ "utsns", BIT(WALL_UTSNS), CLONE_NEWUTS, 0, NULL },
	{ "cgroupns", BIT(WALL_CGROUPNS), CLONE_NEWCGROUP, 0, NULL },
	{ "root_readonly", BIT(WALL_ROOT_READONLY), 0, 0, drop_root_readonly },
	{ "repo_readonly",
	  BIT(WALL_REPO_READONLY) | BIT(WALL_REPO_OBJECTS) |
		  BIT(WALL_REPO_OVERLAY),
	  0, 0, drop_repo_readonly },
	{ "repo_objects", BIT(WALL_REPO_OBJECTS) | BIT(WALL_REPO_OVERLAY), 0, 0,
	  drop_cross },
	{ "overlay", BIT(WALL_REPO_OBJECTS), 0, 0, NULL },
	{ "upper_hidden", 0, 0, 0, drop_upper_hidden },
	{ "scratch_size", BIT(WALL_SCRATCH_SIZE), 0, 0, NULL },
	{ "scratch_inodes", BIT(WALL_SCRATCH_INODES), 0, 0, NULL },
	{ "proc_private", BIT(WALL_PROC_PRIVATE), 0, 0, drop_proc_private },
	{ "proc_readonly", 0, 0, 0, drop_proc_readonly },
	{ "hidepid", BIT(WALL_PROC_PRIVATE), 0, 0, NULL },
	{ "covers", 0, 0, 0, drop_covers },
	{ "subset_pid", 0, 0, 0, drop_subset_pid },
	{ "devices", BIT(WALL_DEVICES), 0, 0, drop_devices },
	{ "host_tree", 0, 0, 0, drop_host_tree },
	{ "mount_flags", 0, 0, 0, drop_mount_flags },
	{ "host_uid", BIT(WALL_HOST_UID), 0, 0, drop_host_uid },
	{ "own_uid", 0, 0, 0, drop_own_uid },
	{ "capabilities", BIT(WALL_CAPABILITIES), 0, 0, NULL },
	{ "securebits", BIT(WALL_SECUREBITS), 0, 0, NULL },
	{ "no_new_privs",
	  BIT(WALL_NO_NEW_PRIVS) | BIT(WALL_SECCOMP) | BIT(WALL_LANDLOCK) |
		  BIT(WALL_LANDLOCK_SCOPE),
	  0, 0, 0 },
	{ "supplementary_groups", BIT(WALL_SUPPLEMENTARY_GROUPS), 0, 0, NULL },
	{ "descriptors", BIT(WALL_DESCRIPTORS), 0, 0, NULL },
	{ "session", BIT(WALL_SESSION), 0, 0, NULL },
	{ "dispositions", BIT(DROP_DISPOSITIONS), 0, 0, NULL },
	{ "umask", BIT(DROP_UMASK), 0, 0, NULL },
	{ "counts", BIT(DROP_COUNTS), 0, 0, NULL },
	{ "dumpable", BIT(DROP_DUMPABLE), 0, 0, NULL },
	{ "lifeline", BIT(DROP_LIFELINE), 0, 0, NULL },
	{ "pins", BIT(DROP_PINS), 0, 0, NULL },
	{ "keeper", BIT(DROP_KEEPER), 0, 0, NULL },
	{ "trace", BIT(WALL_TRACE), 0, 0, NULL },
	{ "seccomp", BIT(WALL_SECCOMP), 0, 0, NULL },
	{ "nested_userns", BIT(WALL_SECCOMP), 0, 0, NULL },
	{ "cross", 0, 0, 0, drop_cross },
	{ "lesser", 0, 0, 0, drop_lesser },
	{ "violation_report", BIT(WALL_VIOLATION_REPORT), 0, 0,
	  drop_violation_report },
	{ "landlock", BIT(WALL_LANDLOCK) | BIT(WALL_LANDLOCK_SCOPE), 0, 0,
	  NULL },
	{ "landlock_scope", BIT(WALL_LANDLOCK) | BIT(WALL_LANDLOCK_SCOPE), 0, 0,
	  NULL },
	{ "rlimit_cpu", BIT(WALL_RLIMIT_CPU), 0, LIMIT(CPU), NULL },
	{ "rlimit_as", BIT(WALL_RLIMIT_AS), 0, LIMIT(AS), NULL },
	{ "rlimit_data", BIT(WALL_RLIMIT_DATA), 0, LIMIT(DATA), NULL },
	{ "rlimit_nofile", BIT(WALL_RLIMIT_NOFILE), 0, LIMIT(NOFILE), NULL },
	{ "rlimit_fsize", BIT(WALL_RLIMIT_FSIZE), 0, LIMIT(FSIZE), NULL },
	{ "rlimit_nproc", BIT(WALL_RLIMIT_NPROC) | BIT(WALL_PIDS), 0,
	  LIMIT(NPROC), NULL },
	{ "pids", BIT(WALL_RLIMIT_NPROC) | BIT(WALL_PIDS), 0, LIMIT(NPROC),
	  drop_pids },
	/* What holds pids besides the cgroup. */
	{ "nproc_alone", BIT(WALL_RLIMIT_NPROC) | BIT(WALL_PIDS), 0,
	  LIMIT(NPROC), NULL },
	{ "cpu_max", 0, 0, 0, drop_cpu_max },
	{ "cgroup", 0, 0, 0, drop_cgroup },
	{ "rlimit_core", BIT(WALL_RLIMIT_CORE), 0, LIMIT(CORE), NULL },
	{ "rlimit_memlock", 0, 0, LIMIT(MEMLOCK), NULL },
	{ "memory_total", BIT(WALL_MEMORY_TOTAL), 0, 0, drop_memory_total },
	{ "cpu_tree", BIT(WALL_CPU_TREE), 0, 0, drop_cpu_tree },
	{ "wall_time", BIT(WALL_WALL_TIME), 0, 0, drop_wall_time },
	{ "output_stdout", BIT(WALL_OUTPUT_STDOUT) | BIT(WALL_OUTPUT_STDERR), 0,
	  0, drop_output },
	{ "output_stderr", BIT(WALL_OUTPUT_STDOUT) | BIT(WALL_OUTPUT_STDERR), 0,
	  0, drop_output },
	{ "env", BIT(WALL_ENV), 0, 0, drop_env },
};

/* What stands on the walls in bits.  Without namespaces Landlock and the filter
 * are what keeps the host's tree as it is, the filter what keeps its objects
 * apart, and the scope what keeps init alive. */
static wall_set dependents(const struct plan *p, wall_set bits)
{
	bool lesser = p->clone_flags == 0;
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

static int drop_one(struct plan *p, const struct drop *d,
		    struct cupel_error *err)
{
	int r = d->edit ? d->edit(p) : 0;

	if (r < 0)
		return fail(-r, d->name, err);
	if (d->limit > 0)
		limit_remove(p, d->limit - 1);
	p->clone_flags &= ~d->clone_flags;
	if (d->clone_flags & CLONE_NEWNET) {
		p->loopback = false;
		p->egress.is_wanted = false;
	}
	p->dropped |= d->bits;
	p->requested &= ~d->bits;
	p->requested &= ~dependents(p, d->bits);
	return 0;
}

static const struct drop *drop_find(const char *name, size_t n)
{
	for (size_t i = 0; i < sizeof drops / sizeof *drops; i++)
		if (strlen(drops[i].name) == n &&
		    strncmp(drops[i].name, name, n) == 0)
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

#else
typedef int plan_drop_is_empty; /* ISO C wants a declaration in every file */
#endif
