/* phases.c -- see phases.h. */
#include "service/phases.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/blake3.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "launch/launch.h"
#include "plan/phases.h"
#include "service/report.h"
#include "service/vessel_private.h"
#include "service/vessel_result.h"
#include "supervise/supervise.h"

struct phases {
	struct cupel_spec *owner; /* keeps what the phases' specs point to */
	size_t len, begun;
	struct vessel *vessels[SPEC_PHASES_MAX];
	struct report reports[SPEC_PHASES_MAX];
	struct holder *holder;
	bool is_over; /* no other phase is begun */
	bool is_torn; /* one did not end by itself */
	size_t deciding;
	size_t first;     /* the number of the phase in vessels[0] */
	struct buf top;   /* result of the deciding one, without its '}' */
	struct buf items; /* results of all, with commas */
	size_t last_at;   /* in items: where the last one begins */
	char hash[BLAKE3_TEXT_BYTES];
};

static const struct spec_phase *phase_of(const struct phases *p, size_t i)
{
	return &p->owner->fields.phases[i];
}

/* --- before anything runs ------------------------------------------------------ */

/* Say in *err which phase could not be read or planned. */
static int blame(const struct spec_phase *phase, int r, struct cupel_error *err)
{
	char what[sizeof err->what];

	if (r < 0 && strncmp(err->what, phase->place, strlen(phase->place))) {
		memcpy(what, err->what, sizeof what);
		(void)cupel_fail(err, err->stage, err->cause, err->sys,
				 "%s: %s", phase->place, what);
	}
	return r;
}

static int hooks_check(const struct cupel_hooks *hooks, struct cupel_error *err)
{
	if (hooks == NULL || (hooks->inputs_len == 0 && hooks->exec_fd <= 0))
		return 0;
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EINVAL,
			  "phases: cannot be given descriptors");
}

/* Give each phase a handle of its own, as a vessel expects it. */
static int specs_build(const struct spec *whole, struct cupel_spec *ret[],
		       struct cupel_error *err)
{
	struct spec specs[SPEC_PHASES_MAX];
	int r = spec_phases_build(whole, specs, err);

	for (size_t i = 0; i < whole->phases_len; i++) {
		ret[i] = r == 0 ? calloc(1, sizeof *ret[i]) : NULL;
		if (ret[i] == NULL) {
			spec_done(&specs[i]);
			r = r < 0 ? r : vessel_no_memory(err);
			continue;
		}
		ret[i]->fields = specs[i];
		atomic_init(&ret[i]->users, 1);
	}
	return r;
}

static int vessels_make(struct phases *p, const struct cupel_hooks *hooks,
			struct cupel_error *err)
{
	struct cupel_spec *specs[SPEC_PHASES_MAX] = { 0 };
	int r = specs_build(&p->owner->fields, specs, err);

	for (size_t i = 0; i < p->len; i++) {
		if (r == 0)
			r = vessel_new(specs[i], hooks, &p->vessels[i], err);
		if (r == 0 && i > 0)
			p->vessels[i]->hooks.stdin_fd = -1;
		if (r == 0)
			p->vessels[i]->hooks.is_alone = 0;
		spec_handle_drop(specs[i]);
	}
	return r;
}

static int vessel_plan(struct phases *p, size_t i, struct cupel_error *err)
{
	struct vessel *v = p->vessels[i];
	int r = prepare_request(&v->spec, v->prepared, err);

	if (r == 0)
		r = prepare_plan(&v->spec, v->prepared, err);
	if (r == 0)
		r = vessel_hashes_make(v, err);
	return blame(phase_of(p, i), r, err);
}

static void plans_list(const struct phases *p,
		       struct plan_phase ret[SPEC_PHASES_MAX])
{
	for (size_t i = 0; i < p->len; i++)
		ret[i] = (struct plan_phase){
			.name = phase_of(p, i)->name,
			.goes_on = phase_of(p, i)->goes_on,
			.plan = &p->vessels[i]->prepared->plan,
		};
}

