/* matrix.c -- every system call of launch fails in turn, in the parent, in init
 * and in the command's process before its exec, with each of several errnos.
 *
 * Promise: the command never ran and the error names the stage;
 * or the fault was one that is tolerated and the run is complete and correct;
 * or, in what init does after the start, the status is lost and nothing says
 * that all is well.  In no case is a descriptor, a process, a mount, a cgroup
 * or a file left, nor anything of the caller changed.
 *
 * A walk ends when no call is left to fail: after IDLE points in a row at
 * which the run went as if nothing had happened.
 */
#include <errno.h>
#include <unistd.h>

#include "fault/walk.h"
#include "live/procs.h"
#include "tap.h"

#define LOST_MOST 12 /* init's calls between the start and the report */

/* The child of root's late start empties a bounding set of its own; that of an
 * early one inherits it empty, 41 calls less. */
#define CHILD_LEAST       120
#define CHILD_LEAST_EARLY 90

static struct side sides[] = {
	{ "parent", 0, 30, 0 },
	{ "init", FAULT_IN_INIT, 180, LOST_MOST },
	{ "child", FAULT_IN_CHILD, CHILD_LEAST, 0 },
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
	enum vessel_result result;
	struct vessel plain = all.vessel;

	if (vessel_open(&all.vessel, true) == 0) {
		ok(walk_point(&all, 0, 0, &result));
		ok_int(result, VESSEL_COMPLETE);
		for (size_t i = 1; i < sizeof sides / sizeof *sides; i++)
			ok(walk_side(&all, &sides[i], sys));
	} else {
		ok(false);
	}
	vessel_close(&all.vessel);
	all.vessel = plain;
}

static void with_a_terminal_each_fails_with_EPERM(void)
{
	with_a_terminal(EPERM);
}

static void with_a_terminal_each_fails_with_EMFILE(void)
{
	with_a_terminal(EMFILE);
}

int main(void)
{
	int rc = 1;

	if (geteuid() != 0)
		sides[2].least = CHILD_LEAST_EARLY;
	procs_here();
	procs_adopt();
	if (vessel_open(&all.vessel, false) == 0) {
		trace_take(&all.before);
		rc = tap_run((struct tap_case[]){
			CASE(without_a_fault_the_run_is_complete),
			CASE(each_call_fails_with_EPERM),
			CASE(each_call_fails_with_ENOMEM),
			CASE(each_call_fails_with_EMFILE),
			CASE(each_call_fails_with_ENOSYS),
			CASE(each_call_fails_with_EINTR),
			CASE(with_a_terminal_each_fails_with_EPERM),
			CASE(with_a_terminal_each_fails_with_EMFILE),
			TAP_END,
		});
		trace_close(&all.before);
	}
	vessel_close(&all.vessel);
	procs_leave();
	return rc;
}
