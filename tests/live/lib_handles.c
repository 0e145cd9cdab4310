/* The public handles: start, step, poll, cancel, free, and what is refused. */
#include "lib_run.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void a_step_never_blocks(void)
{
	struct cupel_run *run = start(NULL, SH("sleep 0.5; exit 4"), NULL);
	struct cupel_error err = { 0 };
	double begun = now(), longest = 0;
	int turns = 0, r;

	do {
		struct pollfd p = { .fd = cupel_run_fd(run), .events = POLLIN };
		double at_start;

		ok(p.fd >= 0);
		ok(cupel_run_result(run, NULL) == NULL);
		ok_int(poll(&p, 1, 10000), 1);
		at_start = now();
		r = cupel_run_step(run, &err);
		if (now() - at_start > longest)
			longest = now() - at_start;
	} while (r == 1 && turns++ < 200);
	ok_int(r, 0);
	ok(longest < 0.25);
	ok(now() - begun >= 0.5);
	ok(turns < 100);
	ok_int(cupel_run_fd(run), -1);
	ok_int(cupel_run_step(run, &err), 0);
	ok_int(cupel_run_rc(run), 4);
	cupel_run_free(run);
}

static void two_runs_live_in_one_poll_loop(void)
{
	struct cupel_run *run[2] = { start(NULL, SH("sleep 0.6; exit 1"), NULL),
				     start(NULL, SH("sleep 0.2; exit 2"),
					   NULL) };
	struct cupel_error err = { 0 };
	int first = -1, left = 2, turns = 0;

	while (left > 0 && turns++ < 1000) {
		struct pollfd p[2];

		for (int i = 0; i < 2; i++)
			p[i] = (struct pollfd){ .fd = cupel_run_fd(run[i]),
						.events = POLLIN };
		ok(poll(p, 2, 10000) > 0);
		for (int i = 0; i < 2; i++)
			if (p[i].fd >= 0 && p[i].revents != 0 &&
			    cupel_run_step(run[i], &err) == 0) {
				left--;
				first = first < 0 ? i : first;
			}
	}
	ok_int(first, 1);
	ok_int(cupel_run_rc(run[0]), 1);
	ok_int(cupel_run_rc(run[1]), 2);
	cupel_run_free(run[0]);
	cupel_run_free(run[1]);
}

struct heard {
	size_t out, errs;
};

static void hear(void *data, int stream, const char *bytes, size_t n)
{
	struct heard *h = data;

	ok(bytes != NULL && n > 0);
	*(stream == CUPEL_STDOUT ? &h->out : &h->errs) += n;
}

static void output_is_heard_up_to_the_cap(void)
{
	struct heard h = { 0 };
	struct cupel_hooks hooks = {
		.size = sizeof hooks, .data = &h, .output = hear, .stdin_fd = -1
	};
	struct end e = end_of(start(OPTIONS("output-bytes", "1000"),
				    SH("head -c 5000 /dev/zero; echo xyz >&2"),
				    &hooks));

	status_is(&e, CUPEL_OK, 0);
	ok_int(h.out, 1000);
	ok_int(h.errs, 4);
	ok_int(number_at(&e, "stdout_bytes"), 5000);
	end_done(&e);
}

static void stdin_is_fed(void)
{
	int fd = memfd_create("in", MFD_CLOEXEC);
	struct cupel_hooks hooks = { .size = sizeof hooks, .stdin_fd = fd };
	struct end e;

	ok_int(ftruncate(fd, 3 << 20), 0);
	e = end_of(start(NULL, SH("wc -c"), &hooks));
	status_is(&e, CUPEL_OK, 0);
	ok_int(atoi(text_at(&e, "stdout")), 3 << 20);
	end_done(&e);
	e = end_of(start(NULL, SH("wc -c; readlink /proc/self/fd/0"), NULL));
	ok_int(atoi(text_at(&e, "stdout")), 0);
	ok_has(text_at(&e, "stdout"), "pipe:");
	end_done(&e);
	(void)close(fd);
}

