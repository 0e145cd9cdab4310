/* The loop against a vessel that only plays one: stdin, cancelling, forbidden
 * calls. */
#include "fake_vessel.h"

#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>

#include "supervise/clock.h"
#include "tap.h"

static struct run *adopt(const struct plan *p, const struct run_hooks *h,
			 fake_script *script)
{
	struct child c = fake_start(script);
	struct cupel_error err = { 0 };
	struct run *r = NULL;

	ok_int(run_adopt(p, h, &c, &r, &err), 0);
	return r;
}

/* --- stdin -------------------------------------------------------------- */

/* Echo stdin to stdout. */
static void script_cat(struct fake *f)
{
	char bytes[4096];
	ssize_t n;

	fake_started(f);
	while ((n = read(f->in, bytes, sizeof bytes)) > 0)
		(void)!write(f->out, bytes, (size_t)n);
	fake_exited(f, 0);
}

static void check_cat(int source, uint64_t bytes)
{
	struct plan p = fake_plan();
	struct run_hooks h = { .stdin_fd = source };
	struct run *r = adopt(&p, &h, script_cat);

	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_NONE);
	ok_int(run_outcome(r)->out.bytes, (intmax_t)bytes);
	run_free(r);
}

static void stdin_is_empty_by_default(void)
{
	check_cat(-1, 0);
}

static void stdin_comes_from_a_file(void)
{
	int fd = memfd_create("in", MFD_CLOEXEC);
	off_t n = 3 << 20;

	ok_int(ftruncate(fd, n), 0);
	check_cat(fd, 3 << 20);
	(void)close(fd);
}

static void stdin_comes_from_a_pipe_in_pieces(void)
{
	int fds[2];
	pid_t writer;

	ok_int(pipe(fds), 0);
	writer = fork();
	if (writer == 0) {
		const struct timespec t = { 0, 20000000 };
		char bytes[100000] = { 0 };

		(void)close(fds[0]);
		for (int i = 0; i < 5; i++) {
			(void)!write(fds[1], bytes, sizeof bytes);
			(void)nanosleep(&t, NULL);
		}
		_exit(0);
	}
	(void)close(fds[1]);
	check_cat(fds[0], 500000);
	(void)close(fds[0]);
	(void)waitpid(writer, NULL, 0);
}

static void script_deaf(struct fake *f)
{
	const struct timespec t = { 0, 50000000 };

	(void)close(f->in);
	fake_started(f);
	(void)nanosleep(&t, NULL);
	fake_exited(f, 0);
}

static volatile sig_atomic_t pipes_heard;

static void hear_pipe(int signal)
{
	(void)signal;
	pipes_heard++;
}

/* An unread pipe raises SIGPIPE; the caller must never see it, nor spin. */
static void a_deaf_command_is_no_sigpipe(void)
{
	struct plan p = fake_plan();
	int fd = open("/dev/zero", O_RDONLY | O_CLOEXEC);
	int file = memfd_create("in", MFD_CLOEXEC);
	void (*before)(int) = signal(SIGPIPE, hear_pipe);
	int fds[2];
	struct run_hooks h = { .stdin_fd = fd };
	struct run *r;

	pipes_heard = 0;
	ok_int(ftruncate(file, 1 << 20), 0);
	ok_int(pipe(fds), 0);
	for (int i = 0; i < 3; i++) {
		int turns = 0;

		h.stdin_fd = i == 0 ? fd : i == 1 ? file : fds[0];
		r = adopt(&p, &h, script_deaf);
		while (run_step(r) == RUN_GOES_ON && turns < 1000000)
			turns++;
		ok_int(run_outcome(r)->killed, KILL_NONE);
		ok(run_outcome(r)->has_status);
		run_free(r);
	}
	ok_int(pipes_heard, 0);
	(void)raise(SIGPIPE);
	ok_int(pipes_heard, 1); /* and is as it was: not blocked */
	(void)signal(SIGPIPE, before);
	(void)close(fd);
	(void)close(file);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

static void a_sigpipe_that_was_pending_stays(void)
{
	sigset_t set, pending;
	int fds[2];

	ok_int(pipe(fds), 0);
	(void)close(fds[0]);
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGPIPE);
	(void)sigprocmask(SIG_BLOCK, &set, NULL);
	ok_int(feed_write(fds[1], "x", 1), -EPIPE);
	(void)sigpending(&pending);
	ok(!sigismember(&pending, SIGPIPE));
	(void)raise(SIGPIPE);
	ok_int(feed_write(fds[1], "x", 1), -EPIPE);
	(void)sigpending(&pending);
	ok(sigismember(&pending, SIGPIPE));
	(void)sigtimedwait(&set, NULL, &(struct timespec){ 0 });
	(void)sigprocmask(SIG_UNBLOCK, &set, NULL);
	(void)close(fds[1]);
}

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
	ok(clock_now_ns() - begun < 1000 * NS_PER_MS);
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

