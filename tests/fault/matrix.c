/* matrix.c -- every system call of launch fails in turn, in the parent, in init
 * and in the command's process before its exec, with each of several errnos.
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
#include "launch/sys.h"
#include "live/procs.h"
#include "tap.h"

#define IDLE       90   /* longer than any row of calls that may fail */
#define POINTS_MAX 2000 /* a walk that goes on is a bug of this test */
#define LOST_MOST  12   /* init's calls between the start and the report */

/* Whose calls are counted, and the least number of points that must end the
 * run: a matrix whose faults do not fire would pass without it. */
static const struct side {
	const char *name;
	uint32_t bit;
	unsigned least, lost_most;
} sides[] = {
	{ "parent", 0, 30, 0 },
	{ "init", SYS_FAULT_IN_INIT, 180, LOST_MOST },
	{ "child", SYS_FAULT_IN_CHILD, 120, 0 },
};
#define SIDES (SYS_FAULT_IN_INIT | SYS_FAULT_IN_CHILD)

static struct vessel vessel;
static struct trace before;

static void tell(uint32_t call, int sys, const char *what,
		 const struct vessel_end *end)
{
	fprintf(stderr, "# %s call %u, %s: %s (%s: %s)\n",
		call & SYS_FAULT_IN_INIT    ? "init's"
		: call & SYS_FAULT_IN_CHILD ? "the child's"
					    : "the parent's",
		call & ~SIDES, sys ? strerrorname_np(sys) : "no fault", what,
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
static unsigned walk(const struct side *side, int sys)
{
	uint32_t step = procs_is_full() ? 1 : 3;
	unsigned count[VESSEL_MAX_] = { 0 }, idle = 0, broken = 0;
	uint32_t n = 1;

	for (; idle < IDLE / step && n < POINTS_MAX && broken < 10; n += step) {
		enum vessel_result result;

		broken += !point(side->bit | n, sys, &result);
		idle = result == VESSEL_COMPLETE ? idle + 1 : 0;
		count[result]++;
	}
	ok_int(broken, 0);
	ok(n < POINTS_MAX);
	ok(count[VESSEL_LOST] <= side->lost_most);
	fprintf(stderr,
		"# %s, %s: %u ended the run, %u were tolerated, %u came after "
		"the start\n",
		side->name, strerrorname_np(sys), count[VESSEL_FAILED],
		count[VESSEL_COMPLETE] - idle, count[VESSEL_LOST]);
	return count[VESSEL_FAILED];
}

static void walk_all(int sys)
{
	unsigned step = procs_is_full() ? 1 : 3;

	for (size_t i = 0; i < sizeof sides / sizeof *sides; i++)
		ok(walk(&sides[i], sys) >= sides[i].least / step);
}

static void without_a_fault_the_run_is_complete(void)
{
	enum vessel_result result;

	ok(point(0, 0, &result));
	ok_int(result, VESSEL_COMPLETE);
}

static void each_call_fails_with_EPERM(void)
{
	walk_all(EPERM);
}

static void each_call_fails_with_ENOMEM(void)
{
	walk_all(ENOMEM);
}

static void each_call_fails_with_EMFILE(void)
{
	walk_all(EMFILE);
}

static void each_call_fails_with_ENOSYS(void)
{
	walk_all(ENOSYS);
}

static void each_call_fails_with_EINTR(void)
{
	walk_all(EINTR);
}

/* The same on a terminal of its own: a step more in init, and the command that
 * takes it.  The parent's calls are the same. */
static void with_a_terminal(int sys)
{
	unsigned step = procs_is_full() ? 1 : 3;
	enum vessel_result result;
	struct vessel plain = vessel;

	if (vessel_open(&vessel, true) == 0) {
		ok(point(0, 0, &result));
		ok_int(result, VESSEL_COMPLETE);
		for (size_t i = 1; i < sizeof sides / sizeof *sides; i++)
			ok(walk(&sides[i], sys) >= sides[i].least / step);
	} else {
		ok(false);
	}
	vessel_close(&vessel);
	vessel = plain;
}

static void with_a_terminal_each_fails_with_EPERM(void)
{
	with_a_terminal(EPERM);
}

static void with_a_terminal_each_fails_with_EMFILE(void)
{
	with_a_terminal(EMFILE);
}

/* A tree of cgroups that has no controllers will do: what cannot be had in it
 * is tolerated, and whatever fails, none is left. */
static bool tree_find(void)
{
	static const char *const mounts[] = { "/sys/fs/cgroup/unified",
					      "/sys/fs/cgroup" };
	char procs[64];

	for (size_t i = 0; i < sizeof mounts / sizeof *mounts; i++) {
		snprintf(procs, sizeof procs, "%s/cgroup.procs", mounts[i]);
		if (access(procs, W_OK) == 0)
			return setenv("CUPEL_TEST_CGROUP", mounts[i], 1) == 0;
	}
	return false;
}

static void in_a_cgroup_of_its_own(void)
{
	const struct side parent = { "parent, in a cgroup", 0, 30, 0 };
	struct vessel plain = vessel;

	if (getenv("CUPEL_TEST_CGROUP") == NULL && !tree_find()) {
		fprintf(stderr, "# no tree of cgroups that we may write to\n");
		return;
	}
	ok_int(vessel_open(&vessel, false), 0);
	ok(vessel.plan.cgroup.kind != CGROUP_NONE);
	trace_done(&before);
	trace_take(&before);
	for (int i = 0; i < 2; i++)
		ok(walk(&parent, i == 0 ? EPERM : EMFILE) >=
		   parent.least / (procs_is_full() ? 1 : 3));
	vessel_close(&vessel);
	vessel = plain;
}

int main(void)
{
	int rc = 1;

	procs_here();
	procs_adopt();
	if (vessel_open(&vessel, false) == 0) {
		trace_take(&before);
		rc = tap_run((struct tap_case[]){
			CASE(without_a_fault_the_run_is_complete),
			CASE(each_call_fails_with_EPERM),
			CASE(each_call_fails_with_ENOMEM),
			CASE(each_call_fails_with_EMFILE),
			CASE(each_call_fails_with_ENOSYS),
			CASE(each_call_fails_with_EINTR),
			CASE(with_a_terminal_each_fails_with_EPERM),
			CASE(with_a_terminal_each_fails_with_EMFILE),
			CASE(in_a_cgroup_of_its_own),
			TAP_END,
		});
		trace_done(&before);
	}
	vessel_close(&vessel);
	procs_leave();
	return rc;
}
