/* What a sample and the end report about a limit that was reached, and what
 * they do not. */
#include "supervise/met.h"

#include <sys/resource.h>

#include "plan/plan.h"
#include "supervise/outcome.h"
#include "supervise/watch.h"
#include "tap.h"

static struct plan_limit rows[] = {
	{ .resource = RLIMIT_NPROC, .soft = 20, .hard = 20 },
	{ .resource = RLIMIT_NOFILE, .soft = 30, .hard = 30 },
	{ .resource = RLIMIT_NPROC, .soft = 20, .hard = 20 },
};

static struct plan a_plan(void)
{
	return (struct plan){ .limits = rows,
			      .limits_len = 3,
			      .scratch_bytes = 4096,
			      .scratch_inodes = 7 };
}

static void the_limits_are_the_plans(void)
{
	struct plan p = a_plan();
	struct met_limits l = met_limits_of(&p, 2);

	ok_int(l.pids, 20);
	ok_int(l.nofile, 30);
	ok(l.has_bytes && l.has_inodes);
	ok_int(met_value(&p, MET_PIDS), 20);
	ok_int(met_value(&p, MET_NOFILE), 30);
	ok_int(met_value(&p, MET_SCRATCH_BYTES), 4096);
	ok_int(met_value(&p, MET_SCRATCH_INODES), 7);
	p.limits_len = 0;
	p.scratch_bytes = 0;
	l = met_limits_of(&p, 2);
	ok(l.pids == SPEC_UNLIMITED && l.nofile == SPEC_UNLIMITED);
	ok(!l.has_bytes && l.has_inodes);
}

static void a_limit_that_the_command_alone_reaches_says_nothing(void)
{
	struct plan p = a_plan();

	ok(met_limits_of(&p, 19).pids == SPEC_UNLIMITED);
	ok_int(met_limits_of(&p, 18).pids, 20);
}

static void a_look_counts_what_is_at_its_limit(void)
{
	struct plan p = a_plan();
	struct met_limits l = met_limits_of(&p, 2);
	struct limits_met met = { 0 };
	struct reading r = { .threads = 19, .files_most = 29 };

	met_note_look(&met, &l, &r);
	ok_int(met.looks, 1);
	for (int i = 0; i < MET_MAX_; i++)
		ok_int(met.at[i], 0);
	r.threads = 20;
	r.files_most = 30;
	r.full = met_full(10, 0, 10, 0);
	met_note_look(&met, &l, &r);
	for (int i = 0; i < MET_MAX_; i++)
		ok_int(met.at[i], 1);
	l = (struct met_limits){ SPEC_UNLIMITED, SPEC_UNLIMITED, false, false };
	met_note_look(&met, &l, &r);
	ok_int(met.looks, 3);
	for (int i = 0; i < MET_MAX_; i++)
		ok_int(met.at[i], 1);
	ok_int(met.at_end, 0);
}

static void what_is_not_counted_is_not_at_a_limit_of_0(void)
{
	struct met_limits l = { SPEC_UNLIMITED, 0, false, false };
	struct limits_met met = { 0 };
	struct reading r = { .files_most = 0 }; /* before Linux 6.2 */

	met_note_look(&met, &l, &r);
	ok_int(met.at[MET_NOFILE], 0);
}

static void full_is_what_has_nothing_left(void)
{
	ok_int(met_full(10, 1, 10, 1), 0);
	ok_int(met_full(10, 0, 10, 1), MET_BIT(MET_SCRATCH_BYTES));
	ok_int(met_full(10, 1, 10, 0), MET_BIT(MET_SCRATCH_INODES));
	ok_int(met_full(0, 0, 0, 0), 0); /* not bounded, or not known */
}

static void the_end_counts_who_lived_on(void)
{
	struct plan p = a_plan();
	struct met_limits l = met_limits_of(&p, 2);
	struct outcome o = { .processes_killed = 16 };

	met_note_end(&o, &l, 2, 0);
	ok_int(o.met.at_end, 0);
	o.processes_killed = 17; /* the command, and two of ours */
	met_note_end(&o, &l, 2, MET_BIT(MET_SCRATCH_INODES));
	ok_int(o.met.at_end, MET_BIT(MET_PIDS) | MET_BIT(MET_SCRATCH_INODES));
	ok_int(o.met.looks, 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_limits_are_the_plans),
		CASE(a_limit_that_the_command_alone_reaches_says_nothing),
		CASE(a_look_counts_what_is_at_its_limit),
		CASE(what_is_not_counted_is_not_at_a_limit_of_0),
		CASE(full_is_what_has_nothing_left),
		CASE(the_end_counts_who_lived_on), TAP_END });
}
