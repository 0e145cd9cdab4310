/* The loop with a simulated vessel: cancelling, forbidden calls. */
#include "fake_vessel.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "supervise/clock.h"

/* --- cancelling --------------------------------------------------------- */

/* Ends with the first signal that is forwarded; SIGINT is ignored. */
static void script_waits(struct fake *f)
{
	int order;

	fake_started(f);
	fake_write(f->out, "up");
	do
		order = fake_order(f);
	while (order == SIGINT);
	fake_exited(f, order);
	pause();
}

static void step_until_up(struct run *r)
{
	while (run_outcome(r)->out.bytes < 2)
		ok_int(run_step(r), RUN_GOES_ON);
}

static void a_signal_is_forwarded_once(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_waits);
	const struct outcome *o = run_outcome(r);

	step_until_up(r);
	run_cancel(r, SIGTERM);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(o->killed, KILL_NONE);
	ok_int(o->wait_status, SIGTERM);
	ok_int(o->cancel_signal, SIGTERM);
	run_free(r);
}

static void a_second_signal_kills(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_waits);
	const struct outcome *o = run_outcome(r);

	step_until_up(r);
	run_cancel(r, SIGINT);
	ok_int(run_step(r), RUN_GOES_ON);
	run_cancel(r, SIGTERM);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(o->killed, KILL_CANCEL);
	ok_int(o->cancel_signal, SIGINT);
	ok_int(o->wait_status, SIGKILL);
	run_free(r);
}

static void kill_after_kills(void)
{
	struct plan p = fake_plan();
	struct run *r;
	uint64_t begun;

	p.watch.kill_after_ms = 150;
	r = adopt(&p, NULL, script_waits);
	step_until_up(r);
	begun = clock_now_ns();
	run_cancel(r, SIGINT);
	ok_int(run_wait(r), RUN_ENDED);
	ok(clock_now_ns() - begun >= 150 * NS_PER_MS);
	tap_within((double)(clock_now_ns() - begun) / NS_PER_S, 1000 / 1e3);
	ok_int(run_outcome(r)->killed, KILL_CANCEL);
	ok_int(run_outcome(r)->cancel_signal, SIGINT);
	run_free(r);
}

static void the_wall_clock_goes_on_after_a_signal(void)
{
	struct plan p = fake_plan();
	struct run *r;

	p.watch.wall_ms = 150;
	r = adopt(&p, NULL, script_waits);
	step_until_up(r);
	run_cancel(r, SIGINT);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_WALL);
	run_free(r);
}

static void zero_kills_at_once(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_waits);

	step_until_up(r);
	run_cancel(r, 0);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_CANCEL);
	ok_int(run_outcome(r)->cancel_signal, 0);
	run_free(r);
}

static void script_never_starts(struct fake *f)
{
	(void)f;
	pause();
}

static void a_signal_before_the_start_kills_when_none_comes(void)
{
	struct plan p = fake_plan();
	struct run *r;

	p.watch.kill_after_ms = 150;
	r = adopt(&p, NULL, script_never_starts);
	run_cancel(r, SIGTERM);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_CANCEL);
	ok_int(run_outcome(r)->error.stage, CUPEL_STAGE_NONE);
	ok(!run_outcome(r)->started);
	run_free(r);
}

static struct run *alarmed;

static void on_alarm(int signal)
{
	(void)signal;
	run_cancel(alarmed, SIGTERM);
}

static void a_handler_may_cancel_a_run_that_waits(void)
{
	struct plan p = fake_plan();
	void (*before)(int) = signal(SIGALRM, on_alarm);
	struct itimerspec in = { .it_value = { 0, 100000000 } };
	timer_t t;

	alarmed = adopt(&p, NULL, script_waits);
	ok_int(timer_create(CLOCK_MONOTONIC,
			    &(struct sigevent){ .sigev_notify = SIGEV_SIGNAL,
						.sigev_signo = SIGALRM },
			    &t),
	       0);
	ok_int(timer_settime(t, 0, &in, NULL), 0);
	ok_int(run_wait(alarmed), RUN_ENDED);
	ok_int(run_outcome(alarmed)->wait_status, SIGTERM);
	run_free(alarmed);
	(void)timer_delete(t);
	(void)signal(SIGALRM, before);
}

/* --- forbidden calls ---------------------------------------------------- */

