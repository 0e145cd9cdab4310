/* build.c -- plan_build: from the request and the host to the plan.
 */
#include "plan/build.h"

#include <errno.h>
#include <string.h>

#include "base/error.h"
#include "plan/backend.h"

/* Room for what the command does not use: our own directories, mount points and
 * the small files of /etc. */
#define TMPFS_OWN_BYTES  ((uint64_t)512 << 10) /* some files, 64 KiB pages */
#define TMPFS_OWN_INODES 16 /* init's own names; the plan's are counted */

/* The shortest time between two looks of the watchdog: the worst overshoot is
 * what can be touched in between. */
#define WATCH_INTERVAL_MS 5

struct plan_step *build_step(struct build *b, enum step_kind kind,
			     const char *target)
{
	struct plan *p = b->plan;
	struct plan_step *s;

	if (p->steps_len == b->steps_max)
		b->no_memory = true;
	s = &p->steps[b->no_memory ? 0 : p->steps_len++];
	*s = (struct plan_step){ .kind = kind,
				 .target = target,
				 .wall = WALL_MAX_ };
	return s;
}

/* Every start asks this some forty times.  Neighbours are added one after the
 * other, so the search begins with the last. */
static bool dir_exists(const struct build *b, const char *target, size_t n)
{
	for (size_t i = b->plan->steps_len; i > 0; i--) {
		const char *have = b->plan->steps[i - 1].target;

		if (have[0] == target[0] && strncmp(have, target, n) == 0 &&
		    have[n] == '\0')
			return true;
	}
	return false;
}

void build_dirs(struct build *b, const char *target, bool itself)
{
	size_t n = strlen(target);

	for (size_t i = 1; i <= n; i++) {
		char *name;

		if (target[i] != '/' && !(target[i] == '\0' && itself))
			continue;
		if (dir_exists(b, target, i))
			continue;
		name = arena_copy(&b->plan->arena, target, i);
		if (name == NULL)
			b->no_memory = true;
		else
			build_step(b, STEP_DIR, name)->mode = 0755;
	}
}

unsigned build_source(struct build *b, const struct host_source *s,
		      bool may_idmap)
{
	struct plan *p = b->plan;

	p->sources[p->sources_len] = (struct plan_source){
		.path = arena_text(&p->arena, s->path),
		.dev = s->dev,
		.ino = s->ino,
		.is_dir = s->kind == HOST_DIR || s->leaf != NULL,
		.leaf = s->leaf != NULL ? arena_text(&p->arena, s->leaf) : NULL,
		.leaf_dev = s->leaf_dev,
		.leaf_ino = s->leaf_ino,
		.uid = s->uid,
		.gid = s->gid,
		.needs_idmap = may_idmap && p->ids.by_root &&
			       s->uid != p->ids.host_uid,
	};
	if (p->sources[p->sources_len].path == NULL)
		b->no_memory = true;
	return (unsigned)p->sources_len++;
}

static void watch_fill(struct build *b)
{
	const struct spec *s = b->spec;

	b->plan->watch = (struct plan_watch){
		.wall_ms = s->wall_ms,
		.cpu_ms = s->cpu_ms,
		.kill_after_ms = s->kill_after_ms,
		.mem_bytes = s->mem_bytes,
		.interval_ms = WATCH_INTERVAL_MS,
		.output_bytes = s->output_bytes,
		.output_mode = s->output_mode,
		.result_bytes = s->result_bytes,
		.result_on_stdout = s->result_from == RESULT_FROM_STDOUT,
		.cpu_hard = s->cpu_hard,
	};
}

static void command_fill(struct build *b)
{
	struct plan *p = b->plan;

	p->argc = b->spec->argc;
	p->argv = arena_array(&p->arena, p->argc + 1, sizeof *p->argv);
	for (size_t i = 0; p->argv != NULL && i < p->argc; i++) {
		p->argv[i] = arena_text(&p->arena, b->spec->argv[i]);
		b->no_memory |= p->argv[i] == NULL;
	}
	p->cwd = build_cwd(b);
	b->no_memory |= p->argv == NULL || p->cwd == NULL;
}

static void artifacts_fill(struct build *b)
{
	const struct spec_list *list = &b->spec->artifacts;
	struct plan *p = b->plan;

	p->artifacts =
		arena_array(&p->arena, list->len + 1, sizeof *p->artifacts);
	for (size_t i = 0; p->artifacts != NULL && i < list->len; i++) {
		size_t len = 0;
		const char *dst = spec_artifact_target(list->items[i], &len);
		bool absolute = list->items[i][0] == '/';

		p->artifacts[i].path = arena_format(
			&p->arena, "%s%s%.*s",
			absolute ? "" : spec_cwd(b->spec), absolute ? "" : "/",
			(int)len, list->items[i]);
		p->artifacts[i].dst =
			dst != NULL ? arena_text(&p->arena, dst) : NULL;
		b->no_memory |= p->artifacts[i].path == NULL;
		p->artifacts_len++;
	}
	b->no_memory |= p->artifacts == NULL;
}

