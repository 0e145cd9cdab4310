/* enforced.c -- requested, applied and details of every wall. */
#include "result/enforced.h"

#include <assert.h>
#include <errno.h>
#include <sys/resource.h>

#include "base/jsonw.h"
#include "plan/backend.h"
#include "plan/plan.h"
#include "supervise/outcome.h"

/* Writes the details of one wall as members of an open object. */
typedef void detail_fn(struct jsonw *w, const struct plan *plan,
		       const struct outcome *o, enum wall wall);

static void uint_or_null(struct jsonw *w, const char *key, uint64_t value)
{
	if (value == SPEC_UNLIMITED)
		jsonw_null(w, key);
	else
		jsonw_uint(w, key, value);
}

static void detail_root(struct jsonw *w, const struct plan *plan,
			const struct outcome *o, enum wall wall)
{
	(void)plan;
	(void)o;
	(void)wall;
	jsonw_text(w, "root", "template");
}

static void detail_objects(struct jsonw *w, const struct plan *plan,
			   const struct outcome *o, enum wall wall)
{
	(void)wall;
	jsonw_text(w, "by", o->objects_by_filter ? "filter" : "overlay");
	if (!backend_has(plan->backend,
			 WALL_MOUNTNS)) /* no filter can tell them from files */
		jsonw_text(w, "fifos", "open");
	if (o->unmapped != 0)
		jsonw_text(w, "idmap", "refused");
}

static void detail_scratch(struct jsonw *w, const struct plan *plan,
			   const struct outcome *o, enum wall wall)
{
	(void)o;
	if (wall == WALL_SCRATCH_SIZE)
		jsonw_uint(w, "bytes", plan->scratch_bytes);
	else
		jsonw_uint(w, "inodes", plan->scratch_inodes);
}

static void detail_uid(struct jsonw *w, const struct plan *plan,
		       const struct outcome *o, enum wall wall)
{
	(void)o;
	(void)wall;
	jsonw_uint(w, "inside",
		   backend_has(plan->backend, WALL_USERNS)
			   ? PLAN_UID_INSIDE
			   : plan->ids.host_uid);
	jsonw_uint(w, "outside", plan->ids.host_uid);
}

static void detail_groups(struct jsonw *w, const struct plan *plan,
			  const struct outcome *o, enum wall wall)
{
	(void)o;
	(void)wall;
	jsonw_uint(w, "count", plan->ids.kept_groups);
}

/* No process has a capability in either case. With an empty bounding set no
 * process can get one from a file either. */
static void detail_caps(struct jsonw *w, const struct plan *plan,
			const struct outcome *o, enum wall wall)
{
	bool is_empty = (o->applied & WALL_BIT(wall)) != 0;

	(void)plan;
	jsonw_text(w, "bounding", is_empty ? "empty" : "kept");
}

static void detail_seccomp(struct jsonw *w, const struct plan *plan,
			   const struct outcome *o, enum wall wall)
{
	(void)o;
	(void)wall;
	jsonw_text_or_null(w, "policy", plan->filter.hash);
}

static void detail_report(struct jsonw *w, const struct plan *plan,
			  const struct outcome *o, enum wall wall)
{
	(void)plan;
	(void)wall;
	jsonw_text(w, "by", o->listener_errno == 0 ? "listener" : "signal");
}

static void detail_landlock(struct jsonw *w, const struct plan *plan,
			    const struct outcome *o, enum wall wall)
{
	(void)o;
	(void)wall;
	jsonw_uint(w, "rules", plan->landlock.rules_len);
}

static void detail_rlimit(struct jsonw *w, const struct plan *plan,
			  const struct outcome *o, enum wall wall)
{
	(void)o;
	for (size_t i = 0; i < plan->limits_len; i++) {
		const struct plan_limit *l = &plan->limits[i];

		if (l->wall != wall)
			continue;
		uint_or_null(w, "soft", l->soft);
		uint_or_null(w, "hard", l->hard);
		return;
	}
}

static void detail_pids(struct jsonw *w, const struct plan *plan,
			const struct outcome *o, enum wall wall)
{
	bool by_cgroup = (o->cgroup_held & CGROUP_PIDS) != 0;

	jsonw_text(w, "by", by_cgroup ? "cgroup" : "rlimit_nproc");
	if (by_cgroup)
		uint_or_null(w, "max", plan->cgroup.pids);
	detail_rlimit(w, plan, o, wall);
}

/* What the watchdog adds up, and what it cannot see: kernel memory that no file
 * shows to an ordinary user.  That memory is bounded by other limits
 * (RLIMIT_NOFILE, the number of processes) or by nothing. */
