/* matrix.c -- every system call of launch fails in turn, in the parent and in
 * init, with each of several errnos.
 *
 * Promise: the command never ran and the error names the stage;
 * or the fault was one that is tolerated and the run is complete and correct;
 * or, in what init does after the start, the status is lost and nothing says
 * that all is well.  In no case is a descriptor, a process, a mount, a cgroup or a file left,
 * nor anything of the caller changed.
 *
 * A walk ends when no call is left to fail: after IDLE points in a row at
 * which the run went as if nothing had happened.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "fault/trace.h"
#include "fault/vessel.h"
#include "live/procs.h"
#include "tap.h"

#define IDLE	   90   /* longer than any row of calls that may fail */
#define POINTS_MAX 2000 /* a walk that goes on is a bug of this test */
#define LOST_MOST  12   /* init's calls between the start and the report */
#define IN_INIT	   UINT32_C(0x80000000)

static struct vessel vessel;
static struct trace before;

static void tell(uint32_t call, int sys, const char *what,
		 const struct vessel_end *end)
{
	fprintf(stderr, "# %s call %u, %s: %s (%s: %s)\n",
		call & IN_INIT ? "init's" : "the parent's", call & ~IN_INIT,
		sys ? strerrorname_np(sys) : "no fault", what,
		cupel_stage_name(end->error.stage), end->error.what);
}

/* Returns whether the promise held at this point. */
static bool point(uint32_t call, int sys, enum vessel_result *ret)
{
	struct vessel_end end;
	struct trace after;
	const char *left;

	vessel_run(&vessel, call, sys, &end);
	trace_take(&after);
	left = trace_difference(&before, &after);
	trace_done(&after);
	if (left != NULL)
		tell(call, sys, left, &end);
	else if (end.result > VESSEL_LOST)
		tell(call, sys, vessel_result_text(end.result), &end);
	*ret = end.result;
	return left == NULL && end.result <= VESSEL_LOST;
}

/* Returns how many points ended the run before the command ran. */
static unsigned walk(uint32_t side, int sys)
{
	uint32_t step = procs_is_full() ? 1 : 3;
	unsigned count[VESSEL_MAX_] = { 0 }, idle = 0, broken = 0;
	uint32_t n = 1;

	for (; idle < IDLE / step && n < POINTS_MAX && broken < 10; n += step) {
		enum vessel_result result;

		broken += !point(side | n, sys, &result);
		idle = result == VESSEL_COMPLETE ? idle + 1 : 0;
		count[result]++;
	}
	ok_int(broken, 0);
	ok(n < POINTS_MAX);
	ok(count[VESSEL_LOST] <= (side ? LOST_MOST : 0));
	fprintf(stderr,
		"# %s, %s: %u ended the run, %u were tolerated, %u came after "
		"the start\n",
		side ? "init" : "parent", strerrorname_np(sys),
		count[VESSEL_FAILED], count[VESSEL_COMPLETE] - idle,
		count[VESSEL_LOST]);
	return count[VESSEL_FAILED];
}

/* The least number of points that must end the run: a matrix whose faults do
 * not fire would pass without this. */
#define PARENT_LEAST 30
#define INIT_LEAST   300

static void walk_both(int sys)
{
	unsigned step = procs_is_full() ? 1 : 3;

	ok(walk(0, sys) >= PARENT_LEAST / step);
	ok(walk(IN_INIT, sys) >= INIT_LEAST / step);
}

static void without_a_fault_the_run_is_complete(void)
{
	enum vessel_result result;

	ok(point(0, 0, &result));
	ok_int(result, VESSEL_COMPLETE);
}

static void each_call_fails_with_EPERM(void)
{
	walk_both(EPERM);
}

static void each_call_fails_with_ENOMEM(void)
{
	walk_both(ENOMEM);
}

static void each_call_fails_with_EMFILE(void)
{
	walk_both(EMFILE);
}

static void each_call_fails_with_ENOSYS(void)
{
	walk_both(ENOSYS);
}

static void each_call_fails_with_EINTR(void)
{
	walk_both(EINTR);
}

int main(void)
{
	int rc = 1;

	procs_here();
	procs_adopt();
	if (vessel_open(&vessel) == 0) {
		trace_take(&before);
		rc = tap_run((struct tap_case[]){
			CASE(without_a_fault_the_run_is_complete),
			CASE(each_call_fails_with_EPERM),
			CASE(each_call_fails_with_ENOMEM),
			CASE(each_call_fails_with_EMFILE),
			CASE(each_call_fails_with_ENOSYS),
			CASE(each_call_fails_with_EINTR), TAP_END });
		trace_done(&before);
	}
	vessel_close(&vessel);
	procs_leave();
	return rc;
}
