/* The loop with a simulated vessel: output, walls, callers. */
#include "fake_vessel.h"

#include <poll.h>
#include <pthread.h>

#include "supervise/clock.h"

static void script_plain(struct fake *f)
{
	fake_started(f);
	fake_write(f->out, "hello\n");
	fake_write(f->errs, "oh\n");
	fake_write(f->result, "{}");
	fake_exited(f, 7 << 8);
}

/* --- output ------------------------------------------------------------- */

static void write_much(int fd, size_t n)
{
	static char bytes[65536];

	memset(bytes, 'x', sizeof bytes);
	while (n > 0) {
		ssize_t w =
			write(fd, bytes, n < sizeof bytes ? n : sizeof bytes);

		if (w <= 0)
			return;
		n -= (size_t)w;
	}
}

static void script_floods(struct fake *f)
{
	fake_started(f);
	write_much(f->out, 5 << 20);
	write_much(f->errs, 3000);
	fake_exited(f, 0);
}

static size_t heard[3];

static void hear(void *data, enum run_stream s, const char *bytes, size_t n)
{
	ok(data == &heard);
	ok(bytes[0] == 'x' && bytes[n - 1] == 'x');
	heard[s] += n;
}

static void truncate_mode_drains_counts_and_keeps_the_cap(void)
{
	struct plan p = fake_plan();
	struct run_hooks h = { .data = &heard, .output = hear, .stdin_fd = -1 };
	struct run *r;
	const struct outcome *o;

	p.watch.output_bytes = 1000;
	p.watch.result_on_stdout = true;
	p.watch.result_bytes = 300;
	r = adopt(&p, &h, script_floods);
	o = run_outcome(r);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(o->killed, KILL_NONE);
	ok_int(o->out.bytes, 5 << 20);
	ok_int(o->out.kept.len, 1000);
	ok(o->out.truncated && o->errs.truncated);
	ok_int(o->errs.bytes, 3000);
	ok_int(o->payload.kept.len, 300);
	ok_int(o->payload.bytes, 5 << 20);
	ok_int(heard[RUN_STDOUT], 1000);
	ok_int(heard[RUN_STDERR], 1000);
	run_free(r);
}

static void kill_mode_kills_at_the_cap_and_not_before(void)
{
	struct plan p = fake_plan();
	struct run *r;

	p.watch.output_mode = OUTPUT_KILL;
	p.watch.output_bytes = 1 << 20;
	r = adopt(&p, NULL, script_floods);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_OUTPUT_STDOUT);
	ok_int(run_outcome(r)->out.kept.len, 1 << 20);
	ok(run_outcome(r)->out.truncated);
	run_free(r);
	p.watch.output_bytes = 5 << 20; /* passed means more than this */
	r = adopt(&p, NULL, script_floods);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_NONE);
	run_free(r);
}

static void script_a_little_too_much(struct fake *f)
{
	fake_started(f);
	fake_write(f->errs, "0123456789");
	fake_exited(f, 0);
}

static void a_cap_passed_just_before_the_end_counts(void)
{
	struct plan p = fake_plan();

	p.watch.output_mode = OUTPUT_KILL;
	p.watch.output_bytes = 9;
	for (int i = 0; i < 50; i++) {
		struct run *r = adopt(&p, NULL, script_a_little_too_much);

		sleep_ms(i % 3);
		ok_int(run_wait(r), RUN_ENDED);
		ok_int(run_outcome(r)->killed, KILL_OUTPUT_STDERR);
		ok(run_outcome(r)->has_status);
		run_free(r);
	}
}

static void script_outruns(struct fake *f)
{
	write_much(f->out, 3000);
	sleep_ms(80);
	fake_started(f);
	(void)fake_order(f);
	fake_exited(f, SIGKILL);
}

static void output_that_outruns_the_start_is_no_failure_to_start(void)
{
	struct plan p = fake_plan();
	struct run *r;

	p.watch.output_mode = OUTPUT_KILL;
	p.watch.output_bytes = 1000;
	r = adopt(&p, NULL, script_outruns);
	ok_int(run_wait(r), RUN_ENDED);
	ok(run_outcome(r)->started);
	ok_int(run_outcome(r)->error.stage, CUPEL_STAGE_NONE);
	ok_int(run_outcome(r)->killed, KILL_OUTPUT_STDOUT);
	run_free(r);
}

static int stays[2]; /* the daemon stays while the test has this open */

static void script_daemon(struct fake *f)
{
	char byte;

	(void)close(stays[1]);
	fake_started(f);
	fake_write(f->out, "kept");
	if (fork() == 0) {
		(void)alarm(20);
		(void)!read(stays[0], &byte, 1);
		_exit(0);
	}
	fake_exited(f, 0);
}

static void a_pipe_held_open_is_waited_for_one_second(void)
{
	struct plan p = fake_plan();
	uint64_t begun = clock_now_ns(), took;
	struct run *r;

	ok_int(pipe2(stays, O_CLOEXEC), 0);
	r = adopt(&p, NULL, script_daemon);
	ok_int(run_wait(r), RUN_ENDED);
	took = clock_now_ns() - begun;
	ok(took >= 900 * NS_PER_MS);
	tap_clock("a pipe that is held open", (double)took / NS_PER_S, 5);
	ok_int(run_outcome(r)->out.bytes, 4);
	/* the command's, not the drain */
	ok(run_outcome(r)->duration_ms * NS_PER_MS + 900 * NS_PER_MS <= took);
	run_free(r);
	(void)close(stays[0]);
	(void)close(stays[1]);
}

