/* warm.h -- a place where witnesses run one after the other, each in a vessel
 * of its own that is a copy of an interpreter which has started already
 * (decision 0012); or not, when that cannot be had: then nothing is lost.
 *
 * A template makes one vessel at a time, so there are two, in turn: while a
 * witness runs in a copy of one, the other makes the vessel of the next. */
#ifndef CUPEL_JOBS_CONFIRM_WARM_H
#define CUPEL_JOBS_CONFIRM_WARM_H

#include <stdbool.h>
#include <stdint.h>

#include "jobs/confirm/runner.h"
#include "service/vessel.h"

struct vessel_copy;
struct vessel_result;
struct vessel_template;

/* A template is replaced after as many copies, so that what a kernel may keep
 * of them does not pile up; and given up for good after as many failures. */
#define WARM_COPIES_MAX   512
#define WARM_FAILURES_MAX 3

#define WARM_SEATS 2

struct warm_seat {
	struct vessel_template *template; /* NULL = none */
	unsigned copies;                  /* made of it */
	bool is_taken;                    /* a vessel of it waits or runs */
};

/* Zero is valid: everything runs cold. */
struct warm {
	bool is_wanted;
	const struct runner *runner; /* whose call the templates run */
	unsigned calls;              /* before there was one */
	unsigned failures;
	struct warm_seat seats[WARM_SEATS];
	struct vessel_copy *waiting; /* for its witness; NULL = none */
	struct warm_seat *waits_in;
};

/* warm_start -- a run of req, a call of r, in a copy made now.  The first calls
 * start a template.
 *
 * @req		the same for every call of r, but for stdin and the inputs
 * Returns the run's seat with *ret set, or NULL when it is to be a cold one. */
struct warm_seat *warm_start(struct warm *w, const struct runner *r,
			     const struct vessel_request *req,
			     struct vessel **ret);

/* warm_resume -- a run in the vessel that waits, of the inputs that it was
 * prepared with.  Returns as warm_start(); NULL, too, when none waits. */
struct warm_seat *warm_resume(struct warm *w, int stdin_fd,
			      struct vessel **ret);

/* warm_leave -- the run in seat is freed; before another can be made there. */
void warm_leave(struct warm_seat *seat);

/* warm_can_prepare -- whether a vessel could be made for the next call, which
 * has none yet. */
bool warm_can_prepare(const struct warm *w, const struct runner *r);

/* warm_prepare -- make it, of req's inputs, or a template for it: a call of r
 * runs warm now.  Nothing is lost if that cannot be. */
void warm_prepare(struct warm *w, const struct runner *r,
		  const struct vessel_request *req);

/* warm_forget -- end the vessel that waits: there is no such call any more. */
void warm_forget(struct warm *w);

/* warm_is_void -- whether what came of a copy is no result: it says nothing of
 * the witness, which is to be run once more, cold. */
bool warm_is_void(const struct vessel_result *result);

/* warm_fail -- after such a result, with its run freed: the templates are gone. */
void warm_fail(struct warm *w);

void warm_done(struct warm *w);

#endif
