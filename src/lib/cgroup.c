/* cgroup.c -- see cgroup.h. */
#include "lib/cgroup.h"

#include <stdio.h>

#include "base/error.h"
#include "launch/cgroup.h"
#include "plan/host.h"
#include "spec/spec.h"

static const char *held_text(unsigned held)
{
	static const char *const texts[] = {
		"nothing", "memory",      "pids",      "memory, pids",
		"cpu",     "memory, cpu", "pids, cpu", "memory, pids, cpu",
	};

	return texts[held & (CGROUP_MEMORY | CGROUP_PIDS | CGROUP_CPU)];
}

static void made_tell(const struct host_cgroup *host, unsigned held,
		      struct lib_cgroup *ret)
{
	ret->has_memory = (held & CGROUP_MEMORY) != 0;
	(void)snprintf(ret->text, sizeof ret->text, "%s: %s; at %s",
		       cgroup_kind_name(host->kind), held_text(held),
		       host->dir);
}

void lib_cgroup_try(struct lib_cgroup *ret)
{
	const struct spec asked = { .mem_bytes = UINT64_C(64) << 20,
				    .pids_max = 64,
				    .cpu_milli = 1000,
				    .allow_partial = true };
	struct cupel_error ignored = { 0 };
	struct cgroup made = CGROUP_NOWHERE;
	struct host host = { 0 };
	struct plan_cgroup plan;
	struct sys k = { 0 };

	*ret = (struct lib_cgroup){ 0 };
	if (host_cgroup_read(&host) == 0) {
		cgroup_plan(&asked, &host.cgroup, &plan);
		(void)cgroup_make(&k, &plan, &made, &ignored);
	}
	if (made.dir_fd >= 0)
		made_tell(&host.cgroup, made.held, ret);
	else
		(void)snprintf(ret->text, sizeof ret->text, "%s",
			       host.cgroup.why != NULL
				       ? host.cgroup.why
				       : "there seems to be one, and none can "
					 "be made in it");
	cgroup_remove(&made);
	host_done(&host);
}
