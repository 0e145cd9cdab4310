/* explore.c -- the vessel that explores witnesses fails by our own fault, or by
 * this host's: it cannot be started, or it starts nothing; and the vessel that
 * repeats one is ended.
 *
 * Promise: the flag has the record that it has without exploring, the record says
 * what failed, and the template that failed makes no more copies.  Code that has
 * its vessel killed is no such failure. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/confirm/trial.h"
#include "live/procs.h"
#include "service/vessel.h"
#include "tap.h"

#define CLOCK_MS 120000

static const char no_bug[] = "def f(a: int, b: int):\n"
			     "    if b == 0:\n"
			     "        return 0\n"
			     "    return a / b\n";
/* Nothing in the source tells which b it is. */
static const char late_bug[] = "import zlib\n"
			       "def f(a: int, b: int):\n"
			       "    return 1 / (zlib.crc32(b'%d' % b) - LAST)\n"
			       "LAST = zlib.crc32(b'-1')\n";
static const char slow_bug[] = "import time\n"
			       "def f(a: int, b: int):\n"
			       "    time.sleep(2)\n"
			       "    return 1 / 0\n";
static const char kills[] = "import os, signal\n"
			    "def f(a: int, b: int):\n"
			    "    if b == 0:\n"
			    "        return 0\n"
			    "    if os.getppid() > 1:\n"
			    "        os.kill(-1, signal.SIGKILL)\n"
			    "    return a / b\n";

static struct trial_bench bench;
static struct warm warms[WARM_KINDS];

static int schema_of(const char *name, struct schema_set **ret)
{
	struct cupel_error err = { 0 };

	return vessel_schema(name, ret, &err);
}

static bool bench_make(void)
{
	bench = (struct trial_bench){ .repo = ".", .flag_time_s = 60 };
	bench.repo_fd = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return bench.repo_fd >= 0 &&
	       schema_of("confirm-synthesis", &bench.synthesis_schema) == 0 &&
	       schema_of("confirm-call", &bench.call_schema) == 0 &&
	       schema_of("confirm-explore", &bench.explore_schema) == 0;
}

static void source_put(const char *text)
{
	FILE *f = fopen("f.py", "w");

	ok(f != NULL && fputs(text, f) >= 0 && fclose(f) == 0);
}

/* Drive a trial with that exploring program (NULL: the runner's own) to its
 * end, in vessels or, with is_warm, in copies.
 *
 * @seen	is called before each step; or NULL */
static void trial_drive(struct trial *t, const struct runner_program *explore,
			bool is_warm, void (*seen)(struct trial *))
{
	/* A template is that of one program, which a runner owns. */
	static struct runner runners[2];
	struct runner *runner = &runners[explore != NULL];
	static const struct flag flag = { .number = 1,
					  .file = "f.py",
					  .function = "f",
					  .flag_class = "div-zero" };
	int64_t end = procs_now_us() + CLOCK_MS * INT64_C(1000);

	warms[WARM_EXPLORE].is_wanted = is_warm;
	trial_start(t, &bench, warms, &flag);
	*runner = *t->runner;
	if (explore != NULL)
		runner->explore = *explore;
	t->runner = runner;
	while (t->phase != TRIAL_DONE && procs_now_us() < end) {
		struct pollfd p = { .fd = trial_fd(t), .events = POLLIN };

		(void)poll(&p, 1, 1000);
		if (seen != NULL)
			seen(t);
		trial_step(t);
	}
	ok_int(t->phase, TRIAL_DONE);
}

/* The trial's record, as text. */
static struct buf record_of(const struct trial *t)
{
	struct buf out = { 0 };

	trial_record(t, 0, &out);
	buf_char(&out, '\0');
	ok(!buf_has_failed(&out));
	return out;
}

static struct runner_program program_of(void)
{
	return runner_of(LANGUAGE_PYTHON)->explore;
}

static void without_a_fault_nothing_is_said(void)
{
	struct trial t = { 0 };
	owned_buf struct buf line = { 0 };

	source_put(no_bug);
	trial_drive(&t, NULL, false, NULL);
	line = record_of(&t);
	ok_int(t.best.status, CONFIRM_NO_BUG);
	ok(t.explored.passed > 8);
	ok_lacks(line.bytes, "explore_failed");
	trial_done(&t);
}

