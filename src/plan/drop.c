/* drop.c -- see drop.h.  Empty in every build that is installed. */
#include "plan/drop.h"

#ifdef CUPEL_TEST_HOOKS

#include <errno.h>
#include <linux/filter.h>
#include <linux/mount.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/error.h"
#include "plan/plan.h"

static int fail(int sys, const char *what, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER, sys,
			  "CUPEL_TEST_DROP: %s", what);
}

/* -- the root */

static bool is_below(const char *target, const char *dir)
{
	size_t n = strlen(dir);

	return strncmp(target, dir, n) == 0 &&
	       (target[n] == '\0' || target[n] == '/');
}

static void step_remove(struct plan *p, size_t i)
{
	memmove(&p->steps[i], &p->steps[i + 1],
		(p->steps_len - i - 1) * sizeof *p->steps);
	p->steps_len--;
}

static int steps_append(struct plan *p, const struct plan_step more[], size_t n)
{
	size_t len = p->steps_len;
	struct plan_step *all =
		arena_array(&p->arena, len + n, sizeof *p->steps);

	if (all == NULL)
		return -ENOMEM;
	memcpy(all, p->steps, len * sizeof *all);
	memcpy(all + len, more, n * sizeof *all);
	p->steps = all;
	p->steps_len = len + n;
	return 0;
}

static int source_append(struct plan *p, const char *path)
{
	size_t len = p->sources_len;
	struct plan_source *all =
		arena_array(&p->arena, len + 1, sizeof *p->sources);
	struct stat st;

	if (all == NULL)
		return -ENOMEM;
	if (stat(path, &st) < 0)
		return -errno;
	memcpy(all, p->sources, len * sizeof *all);
	all[len] = (struct plan_source){ .path = path,
					 .dev = st.st_dev,
					 .ino = st.st_ino,
					 .is_dir = true,
					 .uid = st.st_uid,
					 .gid = st.st_gid };
	p->sources = all;
	p->sources_len = len + 1;
	return 0;
}

/* The host's own directory path at target, with everything below it. */
static int host_bind(struct plan *p, const char *path, const char *target)
{
	int r = source_append(p, path);
	const struct plan_step more[] = {
		{ .kind = STEP_DIR,
		  .target = target,
		  .mode = 0755,
		  .wall = WALL_MAX_ },
		{ .kind = STEP_BIND,
		  .target = target,
		  .source = (unsigned)p->sources_len - 1,
		  .is_dir = true,
		  .wall = WALL_MAX_ },
	};

	return r < 0 ? r : steps_append(p, more, 2);
}

static int host_tree(struct plan *p)
{
	return host_bind(p, "/", "host");
}

static int devices(struct plan *p)
{
	for (size_t i = p->steps_len; i-- > 0;)
		if (is_below(p->steps[i].target, "dev"))
			step_remove(p, i);
	return host_bind(p, "/dev", "dev");
}

static int upper_hidden(struct plan *p)
{
	const struct plan_step more[] = {
		{ .kind = STEP_DIR,
		  .target = "upper",
		  .mode = 0755,
		  .wall = WALL_MAX_ },
		{ .kind = STEP_EXPOSE,
		  .target = "upper",
		  .text = "upper",
		  .wall = WALL_MAX_ },
	};

	return steps_append(p, more, 2);
}

static int attr_clear(struct plan *p, uint64_t attr, const char *below,
		      bool inverted)
{
	for (size_t i = 0; i < p->steps_len; i++)
		if (!below || is_below(p->steps[i].target, below) != inverted)
			p->steps[i].attr &= ~attr;
	return 0;
}

static int root_readonly(struct plan *p)
{
	return attr_clear(p, MOUNT_ATTR_RDONLY, "repo", true);
}

static int repo_readonly(struct plan *p)
{
	return attr_clear(p, MOUNT_ATTR_RDONLY, "repo", false);
}

static int proc_readonly(struct plan *p)
{
	return attr_clear(p, MOUNT_ATTR_RDONLY, "proc", false);
}

static int mount_flags(struct plan *p)
{
	return attr_clear(p, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, NULL, false);
}

static int covers(struct plan *p)
{
	for (size_t i = p->steps_len; i-- > 0;)
		if (p->steps[i].kind == STEP_COVER)
			step_remove(p, i);
	return 0;
}