static void tmpfs_fill(struct build *b)
{
	uint64_t bytes = b->spec->scratch_bytes;
	uint64_t inodes = b->spec->scratch_inodes;

	if (bytes == SPEC_UNLIMITED || bytes > UINT64_MAX / 2)
		bytes = UINT64_MAX / 2;
	if (inodes == SPEC_UNLIMITED || inodes > UINT32_MAX / 2)
		inodes = UINT32_MAX / 2;
	b->plan->scratch_bytes = bytes;
	b->plan->scratch_inodes = inodes;
	b->plan->tmpfs_bytes = bytes + TMPFS_OWN_BYTES;
	b->plan->tmpfs_inodes = inodes + TMPFS_OWN_INODES;
}

/* The inodes that the root itself takes, so that the rest is the command's:
 * every name that a step makes, and two places for each source. */
static void inodes_add(struct build *b)
{
	struct plan *p = b->plan;

	p->tmpfs_inodes += 2 * p->sources_len;
	for (size_t i = 0; i < p->steps_len; i++)
		p->tmpfs_inodes += p->steps[i].kind == STEP_DIR ||
				   p->steps[i].kind == STEP_FILE ||
				   p->steps[i].kind == STEP_LINK;
}

/* What every run asks for, and what this spec asks for in addition. */
static void requested_fill(struct build *b)
{
	static const enum wall always[] = {
		WALL_USERNS,        WALL_MOUNTNS,        WALL_PIDNS,
		WALL_NETNS,         WALL_IPCNS,          WALL_UTSNS,
		WALL_CGROUPNS,      WALL_ROOT_READONLY,  WALL_DEVICES,
		WALL_HOST_UID,      WALL_CAPABILITIES,   WALL_SECUREBITS,
		WALL_NO_NEW_PRIVS,  WALL_NESTED_USERNS,  WALL_DESCRIPTORS,
		WALL_SESSION,       WALL_SECCOMP,        WALL_VIOLATION_REPORT,
		WALL_SCRATCH_SIZE,  WALL_SCRATCH_INODES, WALL_OUTPUT_STDOUT,
		WALL_OUTPUT_STDERR, WALL_NETWORK,        WALL_ENV,
	};
	const struct spec *s = b->spec;
	wall_set set = b->plan->requested;

	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		set |= WALL_BIT(always[i]);
	if (s->bare)
		set &= ~WALL_BIT(WALL_DEVICES);
	if (b->plan->ids.by_root)
		set |= WALL_BIT(WALL_SUPPLEMENTARY_GROUPS);
	if (s->trace != TRACE_NONE)
		set |= WALL_BIT(WALL_TRACE);
	if (s->proc != PROC_NONE)
		set |= WALL_BIT(WALL_PROC_PRIVATE);
	if (s->mem_bytes != SPEC_UNLIMITED)
		set |= WALL_BIT(WALL_MEMORY_TOTAL);
	if (s->cpu_ms != SPEC_UNLIMITED || s->cpu_milli != SPEC_UNLIMITED)
		set |= WALL_BIT(WALL_CPU_TREE);
	if (s->wall_ms != SPEC_UNLIMITED)
		set |= WALL_BIT(WALL_WALL_TIME);
	if (s->output_bytes == SPEC_UNLIMITED)
		set &= ~(WALL_BIT(WALL_OUTPUT_STDOUT) |
			 WALL_BIT(WALL_OUTPUT_STDERR));
	b->plan->requested = set;
}

static int backend_choose(struct build *b, struct cupel_error *err)
{
	const struct backend *row = backend_of(b->spec->backend);

	b->plan->backend = row->which;
	b->plan->clone_flags = row->clone_flags;
	if (backend_is_there(row->which, b->host->landlock_abi > 0))
		return 0;
	return cupel_fail(err, CUPEL_STAGE_LANDLOCK, CUPEL_CAUSE_HOST, ENOSYS,
			  "--backend %s: this kernel has no Landlock (it needs "
			  "Linux 5.13 or later, booted with lsm=landlock,...)",
			  row->name);
}

/* How many steps a view may take: a directory for each part of its path, and a
 * mount. */
static size_t steps_for(const struct host_source *s)
{
	size_t n = 2;

	for (const char *c = s->dst; c != NULL && *c != '\0'; c++)
		n += *c == '/';
	return n;
}

