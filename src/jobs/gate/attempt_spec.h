/* attempt_spec.h -- the request of one attempt, as cupel-spec(5) has it. */
#ifndef CUPEL_JOBS_GATE_ATTEMPT_SPEC_H
#define CUPEL_JOBS_GATE_ATTEMPT_SPEC_H

#include "jobs/gate/attempt_run.h"

struct buf;
struct spec;

/* attempt_spec_write -- write the request: the work tree as an overlay, what
 * the gate's phases share, and each phase with the keys that this attempt
 * replaces.
 *
 * An artifact's place on the host is out_dir/PHASE-ARTIFACT, two numbers from
 * 0.
 *
 * @out_dir	a private directory
 * @out		receives JSON; buf_has_failed() says whether there was memory */
void attempt_spec_write(const struct gate_attempt_request *req,
			const char *out_dir, struct buf *out);

/* attempt_spec_check -- whether the phases, with what their profiles say,
 * produce what the gate's signals need: a report, if there is a signal of
 * tests.
 * Returns 0, or -errno: the gate and the phase, cause caller. */
int attempt_spec_check(const struct gate *g, const struct spec *whole,
		       struct cupel_error *err);

/* phase_artifacts_find -- the paths that the phase must leave behind on that
 * attempt, each once.
 *
 * @ret		receives at most room paths, borrowed
 * Returns how many. */
size_t phase_artifacts_find(const struct gate_phase *p, unsigned attempt,
			    const char **ret, size_t room);

#define PHASE_ARTIFACTS_MAX 16U

#endif
