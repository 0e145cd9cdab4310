/* template.c -- see template.h. */
#include "plan/template.h"

#include <errno.h>
#include <linux/mount.h>
#include <string.h>
#include <sys/resource.h>

#include "base/error.h"
#include "plan/backend.h"

/* What each copy raises for itself; it would only hinder the template. */
#define WALLS_OF_COPIES                                                        \
	(WALL_BIT(WALL_SECCOMP) | WALL_BIT(WALL_VIOLATION_REPORT) |            \
	 WALL_BIT(WALL_NESTED_USERNS) | WALL_BIT(WALL_LANDLOCK) |              \
	 WALL_BIT(WALL_LANDLOCK_SCOPE) | WALL_BIT(WALL_RLIMIT_CPU) |           \
	 WALL_BIT(WALL_RLIMIT_NOFILE) | WALL_BIT(WALL_RLIMIT_NPROC) |          \
	 WALL_BIT(WALL_PIDS) | WALL_BIT(WALL_MEMORY_TOTAL) |                   \
	 WALL_BIT(WALL_CPU_TREE) | WALL_BIT(WALL_WALL_TIME))

const char *template_refusal(const struct plan *p)
{
	if (!backend_has(p->backend, WALL_USERNS) ||
	    p->clone_flags != backend_of(p->backend)->clone_flags)
		return "a run without all namespaces";
	if (p->allow_partial || p->missing != 0)
		return "a partial run";
	if (p->terminal)
		return "a terminal";
	if (p->core_scheduling)
		return "core scheduling"; /* copies would share one cookie */
	if (p->cgroup.cpu_milli != SPEC_UNLIMITED)
		return "a share of the processors";
	if (p->cache.dir != NULL)
		return "a cache";
	if (p->report.path != NULL)
		return "a report";
	if (p->keeps_files)
		return "artifacts";
	if (p->egress.is_wanted)
		return "scoped egress"; /* a relay serves one vessel */
	if (p->trace.exec || p->trace.connect)
		return "a trace"; /* a tracer serves one vessel */
	for (size_t i = 0; i < p->steps_len; i++)
		if (p->steps[i].kind == STEP_OVERLAY && p->steps[i].writable)
			return "a writable view of the repository";
	return NULL;
}

static bool is_of_copies(int resource)
{
	return resource == RLIMIT_CPU || resource == RLIMIT_NOFILE ||
	       resource == RLIMIT_NPROC;
}

static int arrays_copy(const struct plan *p, struct plan *ret)
{
	ret->limits = arena_array(&ret->arena, p->limits_len + 1,
				  sizeof *ret->limits);
	ret->steps =
		arena_array(&ret->arena, p->steps_len + 1, sizeof *ret->steps);
	if (ret->limits == NULL || ret->steps == NULL)
		return -ENOMEM;
	ret->limits_len = 0;
	for (size_t i = 0; i < p->limits_len; i++)
		if (!is_of_copies(p->limits[i].resource))
			ret->limits[ret->limits_len++] = p->limits[i];
	memcpy(ret->steps, p->steps, p->steps_len * sizeof *p->steps);
	for (size_t i = 0; i < p->steps_len; i++)
		if (ret->steps[i].kind == STEP_PROC)
			ret->steps[i].attr &= ~(uint64_t)MOUNT_ATTR_RDONLY;
	return 0;
}

int plan_make_template(const struct plan *p, struct plan *ret,
		       struct cupel_error *err)
{
	const char *why = template_refusal(p);

	if (why != NULL)
		return cupel_fail(
			err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_HOST, EOPNOTSUPP,
			"a vessel with %s is not copied from a template", why);
	*ret = *p;
	ret->arena = (struct arena){ 0 };
	ret->filter = (struct filter){ .name = "none", .hash = "none" };
	ret->cross = ret->offline = ret->lesser = (struct filter){ 0 };
	ret->landlock = (struct plan_landlock){ 0 };
	/* A template cannot make copies in cgroups of their own: the directory
	 * for these lies outside its cgroup namespace.  The watchdog limits the
	 * copies. */
	ret->cgroup = (struct plan_cgroup){ .kind = CGROUP_NONE };
	ret->requested &= ~WALLS_OF_COPIES;
	ret->watch = (struct plan_watch){
		.wall_ms = SPEC_UNLIMITED,
		.cpu_ms = SPEC_UNLIMITED,
		.mem_bytes = SPEC_UNLIMITED,
		.kill_after_ms = p->watch.kill_after_ms,
		.output_bytes = p->watch.output_bytes,
		.output_mode = OUTPUT_TRUNCATE,
		.result_bytes = p->watch.result_bytes,
	};
	if (arrays_copy(p, ret) == 0)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the plan");
}
