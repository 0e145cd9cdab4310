/* warm.h -- runs witnesses in copies of an interpreter that has already started
 * (docs/copies.md).
 *
 * A place runs its witnesses one after the other, each in a vessel of its own
 * that is such a copy.  Where a copy is not possible, nothing is lost: the
 * witness runs cold.
 *
 * A template makes one vessel at a time, so there are two of them.  While a
 * witness runs in a copy of one, the other makes the vessel of the next
 * witness. */
#ifndef CUPEL_JOBS_CONFIRM_WARM_H
#define CUPEL_JOBS_CONFIRM_WARM_H

#include <stdbool.h>
#include <stdint.h>

#include "jobs/confirm/runner.h"
#include "service/vessel.h"

struct vessel_copy;
struct vessel_result;
struct vessel_template;

/* A template is replaced after WARM_COPIES_MAX copies, so that whatever a
 * kernel keeps of them does not pile up.  After WARM_FAILURES_MAX failures
 * there are no templates any more. */
#define WARM_COPIES_MAX   512
#define WARM_FAILURES_MAX 3

#define WARM_SEATS 2

/* What a place runs warm, with templates of its own for each. */
enum warm_kind { WARM_CALL, WARM_EXPLORE, WARM_SYNTHESIS, WARM_KINDS };

struct warm_seat {
	struct vessel_template *template; /* NULL = none */
	unsigned copies;                  /* made of it */
	bool is_taken;                    /* a vessel of it waits or runs */
};

/* Zero is valid: everything runs cold. */
struct warm {
	bool is_wanted;
	/* What the templates run, or NULL. */
	const struct runner_program *program;
	unsigned calls; /* made before there was a template */
	unsigned failures;
	struct warm_seat seats[WARM_SEATS];
	struct vessel_copy *waiting; /* for its witness; NULL = none waits */
	struct warm_seat *waits_in;
};

/* warm_start -- start a run of req, which runs p, in a copy that is made now.
 * The first calls start a template.
 *
 * @req		the same for every run of p, except for stdin and the inputs
 * Returns the run's seat with *ret set, or NULL when the run has to be cold. */
struct warm_seat *warm_start(struct warm *w, const struct runner_program *p,
			     const struct vessel_request *req,
			     struct vessel **ret);

/* warm_resume -- start a run in the vessel that waits, with the inputs that it
 * was prepared with.  Returns like warm_start(); NULL also when no vessel
 * waits. */
struct warm_seat *warm_resume(struct warm *w, int stdin_fd,
			      struct vessel **ret);

/* warm_leave -- leave a seat whose run has been freed.  Only then can another
 * vessel be made there. */
void warm_leave(struct warm_seat *seat);

/* warm_can_prepare -- whether a vessel could be made for the next call, and is
 * not there yet. */
bool warm_can_prepare(const struct warm *w, const struct runner_program *p);

/* warm_prepare -- make that vessel with req's inputs, or start a template for
 * it.  A run of p is running warm now.  Nothing is lost if this fails. */
void warm_prepare(struct warm *w, const struct runner_program *p,
		  const struct vessel_request *req);

/* warm_forget -- end the vessel that waits, because its call will not come. */
void warm_forget(struct warm *w);

/* warm_is_void -- whether the end of a copy is no result: it says nothing about
 * the witness, which has to run again, cold. */
bool warm_is_void(const struct vessel_result *result);

/* warm_fail -- end all templates after such a result, when its run has been
 * freed. */
void warm_fail(struct warm *w);

void warm_done(struct warm *w);

#endif
