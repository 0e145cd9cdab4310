/* jobs_gate_loop.c -- a gate from its first attempt to its end. */
#include "jobs/gate/loop.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "gate_fake.h"

static void the_ends_and_their_records(void)
{
	static const struct {
		const char *how, *replan;
		enum attempts_state state;
		const char *story, *reason;
	} rows[] = {
		{ "p", NULL, ATTEMPTS_PASSED, "gbrxsseG", "null" },
		{ "t", NULL, ATTEMPTS_ESCALATE, "gbrxsseG", "\"no_planner\"" },
		{ "tp", "exit 0", ATTEMPTS_PASSED, "gbrxssepbrxsseG", "null" },
		{ "t", "exit 0", ATTEMPTS_UNRECOVERABLE,
		  "gbrxssepbrxssepbrxsseG", "\"same_signals\"" },
		{ "tb", "exit 0", ATTEMPTS_ESCALATE,
		  "gbrxssepbrxssepbrxssepbrxsseG", "\"attempts\"" },
		{ "t", "exit 75", ATTEMPTS_ESCALATE, "gbrxssepG",
		  "\"no_plan\"" },
		{ "t", "exit 3", ATTEMPTS_ESCALATE, "gbrxssepG",
		  "\"planner_failed\"" },
		{ "t", "kill -9 $$", ATTEMPTS_ESCALATE, "gbrxssepG",
		  "\"planner_failed\"" },
		{ "n", "exit 0", ATTEMPTS_ESCALATE, "gbrxsseG",
		  "\"not_retryable\"" },
		{ "lp", NULL, ATTEMPTS_PASSED, "gbrxebrxsseG", "null" },
		{ "l", NULL, ATTEMPTS_HOST, "gbrxebrxebrxebrxeG", "\"lost\"" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct loop_request req = request(rows[i].how, rows[i].replan);
		enum attempts_state state;
		char is[256], text[65536];

		enter();
		ok_int(run(&req, &state), 0);
		ok_int(state, rows[i].state);
		story(is, sizeof is);
		if (strcmp(is, rows[i].story) != 0)
			fprintf(stderr, "# row %zu: %s\n", i, is);
		ok(strcmp(is, rows[i].story) == 0);
		slurp("state/attempts.jsonl", text, sizeof text);
		ok_json(strrchr(text, '{'), "/reason", rows[i].reason);
		leave();
	}
}

static void a_planner_reads_the_summary(void)
{
	struct loop_request req = request(
		"tp", "cat >$CUPEL_WORKTREE/read; pwd >$CUPEL_WORKTREE/where; "
		      "echo out; (sleep 60; touch $CUPEL_WORKTREE/late) & "
		      "echo $! >$CUPEL_WORKTREE/pid");
	char text[8192], path[256];
	enum attempts_state state;
	struct stat st;
	const char *at;

	enter();
	ok_int(run(&req, &state), 0);
	ok_int(state, ATTEMPTS_PASSED);
	slurp("read", text, sizeof text);
	ok_json(text, "",
		"{\"attempt\":1,\"failing_signals\":[\"tests\"],"
		"\"prior\":[]}");
	ok_has(text, "--- data: details of tests");
	ok_has(text, "| <redacted>");
	ok_lacks(text, "gnore previous");
	at = strstr(text, "\"evidence\":{\"tests\":\"");
	ok(at != NULL);
	(void)snprintf(path, sizeof path, "%.*s", (int)strcspn(at + 21, "\""),
		       at + 21);
	ok_int(stat(path, &st), 0);
	/* what it left running is gone */
	slurp("pid", text, sizeof text);
	ok(atoi(text) > 1);
	for (int i = 0; i < 200 && kill(atoi(text), 0) == 0; i++)
		usleep(10000);
	ok(kill(atoi(text), 0) < 0);
	leave();
}

static void an_error_of_the_request_ends_the_gate(void)
{
	struct loop_request req = request("e", NULL);
	enum attempts_state state;
	char is[64];

	enter();
	ok_int(run(&req, &state), -EINVAL);
	ok_has(err.what, "no such key");
	story(is, sizeof is);
	ok(strcmp(is, "gbeG") == 0);
	leave();
}

static void more_attempts_are_a_record(void)
{
	struct loop_request req = request("tb", "exit 0");
	char is[64], text[65536];
	enum attempts_state state;

	enter();
	req.max_attempts = 5;
	req.operator_ack = "ada";
	ok_int(run(&req, &state), 0);
	ok_int(state, ATTEMPTS_UNRECOVERABLE); /* t b t b t */
	story(is, sizeof is);
	ok_int(is[1], 'o');
	slurp("state/attempts.jsonl", text, sizeof text);
	ok_has(text, "\"max_attempts\":5,\"gate_max_attempts\":4,\"operator\":"
		     "\"ada\"");
	leave();
}

/* A pipe that is readable stops a planner that would run for long. */
static void a_stop_ends_the_planner_and_resume_goes_on(void)
{
	struct loop_request req = request(
		"tp", "trap 'echo got >$CUPEL_WORKTREE/term; exit 1' TERM; "
		      "echo x >$CUPEL_WORKTREE/begun; sleep 60 & wait");
	enum attempts_state state;
	int stop[2];
	char text[256], place[96];

	enter();
	ok_int(pipe2(stop, O_CLOEXEC), 0);
	(void)snprintf(place, sizeof place, "%s/begun", top);
	ok_int(mkfifo(place, 0600), 0);
	req.stop_fd = stop[0];
	if (fork() == 0) {
		int begun;

		(void)alarm(60);
		begun = open(place, O_RDONLY | O_CLOEXEC);
		/* the planner has set its trap */
		if (begun >= 0 && read(begun, text, 1) == 1)
			(void)!write(stop[1], "s", 1);
		_exit(0);
	}
	ok_int(run(&req, &state), -EINTR);
	(void)wait(NULL);
	slurp("term", text, sizeof text);
	ok(strcmp(text, "got\n") == 0);
	story(text, sizeof text);
	ok(strcmp(text, "gbrxsse") == 0);
	req = request("tp", "exit 0");
	ok_int(run(&req, &state), -EINVAL);
	ok_has(err.what, "line 1 of the ledger has not ended; --resume");
	req.resume = true;
	ok_int(run(&req, &state), 0);
	ok_int(state, ATTEMPTS_PASSED);
	story(text, sizeof text);
	ok(strcmp(text, "gbrxssepbrxsseG") == 0);
	close(stop[0]);
	close(stop[1]);
	leave();
}

static void on_a_broken_chain_nothing_is_done(void)
{
	struct loop_request req = request("p", NULL);
	char before[65536], after[65536], path[160];
	enum attempts_state state;
	int fd;

	enter();
	ok_int(run(&req, &state), 0);
	(void)snprintf(path, sizeof path, "%s/state/attempts.jsonl", top);
	fd = open(path, O_RDWR | O_CLOEXEC);
	ok_int((long)pwrite(fd, "9", 1, 7), 1);
	close(fd);
	slurp("state/attempts.jsonl", before, sizeof before);
	ok_int(run(&req, &state), LEDGER_BROKEN);
	ok_has(err.what, "line 1:");
	slurp("state/attempts.jsonl", after, sizeof after);
	ok(strcmp(before, after) == 0);
	leave();
}

static void without_room_no_attempt_begins(void)
{
	struct rlimit was, now;
	struct loop_request req = request("p", NULL);
	enum attempts_state state;
	char is[64];

	enter();
	ok_int(run(&req, &state), 0);
	ok_int(getrlimit(RLIMIT_FSIZE, &was), 0);
	now = was;
	now.rlim_cur = 100;
	(void)signal(SIGXFSZ, SIG_IGN);
	ok_int(setrlimit(RLIMIT_FSIZE, &now), 0);
	ok(run(&req, &state) < 0);
	ok_int(setrlimit(RLIMIT_FSIZE, &was), 0);
	ok_has(err.what, "File too large");
	story(is, sizeof is);
	ok(strcmp(is, "gbrxsseG") == 0);
	ok_int(run(&req, &state), 0);
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_ends_and_their_records),
		CASE(a_planner_reads_the_summary),
		CASE(an_error_of_the_request_ends_the_gate),
		CASE(more_attempts_are_a_record),
		CASE(a_stop_ends_the_planner_and_resume_goes_on),
		CASE(on_a_broken_chain_nothing_is_done),
		CASE(without_room_no_attempt_begins), TAP_END });
}
