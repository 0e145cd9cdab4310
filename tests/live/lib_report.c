/* The second vessel of a run, in which its report is read: it ends with the run,
 * however the run ends. */
#include "lib_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "lib/fields.h"
#include "service/flight.h"
#include "supervise/outcome.h"

#define ASKED "profile", "test", "report", "junit:/scratch/r"
#define WRITE "echo '<testsuite><testcase name=\"a\"/></testsuite>' >/scratch/r"
/* If a run did not end by itself, no report may say that all tests passed. */
#define WRITE_BOTH                                                             \
	"echo '<testsuite><testcase name=\"a\"/><testcase name=\"b\">"         \
	"<failure/></testcase></testsuite>' >/scratch/r"
#define ROUNDS 20 /* to come before the parser's end once */

static bool is_read(const struct cupel_run *run)
{
	struct report *report = atomic_load(&run->report);

	return report != NULL && atomic_load(&report->parser) != NULL;
}

/* Go on until the parser has been started. */
static struct cupel_run *start_reading(void)
{
	struct cupel_run *run = start(OPTIONS(ASKED), SH(WRITE), NULL);
	struct cupel_error err = { 0 };
	int r = run != NULL ? 1 : 0;

	while (r == 1 && !is_read(run)) {
		struct pollfd p = { .fd = cupel_run_fd(run), .events = POLLIN };

		(void)poll(&p, 1, 60000);
		r = cupel_run_step(run, &err);
	}
	return run;
}

static void nobody_is_left(void)
{
	errno = 0;
	ok_int(waitpid(-1, NULL, WNOHANG | __WALL), -1);
	ok_int(errno, ECHILD);
}

static void payload_is(struct end *e, const char *status, const char *code)
{
	ok_has(text_at(e, "payload_status"), status);
	if (code != NULL)
		ok_has(text_at(e, "payload_error.code"), code);
	else
		ok_int(number_at(e, "payload.tests.passed"), 1);
}

static void one_descriptor_leads_to_the_reports_end(void)
{
	struct cupel_run *run = start_reading();
	struct cupel_error err = { 0 };
	struct end e;
	int r = 1, turns = 0;

	ok(is_read(run));
	while (r == 1) {
		struct pollfd p = { .fd = cupel_run_fd(run), .events = POLLIN };

		ok_int(poll(&p, 1, 60000), 1);
		r = cupel_run_step(run, &err);
		turns++;
	}
	ok_int(r, 0);
	ok(turns < 100); /* it waits, and does not poll again and again */
	e = end_of(run);
	status_is(&e, CUPEL_OK, 0);
	payload_is(&e, "valid", NULL);
	end_done(&e);
	nobody_is_left();
}

/* On a busy machine there may be no parser yet when the time is over. */
static void what_timed_out_is_read_all_the_same(void)
{
	static const char *const walls[] = { "0.3", "2", "30" };
	bool was_read = false;

	for (size_t i = 0; i < 3 && !was_read; i++) {
		struct end e =
			end_of(start(OPTIONS(ASKED, "wall-time-s", walls[i],
					     "kill-after-s", "0"),
				     SH(WRITE_BOTH "; sleep 99"), NULL));

		status_is(&e, CUPEL_TIMEOUT, 124);
		was_read = strcmp(text_at(&e, "payload_status"), "valid") == 0;
		if (was_read)
			payload_is(&e, "valid", NULL);
		end_done(&e);
		nobody_is_left();
	}
	ok(was_read);
}

/* The report is there, but the command goes on. */
static void cancelled_before_it_is_not_read(void)
{
	struct cupel_run *run = start(
		OPTIONS(ASKED), SH(WRITE "; echo x; exec sleep 99"), NULL);
	struct cupel_error err = { 0 };
	struct end e;

	while (cupel_run_outcome(run)->out.bytes == 0 &&
	       cupel_run_step(run, &err) == 1)
		(void)poll(&(struct pollfd){ .fd = cupel_run_fd(run),
					     .events = POLLIN },
			   1, 60000);
	cupel_run_cancel(run, SIGTERM);
	ok_int(cupel_run_wait(run, &err), 0);
	ok(!is_read(run));
	e = end_of(run);
	status_is(&e, CUPEL_KILLED_TERM, 128 + SIGTERM);
	payload_is(&e, "absent", "report_cancelled");
	end_done(&e);
	nobody_is_left();
}