/* Returns 0, or -errno with the failing phase in *ret_at. */
static int plan_all(struct phases *p, size_t *ret_at, struct cupel_error *err)
{
	struct plan_phase plans[SPEC_PHASES_MAX];
	int r = 0;

	/* The hash of the whole request is made of all of these, also when a
	 * phase cannot be planned. */
	for (size_t i = 0; i < p->len && r == 0; i++) {
		*ret_at = i;
		r = vessel_hashes_make(p->vessels[i], err);
	}
	for (size_t i = 0; i < p->len && r == 0; i++) {
		*ret_at = i;
		r = vessel_plan(p, i, err);
	}
	if (r < 0)
		return r;
	*ret_at = 0;
	plans_list(p, plans);
	return plan_phases_check(plans, p->len, err);
}

/* Make one trace id, and one hash of the phases' hashes and their order. */
static void names_make(struct phases *p)
{
	struct blake3 b;
	uint8_t digest[BLAKE3_BYTES];

	trace_id_make(p->owner->fields.trace_id, p->vessels[0]->trace_id);
	blake3_init(&b);
	for (size_t i = 0; i < p->len; i++) {
		const struct spec_phase *s = phase_of(p, i);
		struct vessel *v = p->vessels[i];

		memcpy(v->trace_id, p->vessels[0]->trace_id,
		       sizeof v->trace_id);
		blake3_update(&b, s->name, strlen(s->name) + 1);
		blake3_update(&b, s->goes_on ? "+" : "-", 1);
		blake3_update(&b, v->spec_hash, strlen(v->spec_hash) + 1);
	}
	blake3_final(&b, digest, sizeof digest);
	blake3_hex(digest, p->hash);
}

static int phases_make(const struct cupel_spec *spec, struct phases **ret,
		       struct cupel_error *err)
{
	struct phases *p = calloc(1, sizeof *p);

	if (p == NULL)
		return vessel_no_memory(err);
	p->owner = spec_handle_take(spec);
	p->len = spec->fields.phases_len;
	*ret = p;
	return 0;
}

static bool is_any_scoped(const struct phases *p)
{
	for (size_t i = 0; i < p->len; i++)
		if (p->vessels[i]->prepared->plan.egress.is_wanted)
			return true;
	return false;
}

int phases_new(const struct cupel_spec *spec, const struct cupel_hooks *hooks,
	       struct phases **ret, struct cupel_error *err)
{
	struct cupel_error why = { 0 };
	struct phases *p = NULL;
	size_t at = 0;
	int r = hooks_check(hooks, err);

	if (r == 0)
		r = phases_make(spec, &p, err);
	if (r == 0)
		r = vessels_make(p, hooks, err);
	if (r < 0) {
		phases_free(p);
		return r;
	}
	r = plan_all(p, &at, &why);
	if (r < 0 && why.cause == CUPEL_CAUSE_CALLER) {
		phases_free(p);
		*err = why;
		return r;
	}
	names_make(p);
	if (r == 0)
		r = launch_hold(&p->vessels[0]->prepared->plan,
				is_any_scoped(p), &p->holder, &why);
	if (r < 0) { /* the failing phase reports it; nothing is run */
		struct vessel *first = p->vessels[at];

		p->vessels[at] = p->vessels[0];
		p->vessels[0] = first;
		p->first = at;
		verdict_of_error(&why, (unsigned)first->spec.error_rc,
				 &first->verdict);
		first->has_ended = true;
		p->is_over = true;
	}
	*ret = p;
	return 0;
}

/* --- one after the other -------------------------------------------------------- */

static void vessel_launch(struct phases *p, struct vessel *v)
{
	struct run_hooks hooks = vessel_run_hooks(v);
	struct cupel_error why = { 0 };

	hooks.holder = p->holder;
	if (run_start(&v->prepared->plan, &hooks, &v->run, &why) == 0)
		return;
	verdict_of_error(&why, (unsigned)v->spec.error_rc, &v->verdict);
	v->has_ended = true;
}

/* Note the files that are there already at the places of the phase's own.
 * Before the first phase there are none. */
