/* trace.c -- finds what a phase executed or reached that it did not in the
 * baseline. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/kinds/made.h"
#include "jobs/trace/diff.h"
#include "jobs/trace/happened.h"

#define SHOWN 64U /* of one kind in all phases; others are counted */

/* A phase that is to be compared.  Zero is valid. */
struct compared {
	const char *phase;
	const struct gate_run *run; /* NULL: it was not reached */
	const char *problem;        /* why there is no answer, or NULL */
	struct happened base, next;
	struct diff diff;
};

struct work {
	const struct kind_source *s;
	struct compared items[GATE_PHASES_MAX];
	size_t len;
};

/* --- which phases ----------------------------------------------------------------- */

static bool is_traced(const struct json_value *spec)
{
	const struct json_value *v = json_find(spec, "trace");

	return v != NULL && !json_is_text(v, "none");
}

/* Whether the gate names the phase, or names none and the phase is traced. */
static bool is_asked(const struct gate_ask *ask, const struct gate_phase *p)
{
	const struct json_value *list = json_find(ask->params, "phases");

	if (list == NULL)
		return is_traced(p->spec);
	for (size_t i = 0; i < list->u.array.len; i++)
		if (json_is_text(&list->u.array.items[i], p->name))
			return true;
	return false;
}

static const struct gate_run *run_find(const struct gate_attempt *a,
				       const char *phase)
{
	for (size_t i = 0; i < a->runs_len; i++)
		if (strcmp(a->runs[i].phase, phase) == 0)
			return &a->runs[i];
	return NULL;
}

/* --- one phase --------------------------------------------------------------------- */

static const struct json_value *base_find(const struct baseline *b,
					  const char *phase)
{
	const struct json_value *list =
		b != NULL ? json_find(&b->value, "trace") : NULL;

	for (size_t i = 0; list != NULL && i < list->u.array.len; i++) {
		const struct json_value *item = &list->u.array.items[i];

		if (json_is_text(json_find(item, "phase"), phase))
			return json_find(item, "result");
	}
	return NULL;
}

static bool is_whole(const struct happened *h)
{
	return happened_number(h->trace, "events_omitted") == 0 &&
	       happened_number(&h->root, "egress_omitted") == 0;
}

/* If there was no room for some events, new ones may be among them. */
static const char *problem_find(const struct compared *c)
{
	if (c->base.trace == NULL)
		return "the baseline has no trace of it";
	if (c->next.trace == NULL)
		return "it was not traced";
	if ((c->base.exec && !c->next.exec) ||
	    (c->base.connect && !c->next.connect))
		return "less was traced than in the baseline";
	if (!is_whole(&c->base))
		return "the baseline could not hold all of its events";
	if (!is_whole(&c->next))
		return "not all of its events could be recorded";
	return NULL;
}

static int phase_compare(const struct work *w, struct compared *c)
{
	const struct json_value *base = base_find(w->s->baseline, c->phase);
	struct cupel_error err = { 0 };

	if (c->run == NULL)
		return 0;
	if (w->s->baseline == NULL) {
		c->problem = "no baseline was given";
		return 0;
	}
	if (base == NULL) {
		c->problem = "the baseline has no run of it";
		return 0;
	}
	if (happened_take("baseline", base, &c->base, &err) < 0 ||
	    happened_take("result", c->run->result, &c->next, &err) < 0) {
		c->problem = "it cannot be read";
		return 0;
	}
	c->problem = problem_find(c);
	return c->problem == NULL ? diff_build(&c->base, &c->next, &c->diff)
				  : 0;
}

static int phases_compare(struct work *w, struct gate_signal *ret)
{
	const struct gate *g = w->s->gate;
	int e = 0;

	for (size_t i = 0; e == 0 && i < g->phases_len; i++) {
		struct compared *c = &w->items[w->len];

		if (!is_asked(w->s->ask, &g->phases[i]))
			continue;
		w->len++;
		c->phase = g->phases[i].name;
		c->run = run_find(w->s->attempt, c->phase);
		e = run_note(w->s, c->run, ret);
		if (e == 0)
			e = phase_compare(w, c);
	}
	return e;
}

