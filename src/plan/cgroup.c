/* cgroup.c -- see cgroup.h: what a run asks of its cgroup. */
#include "plan/cgroup.h"

#include <stddef.h>

#include "spec/spec.h"

static const char *const kind_names[] = {
	[CGROUP_NONE] = NULL,     [CGROUP_SUBTREE] = "subtree",
	[CGROUP_ALONE] = "alone", [CGROUP_ROOT] = "root",
	[CGROUP_V1] = "v1",
};
_Static_assert(sizeof kind_names / sizeof *kind_names == CGROUP_MAX_,
	       "a name for every kind");

const char *cgroup_kind_name(enum cgroup_kind kind)
{
	return (unsigned)kind < CGROUP_MAX_ ? kind_names[kind] : NULL;
}

static uint64_t sum(uint64_t a, uint64_t b)
{
	return a < SPEC_UNLIMITED - b ? a + b : SPEC_UNLIMITED;
}

/* The command is a process, too, even in a run that may have no other. */
static uint64_t pids_of(const struct spec *spec)
{
	return sum(spec->pids_max > 0 ? spec->pids_max : 1, CGROUP_OWN_PIDS);
}

void cgroup_plan(const struct spec *spec, const struct host_cgroup *host,
		 struct plan_cgroup *ret)
{
	*ret = (struct plan_cgroup){
		.kind = host->kind,
		.dir = host->dir,
		.has = host->has,
		.can = host->can,
		.memory_bytes = sum(spec->mem_bytes, CGROUP_OWN_BYTES),
		.pids = pids_of(spec),
		.cpu_milli = spec->cpu_milli,
		.is_needed = spec->cpu_milli != SPEC_UNLIMITED &&
			     !spec->allow_partial,
	};
	if (spec->cpu_milli != SPEC_UNLIMITED && (host->can & CGROUP_CPU) == 0)
		ret->lacks = host->why != NULL ? host->why
					       : "the available cgroup was not "
						 "given the cpu controller";
	/* There is nothing to hold, so no cgroup is made. */
	if (spec->mem_bytes == SPEC_UNLIMITED &&
	    spec->pids_max == SPEC_UNLIMITED &&
	    spec->cpu_ms == SPEC_UNLIMITED && spec->cpu_milli == SPEC_UNLIMITED)
		ret->kind = CGROUP_NONE;
	if (ret->kind == CGROUP_V1 && spec->mem_bytes == SPEC_UNLIMITED)
		ret->kind = CGROUP_NONE;
}
