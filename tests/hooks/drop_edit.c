/* drop_edit.c -- see drop_edit.h. */
#include "hooks/drop_edit.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/mount.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "plan/plan.h"

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

/* Show the host's directory path at target, with everything below it. */
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

int drop_host_tree(struct plan *p)
{
	return host_bind(p, "/", "host");
}

int drop_devices(struct plan *p)
{
	for (size_t i = p->steps_len; i-- > 0;)
		if (is_below(p->steps[i].target, "dev"))
			step_remove(p, i);
	return host_bind(p, "/dev", "dev");
}

int drop_upper_hidden(struct plan *p)
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

int drop_root_readonly(struct plan *p)
{
	return attr_clear(p, MOUNT_ATTR_RDONLY, "repo", true);
}

int drop_repo_readonly(struct plan *p)
{
	return attr_clear(p, MOUNT_ATTR_RDONLY, "repo", false);
}

int drop_proc_readonly(struct plan *p)
{
	return attr_clear(p, MOUNT_ATTR_RDONLY, "proc", false);
}

int drop_mount_flags(struct plan *p)
{
	return attr_clear(p, MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV, NULL, false);
}

int drop_covers(struct plan *p)
{
	for (size_t i = p->steps_len; i-- > 0;)
		if (p->steps[i].kind == STEP_COVER)
			step_remove(p, i);
	return 0;
}

int drop_subset_pid(struct plan *p)
{
	for (size_t i = 0; i < p->steps_len; i++)
		p->steps[i].subset_pid = false;
	return 0;
}

int drop_proc_private(struct plan *p)
{
	(void)drop_proc_readonly(p);
	(void)drop_subset_pid(p);
	return drop_covers(p);
}

/* -- filters */

static const struct sock_filter allow_all[] = {
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

int drop_cross(struct plan *p)
{
	p->cross.insns = allow_all;
	p->cross.len = 1;
	return 0;
}

int drop_lesser(struct plan *p)
{
	p->lesser.insns = allow_all;
	p->lesser.len = 1;
	return 0;
}

int drop_violation_report(struct plan *p)
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

int drop_own_uid(struct plan *p)
{
	p->ids.host_uid = 65534;
	p->ids.host_gid = 65534;
	return 0;
}

int drop_host_uid(struct plan *p)
{
	p->ids.host_uid = 0;
	p->ids.host_gid = 0;
	for (size_t i = 0; i < p->sources_len; i++)
		p->sources[i].needs_idmap = false;
	return 0;
}

extern char **environ;

int drop_env(struct plan *p)
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

static int lift(uint64_t *limit)
{
	*limit = SPEC_UNLIMITED;
	return 0;
}

int drop_memory_total(struct plan *p)
{
	(void)lift(&p->watch.mem_bytes);
	return lift(&p->cgroup.memory_bytes);
}

int drop_pids(struct plan *p)
{
	return lift(&p->cgroup.pids);
}

int drop_cpu_max(struct plan *p)
{
	p->cgroup.is_needed = false;
	return lift(&p->cgroup.cpu_milli);
}

int drop_cgroup(struct plan *p)
{
	p->cgroup.kind = CGROUP_NONE;
	return 0;
}

int drop_cpu_tree(struct plan *p)
{
	return lift(&p->watch.cpu_ms);
}

int drop_wall_time(struct plan *p)
{
	return lift(&p->watch.wall_ms);
}

/* Both streams share one cap. */
int drop_output(struct plan *p)
{
	return lift(&p->watch.output_bytes);
}
