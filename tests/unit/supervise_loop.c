/* The loop with a simulated vessel: ends and time. */
#include "fake_vessel.h"

#include "base/error.h"
#include "supervise/clock.h"

/* --- ends --------------------------------------------------------------- */

static void script_plain(struct fake *f)
{
	fake_started(f);
	fake_write(f->out, "hello\n");
	fake_write(f->errs, "oh\n");
	fake_write(f->result, "{}");
	fake_exited(f, 7 << 8);
}

static void a_plain_end_is_told_in_full(void)
{
	struct plan p = fake_plan();
	int before = open_fds();
	struct run *r = adopt(&p, NULL, script_plain);
	const struct outcome *o = run_outcome(r);

	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_step(r), RUN_ENDED);
	ok(o->started && o->has_status);
	ok_int(o->wait_status, 7 << 8);
	ok_int(o->error.stage, CUPEL_STAGE_NONE);
	ok_int(o->killed, KILL_NONE);
	ok_int(o->out.bytes, 6);
	ok(o->out.kept.len == 6 &&
	   memcmp(o->out.kept.bytes, "hello\n", 6) == 0);
	ok_int(o->errs.bytes, 3);
	ok(o->payload.kept.len == 2);
	ok(!o->out.truncated);
	ok_int(o->cpu_user_us, 1000);
	ok_int(o->tree_cpu_us, 11000);
	ok_int(o->processes, 3);
	ok_int(o->processes_killed, 1);
	ok_int(o->max_rss_kib, 77);
	run_free(r);
	ok_int(open_fds(), before);
	ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

static void script_setup_failed(struct fake *f)
{
	struct record r = { .kind = RECORD_FAILED };

	(void)cupel_fail_lit(&r.error, CUPEL_STAGE_MOUNT, CUPEL_CAUSE_HOST,
			     EPERM, "proc");
	fake_send(f, &r, NULL, 0);
	pause();
}

static void a_failed_setup_is_the_error(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_setup_failed);
	const struct outcome *o = run_outcome(r);

	ok_int(run_wait(r), RUN_ENDED);
	ok(!o->started && !o->has_status);
	ok_int(o->error.stage, CUPEL_STAGE_MOUNT);
	ok_int(o->error.sys, EPERM);
	run_free(r);
}

static void script_no_exec(struct fake *f)
{
	struct record r = { .kind = RECORD_STARTED, .exec_errno = ENOENT };

	fake_send(f, &r, NULL, 0);
}

static void a_failed_exec_is_no_error(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_no_exec);
	const struct outcome *o = run_outcome(r);

	ok_int(run_wait(r), RUN_ENDED);
	ok(!o->started && !o->has_status);
	ok_int(o->exec_errno, ENOENT);
	ok_int(o->error.stage, CUPEL_STAGE_NONE);
	run_free(r);
}

static void script_silent(struct fake *f)
{
	(void)f;
}

static void script_dies_later(struct fake *f)
{
	fake_started(f);
	(void)raise(SIGKILL);
}

static void an_init_that_dies_before_the_start_is_a_bug(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_silent);
	const struct outcome *o = run_outcome(r);

	ok_int(run_wait(r), RUN_ENDED);
	ok_int(o->error.stage, CUPEL_STAGE_SUPERVISE);
	ok_int(o->error.cause, CUPEL_CAUSE_BUG);
	ok_has(o->error.what, "exit status 0");
	run_free(r);
	r = adopt(&p, NULL, script_dies_later);
	o = run_outcome(r);
	ok_int(run_wait(r), RUN_ENDED);
	ok(o->started && !o->has_status);
	ok_int(o->error.stage, CUPEL_STAGE_NONE);
	ok_int(o->killed, KILL_NONE);
	run_free(r);
}

static void script_rubbish(struct fake *f)
{
	(void)!write(f->control, "rubbish", 7);
	pause();
}

static void script_bad_status(struct fake *f)
{
	fake_started(f);
	fake_exited(f, 0x137f); /* stopped, not ended */
	pause();
}

static void script_high_status(struct fake *f)
{
	fake_started(f);
	fake_exited(f,
		    0x10000); /* exit status 0, and a bit without a meaning */
	pause();
}

static void script_out_of_turn(struct fake *f)
{
	fake_exited(f, 0);
	pause();
}

static void script_too_many(struct fake *f)
{
	struct record r = { .kind = RECORD_STARTED, .carries = CARRY_PROC };
	int fds[6] = { 0, 0, 0, 0, 0, 0 };

	fake_send(f, &r, fds, 6);
	pause();
}

static void script_too_few(struct fake *f)
{
	struct record r = { .kind = RECORD_STARTED,
			    .carries = CARRY_PROC | CARRY_SHM };

	fake_send(f, &r, (int[]){ 0 }, 1);
	pause();
}

static void records_that_are_none_end_the_run(void)
{
	static fake_script *const scripts[] = {
		script_rubbish,     script_bad_status, script_high_status,
		script_out_of_turn, script_too_many,   script_too_few,
	};
	struct plan p = fake_plan();
	int before = open_fds();

	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
		struct run *r = adopt(&p, NULL, scripts[i]);

		ok_int(run_wait(r), RUN_ENDED);
		ok_int(run_outcome(r)->error.stage, CUPEL_STAGE_SUPERVISE);
		ok_int(run_outcome(r)->error.cause, CUPEL_CAUSE_BUG);
		ok(!run_outcome(r)->has_status);
		run_free(r);
	}
	ok_int(open_fds(), before);
}

static void script_runs_on(struct fake *f)
{
	fake_started(f);
	pause();
}