static void start_fails(const char *source, enum confirm_status want)
{
	struct runner_program broken = program_of();
	struct trial t = { 0 };
	owned_buf struct buf line = { 0 };

	broken.nproc = "none"; /* no request can be built of it */
	source_put(source);
	trial_drive(&t, &broken, false, NULL);
	line = record_of(&t);
	ok_int(t.best.status, want);
	ok_int(t.explored.passed, 0);
	ok_int(t.explored.vessels, 1);
	ok(want != CONFIRM_NO_BUG || t.tried == t.witnesses->u.array.len);
	ok_has(line.bytes, "\"explore_failed\":");
	ok_has(line.bytes, "none");
	trial_done(&t);
}

static void a_start_that_fails_costs_no_record(void)
{
	start_fails(no_bug, CONFIRM_NO_BUG);
	start_fails(late_bug, CONFIRM_CONFIRMED);
}

/* The seat of a copy, taken as warm_start() takes it. */
static void seat_take(struct trial *t)
{
	struct warm_seat *s = &warms[WARM_EXPLORE].seats[0];

	if (t->phase != TRIAL_EXPLORE || t->run.seat != NULL)
		return;
	s->is_taken = true;
	t->run.seat = s;
}

static void ended(const char *source, const struct runner_program *explore,
		  bool is_failure)
{
	struct trial t = { 0 };
	owned_buf struct buf line = { 0 };

	warms[WARM_EXPLORE] = (struct warm){ 0 };
	source_put(source);
	trial_drive(&t, explore, false, seat_take);
	line = record_of(&t);
	ok_int(t.best.status, CONFIRM_NO_BUG);
	ok_int(warms[WARM_EXPLORE].failures, is_failure);
	ok(!warms[WARM_EXPLORE].seats[0].is_taken);
	if (is_failure)
		ok_has(line.bytes, "\"explore_failed\":");
	else
		ok_lacks(line.bytes, "explore_failed");
	trial_done(&t);
}

static void a_copy_that_starts_nothing_counts_against_its_templates(void)
{
	static const char *const argv[] = { "no-such-interpreter", NULL };
	struct runner_program broken = program_of();

	broken.argv = argv;
	ended(no_bug, &broken, true);
}

static void code_that_kills_its_vessel_does_not(void)
{
	ended(kills, NULL, false);
}

/* The vessels that are started from now on have one second. */
static void hurry(struct trial *t)
{
	static struct runner hurried;

	if (t->phase != TRIAL_CALL)
		return;
	hurried = *t->runner;
	hurried.alarm_s = 1;
	t->runner = &hurried;
}

static void a_repeat_that_was_ended_does_not_say_that_a_bug_is_none(void)
{
	struct trial t = { 0 };
	owned_buf struct buf line = { 0 };

	source_put(slow_bug);
	trial_drive(&t, NULL, false, hurry);
	line = record_of(&t);
	ok_int(t.best.status, CONFIRM_TIMEOUT);
	ok_has(line.bytes, "it failed once, and a second vessel was ended");
	trial_done(&t);
}

static void copies_are_made_again_after_a_failure(void)
{
	struct runner_program broken = program_of();
	struct trial t = { 0 };

	broken.nproc = "none";
	warms[WARM_EXPLORE] = (struct warm){ 0 };
	source_put(no_bug);
	for (int i = 0; i < 4; i++) {
		trial_drive(&t, i == 1 ? &broken : NULL, true, NULL);
		ok_int(t.best.status, CONFIRM_NO_BUG);
		ok((t.explored.passed > 8) == (i != 1));
		trial_done(&t);
	}
	ok(warms[WARM_EXPLORE].failures < WARM_FAILURES_MAX);
}

int main(void)
{
	int rc = 1;

	procs_here();
	procs_adopt();
	if (bench_make())
		rc = tap_run((struct tap_case[]){
			CASE(without_a_fault_nothing_is_said),
			CASE(a_start_that_fails_costs_no_record),
			CASE(a_copy_that_starts_nothing_counts_against_its_templates),
			CASE(code_that_kills_its_vessel_does_not),
			CASE(a_repeat_that_was_ended_does_not_say_that_a_bug_is_none),
			CASE(copies_are_made_again_after_a_failure),
			TAP_END,
		});
	for (size_t i = 0; i < WARM_KINDS; i++)
		warm_done(&warms[i]);
	schema_set_free(bench.synthesis_schema);
	schema_set_free(bench.call_schema);
	schema_set_free(bench.explore_schema);
	cleanup_fd(&bench.repo_fd);
	procs_leave();
	return rc;
}