static size_t steps_count(const struct host *h)
{
	size_t n = PLAN_STEPS_OWN + 4 * h->etc_len + 1;

	if (h->has_repo)
		n += steps_for(&h->repo);
	for (size_t i = 0; i < h->ro_len; i++)
		n += steps_for(&h->ro[i]);
	for (size_t i = 0; i < h->runtime_len; i++)
		n += steps_for(&h->runtime[i]);
	return n;
}

/* An ordinary user's vessel has one id of the host.  So in a writable view a
 * file of another owner can be seen but not changed (copying it up would need
 * its owner).  A view that is only half writable is not what was asked for. */
static int overlay_check(struct build *b, struct cupel_error *err)
{
	const struct host *h = b->host;

	if (b->spec->repo_mode != REPO_OVERLAY || b->plan->ids.by_root ||
	    !h->has_repo || h->repo.uid == h->uid)
		return 0;
	b->plan->missing |= WALL_BIT(WALL_REPO_OVERLAY);
	b->plan->missing_why =
		"--repo-mode overlay: the repository belongs to another user, "
		"and its files cannot be changed even in a copy; run cupel as "
		"that user or as root";
	if (b->spec->allow_partial)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER, EPERM,
			  "%s", b->plan->missing_why);
}

/* A share of the processors is the only limit that only a cgroup can hold. */
static int cgroup_fill(struct build *b, struct cupel_error *err)
{
	struct plan *p = b->plan;

	cgroup_plan(b->spec, &b->host->cgroup, &p->cgroup);
	if (!backend_of(p->backend)->has_cgroup) {
		p->cgroup.kind = CGROUP_NONE;
		if (p->cgroup.cpu_milli != SPEC_UNLIMITED)
			p->cgroup.lacks =
				"a run without namespaces has no cgroup";
	}
	if (p->cgroup.lacks == NULL)
		return 0;
	p->missing |= WALL_BIT(WALL_CPU_TREE);
	p->requested |= WALL_BIT(WALL_CPU_TREE);
	p->missing_why = arena_format(&p->arena,
				      "--cpu-max needs a cgroup with the cpu "
				      "controller: %s (see `cupel doctor`)",
				      p->cgroup.lacks);
	b->no_memory |= p->missing_why == NULL;
	if (b->spec->allow_partial || b->no_memory)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_LIMIT, CUPEL_CAUSE_HOST, EOPNOTSUPP,
			  "%s", p->missing_why);
}

static int arrays_make(struct build *b, struct cupel_error *err)
{
	const struct host *h = b->host;
	struct plan *p = b->plan;
	size_t views =
		h->ro_len + h->runtime_len + h->has_repo + h->cache.has_tree;

	b->steps_max = steps_count(h);
	p->steps = arena_array(&p->arena, b->steps_max, sizeof *p->steps);
	p->sources = arena_array(&p->arena, h->root_len + h->etc_len + views,
				 sizeof *p->sources);
	if (p->steps == NULL || p->sources == NULL)
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the plan");
	return 0;
}

static void build_all(struct build *b)
{
	bool has_root = backend_has(b->plan->backend, WALL_MOUNTNS);

	if (has_root) {
		build_root(b);
		build_etc(b);
		build_views(b);
		inodes_add(b);
	}
	build_env(b);
	build_limits(b);
	build_landlock(b);
	requested_fill(b);
	if (!has_root)
		build_lesser(b);
}

int plan_build(const struct spec *spec, const struct host *host,
	       const struct filter *filter, struct plan *ret,
	       struct cupel_error *err)
{
	struct build b = { .spec = spec, .host = host, .plan = ret };
	const struct filter *cross = filter_find("cross");
	int r;

	ret->allow_partial = spec->allow_partial;
	ret->core_scheduling = spec->core_scheduling;
	ret->hostname = "cupel";
	ret->loopback = spec->network != NETWORK_NONE;
	ret->terminal = spec->terminal;
	ret->filter = *filter;
	if (cross != NULL)
		ret->cross = *cross;
	r = arrays_make(&b, err);
	if (r == 0)
		r = backend_choose(&b, err);
	if (r == 0)
		r = build_ids(&b, err);
	if (r == 0)
		r = build_cache_check(&b, err);
	if (r == 0)
		r = overlay_check(&b, err);
	if (r == 0)
		r = cgroup_fill(&b, err);
	if (r == 0)
		r = build_egress(&b, err);
	if (r == 0)
		r = build_trace(&b, err);
	if (r < 0)
		return r;
	watch_fill(&b);
	command_fill(&b);
	build_programs(&b);
	artifacts_fill(&b);
	build_report(&b);
	ret->keeps_files = ret->artifacts_len > 0 || ret->report.path != NULL ||
			   host->cache.dir != NULL;
	tmpfs_fill(&b);
	build_all(&b);
	if (b.no_memory)
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the plan");
	return 0;
}

void plan_done(struct plan *p)
{
	arena_done(&p->arena);
	*p = (struct plan){ 0 };
}