static void older_callers_have_a_shorter_struct(void)
{
	struct heard h = { 0 };
	struct cupel_hooks hooks = {
		.size = offsetof(struct cupel_hooks, stdin_fd),
		.data = &h,
		.output = hear,
		.stdin_fd = 12345, /* beyond size: not read */
		.inputs_len = 99,
	};
	struct cupel_spec *s = spec_of(NULL, SH("wc -c"));
	struct cupel_error err = { 0 };
	struct cupel_run *run = NULL;
	struct end e = end_of(start(NULL, SH("wc -c"), &hooks));

	status_is(&e, CUPEL_OK, 0);
	ok_int(h.out, 2);
	end_done(&e);
	hooks.size = 0;
	ok_int(cupel_run_start(s, &hooks, &run, &err), -EINVAL);
	ok_has(err.what, "size 0");
	hooks.size = sizeof hooks + 8;
	ok_int(cupel_run_start(s, &hooks, &run, &err), -EINVAL);
	cupel_spec_free(s);
}

/* --- cancelling ---------------------------------------------------------- */

static struct cupel_run *volatile alarmed;

static void on_alarm(int sig)
{
	(void)sig;
	cupel_run_cancel(alarmed, SIGTERM);
}

static void a_signal_handler_may_cancel(void)
{
	void (*before)(int) = signal(SIGALRM, on_alarm);
	struct end e;

	alarmed = start(NULL, SH("sleep 20"), NULL);
	(void)alarm(1);
	e = end_of(alarmed);
	status_is(&e, CUPEL_KILLED_TERM, 143);
	ok_has(text_at(&e, "reason"), "cancelled");
	end_done(&e);
	(void)signal(SIGALRM, before);
}

static void *cancel_soon(void *run)
{
	const struct timespec t = { 0, 300000000 };

	(void)nanosleep(&t, NULL);
	cupel_run_cancel(run, 0);
	return NULL;
}

static void another_thread_may_cancel(void)
{
	struct cupel_run *run = start(NULL, SH("trap '' TERM; sleep 20"), NULL);
	double begun = now();
	struct end e;
	pthread_t t;

	ok_int(pthread_create(&t, NULL, cancel_soon, run), 0);
	e = end_of(run);
	(void)pthread_join(t, NULL);
	status_is(&e, CUPEL_KILLED_TERM, 143);
	tap_within(now() - begun, 5);
	end_done(&e);
}

static void who_ignores_the_signal_is_killed_later(void)
{
	struct cupel_run *run = start(OPTIONS("kill-after-s", "0.5"),
				      SH("trap '' INT; echo up; sleep 20;"
					 "sleep 20"),
				      NULL);
	struct end e;
	double begun;

	(void)usleep(1500000); /* it ignores the signal by then */
	begun = now();
	cupel_run_cancel(run, SIGINT);
	e = end_of(run);
	status_is(&e, CUPEL_KILLED_TERM, 130);
	ok(now() - begun >= 0.4);
	tap_within(now() - begun, 4); /* by itself: 5 */
	end_done(&e);
}

static void a_run_may_be_freed_in_flight(void)
{
	for (int i = 0; i < 10; i++) {
		struct cupel_run *run = start(NULL, SH("sleep 20"), NULL);
		struct cupel_error err = { 0 };

		(void)usleep((useconds_t)i * 2000);
		ok_int(cupel_run_step(run, &err) >= 0, 1);
		cupel_run_free(run);
	}
	ok(waitpid(-1, NULL, WNOHANG | 0x40000000) < 0 && errno == ECHILD);
	cupel_run_free(NULL);
	cupel_spec_free(NULL);
}

#define LINE_BYTES 64

static void keep(void *data, int stream, const char *bytes, size_t n)
{
	char *line = data;
	size_t room = LINE_BYTES - 1 - strlen(line);

	(void)stream;
	(void)strncat(line, bytes, n < room ? n : room);
}

/* Without a PID namespace init has to end them: it is asked to, and waited for. */
static void without_namespaces_nothing_outlives_a_run_freed_in_flight(void)
{
	char line[LINE_BYTES] = "";
	struct cupel_hooks hooks = { .size = sizeof hooks,
				     .data = line,
				     .output = keep,
				     .stdin_fd = -1 };
	struct cupel_run *run;
	struct cupel_error err = { 0 };
	pid_t pid;

	if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1 /* VERSION */) < 0)
		skip("no Landlock here");
	run = start(OPTIONS("backend", "landlock"),
		    SH("setsid sleep 20 & echo $!; sleep 20"), &hooks);
	while (strchr(line, '\n') == NULL) {
		struct pollfd p = { .fd = cupel_run_fd(run), .events = POLLIN };

		if (poll(&p, 1, 10000) != 1 || cupel_run_step(run, &err) != 1)
			break;
	}
	pid = (pid_t)strtol(line, NULL, 10);
	ok(pid > 1 && kill(pid, 0) == 0);
	cupel_run_free(run);
	ok(kill(pid, 0) < 0 && errno == ESRCH);
}

