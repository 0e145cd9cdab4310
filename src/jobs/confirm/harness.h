/* harness.h -- the two vessels of a runner: one lists the witnesses, the other
 * calls the function with one of them. */
#ifndef CUPEL_JOBS_CONFIRM_HARNESS_H
#define CUPEL_JOBS_CONFIRM_HARNESS_H

#include "jobs/confirm/flag.h"
#include "jobs/confirm/runner.h"
#include "jobs/confirm/warm.h"
#include "service/vessel.h"
#include "service/vessel_result.h"

#define HARNESS_NONCE_BYTES 16

/* A running vessel and the descriptor that it reads as stdin; both owned. */
struct harness {
	struct vessel *run;     /* NULL = none */
	int stdin_fd;           /* valid when run is not NULL */
	struct warm_seat *seat; /* of a copy of a template; NULL = a cold run */
	char nonce[2 * HARNESS_NONCE_BYTES + 1]; /* of a call's answer */
};

struct harness_call {
	const char *repo, *file; /* file: below repo */
	const struct flag *flag;
	const struct buf *source;
	const struct json_value *synthesis; /* its answer */
	const struct json_value *witness;
	struct warm *warms; /* WARM_KINDS of them; NULL: a cold run */
	/* What else the caller shows inside, at most HARNESS_VIEWS_MAX; or
	 * NULL. */
	const struct vessel_option *views;
};

#define HARNESS_VIEWS_MAX 64

/* Witnesses that are explored in one vessel, and what a copy, and all of them
 * together, may take.  A witness that takes longer gets a vessel of its own. */
#define HARNESS_COPY_MS   1000U
#define HARNESS_COPIES_MS 3000U

/* harness_can_start -- whether the host has what a run like c asks for, above
 * all the views.  Starts nothing.
 *
 * @c		only repo and views are looked at
 * Returns 0, or -errno with *err naming the option. */
int harness_can_start(const struct runner *r, const struct harness_call *c,
		      struct cupel_error *err);

/* harness_synthesise -- start the vessel that lists the witnesses.  It reads
 * the source, and other files of the repository for the calls in them, and runs
 * none of them.
 *
 * @c		without synthesis and witness
 * @ret		set on success only; harness_done() ends it */
int harness_synthesise(const struct runner *r, const struct harness_call *c,
		       struct harness *ret, struct cupel_error *err);

/* harness_call -- start the vessel that runs one witness, with the repository
 * at /repo.  If harness_prepare() has made one, the witness goes to that. */
int harness_call(const struct runner *r, const struct harness_call *c,
		 struct harness *ret, struct cupel_error *err);

/* harness_explore -- start the vessel that tries witnesses, each in a copy of
 * one process.  What it says proves nothing (docs/confirm.md).
 *
 * @c		without witness
 * @from	the first of c->synthesis' witnesses; all after it are tried
 * Returns like harness_call().  r must have an explore program. */
int harness_explore(const struct runner *r, const struct harness_call *c,
		    size_t from, struct harness *ret, struct cupel_error *err);

/* harness_prepare -- make the vessel of the next call in advance, where that is
 * possible.  That call is like c except for its witness.  Until warm_forget()
 * every warm call of c->warms must be like c. */
void harness_prepare(const struct runner *r, const struct harness_call *c);

/* harness_fd -- readable when harness_step() has work; -1: no vessel runs, or
 * it has ended. */
int harness_fd(const struct harness *h);

/* harness_step -- do what can be done; never blocks.  Returns 1 while it goes
 * on, 0 at the end, or -errno. */
int harness_step(struct harness *h, struct cupel_error *err);

/* harness_payload_read -- after the end, read the answer through the boundary.
 *
 * @ret		payload_done() frees it */
void harness_payload_read(const struct harness *h,
			  const struct schema_set *schema, struct payload *ret);

/* harness_done -- end the vessel and free it; fine if there is none. */
void harness_done(struct harness *h);

#endif
