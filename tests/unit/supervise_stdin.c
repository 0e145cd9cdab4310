/* The loop with a simulated vessel: stdin. */
#include "fake_vessel.h"

#include <poll.h>
#include <sys/mman.h>

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

/* An unread pipe raises SIGPIPE.  The caller must never see it, and must not
 * spin. */
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
		while (run_step(r) == RUN_GOES_ON && turns < 1000000) {
			struct pollfd f = { .fd = run_fd(r), .events = POLLIN };

			(void)poll(&f, 1, 5000);
			turns++;
		}
		ok(turns < 60); /* no spinning on a pipe that is broken */
		ok_int(run_outcome(r)->killed, KILL_NONE);
		ok(run_outcome(r)->has_status);
		run_free(r);
	}
	ok_int(pipes_heard, 0);
	(void)raise(SIGPIPE);
	ok_int(pipes_heard, 1); /* and is unchanged: not blocked */
	(void)signal(SIGPIPE, before);
	(void)close(fd);
	(void)close(file);
	(void)close(fds[0]);
	(void)close(fds[1]);
}

static void a_failed_write_raises_nothing(void)
{
	void (*before)(int) = signal(SIGPIPE, hear_pipe);
	int fds[2];

	pipes_heard = 0;
	ok_int(pipe(fds), 0);
	(void)close(fds[0]);
	ok_int(feed_write(fds[1], "x", 1), -EPIPE);
	ok_int(pipes_heard, 0);
	(void)signal(SIGPIPE, before);
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

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(stdin_is_empty_by_default), CASE(stdin_comes_from_a_file),
		CASE(stdin_comes_from_a_pipe_in_pieces),
		CASE(a_deaf_command_is_no_sigpipe),
		CASE(a_failed_write_raises_nothing),
		CASE(a_sigpipe_that_was_pending_stays), TAP_END });
}
