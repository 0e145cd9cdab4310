/* matrix.c -- every system call of launch fails in turn, in the parent and in
 * init, with each of several errnos.
 *
 * Promise: either the command never ran and the error names the stage, or the
 * fault was one that is tolerated and the run is complete and correct.  In
 * neither case is a descriptor, a process, a mount, a cgroup or a file left,
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
#define IN_INIT	   UINT32_C(0x80000000)

/* What an errno did at one point. */
enum verdict { CLEAN_FAILURE, COMPLETE_RUN, BROKEN };

static struct vessel vessel;
static struct trace before;

static void tell(uint32_t call, int sys, const char *what,
		 const struct vessel_end *end)
{
	fprintf(stderr, "# %s call %u, %s: %s (stage %s, \"%s\")\n",
		call & IN_INIT ? "init's" : "the parent's", call & ~IN_INIT,
		strerrorname_np(sys), what, cupel_stage_name(end->error.stage),
		end->error.what);
}

/* The word is "ran" when the command wrote all of its output. */
static enum verdict judge(uint32_t call, int sys, const struct vessel_end *end)
{
	bool ran = end->output_len > 0;

	if (end->stuck) {
		tell(call, sys, "the run did not end by itself", end);
		return BROKEN;
	}
	if (end->error.stage == CUPEL_STAGE_NONE) {
		if (end->complete)
			return COMPLETE_RUN;
		tell(call, sys, "no error, and the run is not complete", end);
		return BROKEN;
	}
	if (ran && !vessel_fault_is_late(&vessel, end)) {
		tell(call, sys, "an error, and the command ran", end);
		return BROKEN;
	}
	if (end->error.what[0] == '\0') {
		tell(call, sys, "the error says nothing", end);
		return BROKEN;
	}
	return CLEAN_FAILURE;
}

static enum verdict point(uint32_t call, int sys)
{
	struct vessel_end end = { 0 };
	enum verdict v;
	struct trace after;
	const char *left;

	vessel_run(&vessel, call, sys, &end);
	v = judge(call, sys, &end);
	trace_take(&after);
	left = trace_difference(&before, &after);
	if (left != NULL) {
		tell(call, sys, left, &end);
		v = BROKEN;
	}
	trace_done(&after);
	return v;
}

/* Returns how many points failed cleanly. */
static unsigned walk(uint32_t side, int sys)
{
	uint32_t step = procs_is_full() ? 1 : 3;
	unsigned failed = 0, tolerated = 0, idle = 0, broken = 0;
	uint32_t n = 1;

	for (; idle < IDLE / step && n < POINTS_MAX && broken < 10; n += step) {
		enum verdict v = point(side | n, sys);

		idle = v == COMPLETE_RUN ? idle + 1 : 0;
		failed += v == CLEAN_FAILURE;
		tolerated += v == COMPLETE_RUN;
		broken += v == BROKEN;
	}
	ok(broken == 0);
	ok(n < POINTS_MAX);
	fprintf(stderr, "# %s, %s: %u ended the run, %u were tolerated\n",
		side ? "init" : "parent", strerrorname_np(sys), failed,
		tolerated - idle);
	return failed;
}

/* The least number of points that must end the run: a matrix whose faults do
 * not fire would pass without this. */
#define PARENT_LEAST 20
#define INIT_LEAST   60

static void walk_both(int sys)
{
	unsigned step = procs_is_full() ? 1 : 3;

	ok(walk(0, sys) >= PARENT_LEAST / step);
	ok(walk(IN_INIT, sys) >= INIT_LEAST / step);
}

static void without_a_fault_the_run_is_complete(void)
{
	struct vessel_end end = { 0 };

	vessel_run(&vessel, 0, 0, &end);
	if (!end.complete)
		tell(0, 0, "without a fault", &end);
	ok(end.complete);
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