static int subset_pid(struct plan *p)
{
	for (size_t i = 0; i < p->steps_len; i++)
		p->steps[i].subset_pid = false;
	return 0;
}

static int proc_private(struct plan *p)
{
	(void)proc_readonly(p);
	(void)subset_pid(p);
	return covers(p);
}

/* -- filters */

static const struct sock_filter allow_all[] = {
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

static int cross(struct plan *p)
{
	p->cross.insns = allow_all;
	p->cross.len = 1;
	return 0;
}

static int violation_report(struct plan *p)
{
	struct sock_filter *copy =
		arena_array(&p->arena, p->filter.len, sizeof *copy);

	if (copy == NULL)
		return -ENOMEM;
	memcpy(copy, p->filter.insns, p->filter.len * sizeof *copy);
	for (size_t i = 0; i < p->filter.len; i++)
		if (copy[i].code == (BPF_RET | BPF_K) &&
		    copy[i].k == SECCOMP_RET_USER_NOTIF)
			copy[i].k = SECCOMP_RET_KILL_PROCESS;
	p->filter.insns = copy;
	return 0;
}

/* -- ids and environment */

static int host_uid(struct plan *p)
{
	p->ids.host_uid = 0;
	p->ids.host_gid = 0;
	for (size_t i = 0; i < p->sources_len; i++)
		p->sources[i].needs_idmap = false;
	return 0;
}

extern char **environ;

static int env(struct plan *p)
{
	size_t more = 0;
	const char **all;

	while (environ[more] != NULL)
		more++;
	all = arena_array(&p->arena, p->envc + more + 1, sizeof *all);
	if (all == NULL)
		return -ENOMEM;
	memcpy(all, p->envp, p->envc * sizeof *all);
	memcpy(all + p->envc, environ, more * sizeof *all);
	p->envp = all;
	p->envc += more;
	return 0;
}

/* -- limits */

static void limit_remove(struct plan *p, int resource)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->limits_len; i++)
		if (p->limits[i].resource != resource)
			p->limits[kept++] = p->limits[i];
	p->limits_len = kept;
}

static int memory_total(struct plan *p)
{
	p->watch.mem_bytes = SPEC_UNLIMITED;
	return 0;
}

static int cpu_tree(struct plan *p)
{
	p->watch.cpu_ms = SPEC_UNLIMITED;
	return 0;
}

static int wall_time(struct plan *p)
{
	p->watch.wall_ms = SPEC_UNLIMITED;
	return 0;
}

