/* gate_run.c -- cupel gate run and baseline. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/file.h"
#include "cli/gate.h"
#include "cli/stop.h"
#include "jobs/common/beneath.h"
#include "jobs/gate/attempt_run.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/catalogue.h"
#include "jobs/gate/judge.h"
#include "jobs/gate/kinds/kind.h"
#include "jobs/gate/ledger/ledger.h"
#include "jobs/gate/ledger/state.h"
#include "jobs/gate/loop.h"
#include "jobs/gate/show/story.h"
#include "jobs/gate/show/story_output.h"
#include "jobs/gate/vuln/osv.h"
#include "service/cgroup.h"

/* What both verbs need. */
struct run {
	const struct gate_words *w;
	char worktree[PATH_MAX]; /* its real path */
	int worktree_fd, stop_fd;
	struct catalogue catalogue;
	const struct gate *gate;
	struct gate_option options[2];
	struct osv osv;
	bool has_osv;
};

/* Open the OSV records if the gate asks for them; other gates get none. */
static int osv_open(struct run *r)
{
	const char *path = gate_text(r->w, GATE_OSV);
	struct cupel_error err = { 0 };
	bool is_asked = false;

	for (size_t i = 0; i < r->gate->asks_len; i++)
		is_asked |=
			strcmp(r->gate->asks[i].name, "cve_delta") == 0 &&
			json_find(r->gate->asks[i].params, "format") == NULL;
	if (is_asked && path == NULL)
		return cli_usage("gate: the signal cve_delta of %s needs "
				 "--osv DIR",
				 r->gate->name);
	if (!is_asked && path != NULL)
		return cli_usage("--osv: gate %s has no cve_delta signal that "
				 "reads OSV records",
				 r->gate->name);
	if (path != NULL && osv_read(path, r->worktree_fd, &r->osv, &err) < 0)
		return gate_fail(&err);
	r->has_osv = path != NULL;
	return CLI_OK;
}

static int run_open(const struct gate_words *w, struct run *ret)
{
	const char *worktree = gate_text(w, GATE_WORKTREE);
	struct catalogue_request req = { 0 };
	struct cupel_error err = { 0 };

	*ret = (struct run){ .w = w, .worktree_fd = -1, .stop_fd = -1 };
	if (worktree == NULL)
		worktree = ".";
	if (realpath(worktree, ret->worktree) == NULL)
		return cli_usage("--worktree: %.300s: %s", worktree,
				 strerror(errno));
	ret->worktree_fd = beneath_open_root(ret->worktree);
	if (ret->worktree_fd < 0)
		return cli_usage("--worktree: %.300s: %s", worktree,
				 strerror(-ret->worktree_fd));
	req.files = w->values[GATE_CATALOGUE].texts;
	req.files_len = w->values[GATE_CATALOGUE].count;
	req.worktree_fd = ret->worktree_fd;
	if (req.files_len > CATALOGUE_FILES_MAX)
		return cli_usage("--catalogue: may be given at most %u times",
				 CATALOGUE_FILES_MAX);
	if (catalogue_read(&req, &ret->catalogue, &err) < 0)
		return gate_fail(&err);
	ret->gate = catalogue_find(&ret->catalogue, w->words[0]);
	if (ret->gate == NULL)
		return cli_usage("gate: no catalogue has a gate '%.80s'",
				 w->words[0]);
	if (gate_has(w, GATE_BACKEND))
		ret->options[0] =
			(struct gate_option){ "backend",
					      gate_text(w, GATE_BACKEND) };
	ret->stop_fd = stop_open();
	service_cgroup_enter(); /* once for many vessels */
	return osv_open(ret);
}

static void run_close(struct run *r)
{
	cleanup_fd(&r->worktree_fd);
	cleanup_fd(&r->stop_fd);
	catalogue_done(&r->catalogue);
	osv_done(&r->osv);
}

static int stopped(const struct run *r, const char *more)
{
	int signal = stop_signal(r->stop_fd);

	cli_complain("stopped by SIG%s%s", sigabbrev_np(signal), more);
	return 128 + signal;
}

/* --- run -------------------------------------------------------------------- */