static void a_signal_before_the_start_kills(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_never_starts);

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

/* getpgid(x) is the forbidden call here. */
static int filter_with_listener(void)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_getpgid, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { 4, insns };

	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog);
}

static void start_with_listener(struct fake *f)
{
	struct record r = { .kind = RECORD_STARTED, .carries = CARRY_LISTENER };
	int fd = filter_with_listener();

	if (fd < 0)
		_exit(1);
	fake_send(f, &r, &fd, 1);
	(void)close(fd);
}

static void script_forbidden(struct fake *f)
{
	start_with_listener(f);
	(void)prctl(PR_SET_NAME, "e\x1b[31m \xff)");
	fake_write(f->errs, "0123456789"); /* over the cap, at the same time */
	(void)syscall(SYS_getpgid, 0x1122334455667788, 2, 3, 4, 5, 6);
	fake_write(f->out, "got through");
	fake_exited(f, 0);
}

static void a_forbidden_call_is_told_and_comes_first(void)
{
	struct plan p = fake_plan();
	struct run *r;
	const struct outcome *o;

	p.watch.output_mode = OUTPUT_KILL;
	p.watch.output_bytes = 9;
	r = adopt(&p, NULL, script_forbidden);
	o = run_outcome(r);
	(void)nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
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

/* A caller that is gone before we look is nobody's violation. */
static void script_forbidden_but_gone(struct fake *f)
{
	pid_t pid;

	start_with_listener(f);
	pid = fork();
	if (pid == 0) {
		(void)syscall(SYS_getpgid, 0);
		_exit(0);
	}
	(void)nanosleep(&(struct timespec){ 0, 50000000 }, NULL);
	(void)kill(pid, SIGKILL);
	(void)waitpid(pid, NULL, 0);
	(void)nanosleep(&(struct timespec){ 0, 100000000 }, NULL);
	fake_exited(f, 0);
}

static void a_caller_that_is_gone_is_no_violation(void)
{
	struct plan p = fake_plan();
	struct run *r = adopt(&p, NULL, script_forbidden_but_gone);

	(void)nanosleep(&(struct timespec){ 0, 120000000 }, NULL);
	ok_int(run_wait(r), RUN_ENDED);
	ok_int(run_outcome(r)->killed, KILL_NONE);
	ok(!run_outcome(r)->violation.any);
	ok(run_outcome(r)->has_status);
	run_free(r);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(stdin_is_empty_by_default), CASE(stdin_comes_from_a_file),
		CASE(stdin_comes_from_a_pipe_in_pieces),
		CASE(a_deaf_command_is_no_sigpipe),
		CASE(a_sigpipe_that_was_pending_stays),
		CASE(a_signal_is_forwarded_once), CASE(a_second_signal_kills),
		CASE(kill_after_kills),
		CASE(the_wall_clock_goes_on_after_a_signal),
		CASE(zero_kills_at_once), CASE(a_signal_before_the_start_kills),
		CASE(a_handler_may_cancel_a_run_that_waits),
		CASE(a_forbidden_call_is_told_and_comes_first),
		CASE(a_caller_that_is_gone_is_no_violation), TAP_END });
}