static void cancelled_meanwhile_its_parser_is_killed(void)
{
	bool was_killed = false;

	for (int i = 0; i < ROUNDS && !was_killed; i++) {
		struct cupel_run *run = start_reading();
		struct end e;

		ok(is_read(run));
		cupel_run_cancel(run, SIGINT);
		e = end_of(run);
		status_is(&e, CUPEL_OK, 0); /* the command had ended */
		was_killed =
			strcmp(text_at(&e, "payload_status"), "valid") != 0;
		payload_is(&e, was_killed ? "absent" : "valid",
			   was_killed ? "report_cancelled" : NULL);
		end_done(&e);
		nobody_is_left();
	}
	ok(was_killed);
}

static void freed_meanwhile_nothing_is_left(void)
{
	struct cupel_run *run = start_reading();

	ok(is_read(run));
	cupel_run_free(run);
	nobody_is_left();
}

/* Processes that a killed caller leaves become our children, and end. */
static void killed_meanwhile_nothing_is_left(void)
{
	pid_t child;
	int status = 0, n = 0;

	ok_int(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	child = fork();
	if (child == 0) {
		if (is_read(start_reading()))
			(void)kill(getpid(), SIGKILL);
		_exit(1);
	}
	ok_int(waitpid(child, &status, 0), child);
	ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	(void)alarm(20); /* before the parser's own wall clock */
	while (waitpid(-1, NULL, __WALL) > 0)
		n++;
	(void)alarm(0);
	ok_int(errno, ECHILD);
	ok(n > 0); /* init of the parser's vessel */
}

static void ignore_output(void *data, int stream, const char *bytes, size_t n)
{
	(void)data;
	(void)stream;
	(void)bytes;
	(void)n;
}

/* The library opens no files: an option that names one is refused, unless the caller
 * set the hook that replaces it. */
static void a_file_that_nobody_opens_is_refused(void)
{
	static const char *const options[] = { "stdin", "stdout", "stderr" };

	for (size_t i = 0; i < 3; i++) {
		struct cupel_spec *s = spec_of(NULL, SH("exit 3"));
		struct cupel_hooks hooks = { .size = sizeof hooks,
					     .stdin_fd = -1 };
		struct cupel_run *run = NULL;
		struct cupel_error err = { 0 };
		char want[32];

		(void)snprintf(want, sizeof want, "--%s: ", options[i]);
		ok_int(cupel_spec_set(s, options[i], "/tmp/file", &err), 0);
		ok_int(cupel_run_start(s, NULL, &run, &err), -EINVAL);
		ok(run == NULL && err.cause == CUPEL_CAUSE_CALLER);
		ok(strncmp(err.what, want, strlen(want)) == 0);
		ok_int(cupel_run_start(s, &hooks, &run, &err), -EINVAL);
		if (i == 0)
			hooks.stdin_fd =
				open("/dev/null", O_RDONLY | O_CLOEXEC);
		else
			hooks.output = ignore_output;
		ok_int(cupel_run_start(s, &hooks, &run, &err), 0);
		ok_int(cupel_run_wait(run, &err), 0);
		ok_int(cupel_run_rc(run), 3);
		cupel_run_free(run);
		cupel_spec_free(s);
		if (hooks.stdin_fd >= 0)
			(void)close(hooks.stdin_fd);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(one_descriptor_leads_to_the_reports_end),
		CASE(what_timed_out_is_read_all_the_same),
		CASE(cancelled_before_it_is_not_read),
		CASE(cancelled_meanwhile_its_parser_is_killed),
		CASE(freed_meanwhile_nothing_is_left),
		CASE(killed_meanwhile_nothing_is_left),
		CASE(a_file_that_nobody_opens_is_refused), TAP_END });
}