/* --- the signal --------------------------------------------------------------------- */

static const char *const keys[] = {
	[DIFF_EXECUTABLE] = "new_executables",
	[DIFF_SHELL] = "new_shells",
	[DIFF_ENDPOINT] = "new_endpoints",
};
_Static_assert(sizeof keys / sizeof *keys == DIFF_KIND_MAX_,
	       "a word for every kind");

/* Returns how many things are new in all phases. */
static size_t news_write(const struct work *w, struct jsonw *out)
{
	size_t total = 0, shown = 0;

	for (int k = 0; k < DIFF_KIND_MAX_; k++) {
		size_t n = 0;

		jsonw_array(out, keys[k]);
		for (size_t i = 0; i < w->len; i++)
			n += diff_write_kind(&w->items[i].diff,
					     (enum diff_kind)k,
					     w->items[i].phase,
					     n < SHOWN ? SHOWN - n : 0, out);
		jsonw_end_array(out);
		total += n;
		shown += n < SHOWN ? n : SHOWN;
	}
	jsonw_uint(out, "omitted", total - shown);
	return total;
}

static void phase_write(const struct compared *c, struct jsonw *out)
{
	jsonw_object(out, NULL);
	jsonw_text(out, "phase", c->phase);
	jsonw_bool(out, "ran", c->run != NULL);
	jsonw_text_or_null(out, "problem", c->problem);
	jsonw_bool(out, "coverage_ok",
		   c->next.trace != NULL &&
			   happened_bool(c->next.trace, "coverage_ok"));
	jsonw_array(out, "missing");
	for (size_t i = 0; i < c->diff.missing_len; i++)
		jsonw_text(out, NULL, c->diff.missing[i]);
	jsonw_end_array(out);
	jsonw_end_object(out);
}

static bool is_covered(const struct work *w)
{
	bool covered = true;

	for (size_t i = 0; i < w->len; i++)
		if (w->items[i].run != NULL)
			covered &= w->items[i].next.trace != NULL &&
				   happened_bool(w->items[i].next.trace,
						 "coverage_ok");
	return covered;
}

static int signal_make(const struct work *w, struct gate_signal *ret)
{
	owned_buf struct buf text = { 0 };
	struct jsonw out = { .out = &text };
	const struct baseline *b = w->s->baseline;
	bool has_problem = w->len == 0, has_all = true;
	size_t news;

	jsonw_object(&out, NULL);
	jsonw_text_or_null(&out, "baseline", b != NULL ? b->hash : NULL);
	news = news_write(w, &out);
	jsonw_bool(&out, "coverage_ok", is_covered(w));
	jsonw_array(&out, "phases");
	for (size_t i = 0; i < w->len; i++) {
		phase_write(&w->items[i], &out);
		has_problem |= w->items[i].problem != NULL;
		has_all &= w->items[i].run != NULL;
	}
	jsonw_end_array(&out);
	jsonw_end_object(&out);
	ret->passed = news == 0 && !has_problem && has_all;
	/* new things stay new; a phase that was not reached has no answer */
	ret->is_final |= news > 0 || has_problem;
	ret->is_unreached = !has_all && news == 0 && !has_problem;
	return details_take(w->s, &text, ret);
}

int trace_build(const struct kind_source *s, struct gate_signal *ret)
{
	struct work w = { .s = s };
	int e = phases_compare(&w, ret);

	if (e == 0)
		e = signal_make(&w, ret);
	for (size_t i = 0; i < w.len; i++) {
		diff_done(&w.items[i].diff);
		happened_done(&w.items[i].next);
		happened_done(&w.items[i].base);
	}
	return e;
}