static void freeing_a_run_in_flight_leaves_nothing(void)
{
	struct plan p = fake_plan();
	int before = open_fds();
	struct run *r = adopt(&p, NULL, script_runs_on);

	ok_int(run_step(r), RUN_GOES_ON);
	run_free(r);
	run_free(NULL);
	ok_int(open_fds(), before);
	ok(waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD);
}

/* --- time --------------------------------------------------------------- */

static void script_obeys(struct fake *f)
{
	fake_started(f);
	fake_exited(f, fake_order(f));
	pause();
}

static void the_wall_clock_asks_init_first(void)
{
	struct plan p = fake_plan();
	uint64_t begun = clock_now_ns();
	struct run *r;

	p.watch.wall_ms = 100;
	r = adopt(&p, NULL, script_obeys);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_WALL);
	ok(run_outcome(r)->has_status);
	ok_int(run_outcome(r)->wait_status, SIGKILL);
	ok_int(run_outcome(r)->cpu_system_us, 2000); /* as init said */
	ok(clock_now_ns() - begun >= 100 * NS_PER_MS);
	tap_within((double)(clock_now_ns() - begun) / NS_PER_S, 5000 / 1e3);
	run_free(r);
}

static void an_init_that_does_not_obey_is_killed(void)
{
	struct plan p = fake_plan();
	uint64_t begun = clock_now_ns();
	struct run *r;

	p.watch.wall_ms = 50;
	r = adopt(&p, NULL, script_runs_on);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_WALL);
	ok(!run_outcome(r)->has_status);
	ok(clock_now_ns() - begun >= 150 * NS_PER_MS);
	tap_within((double)(clock_now_ns() - begun) / NS_PER_S, 1000 / 1e3);
	run_free(r);
}

/* Ends when the supervisor's end of the socket is closed, and reports that. */
static void script_leaves_when_asked(struct fake *f)
{
	fake_started(f);
	while (fake_order(f) != 0)
		;
	fake_write(f->out, "asked");
}

static void without_a_pid_namespace_init_is_asked(void)
{
	struct plan p = fake_plan();
	struct child c = fake_start(script_leaves_when_asked);
	struct cupel_error err = { 0 };
	struct run *r = NULL;

	p.watch.wall_ms = 50;
	c.backend = BACKEND_RLIMITS; /* killing init would leave its children */
	ok_int(run_adopt(&p, NULL, &c, &r, &err), 0);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_WALL);
	ok_int(run_outcome(r)->out.bytes, 5);
	run_free(r);
}

static void script_never_starts(struct fake *f)
{
	(void)f;
	pause();
}

static void a_vessel_that_never_starts_ends_too(void)
{
	struct plan p = fake_plan();
	struct run *r;

	p.watch.wall_ms = 50;
	r = adopt(&p, NULL, script_never_starts);
	ok_int(run_wait(r), RUN_ENDED);
	ok(!run_outcome(r)->started);
	ok_int(run_outcome(r)->error.stage, CUPEL_STAGE_SUPERVISE);
	ok_int(run_outcome(r)->error.cause, CUPEL_CAUSE_BUSY);
	ok_has(run_outcome(r)->error.what, "50 ms");
	run_free(r);
}

static void an_end_that_came_before_the_deadline_was_noticed_counts(void)
{
	struct plan p = fake_plan();
	struct run *r;
	siginfo_t i;

	p.watch.wall_ms = 50;
	r = adopt(&p, NULL, script_plain);
	ok_int(waitid(P_ALL, 0, &i, WEXITED | WNOWAIT), 0);
	sleep_ms(120);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_NONE);
	ok_int(run_outcome(r)->wait_status, 7 << 8);
	run_free(r);
}

/* The way through the table with a process that outlives its SIGKILL. */
static void script_deaf(struct fake *f)
{
	fake_started(f);
	(void)pause();
}

static void what_we_killed_for_outlives_a_slow_end(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_deaf);
	const struct outcome *o = run_outcome(r);

	run_await_start(r);
	run_raise(r, EVENT_LIMIT, KILL_WALL);
	run_event(r, EVENT_LATE);              /* init did not obey */
	run_raise(r, EVENT_LATE, KILL_CANCEL); /* and still exists after 10 s */
	ok_int(r->phase, PHASE_DONE);
	ok_int(o->killed, KILL_WALL);
	ok_int(o->error.stage, CUPEL_STAGE_NONE);
	run_free(r);
}

static void a_slow_end_without_a_cause_is_the_hosts(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_deaf);
	const struct outcome *o = run_outcome(r);

	run_await_start(r);
	run_event(r, EVENT_BROKEN);
	run_event(r, EVENT_LATE);
	ok_int(r->phase, PHASE_DONE);
	ok_int(o->killed, KILL_NONE);
	ok_int(o->error.stage, CUPEL_STAGE_SUPERVISE);
	ok_int(o->error.cause, CUPEL_CAUSE_HOST);
	run_free(r);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_plain_end_is_told_in_full),
		CASE(what_we_killed_for_outlives_a_slow_end),
		CASE(a_slow_end_without_a_cause_is_the_hosts),
		CASE(a_failed_setup_is_the_error),
		CASE(a_failed_exec_is_no_error),
		CASE(an_init_that_dies_before_the_start_is_a_bug),
		CASE(records_that_are_none_end_the_run),
		CASE(freeing_a_run_in_flight_leaves_nothing),
		CASE(the_wall_clock_asks_init_first),
		CASE(an_init_that_does_not_obey_is_killed),
		CASE(without_a_pid_namespace_init_is_asked),
		CASE(a_vessel_that_never_starts_ends_too),
		CASE(an_end_that_came_before_the_deadline_was_noticed_counts),
		TAP_END });
}
