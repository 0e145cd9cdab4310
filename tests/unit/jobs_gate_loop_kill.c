/* jobs_gate_loop_kill.c -- a gate whose runner is killed goes on. */
#include "jobs/gate/loop.h"

#include <signal.h>
#include <sys/wait.h>

#include "gate_fake.h"

static void another_gate_supersedes_one_that_was_killed(void)
{
	struct loop_request req = request("t", "kill -9 $PPID");
	struct gate other = gate;
	enum attempts_state state;
	char is[64];
	pid_t pid;
	int status;

	enter();
	pid = fork();
	if (pid == 0) {
		(void)run(&req, &state);
		_exit(0);
	}
	ok_int(waitpid(pid, &status, 0), pid);
	ok(WIFSIGNALED(status));
	strcpy(other.hash, "blake3:other");
	req = request("p", NULL);
	req.gate = &other;
	req.resume = true;
	ok_int(run(&req, &state), 0);
	ok_int(state, ATTEMPTS_PASSED);
	story(is, sizeof is);
	ok(strcmp(is, "gbrxsseGgbrxsseG") == 0);
	leave();
}

/* Every attempt is begun once, in order, and ended once. */
static void attempts_count(void)
{
	char text[65536], *line = text;
	unsigned begun = 0, ended = 0;

	slurp("state/attempts.jsonl", text, sizeof text);
	for (char *eol; (eol = strchr(line, '\n')) != NULL; line = eol + 1) {
		char want[64];

		*eol = '\0';
		if (strstr(line, "\"kind\":\"attempt.begun\"") != NULL) {
			(void)snprintf(want, sizeof want, "{\"attempt\":%u}",
				       ++begun);
			ok_json(line, "", want);
		}
		ended += strstr(line, "\"kind\":\"attempt.ended\"") != NULL;
	}
	ok_int(begun, ended);
	ok(begun >= 2);
}

static void killed_at_every_record_it_goes_on(void)
{
	/* gbrxssepbrxsseG: 15 records of four points each */
	for (unsigned point = 4; point < 4 + 15 * 4; point++) {
		struct loop_request req = request("tp", "exit 0");
		enum attempts_state state;
		char kill_at[16], is[64];
		int status;
		pid_t pid;

		enter();
		(void)snprintf(kill_at, sizeof kill_at, "%u", point);
		pid = fork();
		if (pid == 0) {
			(void)setenv("CUPEL_TEST_LEDGER_KILL", kill_at, 1);
			(void)run(&req, &state);
			_exit(0);
		}
		ok_int(waitpid(pid, &status, 0), pid);
		ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
		req.resume = true;
		/* t p t: an attempt that is lost takes the script's next turn */
		ok_int(run(&req, &state), 0);
		ok_int(state, ATTEMPTS_PASSED);
		story(is, sizeof is);
		if (point < 4 * 15 + 1)
			attempts_count();
		if (point >= 4 * 15 + 1) { /* its last record was written */
			ok_has(is, "GgbrxssepbrxsseG");
		} else {
			ok(strchr(is, 'G') == strrchr(is, 'G'));
		}
		if (tap_bad > 0)
			fprintf(stderr, "# point %u: %s\n", point, is);
		leave();
		if (tap_bad > 0)
			return;
	}
}

/* If it is killed after its replan or its last attempt, it ends as it would
 * have. */
static void the_reason_outlives_a_kill(void)
{
	static const struct {
		const char *how, *replan, *point, *reason;
		unsigned max;
	} rows[] = {
		{ "t", "exit 75", "36", "\"no_plan\"", 4 },
		{ "t", "exit 3", "36", "\"planner_failed\"", 4 },
		{ "t", "exit 0", "32", "\"attempts\"", 1 },
		{ "tb", "exit 0", "136", "\"same_signals\"", 6 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct loop_request req = request(rows[i].how, rows[i].replan);
		enum attempts_state state;
		char text[65536];
		int status;
		pid_t pid;

		enter();
		req.max_attempts = rows[i].max;
		req.operator_ack = "ada";
		pid = fork();
		if (pid == 0) {
			(void)setenv("CUPEL_TEST_LEDGER_KILL", rows[i].point,
				     1);
			(void)run(&req, &state);
			_exit(0);
		}
		ok_int(waitpid(pid, &status, 0), pid);
		ok(WIFSIGNALED(status));
		/* what was allowed is not reported again */
		req.max_attempts = rows[i].max > 4 ? 4 : rows[i].max;
		req.resume = true;
		ok_int(run(&req, &state), 0);
		slurp("state/attempts.jsonl", text, sizeof text);
		ok_json(strrchr(text, '{'), "/reason", rows[i].reason);
		leave();
	}
}

static void another_work_tree_is_refused(void)
{
	struct loop_request req = request("t", "kill -9 $PPID");
	enum attempts_state state;
	int status;
	pid_t pid;

	enter();
	pid = fork();
	if (pid == 0) {
		(void)run(&req, &state);
		_exit(0);
	}
	ok_int(waitpid(pid, &status, 0), pid);
	req = request("p", NULL);
	req.resume = true;
	req.worktree = "/usr";
	ok_int(run(&req, &state), -EINVAL);
	ok_has(err.what, "not for /usr");
	leave();
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(another_gate_supersedes_one_that_was_killed),
		CASE(the_reason_outlives_a_kill),
		CASE(another_work_tree_is_refused),
		CASE(killed_at_every_record_it_goes_on), TAP_END });
}
