/* gate_baseline.c -- cupel gate baseline. */
#include <errno.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/cli.h"
#include "cli/file.h"
#include "cli/gate_job.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/judge.h"
#include "jobs/gate/show/story.h"
#include "jobs/gate/show/story_output.h"

/* What the phase that the attempt ended with wrote, if it was not OK: a part of it
 * is shown, and its result is kept. */
static void output_tell(const struct gate_job *r, const struct gate_attempt *a)
{
	owned_buf struct buf lines = { 0 }, path = { 0 };
	const struct gate_run *last =
		a->runs_len > 0 ? &a->runs[a->runs_len - 1] : NULL;
	struct cupel_error err = { 0 };

	if (last == NULL || last->file == NULL ||
	    json_is_text(json_find(last->result, "status"), "OK"))
		return;
	story_output_add(last->result, &lines);
	if (lines.len > 0 && !buf_has_failed(&lines))
		(void)fwrite(lines.bytes, 1, lines.len, stderr);
	buf_format(&path, "%s.failed.json", r->w->words[1]);
	if (!buf_has_failed(&path) &&
	    file_write(path.bytes, 0600, last->file->bytes, last->file->len,
		       &err) == 0)
		cli_complain(
			"the result of phase %s, with its whole output, is "
			"in %.300s",
			last->phase, path.bytes);
}

/* One attempt over the tree.  Returns CLI_OK or an exit status. */
static int attempt_make(struct gate_job *r, const struct baseline *b,
			struct gate_attempt *ret)
{
	char changed[JUDGED_PATH_BYTES];
	struct judged tree = { 0 };
	struct cupel_error err = { 0 };
	const struct gate_attempt_request req = {
		.gate = r->gate,
		.worktree = r->worktree,
		.tree = &tree,
		.number = 1,
		.baseline = b,
		.options = r->options,
		.osv = r->has_osv ? &r->osv : NULL,
		.wants_context = true,
		.stop_fd = r->stop_fd,
	};
	int e = judged_read(r->worktree, r->stop_fd, NULL, &tree, changed,
			    &err);

	if (e == 0)
		e = gate_attempt_run(&req, ret, &err);
	judged_done(&tree);
	if (e == -EINTR)
		return gate_stopped(r, "");
	if (e < 0)
		return gate_fail(&err);
	if (!ret->lost)
		return CLI_OK;
	cli_complain("gate baseline: %s",
		     ret->why != NULL ? ret->why
				      : "the result of the run was lost");
	return CLI_HOST;
}

/* Say which signals the unchanged tree fails, and why. */
static int unheld_tell(const struct gate *g, const struct gate_attempt *a,
		       const struct gate_verdict *v)
{
	owned_buf struct buf lines = { 0 };
	owned_buf struct buf kinds = { 0 };

	for (size_t i = 0; i < v->failing_len; i++)
		buf_format(&kinds, "%s%s", i > 0 ? ", " : "", v->failing[i]);
	for (size_t i = 0; i < a->signals_len; i++)
		if (!a->signals[i].passed)
			story_signal_write(a->signals[i].kind, false,
					   a->signals[i].details, &lines);
	cli_complain("gate baseline: the same tree does not pass gate %s by "
		     "its own baseline (%s), so that no change could; nothing "
		     "was written (--no-check writes it all the same)",
		     g->name,
		     a->changed != NULL    ? "it changed meanwhile"
		     : kinds.bytes != NULL ? kinds.bytes
					   : "its isolation is too weak");
	if (lines.len > 0 && !buf_has_failed(&lines))
		(void)fwrite(lines.bytes, 1, lines.len, stderr);
	return CLI_USAGE;
}

/* Judge the same tree by its new baseline. */
static int baseline_hold(struct gate_job *r, const struct buf *text)
{
	struct gate_attempt a = { 0 };
	struct gate_verdict v;
	struct baseline b = { 0 };
	struct cupel_error err = { 0 };
	int status;

	if (baseline_take(r->w->words[1], text, r->gate, &b, &err) < 0)
		status = gate_fail(&err);
	else
		status = attempt_make(r, &b, &a);
	if (status == CLI_OK) {
		gate_judge(r->gate, &a, &v);
		if (!v.passed)
			status = unheld_tell(r->gate, &a, &v);
	}
	gate_attempt_done(&a);
	baseline_done(&b);
	return status;
}

static int baseline_put(struct gate_job *r, const struct gate_attempt *a)
{
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };
	char hash[BLAKE3_TEXT_BYTES];
	int status = CLI_OK;

	if (baseline_write(r->gate, a, &text, hash, &err) < 0) {
		status = gate_fail(&err);
		output_tell(r, a);
		return status;
	}
	if (!gate_has(r->w, GATE_NO_CHECK))
		status = baseline_hold(r, &text);
	if (status != CLI_OK)
		return status;
	if (file_write(r->w->words[1], 0644, text.bytes, text.len, &err) < 0)
		return gate_fail(&err);
	gate_tell(r, hash);
	return CLI_OK;
}

int gate_baseline_verb(const struct gate_words *w)
{
	struct gate_attempt a = { 0 };
	struct cupel_error err = { 0 };
	struct gate_job r;
	int status = gate_job_open(w, &r);

	if (status == CLI_OK &&
	    baseline_place_check(w->words[1], r.worktree_fd, &err) < 0)
		status = gate_fail(&err);
	if (status == CLI_OK)
		status = attempt_make(&r, NULL, &a);
	if (status == CLI_OK)
		status = baseline_put(&r, &a);
	gate_attempt_done(&a);
	gate_job_close(&r);
	return status;
}