/* --- what is refused ----------------------------------------------------- */

static void a_wrong_request_starts_nothing(void)
{
	struct cupel_error err = { 0 };
	struct cupel_run *run = NULL;
	struct cupel_spec *s = NULL;
	char *text = NULL;

	ok_int(cupel_spec_new(&s, &err), 0);
	ok_int(cupel_run_start(s, NULL, &run, &err), -EINVAL);
	ok_has(err.what, "COMMAND");
	ok_int(err.cause, CUPEL_CAUSE_CALLER);
	ok(cupel_spec_set(s, "wall-time-s", "never", &err) < 0);
	ok_has(err.what, "wall-time-s");
	ok_int(cupel_spec_set_command(s, SH("exit 0"), &err), 0);
	ok_int(cupel_spec_set(s, "ro", "/nonexistent/ro", &err), 0);
	ok(cupel_run_start(s, NULL, &run, &err) < 0);
	ok_has(err.what, "/nonexistent/ro");
	cupel_spec_free(s);
	s = spec_of(NULL, SH("exit 0"));
	ok_int(cupel_spec_set(s, "result-schema", "/nonexistent/s", &err), 0);
	ok(cupel_run_start(s, NULL, &run, &err) < 0);
	ok_has(err.what, "--result-schema");
	ok_int(err.cause, CUPEL_CAUSE_CALLER);
	ok(cupel_plan_json(s, &text, &err) < 0);
	ok(run == NULL && text == NULL);
	cupel_spec_free(s);
}

/* EPERM for clone3, as on a host that forbids user namespaces. */
static int forbid_clone3(void)
{
	struct sock_filter insns[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog prog = { 4, insns };

	(void)prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
}

/* In a process of its own, because a filter cannot be removed. */
static int run_where_clone3_is_forbidden(void)
{
	struct cupel_run *run;
	struct end e;

	if (forbid_clone3() < 0)
		return 3;
	run = start(NULL, SH("exit 0"), NULL);
	ok_int(cupel_run_fd(run), -1);
	e = end_of(run);
	status_is(&e, CUPEL_INTERNAL_ERROR, 1);
	ok_has(text_at(&e, "cause"), "host");
	ok(at(&e, "started")->u.boolean == false);
	ok(strlen(text_at(&e, "message")) > 10);
	ok(at(&e, "enforced.userns.applied")->u.boolean == false);
	end_done(&e);
	return tap_bad != 0;
}

static void a_host_that_cannot_is_a_result(void)
{
	int status = -1;
	pid_t pid;

	(void)fflush(NULL);
	pid = fork();
	if (pid == 0)
		_exit(run_where_clone3_is_forbidden());
	ok(waitpid(pid, &status, 0) == pid);
	ok_int(status, 0);
}

static void a_plan_is_told_and_not_done(void)
{
	struct cupel_spec *s = spec_of(NULL, SH("exit 0"));
	struct cupel_error err = { 0 };
	char *a = NULL, *b = NULL;

	ok_int(cupel_plan_json(s, &a, &err), 0);
	ok_int(cupel_plan_json(s, &b, &err), 0);
	ok(a != NULL && b != NULL && strcmp(a, b) == 0);
	ok(a != NULL && a[0] == '{');
	free(a);
	free(b);
	cupel_spec_free(s);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_step_never_blocks), CASE(two_runs_live_in_one_poll_loop),
		CASE(output_is_heard_up_to_the_cap), CASE(stdin_is_fed),
		CASE(older_callers_have_a_shorter_struct),
		CASE(a_signal_handler_may_cancel),
		CASE(another_thread_may_cancel),
		CASE(who_ignores_the_signal_is_killed_later),
		CASE(a_run_may_be_freed_in_flight),
		CASE(without_namespaces_nothing_outlives_a_run_freed_in_flight),
		CASE(a_wrong_request_starts_nothing),
		CASE(a_host_that_cannot_is_a_result),
		CASE(a_plan_is_told_and_not_done), TAP_END });
}
