/* walk.c -- see walk.h. */
#include "fault/walk.h"

#include <stdio.h>
#include <string.h>

#include "live/procs.h"

#define IDLE       90   /* longer than any row of calls that may fail */
#define POINTS_MAX 2000 /* a walk that goes on is a bug of this test */
#define SIDES      (FAULT_IN_INIT | FAULT_IN_CHILD)

static void tell(uint32_t call, int sys, const char *what,
		 const struct vessel_end *end)
{
	fprintf(stderr, "# %s call %u, %s: %s (%s: %s)\n",
		call & FAULT_IN_INIT    ? "init's"
		: call & FAULT_IN_CHILD ? "the child's"
					: "the parent's",
		call & ~SIDES, sys ? strerrorname_np(sys) : "no fault", what,
		cupel_stage_name(end->error.stage), end->error.what);
}

bool walk_point(struct walk *w, uint32_t call, int sys, enum vessel_result *ret)
{
	struct vessel_end end;
	struct trace after;
	const char *left;

	vessel_run(&w->vessel, call, sys, &end);
	trace_take(&after);
	left = trace_difference(&w->before, &after);
	trace_close(&after);
	if (left != NULL)
		tell(call, sys, left, &end);
	else if (end.result > VESSEL_LOST)
		tell(call, sys, vessel_result_text(end.result), &end);
	*ret = end.result;
	return left == NULL && end.result <= VESSEL_LOST;
}

bool walk_side(struct walk *w, const struct side *side, int sys)
{
	uint32_t step = procs_is_full() ? 1 : 3;
	unsigned count[VESSEL_MAX_] = { 0 }, idle = 0, broken = 0;
	uint32_t n = 1;

	for (; idle < IDLE / step && n < POINTS_MAX && broken < 10; n += step) {
		enum vessel_result result;

		broken += !walk_point(w, side->bit | n, sys, &result);
		idle = result == VESSEL_COMPLETE ? idle + 1 : 0;
		count[result]++;
	}
	fprintf(stderr,
		"# %s, %s: %u ended the run, %u were tolerated, %u came after "
		"the start\n",
		side->name, strerrorname_np(sys), count[VESSEL_FAILED],
		count[VESSEL_COMPLETE] - idle, count[VESSEL_LOST]);
	return broken == 0 && n < POINTS_MAX &&
	       count[VESSEL_LOST] <= side->lost_most &&
	       count[VESSEL_FAILED] >= side->least / step;
}