/* Both streams share one cap. */
static int output(struct plan *p)
{
	p->watch.output_bytes = SPEC_UNLIMITED;
	return 0;
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
	{ "netns", BIT(WALL_NETNS) | BIT(WALL_NETWORK), CLONE_NEWNET, 0, 0 },
	{ "ipcns", BIT(WALL_IPCNS), CLONE_NEWIPC, 0, 0 },
	{ "utsns", BIT(WALL_UTSNS), CLONE_NEWUTS, 0, 0 },
	{ "cgroupns", BIT(WALL_CGROUPNS), CLONE_NEWCGROUP, 0, 0 },
	{ "root_readonly", BIT(WALL_ROOT_READONLY), 0, 0, root_readonly },
	{ "repo_readonly",
	  BIT(WALL_REPO_READONLY) | BIT(WALL_REPO_OBJECTS) |
		  BIT(WALL_REPO_OVERLAY),
	  0, 0, repo_readonly },
	{ "repo_objects", BIT(WALL_REPO_OBJECTS) | BIT(WALL_REPO_OVERLAY), 0, 0,
	  cross },
	{ "overlay", BIT(WALL_REPO_OBJECTS), 0, 0, 0 },
	{ "upper_hidden", 0, 0, 0, upper_hidden },
	{ "scratch_size", BIT(WALL_SCRATCH_SIZE), 0, 0, 0 },
	{ "scratch_inodes", BIT(WALL_SCRATCH_INODES), 0, 0, 0 },
	{ "proc_private", BIT(WALL_PROC_PRIVATE), 0, 0, proc_private },
	{ "proc_readonly", 0, 0, 0, proc_readonly },
	{ "hidepid", BIT(WALL_PROC_PRIVATE), 0, 0, 0 },
	{ "covers", 0, 0, 0, covers },
	{ "subset_pid", 0, 0, 0, subset_pid },
	{ "devices", BIT(WALL_DEVICES), 0, 0, devices },
	{ "host_tree", 0, 0, 0, host_tree },
	{ "mount_flags", 0, 0, 0, mount_flags },
	{ "host_uid", BIT(WALL_HOST_UID), 0, 0, host_uid },
	{ "capabilities", BIT(WALL_CAPABILITIES), 0, 0, 0 },
	{ "securebits", BIT(WALL_SECUREBITS), 0, 0, 0 },
	{ "no_new_privs",
	  BIT(WALL_NO_NEW_PRIVS) | BIT(WALL_SECCOMP) | BIT(WALL_LANDLOCK), 0, 0,
	  0 },
	{ "supplementary_groups", BIT(WALL_SUPPLEMENTARY_GROUPS), 0, 0, 0 },
	{ "descriptors", BIT(WALL_DESCRIPTORS), 0, 0, 0 },
	{ "session", BIT(WALL_SESSION), 0, 0, 0 },
	{ "dispositions", BIT(DROP_DISPOSITIONS), 0, 0, 0 },
	{ "umask", BIT(DROP_UMASK), 0, 0, 0 },
	{ "dumpable", BIT(DROP_DUMPABLE), 0, 0, 0 },
	{ "lifeline", BIT(DROP_LIFELINE), 0, 0, 0 },
	{ "seccomp", BIT(WALL_SECCOMP), 0, 0, 0 },
	{ "cross", 0, 0, 0, cross },
	{ "violation_report", BIT(WALL_VIOLATION_REPORT), 0, 0,
	  violation_report },
	{ "landlock", BIT(WALL_LANDLOCK) | BIT(WALL_LANDLOCK_SCOPE), 0, 0, 0 },
	{ "rlimit_cpu", BIT(WALL_RLIMIT_CPU), 0, LIMIT(CPU), 0 },
	{ "rlimit_as", BIT(WALL_RLIMIT_AS), 0, LIMIT(AS), 0 },
	{ "rlimit_data", BIT(WALL_RLIMIT_DATA), 0, LIMIT(DATA), 0 },
	{ "rlimit_nofile", BIT(WALL_RLIMIT_NOFILE), 0, LIMIT(NOFILE), 0 },
	{ "rlimit_fsize", BIT(WALL_RLIMIT_FSIZE), 0, LIMIT(FSIZE), 0 },
	{ "rlimit_nproc", BIT(WALL_RLIMIT_NPROC) | BIT(WALL_PIDS), 0,
	  LIMIT(NPROC), 0 },
	{ "rlimit_core", BIT(WALL_RLIMIT_CORE), 0, LIMIT(CORE), 0 },
	{ "rlimit_memlock", 0, 0, LIMIT(MEMLOCK), 0 },
	{ "memory_total", BIT(WALL_MEMORY_TOTAL), 0, 0, memory_total },
	{ "cpu_tree", BIT(WALL_CPU_TREE), 0, 0, cpu_tree },
	{ "wall_time", BIT(WALL_WALL_TIME), 0, 0, wall_time },
	{ "output", BIT(WALL_OUTPUT_STDOUT) | BIT(WALL_OUTPUT_STDERR), 0, 0,
	  output },
	{ "env", BIT(WALL_ENV), 0, 0, env },
};

static int drop_one(struct plan *p, const struct drop *d,
		    struct cupel_error *err)
{
	int r = d->edit ? d->edit(p) : 0;

	if (r < 0)
		return fail(-r, d->name, err);
	if (d->limit > 0)
		limit_remove(p, d->limit - 1);
	p->clone_flags &= ~d->clone_flags;
	if (d->clone_flags & CLONE_NEWNET)
		p->loopback = false;
	p->dropped |= d->bits;
	p->requested &= ~d->bits;
	if (d->bits & BIT(WALL_SECCOMP))
		p->requested &=
			~(BIT(WALL_NESTED_USERNS) | BIT(WALL_VIOLATION_REPORT));
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
	while (*names != '\0') {
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
