/* vessel_result.c -- see vessel_result.h. */
#include "service/vessel_result.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hooks.h"
#include "boundary/schema.h"
#include "plan/backend.h"
#include "result/json.h"
#include "service/vessel_private.h"
#include "spec/schemas.h"
#include "supervise/artifact.h"
#include "supervise/clock.h"
#include "supervise/keep.h"
#include "supervise/supervise.h"

#define ROOTS_MAX 9U /* those of a job, and the vessel's three */

void vessel_read(const struct vessel *v, struct vessel_result *ret)
{
	const struct verdict *d = &v->verdict;
	const struct outcome *o = v->run != NULL ? run_outcome(v->run) : NULL;
	const struct prepared *p = v->prepared;
	const struct backend *backend =
		backend_of(p->has_plan ? p->plan.backend : v->spec.backend);
	bool is_ours = d->status == CUPEL_INTERNAL_ERROR;

	*ret = (struct vessel_result){
		.status = d->status,
		.rc = d->rc,
		.signal = d->signal > 0 ? d->signal : 0,
		.started = d->started,
		.message = d->message[0] != '\0' ? d->message : NULL,
		.cause = is_ours ? d->cause : CUPEL_CAUSE_NONE,
		.backend = backend->name,
		.duration_ms = o != NULL ? o->duration_ms : 0,
		.max_rss_kib = o != NULL ? o->max_rss_kib : 0,
		.stdout_bytes = o != NULL ? o->out.bytes : 0,
		.payload_bytes = o != NULL ? o->payload.bytes : 0,
	};
}

/* The repository as the vessel sees it, and the roots that the job adds. */
static void roots_fill(const struct vessel *v, const char *const *more,
		       const char *ret[ROOTS_MAX + 1])
{
	size_t n = 0;

	ret[n++] = "/repo";
	if (v->prepared->host.repo.path != NULL)
		ret[n++] = v->prepared->host.repo.path;
	if (v->prepared->host.repo.dst != NULL)
		ret[n++] = v->prepared->host.repo.dst;
	for (; more != NULL && *more != NULL && n < ROOTS_MAX; more++)
		ret[n++] = *more;
	ret[n] = NULL;
}

void vessel_payload_read(const struct vessel *v,
			 const struct vessel_judge *judge, struct payload *ret)
{
	const struct outcome *o = v->run != NULL ? run_outcome(v->run) : NULL;
	const struct schema_set *schema = v->prepared->schema;
	struct payload_limits limits = { 0 };
	const char *roots[ROOTS_MAX + 1];

	*ret = (struct payload){ 0 };
	if (o == NULL || o->payload.bytes == 0)
		return;
	if (judge != NULL)
		limits = judge->limits;
	if (judge != NULL && judge->schema != NULL)
		schema = judge->schema;
	if (limits.bytes == 0 || limits.bytes > v->spec.result_bytes)
		limits.bytes = v->spec.result_bytes;
	roots_fill(v, limits.roots, roots);
	limits.roots = roots;
	payload_read(o->payload.kept.bytes, o->payload.kept.len,
		     o->payload.bytes, schema, &limits, ret);
}

void vessel_payload_why(const struct payload *p, char *ret, size_t n)
{
	const struct payload_error *e = &p->error;
	const char *status = payload_status_name(p->status);
	bool has_place = e->instance != NULL && e->instance[0] != '\0';

	if (p->status == PAYLOAD_SCHEMA_VIOLATION ||
	    p->status == PAYLOAD_SCHEMA_ERROR || p->status == PAYLOAD_REJECTED)
		(void)snprintf(
			ret, n, "%s%s%s%s%s", has_place ? e->instance : "",
			has_place ? " " : "", e->code ? e->code : status,
			e->message ? ": " : "", e->message ? e->message : "");
	else
		(void)snprintf(ret, n, "payload %s%s%s", status,
			       e->code ? ": " : "", e->code ? e->code : "");
}

