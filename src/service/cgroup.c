/* cgroup.c -- see cgroup.h. */
#include "service/cgroup.h"

#include <stdio.h>

#include "base/error.h"
#include "launch/native/cgroup.h"
#include "launch/native/scope.h"
#include "plan/host.h"
#include "spec/spec.h"

#define PATH_BYTES 108 /* sun_path of unix(7) */
#define SCOPE_MS   500 /* a slower bus is no help */

static const char *held_text(unsigned held)
{
	static const char *const texts[] = {
		"nothing", "memory",      "pids",      "memory, pids",
		"cpu",     "memory, cpu", "pids, cpu", "memory, pids, cpu",
	};

	return texts[held & (CGROUP_MEMORY | CGROUP_PIDS | CGROUP_CPU)];
}

/* Only report that the cpu controller can be turned on: if it were turned on to
 * look, it would stay on. */
static void made_tell(const struct host_cgroup *host, unsigned held,
		      struct service_cgroup *ret)
{
	held |= host->can & CGROUP_CPU;
	ret->has_memory = (held & CGROUP_MEMORY) != 0;
	(void)snprintf(ret->text, sizeof ret->text, "%s: %s; at %s",
		       cgroup_kind_name(host->kind), held_text(held),
		       host->dir);
}

void service_cgroup_try(struct service_cgroup *ret)
{
	const struct spec asked = { .mem_bytes = UINT64_C(64) << 20,
				    .pids_max = 64,
				    .cpu_milli = SPEC_UNLIMITED };
	struct cupel_error ignored = { 0 };
	struct cgroup made = CGROUP_NOWHERE;
	struct host host = { 0 };
	struct plan_cgroup plan;
	struct sys k = { 0 };
	char bus[PATH_BYTES];

	*ret = (struct service_cgroup){ 0 };
	if (host_cgroup_read(&host) == 0) {
		cgroup_plan(&asked, &host.cgroup, &plan);
		(void)cgroup_make(&k, &plan, &made, &ignored);
	}
	if (made.dir_fd >= 0)
		made_tell(&host.cgroup, made.held, ret);
	else
		(void)snprintf(ret->text, sizeof ret->text, "%s%s",
			       host.cgroup.why != NULL
				       ? host.cgroup.why
				       : "there seems to be one, but no cgroup "
					 "can be made in it",
			       host_bus_read(bus, sizeof bus)
				       ? "; systemd is asked for a scope when "
					 "one is needed"
				       : "");
	cgroup_remove(&made);
	host_done(&host);
}

void service_cgroup_enter(void)
{
	struct host host = { 0 };
	struct sys k = { 0 };
	char bus[PATH_BYTES];

	/* Under systemd the top of the tree belongs to systemd, so ask it
	 * first. */
	if (host_cgroup_read(&host) == 0 &&
	    (host.cgroup.kind == CGROUP_NONE ||
	     host.cgroup.kind == CGROUP_ROOT) &&
	    host_bus_read(bus, sizeof bus))
		(void)scope_enter(&k, bus, SCOPE_MS);
	host_done(&host);
}
