/* What the result says about limits that the command sees only as an errno. */
#include "result/met.h"

#include <string.h>
#include <sys/resource.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "plan/plan.h"
#include "result/status.h"
#include "supervise/outcome.h"
#include "tap.h"

static void ok_text(const char *got, const char *want)
{
	ok_has(got, want);
	ok_int(strlen(got), strlen(want));
}

static struct plan_limit rows[] = {
	{ .resource = RLIMIT_NPROC, .soft = 64, .hard = 64 },
	{ .resource = RLIMIT_NOFILE, .soft = 256, .hard = 256 },
};

static struct plan a_plan(void)
{
	return (struct plan){ .limits = rows,
			      .limits_len = 2,
			      .scratch_bytes = 4096,
			      .scratch_inodes = 7,
			      .cgroup = { .pids = 64 + CGROUP_OWN_PIDS } };
}

static const char *said(const struct plan *p, const struct outcome *o)
{
	static char text[600];

	(void)met_say(p, o, text, sizeof text);
	return text;
}

static void nothing_is_said_of_nothing(void)
{
	struct plan p = a_plan();
	struct outcome o = { .met = { .looks = 9 } };

	ok_text(said(&p, &o), "");
}

static void a_sample_is_told_as_one(void)
{
	struct plan p = a_plan();
	struct outcome o = { .met = { .looks = 7, .at = { 3, 2 } } };

	ok_text(said(&p, &o),
		"the process limit of 64 was reached at 3 of 7 looks "
		"(--pids-max); the limit of 256 open files was reached at 2 of "
		"7 looks (--nofile)");
	o.met = (struct limits_met){ .at_end = MET_BIT(MET_SCRATCH_BYTES) |
					       MET_BIT(MET_SCRATCH_INODES) };
	ok_text(said(&p, &o),
		"the scratch of 4096 bytes was full when the command ended "
		"(--scratch-bytes); all 7 inodes of the scratch were in use "
		"when the command ended (--scratch-inodes)");
}

static void the_kernel_s_own_word_comes_first(void)
{
	struct plan p = a_plan();
	struct outcome o = {
		.met = { .looks = 7, .at = { 3 }, .has_pids_peak = true }
	};

	ok_text(said(&p, &o),
		"the process limit of 64 was reached (--pids-max)");
	o.met.pids_refused = 1;
	ok_text(said(&p, &o),
		"the process limit of 64 was reached 1 time (--pids-max)");
	o.met.pids_refused = 12;
	ok_text(said(&p, &o),
		"the process limit of 64 was reached 12 times (--pids-max)");
}

static void the_option_is_the_one_that_is_the_smaller(void)
{
	struct plan p = a_plan();
	struct outcome o = { .met = { .has_pids_peak = true } };

	p.cgroup.pids = SPEC_UNLIMITED;
	ok_text(said(&p, &o), "the process limit of 64 was reached (--nproc)");
}

static void it_is_cut_where_there_is_no_room(void)
{
	struct plan p = a_plan();
	struct outcome o = { .met = { .looks = 7, .at = { 3, 2, 1, 1 } } };

	for (size_t n = 1; n < 400; n++) {
		char text[400];

		memset(text, 'x', sizeof text);
		(void)met_say(&p, &o, text, n);
		ok(memchr(text, 0, n) != NULL);
		ok(n == sizeof text || text[n] == 'x');
	}
}

static void it_stands_behind_what_there_is_to_say(void)
{
	struct plan p = a_plan();
	struct outcome o = { .started = true,
			     .has_status = true,
			     .wait_status = 3 << 8,
			     .met = { .looks = 2, .at = { 1 } } };
	struct verdict v;

	verdict_build(&p, &o, 0, &v);
	ok(v.status == CUPEL_FAILED && v.reason == REASON_NONE);
	ok_text(v.message, "the process limit of 64 was reached at 1 of 2 "
			   "looks (--pids-max)");
	o.killed = KILL_WALL;
	p.watch.wall_ms = 1500;
	verdict_build(&p, &o, 0, &v);
	ok(v.status == CUPEL_TIMEOUT);
	ok_text(v.message,
		"the wall time of 1.500 s is used up (--wall-time-s); the "
		"process limit of 64 was reached at 1 of 2 looks (--pids-max)");
}

static void each_is_an_object(void)
{
	struct plan p = a_plan();
	struct outcome o = { .met = { .looks = 7,
				      .at = { 0, 2 },
				      .at_end = MET_BIT(MET_PIDS) } };
	owned_buf struct buf out = { 0 };
	struct jsonw w = { .out = &out };

	jsonw_object(&w, NULL);
	met_write(&w, &p, &o);
	jsonw_end_object(&w);
	ok_text(out.bytes,
		"{\"limits_met\":[{\"limit\":\"pids\",\"option\":"
		"\"--pids-max\",\"value\":64,\"by\":\"look\",\"looks\":7,"
		"\"looks_at_limit\":0,\"at_end\":true,\"refused\":null},"
		"{\"limit\":\"nofile\",\"option\":\"--nofile\",\"value\":256,"
		"\"by\":\"look\",\"looks\":7,\"looks_at_limit\":2,"
		"\"at_end\":false,\"refused\":null}]}");
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(nothing_is_said_of_nothing), CASE(a_sample_is_told_as_one),
		CASE(the_kernel_s_own_word_comes_first),
		CASE(the_option_is_the_one_that_is_the_smaller),
		CASE(it_is_cut_where_there_is_no_room),
		CASE(it_stands_behind_what_there_is_to_say),
		CASE(each_is_an_object), TAP_END });
}
