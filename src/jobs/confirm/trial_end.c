/* trial_end.c -- the record of a trial, and its end.  See trial.h. */
#include <stdlib.h>

#include "jobs/confirm/trial.h"

const struct json_value *trial_synthesis_find(const struct trial *t)
{
	return t->synthesis.status == PAYLOAD_VALID ? &t->synthesis.value
						    : NULL;
}

/* The list that the synthesis made for the original witness.  A smaller one has
 * values of the same kinds. */
static const struct json_value *preconditions_of(const struct trial *t)
{
	const struct json_value *answer = trial_synthesis_find(t);
	const struct json_value *lists, *spoken;
	uint64_t at = 0;

	if (t->best_witness == NULL || answer == NULL)
		return NULL;
	lists = json_find(answer, "preconditions");
	spoken = json_find(answer, "spoken");
	if (lists == NULL || spoken == NULL ||
	    t->best_at >= spoken->u.array.len ||
	    json_read_u64(&spoken->u.array.items[t->best_at], &at) < 0 ||
	    at >= lists->u.array.len)
		return NULL;
	return &lists->u.array.items[at];
}

void trial_record(const struct trial *t, int64_t ts_ms, struct buf *out)
{
	const struct json_value *witness = t->best_witness;

	if (t->best.status != CONFIRM_CONFIRMED &&
	    t->best.status != CONFIRM_TIMEOUT &&
	    t->best.status != CONFIRM_SANDBOX_ERROR)
		witness = NULL;
	record_build(
		&(struct record_facts){
			.ts_ms = ts_ms,
			.flag = t->flag,
			.runner = t->runner,
			.witness = witness,
			.preconditions = preconditions_of(t),
			.control = t->control.held,
			.is_shrunk = witness != NULL && witness == t->small,
			.shrink_runs = t->shrink_runs,
			.tried = t->tried,
			.explored = t->explored.passed,
			.explore_failed = t->explored.failed,
			.built = t->witnesses ? t->witnesses->u.array.len : 0,
			.file_blake3 =
				t->file_blake3[0] ? t->file_blake3 : NULL,
			.verdict = &t->best },
		out);
}

void trial_cancel(struct trial *t)
{
	if (t->run.run != NULL)
		vessel_cancel(t->run.run, 0);
}

void trial_done(struct trial *t)
{
	harness_done(&t->run);
	if (t->warms != NULL) /* it was prepared for this flag */
		warm_forget(&t->warms[WARM_CALL]);
	payload_done(&t->explored.payload);
	payload_done(&t->synthesis);
	buf_done(&t->source);
	free(t->file);
	*t = (struct trial){ 0 };
}
