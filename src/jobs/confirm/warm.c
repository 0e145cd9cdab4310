/* warm.c -- see warm.h. */
#include "jobs/confirm/warm.h"

#include "base/cleanup.h"
#include "base/error.h"
#include "lib/sealed.h"
#include "lib/template.h"

static void template_drop(struct warm *w)
{
	lib_template_free(w->template);
	w->template = NULL;
	w->copies = 0;
}

static void fail(struct warm *w)
{
	template_drop(w);
	if (++w->failures >= WARM_FAILURES_MAX)
		w->is_wanted = false;
}

static void template_begin(struct warm *w, const struct runner *r,
			   const struct vessel_request *req)
{
	struct cupel_error ignored = { 0 };
	owned_fd int program = -1;

	program = sealed_of(r->template_text,
			    (size_t)(r->call.end - r->template_text), false,
			    &ignored);
	if (program < 0 ||
	    vessel_template_start(req, program, &w->template, &ignored) < 0)
		fail(w);
	else
		w->runner = r;
}

int warm_start(struct warm *w, const struct runner *r,
	       const struct vessel_request *req, struct cupel_run **ret)
{
	struct cupel_error ignored = { 0 };
	int state;

	if (!w->is_wanted || r->template_text == NULL)
		return 0;
	if (w->template != NULL &&
	    (w->copies >= WARM_COPIES_MAX || w->runner != r))
		template_drop(w);
	if (w->template == NULL) {
		if (w->calls++ > 0) /* for one it does not pay */
			template_begin(w, r, req);
		return 0; /* it takes as long to start as a cold run */
	}
	state = lib_template_state(w->template);
	if (state == 0)
		return 0;
	if (state < 0 || vessel_copy(w->template, req, ret, &ignored) < 0) {
		fail(w);
		return 0;
	}
	w->copies++;
	return 1;
}

/* What ends a copy from outside could have ended its template first: the end
 * is no fact about the witness. */
bool warm_has_failed(struct warm *w, const struct vessel_result *result)
{
	if (result->status != CUPEL_INTERNAL_ERROR &&
	    result->status != CUPEL_KILLED_KILL && result->started)
		return false;
	fail(w);
	return true;
}

void warm_done(struct warm *w)
{
	template_drop(w);
	*w = (struct warm){ 0 };
}
