/* trial_end.c -- what is left of a trial: its record.  See trial.h. */
#include <stdlib.h>

#include "jobs/confirm/trial.h"

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
			.is_shrunk = witness != NULL && witness == t->small,
			.shrink_runs = t->shrink_runs,
			.tried = t->tried,
			.built = t->witnesses ? t->witnesses->u.array.len : 0,
			.file_blake3 =
				t->file_blake3[0] ? t->file_blake3 : NULL,
			.verdict = &t->best },
		out);
}

void trial_done(struct trial *t)
{
	harness_done(&t->run);
	if (t->warm != NULL)
		warm_forget(t->warm); /* it was for this flag */
	vessel_done(&t->synthesis);
	buf_done(&t->source);
	free(t->file);
	*t = (struct trial){ 0 };
}
