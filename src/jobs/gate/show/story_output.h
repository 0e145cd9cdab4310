/* story_output.h -- what a phase that failed said. */
#ifndef CUPEL_JOBS_GATE_SHOW_STORY_OUTPUT_H
#define CUPEL_JOBS_GATE_SHOW_STORY_OUTPUT_H

#include "jobs/gate/show/story.h"

struct buf;
struct state;

/* story_failure_add -- write failure number i of a report: its name, message and
 * place.  Returns whether the report describes it. */
bool story_failure_add(const struct json_value *tests, size_t i,
		       struct buf *out);

/* story_output_write -- if the phase of a record run.ended was not OK, write what its
 * report says of the tests that failed; or else the first and the last lines of its
 * stderr, or of its stdout, and those at the first error, from the result that was
 * kept.
 * If that is gone or cannot be read, nothing is written. */
void story_output_write(const struct story_attempt *a,
			const struct json_value *run, const struct state *state,
			struct buf *out);

/* story_output_add -- write the same lines of a result. */
void story_output_add(const struct json_value *result, struct buf *out);

#endif