/* --- walls -------------------------------------------------------------- */

static void script_one_wall_refused(struct fake *f)
{
	struct record r = { .kind = RECORD_STARTED,
			    .applied = WALL_BIT(WALL_USERNS),
			    .refused = WALL_BIT(WALL_LANDLOCK) };

	fake_send(f, &r, NULL, 0);
	fake_exited(f, 0);
}

static void a_strict_run_ends_when_a_wall_is_not_in_force(void)
{
	struct plan p = fake_plan();
	struct run *r;
	const struct outcome *o;

	p.requested = WALL_BIT(WALL_USERNS) | WALL_BIT(WALL_WALL_TIME) |
		      WALL_BIT(WALL_OUTPUT_STDOUT) | WALL_BIT(WALL_CPU_TREE);
	r = adopt(&p, NULL, script_one_wall_refused);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->error.stage, CUPEL_STAGE_NONE);
	run_free(r);
	p.requested |= WALL_BIT(WALL_LANDLOCK);
	r = adopt(&p, NULL, script_one_wall_refused);
	ok_int(run_wait(r), RUN_ENDED);
	ok_has(run_outcome(r)->error.what, "landlock");
	run_free(r);
	p.allow_partial = true;
	r = adopt(&p, NULL, script_one_wall_refused);
	o = run_outcome(r);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(o->error.stage, CUPEL_STAGE_NONE);
	ok((o->applied & WALL_BIT(WALL_WALL_TIME)) != 0);
	ok((o->applied & WALL_BIT(WALL_OUTPUT_STDERR)) == 0);
	ok((o->applied & WALL_BIT(WALL_LANDLOCK)) == 0);
	ok((o->applied & WALL_BIT(WALL_CPU_TREE)) == 0);
	ok((o->refused & WALL_BIT(WALL_LANDLOCK)) != 0);
	run_free(r);
}

/* --- callers ------------------------------------------------------------ */

static void a_caller_that_ignores_sigchld_breaks_nothing(void)
{
	struct plan p = fake_plan();
	void (*before)(int) = signal(SIGCHLD, SIG_IGN);

	for (int i = 0; i < 20; i++) {
		struct run *r = adopt(&p, NULL, script_plain);

		ok_int(run_wait(r), RUN_ENDED);
		ok_int(run_outcome(r)->wait_status, 7 << 8);
		run_free(r);
	}
	(void)signal(SIGCHLD, before);
}

static void *reap_all(void *stop)
{
	while (!atomic_load((atomic_bool *)stop))
		(void)waitpid(-1, NULL, WNOHANG | __WALL);
	return NULL;
}

static void a_caller_that_reaps_everything_breaks_nothing(void)
{
	struct plan p = fake_plan();
	atomic_bool stop = false;
	pthread_t t;

	ok_int(pthread_create(&t, NULL, reap_all, &stop), 0);
	for (int i = 0; i < 20; i++) {
		struct run *r = adopt(&p, NULL, script_plain);

		ok_int(run_wait(r), RUN_ENDED);
		ok_int(run_outcome(r)->wait_status, 7 << 8);
		run_free(r);
	}
	atomic_store(&stop, true);
	(void)pthread_join(t, NULL);
}

static void script_slow(struct fake *f)
{
	fake_started(f);
	sleep_ms(600);
	fake_exited(f, 1 << 8);
}

static void two_runs_live_in_one_poll_loop(void)
{
	struct plan p = fake_plan();
	struct run *r[2] = { adopt(&p, NULL, script_slow),
			     adopt(&p, NULL, script_plain) };
	int state[2] = { RUN_GOES_ON, RUN_GOES_ON };
	int turns = 0, order[2], ended = 0;

	while (ended < 2 && turns++ < 100) {
		struct pollfd fds[2];

		for (int i = 0; i < 2; i++)
			fds[i] = (struct pollfd){ .fd = state[i] == RUN_GOES_ON
								? run_fd(r[i])
								: -1,
						  .events = POLLIN };
		ok(poll(fds, 2, 5000) > 0);
		for (int i = 0; i < 2; i++)
			if (fds[i].revents != 0) {
				state[i] = run_step(r[i]);
				if (state[i] == RUN_ENDED)
					order[ended++] = i;
			}
	}
	ok_int(ended, 2);
	ok_int(order[0], 1);
	ok(turns < 40); /* no spinning */
	run_free(r[0]);
	run_free(r[1]);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(truncate_mode_drains_counts_and_keeps_the_cap),
		CASE(kill_mode_kills_at_the_cap_and_not_before),
		CASE(a_cap_passed_just_before_the_end_counts),
		CASE(output_that_outruns_the_start_is_no_failure_to_start),
		CASE(a_pipe_held_open_is_waited_for_one_second),
		CASE(a_strict_run_ends_when_a_wall_is_not_in_force),
		CASE(a_caller_that_ignores_sigchld_breaks_nothing),
		CASE(a_caller_that_reaps_everything_breaks_nothing),
		CASE(two_runs_live_in_one_poll_loop), TAP_END });
}