static const struct forbidden seen = {
	.kind = FORBIDDEN_SEEN,
	.number = SYS_getpgid,
	.arch = 0xc000003e,
	.pid = 7,
	.args = { 0x1122334455667788, 2, 3, 4, 5, 6 },
	.comm = "e\x1b[31m \xff)",
};

static void start_with_listener(struct fake *f)
{
	struct record r = { .kind = RECORD_STARTED,
			    .applied = WALL_BIT(WALL_VIOLATION_REPORT) };

	fake_send(f, &r, NULL, 0);
}

static int said[2]; /* that all of it has been written */

static void script_forbidden(struct fake *f)
{
	struct record r = { .kind = RECORD_FORBIDDEN, .forbidden = seen };

	start_with_listener(f);
	fake_write(f->errs, "0123456789"); /* over the cap, at the same time */
	fake_send(f, &r, NULL, 0);
	fake_write(said[1], ".");
	(void)pause();
}

static void a_forbidden_call_is_told_and_comes_first(void)
{
	struct plan p = fake_plan();
	struct run *r;
	const struct outcome *o;
	char byte;

	p.watch.output_mode = OUTPUT_KILL;
	p.watch.output_bytes = 9;
	ok_int(pipe2(said, O_CLOEXEC), 0);
	r = adopt(&p, NULL, script_forbidden);
	o = run_outcome(r);
	ok_int(read(said[0], &byte, 1), 1);
	(void)close(said[0]);
	(void)close(said[1]);
	ok_int(run_wait(r), RUN_ENDED);
	ok(o->started);
	ok_int(o->killed, KILL_FORBIDDEN_SYSCALL);
	ok(o->violation.any);
	ok_int(o->violation.number, SYS_getpgid);
	ok(o->violation.args[0] == 0x1122334455667788);
	ok_int((intmax_t)o->violation.args[5], 6);
	ok(o->violation.arch != 0);
	ok(o->violation.pid > 0);
	ok(strcmp(o->violation.comm, "e\x1b[31m \xff)") == 0);
	ok((o->applied & WALL_BIT(WALL_VIOLATION_REPORT)) != 0);
	ok_int((intmax_t)o->out.bytes, 0);
	run_free(r);
}

/* What is found at the end: only a count, or nothing that can be reported. */
static void script_counted(struct fake *f)
{
	struct record r = { .kind = RECORD_EXITED,
			    .forbidden.kind = FORBIDDEN_COUNTED };

	start_with_listener(f);
	fake_send(f, &r, NULL, 0);
}

static void script_unknown(struct fake *f)
{
	struct record r = { .kind = RECORD_EXITED,
			    .forbidden.kind = FORBIDDEN_UNKNOWN };

	start_with_listener(f);
	fake_send(f, &r, NULL, 0);
}

static void check_unnamed(fake_script *script, enum forbidden_kind kind)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script);

	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_FORBIDDEN_SYSCALL);
	ok_int(run_outcome(r)->forbidden, kind);
	ok(!run_outcome(r)->violation.any);
	ok(run_outcome(r)->has_status);
	run_free(r);
}

static void a_call_that_was_only_counted_ends_no_run_as_ok(void)
{
	check_unnamed(script_counted, FORBIDDEN_COUNTED);
	check_unnamed(script_unknown, FORBIDDEN_UNKNOWN);
}

/* A comm without its end, and an unknown kind. */
static void script_unsound(struct fake *f)
{
	struct record r = { .kind = RECORD_FORBIDDEN, .forbidden = seen };

	start_with_listener(f);
	memset(r.forbidden.comm, 'x', sizeof r.forbidden.comm);
	fake_send(f, &r, NULL, 0);
	(void)pause();
}

static void a_report_that_is_none_is_refused(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_unsound);

	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->error.stage, CUPEL_STAGE_SUPERVISE);
	ok(!run_outcome(r)->violation.any);
	run_free(r);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_signal_is_forwarded_once), CASE(a_second_signal_kills),
		CASE(kill_after_kills),
		CASE(the_wall_clock_goes_on_after_a_signal),
		CASE(zero_kills_at_once),
		CASE(a_signal_before_the_start_kills_when_none_comes),
		CASE(a_handler_may_cancel_a_run_that_waits),
		CASE(a_forbidden_call_is_told_and_comes_first),
		CASE(a_call_that_was_only_counted_ends_no_run_as_ok),
		CASE(a_report_that_is_none_is_refused), TAP_END });
}