/* --- the text --------------------------------------------------------------- */

bool vessel_has_ended_itself(const struct vessel *v)
{
	const struct verdict *d = &v->verdict;

	return d->started && d->signal <= 0 &&
	       (d->status == CUPEL_OK || d->status == CUPEL_FAILED);
}

/* Only commands that ended by themselves have left their files as they wanted
 * them, and of phases all have written to the same. */
static bool cache_may_keep(const struct vessel *v,
			   const struct vessel_phase *phase)
{
	if (v->prepared->host.cache.dir == NULL || v->run == NULL ||
	    (phase != NULL && !phase->is_last))
		return false;
	return test_wall_is_down(TEST_WALL_KEEP_ENDED) ||
	       (vessel_has_ended_itself(v) &&
		(phase == NULL || !phase->is_torn));
}

static void cache_keep(const struct vessel *v, struct kept *ret)
{
	const struct host_cache *c = &v->prepared->host.cache;
	const struct plan_ids *ids = &v->prepared->plan.ids;
	const struct keep k = {
		.dir_fd = c->dir_fd,
		.tree_fd = c->has_tree ? c->tree_fd : -1,
		.tree = c->has_tree ? strrchr(c->tree.path, '/') + 1 : "",
		.tmpfs_fd = run_outcome(v->run)->tmpfs_fd,
		.bytes = v->prepared->plan.cache.bytes,
		.uid = c->has_tree ? c->tree.uid : ids->host_uid,
		.gid = c->has_tree ? c->tree.gid : ids->host_gid,
		.deadline_ns = clock_after_ms(clock_now_ns(), KEEP_MS),
		.is_cancelled = run_is_cancelled(v->run),
		.cancel_fd = run_cancel_fd(v->run),
	};

	keep_write(&k, ret);
}

int vessel_write(struct vessel *v, const struct payload *payload,
		 const struct vessel_phase *phase, struct buf *out,
		 struct cupel_error *err)
{
	const struct prepared *p = v->prepared;
	const struct outcome *o = v->run != NULL ? run_outcome(v->run) : NULL;
	struct artifact_list artifacts = { 0 };
	struct kept kept;
	struct result_facts f = {
		.spec = &v->spec,
		.plan = p->has_plan ? &p->plan : NULL,
		.outcome = o,
		.verdict = &v->verdict,
		.payload = o != NULL ? payload : NULL,
		.artifacts = o != NULL ? &artifacts : NULL,
		.phase = phase != NULL ? phase->name : NULL,
		.goes_on = phase != NULL && phase->goes_on,
		.trace_id = v->trace_id,
		.spec_hash = v->spec_hash,
	};
	int r = vessel_hashes_make(v, err);

	if (r < 0)
		return r;
	if (o != NULL)
		r = artifact_copy_all(&p->plan, o->tmpfs_fd, &v->old,
				      &artifacts);
	if (r == 0 && cache_may_keep(v, phase)) {
		cache_keep(v, &kept);
		f.kept = &kept;
	}
	if (r == 0)
		result_write(&f, out);
	if (r == 0 && phase != NULL && phase->ret_top != NULL) {
		f.phase = NULL;
		f.spec_hash = phase->hash;
		result_write(&f, phase->ret_top);
	}
	artifact_list_done(&artifacts);
	return r < 0 || buf_has_failed(out) ? vessel_no_memory(err) : 0;
}

int vessel_schema(const char *name, struct schema_set **ret,
		  struct cupel_error *err)
{
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	const struct data_text *t = schema_text_find(name);

	if (set != NULL && t != NULL &&
	    schema_set_add(set, NULL, t->bytes, t->len, &fault) == 0 &&
	    schema_set_use(set, NULL, &fault) == 0) {
		*ret = set;
		return 0;
	}
	schema_set_free(set);
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EINVAL,
			  "the schema %s: %s", name,
			  t ? fault.text : "this build does not have it");
}