static const char *const watched[] = {
	"resident", "page_tables", "swap",    "tmpfs",
	"sysv_shm", "threads",     "sockets",
};
static const char *const unwatched[] = {
	"file_locks",     "mappings",      "shared_unmapped",
	"pipes",          "descriptors",   "directory_entries",
	"inotify_events", "epoll_watches", "ended_processes",
};
/* The kernel charges these to no cgroup. */
static const char *const uncharged[] = { "file_locks" };
/* The kernel charges the time of these to no process and to no cgroup of ours. */
static const char *const unpaid[] = { "kernel_threads" };

static void words(struct jsonw *w, const char *key, const char *const text[],
		  size_t n, const char *more)
{
	jsonw_array(w, key);
	for (size_t i = 0; i < n; i++)
		jsonw_text(w, NULL, text[i]);
	if (more != NULL)
		jsonw_text(w, NULL, more);
	jsonw_end_array(w);
}
#define WORDS(w, key, text, more)                                              \
	words(w, key, text, sizeof(text) / sizeof *(text), more)

/* The relay and the tracer have limits of their own. */
static const char *helpers_word(const struct plan *plan)
{
	return plan->egress.is_wanted || plan->trace.exec || plan->trace.connect
		       ? "helpers"
		       : NULL;
}

static void detail_memory(struct jsonw *w, const struct plan *plan,
			  const struct outcome *o, enum wall wall)
{
	(void)wall;
	if (o->cgroup_held & CGROUP_MEMORY) {
		jsonw_text(w, "by", "cgroup");
		jsonw_uint(w, "version", o->cgroup_is_v1 ? 1 : 2);
		uint_or_null(w, "bytes", plan->watch.mem_bytes);
		jsonw_uint(w, "overshoot_bytes", CGROUP_OWN_BYTES);
		WORDS(w, "uncounted", uncharged, helpers_word(plan));
		return;
	}
	jsonw_text(w, "by", "watchdog");
	jsonw_text(w, "bound", "estimate");
	uint_or_null(w, "bytes", plan->watch.mem_bytes);
	jsonw_uint(w, "interval_ms", o->memory_interval_ms);
	jsonw_uint(w, "overshoot_bytes", o->memory_overshoot_bytes);
	WORDS(w, "counted", watched, NULL);
	WORDS(w, "uncounted", unwatched, helpers_word(plan));
}

static void detail_cpu(struct jsonw *w, const struct plan *plan,
		       const struct outcome *o, enum wall wall)
{
	bool is_watched = backend_has(plan->backend, WALL_CPU_TREE);
	const char *method = o->has_cgroup ? "cgroup" : "sampling";
	const char *bound = o->has_cgroup ? "exact" : "lower";

	(void)wall;
	jsonw_text_or_null(w, "method", is_watched ? method : NULL);
	jsonw_text_or_null(w, "bound", is_watched ? bound : NULL);
	uint_or_null(w, "ms", plan->watch.cpu_ms);
	if (is_watched)
		WORDS(w, "uncounted", unpaid, NULL);
	if (o->cgroup_held & CGROUP_CPU)
		jsonw_uint(w, "max_milli", plan->cgroup.cpu_milli);
	if (plan->core_scheduling)
		jsonw_bool(w, "core_scheduling", true); /* or nothing started */
}

static void detail_swap(struct jsonw *w, const struct plan *plan,
			const struct outcome *o, enum wall wall)
{
	bool by_cgroup = (o->cgroup_held & CGROUP_MEMORY) != 0;

	(void)plan;
	(void)wall;
	jsonw_text_or_null(w, "by", by_cgroup ? "cgroup" : NULL);
	jsonw_uint(w, "bytes", 0);
}

static void detail_wall(struct jsonw *w, const struct plan *plan,
			const struct outcome *o, enum wall wall)
{
	(void)o;
	(void)wall;
	uint_or_null(w, "ms", plan->watch.wall_ms);
}

static void detail_output(struct jsonw *w, const struct plan *plan,
			  const struct outcome *o, enum wall wall)
{
	(void)o;
	(void)wall;
	uint_or_null(w, "bytes", plan->watch.output_bytes);
	jsonw_text(w, "mode",
		   plan->watch.output_mode == OUTPUT_KILL ? "kill"
							  : "truncate");
}

static void detail_network(struct jsonw *w, const struct plan *plan,
			   const struct outcome *o, enum wall wall)
{
	const struct egress_plan *e = &plan->egress;

	(void)o;
	(void)wall;
	if (!e->is_wanted) {
		jsonw_text(w, "mode", plan->loopback ? "loopback" : "none");
		return;
	}
	jsonw_text(w, "mode", "scoped");
	jsonw_bool(w, "audit", e->config.is_audit != 0);
	words(w, "rules", e->texts, e->texts_len, NULL);
}

static void detail_trace(struct jsonw *w, const struct plan *plan,
			 const struct outcome *o, enum wall wall)
{
	(void)o;
	(void)wall;
	jsonw_bool(w, "exec", plan->trace_asked.exec);
	jsonw_bool(w, "connect", plan->trace_asked.connect);
}

