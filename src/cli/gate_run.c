/* gate_run.c -- cupel gate run. */
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/gate_job.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/kinds/kind.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"
#include "jobs/gate/loop.h"
#include "jobs/gate/show/story.h"

/* How many attempts to make.  0: the number that was asked for is refused, and
 * a complaint says why. */
static unsigned attempts_read(const struct gate_job *r)
{
	const char *text = gate_text(r->w, GATE_MAX_ATTEMPTS);
	const char *who = gate_text(r->w, GATE_OPERATOR_ACK);
	unsigned n = text != NULL ? option_jobs(text) : r->gate->max_attempts;

	if (n < 1 || n > GATE_ATTEMPTS_MAX)
		(void)cli_usage("--max-attempts: '%.80s' is outside 1..%u",
				text, GATE_ATTEMPTS_MAX);
	else if (n > r->gate->max_attempts && (who == NULL || who[0] == '\0'))
		(void)cli_usage(
			"--max-attempts: %u is more than the %u of gate %s; to "
			"allow it, give --operator-ack NAME",
			n, r->gate->max_attempts, r->gate->name);
	else
		return n;
	return 0;
}

/* Print the last gate of the ledger as it is on disk. */
static int outcome_print(const struct gate_job *r, const struct state *s)
{
	struct ledger_book b = { 0 };
	struct cupel_error err = { 0 };
	struct story story;
	int e = ledger_read(s->dir_fd, NULL, &b, &err);
	int status = CLI_OK;

	if (e == LEDGER_BROKEN)
		status = gate_broken(s, &err);
	else if (e < 0)
		status = gate_fail(&err);
	else if (story_read(&b, (size_t)story_find(&b, 0), &story))
		status = gate_print(&story, s, gate_has(r->w, GATE_JSON));
	ledger_book_done(&b);
	return status == CLI_FAILED ? GATE_INTERNAL : status;
}

static int exit_of(enum attempts_state end)
{
	static const int statuses[ATTEMPTS_STATE_MAX_] = {
		[ATTEMPTS_PASSED] = CLI_OK,
		[ATTEMPTS_ESCALATE] = GATE_ESCALATE,
		[ATTEMPTS_UNRECOVERABLE] = GATE_UNRECOVERABLE,
		[ATTEMPTS_HOST] = CLI_HOST,
	};

	return statuses[end];
}

static int loop(struct gate_job *r, const struct state *s,
		const struct loop_request *req)
{
	enum attempts_state end = ATTEMPTS_ESCALATE;
	struct cupel_error err = { 0 };
	int e = loop_run(req, s, &end, &err);
	int status;

	if (e == LEDGER_BROKEN)
		return gate_broken(s, &err);
	if (e == -EINTR)
		return gate_stopped(r, "; --resume continues");
	if (e < 0)
		return gate_fail(&err);
	status = outcome_print(r, s);
	return status == CLI_OK ? exit_of(end) : status;
}

/* Run the gate; the state is locked. */
static int state_run(struct gate_job *r, const struct state *s,
		     const struct baseline *baseline, unsigned attempts)
{
	char work_dir[PATH_MAX];
	struct loop_request req = {
		.gate = r->gate,
		.worktree = r->worktree,
		.work_dir = realpath(s->path, work_dir),
		.baseline = baseline,
		.baseline_hash = baseline != NULL ? baseline->hash : NULL,
		.options = r->options,
		.osv = r->has_osv ? &r->osv : NULL,
		.replan = gate_text(r->w, GATE_REPLAN),
		.max_attempts = attempts,
		.operator_ack = gate_text(r->w, GATE_OPERATOR_ACK),
		.chain_head = gate_text(r->w, GATE_CHAIN_HEAD),
		.resume = gate_has(r->w, GATE_RESUME),
		.stop_fd = r->stop_fd,
		.attempt_run = gate_attempt_run,
		.data = r,
		.tell = gate_tell,
	};
	struct cupel_error err = { 0 };
	int e = state_lock(s, 0, -1, &err);

	if (e == -EBUSY && !gate_has(r->w, GATE_NO_WAIT)) {
		gate_tell(r, "another runner uses this state; waiting for it "
			     "to end");
		e = state_lock(s, INT_MAX, r->stop_fd, &err);
	}
	if (e == -EINTR)
		return gate_stopped(r, "");
	if (e == -EBUSY)
		return cli_complain("%s", err.what), CLI_HOST;
	return e < 0 ? gate_fail(&err) : loop(r, s, &req);
}

/* Say which of the signals that have to pass compare with a baseline. */
static void without_baseline_tell(struct gate_job *r)
{
	owned_buf struct buf kinds = { 0 };
	owned_buf struct buf line = { 0 };

	for (size_t i = 0; i < r->gate->asks_len; i++)
		if (r->gate->asks[i].required &&
		    r->gate->asks[i].kind->has_base)
			buf_format(&kinds, "%s%s", kinds.len > 0 ? " and " : "",
				   r->gate->asks[i].name);
	buf_format(&line,
		   "no --baseline was given, and the gate needs one for %s "
		   "('cupel gate baseline %s FILE' writes it)",
		   kinds.bytes != NULL ? kinds.bytes : "", r->gate->name);
	if (kinds.len > 0 && !buf_has_failed(&line))
		gate_tell(r, line.bytes);
}

static int gate_begin(struct gate_job *r)
{
	struct state_request at = { .path = gate_text(r->w, GATE_STATE),
				    .name = r->gate->name,
				    .worktree_fd = r->worktree_fd,
				    .is_made = true };
	const char *file = gate_text(r->w, GATE_BASELINE);
	const char *head = gate_text(r->w, GATE_CHAIN_HEAD);
	unsigned attempts = attempts_read(r);
	struct baseline baseline = { 0 };
	struct state s = STATE_NONE;
	struct cupel_error err = { 0 };
	int status;

	if (attempts == 0)
		return CLI_USAGE;
	if (head != NULL && !ledger_is_hash(head, strlen(head)))
		return cli_usage("--chain-head: expected blake3: and 64 "
				 "hexadecimal digits");
	if ((file != NULL && baseline_read(file, r->worktree_fd, r->gate,
					   &baseline, &err) < 0) ||
	    state_open(&at, &s, &err) < 0)
		status = gate_fail(&err);
	else {
		if (file == NULL)
			without_baseline_tell(r);
		status = state_run(r, &s, file != NULL ? &baseline : NULL,
				   attempts);
	}
	state_close(&s);
	baseline_done(&baseline);
	return status;
}

int gate_run_verb(const struct gate_words *w)
{
	struct gate_job r;
	int status = gate_job_open(w, &r);

	if (status == CLI_OK)
		status = gate_begin(&r);
	gate_job_close(&r);
	return status;
}
