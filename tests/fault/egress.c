/* egress.c -- as matrix.c, with scoped egress: what starts the relay, makes the
 * vessel's network and hands it over fails call by call.
 *
 * Promise: the command is not started without the network that was asked for,
 * and neither a relay nor a socket of it is left. */
#include <errno.h>

#include "fault/walk.h"
#include "live/procs.h"
#include "tap.h"

#define LOST_MOST 12 /* matrix.c */

/* What it takes more than without: the relay of the parent, of which 64 calls
 * are its signals; 40 sockets with their options of the child. */
static const struct side sides[] = {
	{ "parent", 0, 120, 0 },
	{ "init", FAULT_IN_INIT, 200, LOST_MOST },
	{ "child", FAULT_IN_CHILD, 180, 0 },
};

static struct walk all;

static void walk_all(int sys)
{
	for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
		ok(walk_side(&all, &sides[i], sys));
}

static void without_a_fault_the_run_is_complete(void)
{
	enum vessel_result result;

	ok(walk_point(&all, 0, 0, &result));
	ok_int(result, VESSEL_COMPLETE);
}

static void each_call_fails_with_EPERM(void)
{
	walk_all(EPERM);
}

static void each_call_fails_with_EMFILE(void)
{
	walk_all(EMFILE);
}

int main(void)
{
	int rc = 1;

	procs_here();
	procs_adopt();
	if (vessel_open_scoped(&all.vessel) == 0) {
		trace_take(&all.before);
		rc = tap_run((struct tap_case[]){
			CASE(without_a_fault_the_run_is_complete),
			CASE(each_call_fails_with_EPERM),
			CASE(each_call_fails_with_EMFILE),
			TAP_END,
		});
		trace_close(&all.before);
	}
	vessel_close(&all.vessel);
	procs_leave();
	return rc;
}