static void files_mark(struct report *report, struct vessel *v, int tmpfs_fd)
{
	const struct plan *plan = &v->prepared->plan;

	if (tmpfs_fd < 0)
		return;
	report_mark(report, v, tmpfs_fd);
	for (size_t i = 0; i < plan->artifacts_len; i++)
		old_files_mark(&v->old, tmpfs_fd, plan->artifacts[i].path);
}

struct vessel *phases_next(struct phases *p, struct report **ret_report)
{
	struct report *report;
	struct vessel *v;

	if (p->begun == p->len || (p->is_over && p->begun > 0))
		return NULL;
	report = *ret_report = &p->reports[p->begun];
	v = p->vessels[p->begun++];
	if (!v->has_ended) {
		files_mark(report, v, launch_held(p->holder));
		vessel_launch(p, v);
	}
	return v;
}

int phases_end(struct phases *p, const struct payload *payload,
	       bool is_cancelled, struct cupel_error *err)
{
	size_t i = p->begun - 1;
	const struct spec_phase *s = phase_of(p, i > 0 ? i : p->first);
	struct vessel *v = p->vessels[i];
	bool is_ok = v->verdict.status == CUPEL_OK;
	bool is_end = !is_ok && (!s->goes_on || is_cancelled ||
				 v->verdict.status == CUPEL_INTERNAL_ERROR);
	bool is_told = p->begun == 1 || is_ok || is_end;
	struct vessel_phase as = { .name = s->name,
				   .goes_on = s->goes_on,
				   .is_last = is_end || p->begun == p->len,
				   .is_torn = p->is_torn,
				   .hash = p->hash,
				   .ret_top = is_told ? &p->top : NULL };

	p->is_over |= is_end;
	p->is_torn |= !vessel_has_ended_itself(v);
	/* the network of one phase is gone before the next begins */
	if (v->run != NULL)
		run_close_helpers(v->run);
	if (is_told) {
		p->deciding = i;
		p->top.len = 0;
	}
	if (i > 0)
		buf_char(&p->items, ',');
	p->last_at = p->items.len;
	return vessel_write(v, payload, &as, &p->items, err);
}

const char *phases_last(const struct phases *p, size_t *ret_len)
{
	*ret_len = p->items.len - p->last_at;
	return p->items.bytes + p->last_at;
}

const struct vessel *phases_deciding(const struct phases *p)
{
	return p->vessels[p->deciding];
}

int phases_write(struct phases *p, struct buf *out, struct cupel_error *err)
{
	if (p->top.len > 0)
		buf_add(out, p->top.bytes, p->top.len - 1);
	buf_text(out, ",\"phases\":[");
	if (p->items.len > 0)
		buf_add(out, p->items.bytes, p->items.len);
	buf_text(out, "]}");
	return p->top.len == 0 || buf_has_failed(out) ? vessel_no_memory(err)
						      : 0;
}

int phases_plan(const struct spec *whole, struct buf *out,
		struct cupel_error *err)
{
	struct cupel_spec handle = { .fields = *whole };
	struct phases p = { .owner = &handle, .len = whole->phases_len };
	struct plan_phase plans[SPEC_PHASES_MAX];
	size_t at;
	int r = vessels_make(&p, NULL, err);

	if (r == 0)
		r = plan_all(&p, &at, err);
	if (r == 0) {
		plans_list(&p, plans);
		plan_phases_write(plans, p.len, out);
	}
	for (size_t i = 0; i < p.len; i++)
		vessel_free(p.vessels[i]);
	return r;
}

void phases_free(struct phases *p)
{
	if (p == NULL)
		return;
	/* First the holder: what it has reaped then no longer keeps a cgroup
	 * alive. */
	launch_release(p->holder);
	for (size_t i = 0; i < p->len; i++) {
		report_close(&p->reports[i]);
		vessel_free(p->vessels[i]);
	}
	spec_handle_drop(p->owner);
	buf_done(&p->top);
	buf_done(&p->items);
	free(p);
}