static void tell(void *data, const char *line)
{
	const struct run *r = data;

	if (!gate_has(r->w, GATE_QUIET))
		cli_complain("%s: %s", r->gate->name, line);
}

/* How many attempts to make.  0: the number that was asked for is refused, and
 * a complaint says why. */
static unsigned attempts_read(const struct run *r)
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
static int outcome_print(const struct run *r, const struct state *s)
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

static int loop(struct run *r, const struct state *s,
		const struct loop_request *req)
{
	enum attempts_state end = ATTEMPTS_ESCALATE;
	struct cupel_error err = { 0 };
	int e = loop_run(req, s, &end, &err);
	int status;

	if (e == LEDGER_BROKEN)
		return gate_broken(s, &err);
	if (e == -EINTR)
		return stopped(r, "; --resume continues");
	if (e < 0)
		return gate_fail(&err);
	status = outcome_print(r, s);
	return status == CLI_OK ? exit_of(end) : status;
}

/* Run the gate; the state is locked. */
static int state_run(struct run *r, const struct state *s,
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
		.tell = tell,
	};
	struct cupel_error err = { 0 };
	int e = state_lock(s, 0, -1, &err);

	if (e == -EBUSY && !gate_has(r->w, GATE_NO_WAIT)) {
		tell(r,
		     "another runner uses this state; waiting for it to end");
		e = state_lock(s, INT_MAX, r->stop_fd, &err);
	}
	if (e == -EINTR)
		return stopped(r, "");
	if (e == -EBUSY)
		return cli_complain("%s", err.what), CLI_HOST;
	return e < 0 ? gate_fail(&err) : loop(r, s, &req);
}

/* Say which of the signals that have to pass compare with a baseline. */
static void without_baseline_tell(struct run *r)
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
		tell(r, line.bytes);
}

static int gate_begin(struct run *r)
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
	struct run r;
	int status = run_open(w, &r);

	if (status == CLI_OK)
		status = gate_begin(&r);
	run_close(&r);
	return status;
}

/* --- baseline --------------------------------------------------------------- */

/* What the phase that the attempt ended with wrote, if it was not OK. */
static void output_tell(const struct gate_attempt *a)
{
	owned_buf struct buf lines = { 0 };
	const struct json_value *last =
		a->runs_len > 0 ? a->runs[a->runs_len - 1].result : NULL;

	if (last != NULL && !json_is_text(json_find(last, "status"), "OK"))
		story_output_add(last, &lines);
	if (lines.len > 0 && !buf_has_failed(&lines))
		(void)fwrite(lines.bytes, 1, lines.len, stderr);
}

static int baseline_print(struct run *r, const struct gate_attempt *a)
{
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };
	char hash[BLAKE3_TEXT_BYTES];

	if (a->lost) {
		cli_complain("gate baseline: %s",
			     a->why != NULL ? a->why
					    : "the result of the run was lost");
		return CLI_HOST;
	}
	if (baseline_write(r->gate, a, &text, hash, &err) < 0) {
		int status = gate_fail(&err);

		output_tell(a);
		return status;
	}
	if (file_write(r->w->words[1], 0644, text.bytes, text.len, &err) < 0)
		return gate_fail(&err);
	tell(r, hash);
	return CLI_OK;
}

int gate_baseline_verb(const struct gate_words *w)
{
	struct gate_attempt a = { 0 };
	struct cupel_error err = { 0 };
	struct run r;
	int status = run_open(w, &r);

	if (status == CLI_OK &&
	    baseline_place_check(w->words[1], r.worktree_fd, &err) < 0)
		status = gate_fail(&err);
	if (status == CLI_OK) {
		const struct gate_attempt_request req = {
			.gate = r.gate,
			.worktree = r.worktree,
			.number = 1,
			.options = r.options,
			.osv = r.has_osv ? &r.osv : NULL,
			.wants_context = true,
			.stop_fd = r.stop_fd,
		};
		int e = gate_attempt_run(&req, &a, &err);

		if (e == -EINTR)
			status = stopped(&r, "");
		else
			status = e < 0 ? gate_fail(&err)
				       : baseline_print(&r, &a);
		gate_attempt_done(&a);
	}
	run_close(&r);
	return status;
}
