/* ran.c -- the kinds install and build: whether the phase ended well. */
#include "base/buf.h"
#include "base/jsonw.h"
#include "jobs/gate/kinds/made.h"

int ran_build(const struct kind_source *s, struct gate_signal *ret)
{
	owned_buf struct buf text = { 0 };
	struct jsonw w = { .out = &text };
	const char *phase = NULL;
	const struct gate_run *run = phase_run_find(s, &phase);
	int e = run_note(s, run, ret);

	if (e < 0)
		return e;
	ret->passed = run != NULL && run_is_ok(run);
	jsonw_object(&w, NULL);
	ran_write(phase, run, &w);
	jsonw_end_object(&w);
	return details_take(s, &text, ret);
}