static void detail_env(struct jsonw *w, const struct plan *plan,
		       const struct outcome *o, enum wall wall)
{
	(void)o;
	(void)wall;
	jsonw_uint(w, "count", plan->envc);
}

/* The first two are written even when the wall was not asked for: always, or if
 * it stands.  The third only for a copy of a template. */
#define ALWAYS       1
#define WHEN_APPLIED 2
#define WHEN_COPIED  3

static const struct {
	detail_fn *write;
	int when;
} details[WALL_MAX_] = {
	[WALL_MOUNTNS] = { detail_root, WHEN_COPIED },
	[WALL_REPO_OBJECTS] = { detail_objects, 0 },
	[WALL_SCRATCH_SIZE] = { detail_scratch, 0 },
	[WALL_SCRATCH_INODES] = { detail_scratch, 0 },
	[WALL_HOST_UID] = { detail_uid, 0 },
	[WALL_CAPABILITIES] = { detail_caps, 0 },
	[WALL_SUPPLEMENTARY_GROUPS] = { detail_groups, ALWAYS },
	[WALL_SECCOMP] = { detail_seccomp, 0 },
	[WALL_VIOLATION_REPORT] = { detail_report, 0 },
	[WALL_LANDLOCK] = { detail_landlock, 0 },
	[WALL_RLIMIT_CPU] = { detail_rlimit, 0 },
	[WALL_RLIMIT_AS] = { detail_rlimit, 0 },
	[WALL_RLIMIT_DATA] = { detail_rlimit, 0 },
	[WALL_RLIMIT_NOFILE] = { detail_rlimit, 0 },
	[WALL_RLIMIT_FSIZE] = { detail_rlimit, 0 },
	[WALL_RLIMIT_NPROC] = { detail_rlimit, 0 },
	[WALL_RLIMIT_CORE] = { detail_rlimit, 0 },
	[WALL_MEMORY_TOTAL] = { detail_memory, 0 },
	[WALL_CPU_TREE] = { detail_cpu, 0 },
	[WALL_PIDS] = { detail_pids, 0 },
	[WALL_SWAP] = { detail_swap, WHEN_APPLIED },
	[WALL_WALL_TIME] = { detail_wall, 0 },
	[WALL_OUTPUT_STDOUT] = { detail_output, 0 },
	[WALL_OUTPUT_STDERR] = { detail_output, 0 },
	[WALL_NETWORK] = { detail_network, 0 },
	[WALL_ENV] = { detail_env, 0 },
	[WALL_TRACE] = { detail_trace, 0 },
};

static void write_applied(struct jsonw *w, const struct outcome *o,
			  wall_set bit, bool is_asked)
{
	if (o != NULL && (o->applied & bit) != 0)
		jsonw_bool(w, "applied", true);
	else if (is_asked || (o != NULL && (o->refused & bit) != 0))
		jsonw_bool(w, "applied", false);
	else
		jsonw_null(w, "applied");
}

static void write_row(struct jsonw *w, const struct plan *plan,
		      const struct outcome *o, enum wall wall)
{
	wall_set bit = WALL_BIT(wall);
	bool is_asked = plan != NULL && (plan->requested & bit) != 0;
	bool is_audit = wall == WALL_NETWORK && plan != NULL &&
			plan->egress.config.is_audit != 0;
	bool is_told = is_asked || (o != NULL && details[wall].when == ALWAYS);
	bool is_sampled = is_asked && o != NULL &&
			  (bit & WALLS_SAMPLED & ~plan->missing & ~o->missing &
			   ~o->applied) != 0;

	jsonw_object(w, wall_name(wall));
	/* an audit asks for no wall */
	jsonw_bool(w, "requested", is_asked && !is_audit);
	if (is_audit && o != NULL)
		jsonw_bool(w, "applied", false);
	else if (is_sampled)
		jsonw_null(w, "applied");
	else
		write_applied(w, o, bit, is_told && !is_audit);
	if (details[wall].when == WHEN_APPLIED)
		is_told = o != NULL && (o->applied & bit) != 0;
	if (details[wall].when == WHEN_COPIED)
		is_told = o != NULL && o->is_copy;
	if (o != NULL && is_told && details[wall].write != NULL) {
		jsonw_object(w, "details");
		details[wall].write(w, plan, o, wall);
		jsonw_end_object(w);
	} else {
		jsonw_null(w, "details");
	}
	jsonw_end_object(w);
}

void enforced_write(struct jsonw *w, const struct plan *plan,
		    const struct outcome *o)
{
	/* A vessel that did not reach the command has reported nothing. */
	if (o != NULL && !o->started && o->exec_errno == 0)
		o = NULL;
	jsonw_object(w, "enforced");
	for (int i = 0; i < WALL_MAX_; i++)
		write_row(w, plan, o, (enum wall)i);
	jsonw_end_object(w);
}
