/* can_run.c -- see can_run.h. */
#include "jobs/confirm/can_run.h"

#include <errno.h>

#include "base/error.h"
#include "jobs/confirm/caps.h"
#include "jobs/confirm/confirm.h"
#include "jobs/confirm/harness.h"

/* Check that this host has the views. */
static int views_check(const struct confirm_request *req,
		       const struct runner *r, struct cupel_error *err)
{
	const struct harness_call c = { .repo = req->repo,
					.views = req->views };
	struct cupel_error why = { 0 };
	int e = harness_can_start(r, &c, &why);

	if (e == 0 || why.cause != CUPEL_CAUSE_CALLER)
		return 0;
	*err = why;
	return e;
}

int flags_can_run(const struct confirm_request *req, const struct flags *f,
		  struct cupel_error *err)
{
	bool is_checked[LANGUAGE_MAX_] = { false };
	int e = 0;

	for (size_t i = 0; i < f->len && e == 0; i++) {
		const struct runner *r = runner_find(f->items[i].file);
		const char *why = caps_refusal(req->caps, r);

		if (why != NULL)
			return cupel_fail(err, CUPEL_STAGE_JOB,
					  CUPEL_CAUSE_CALLER, EPERM,
					  "--spec: %s", why);
		if (r == NULL || req->views == NULL || is_checked[r->language])
			continue;
		is_checked[r->language] = true;
		e = views_check(req, r, err);
	}
	return e;
}
