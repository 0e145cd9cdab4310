/* copies.c -- as matrix.c, with a copy of a template: what makes the template, and
 * what makes the copy, fails call by call.
 *
 * Promise: the command is not started but in the vessel that was asked for, and
 * neither a template nor a copy is left. */
#include <errno.h>

#include "fault/walk.h"
#include "live/procs.h"
#include "tap.h"

#define LOST_MOST 16 /* matrix.c, and what a copy tolerates */

static const struct side sides[] = {
	{ "parent", 0, 12, 0 },
	{ "init", FAULT_IN_INIT, 30, LOST_MOST },
};
static const struct side child = { "child", FAULT_IN_CHILD, 20, 0 };

static struct walk all;

static void walk_both(enum vessel_phase phase, int sys)
{
	all.vessel.phase = phase;
	for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
		ok(walk_side(&all, &sides[i], sys));
}

static void without_a_fault_the_copy_is_complete(void)
{
	enum vessel_result result;

	all.vessel.phase = COPY_OWN;
	ok(walk_point(&all, 0, 0, &result));
	ok_int(result, VESSEL_COMPLETE);
}

static void each_call_of_the_template_fails(void)
{
	walk_both(COPY_TEMPLATE, EPERM);
	walk_both(COPY_TEMPLATE, EMFILE);
}

/* The first call of the template's that fails too late to keep the command from running.
 * With DROP_ANSWER the copy ends before the template's answer. */
static uint32_t first_that_is_late(void)
{
	uint32_t early = 0, late = 1024;

	while (early + 1 < late) {
		uint32_t n = (early + late) / 2;
		struct vessel_end end;

		vessel_run(&all.vessel, FAULT_IN_INIT | n, EMFILE, &end);
		if (end.output_len > 0)
			late = n;
		else
			early = n;
	}
	return late;
}

/* A command that has run is not reported as one that did not: it would run twice. */
static void an_answer_that_is_lost_costs_nothing(void)
{
	enum vessel_result result = VESSEL_MAX_;
	uint32_t n;

	all.vessel.phase = COPY_TEMPLATE;
	all.vessel.dropped = WALL_BIT(DROP_ANSWER);
	n = first_that_is_late();
	ok(n > 100 && n < 1000);
	for (uint32_t i = n; i < n + 4; i++) {
		ok(walk_point(&all, FAULT_IN_INIT | i, EMFILE, &result));
		ok_int(result, VESSEL_COMPLETE);
	}
	all.vessel.dropped = 0;
}

static void each_call_of_a_copy_fails(void)
{
	walk_both(COPY_OWN, EPERM);
	ok(walk_side(&all, &child, EPERM));
	walk_both(COPY_OWN, EMFILE);
}

int main(void)
{
	int rc = 1;

	procs_here();
	procs_adopt();
	if (vessel_open(&all.vessel, false) == 0) {
		trace_take(&all.before);
		rc = tap_run((struct tap_case[]){
			CASE(without_a_fault_the_copy_is_complete),
			CASE(each_call_of_the_template_fails),
			CASE(an_answer_that_is_lost_costs_nothing),
			CASE(each_call_of_a_copy_fails),
			TAP_END,
		});
		trace_close(&all.before);
	}
	vessel_close(&all.vessel);
	procs_leave();
	return rc;
}
