/* warm.h -- a place where witnesses run one after the other, each in a vessel
 * of its own that is a copy of an interpreter which has started already
 * (decision 0012); or not, when that cannot be had: then nothing is lost. */
#ifndef CUPEL_JOBS_CONFIRM_WARM_H
#define CUPEL_JOBS_CONFIRM_WARM_H

#include <stdbool.h>
#include <stdint.h>

#include "jobs/confirm/runner.h"
#include "jobs/vessel.h"

/* A template is replaced after as many copies, so that what a kernel may keep
 * of them does not pile up; and given up for good after as many failures. */
#define WARM_COPIES_MAX   512
#define WARM_FAILURES_MAX 3

/* Zero is valid: everything runs cold. */
struct warm {
	bool is_wanted;
	struct lib_template *template; /* NULL = none */
	const struct runner *runner;   /* whose call it runs */
	unsigned calls;                /* before there was one */
	unsigned copies;               /* made of it */
	unsigned failures;
};

/* warm_start -- a run of req, a call of r: a copy of the template if one waits,
 * which is started when there is none.
 *
 * @req		the same for every call of r, but for stdin and the inputs
 * Returns 1 with *ret set, 0 when the run is to be a cold one. */
int warm_start(struct warm *w, const struct runner *r,
	       const struct vessel_request *req, struct cupel_run **ret);

/* warm_has_failed -- whether what came of a copy is no result: it says nothing
 * of the witness, which is to be run once more, cold.  The template is gone
 * then. */
bool warm_has_failed(struct warm *w, const struct vessel_result *result);

void warm_done(struct warm *w);

#endif
