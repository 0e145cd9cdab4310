/* gate_attempt.c -- one attempt of a gate, and its verdict as JSON: what the tests
 * of signals run.
 *
 *	gate_attempt [-c CATALOGUE] [-b BASELINE] [-w FILE] [-n ATTEMPT]
 *		WORKTREE GATE
 *
 * -w writes a baseline there.  Exit: 0 passed, 1 not, 2 with a line on stderr. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "jobs/gate/attempt_run.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/catalogue.h"
#include "jobs/gate/judge.h"
#include "jobs/gate/kinds/signal_write.h"

struct words {
	const char *catalogue, *baseline, *write, *worktree, *gate;
	unsigned attempt;
};

static bool words_read(int argc, char *argv[], struct words *w)
{
	int c;

	w->attempt = 1;
	while ((c = getopt(argc, argv, "c:b:w:n:")) != -1) {
		if (c == 'c')
			w->catalogue = optarg;
		else if (c == 'b')
			w->baseline = optarg;
		else if (c == 'w')
			w->write = optarg;
		else if (c == 'n')
			w->attempt = (unsigned)atoi(optarg);
		else
			return false;
	}
	if (argc - optind != 2)
		return false;
	w->worktree = argv[optind];
	w->gate = argv[optind + 1];
	return true;
}

static void print(const struct gate_attempt *a, const struct gate_verdict *v)
{
	struct buf text = { 0 };
	struct jsonw w = { .out = &text };

	jsonw_object(&w, NULL);
	jsonw_bool(&w, "passed", v->passed);
	jsonw_bool(&w, "retryable", v->retryable);
	jsonw_bool(&w, "lost", v->lost);
	jsonw_text_or_null(&w, "why", a->why);
	jsonw_array(&w, "failing");
	for (size_t i = 0; i < v->failing_len; i++)
		jsonw_text(&w, NULL, v->failing[i]);
	jsonw_end_array(&w);
	jsonw_array(&w, "signals");
	for (size_t i = 0; i < a->signals_len; i++)
		signal_write(&a->signals[i], NULL, &w);
	jsonw_end_array(&w);
	jsonw_array(&w, "files");
	for (size_t i = 0; i < a->files_len; i++)
		jsonw_text(&w, NULL, a->files[i]->path);
	jsonw_end_array(&w);
	jsonw_array(&w, "ends");
	for (size_t i = 0; i < a->runs_len; i++)
		jsonw_text(
			&w, a->runs[i].phase == NULL ? "?" : NULL,
			json_find(a->runs[i].result, "status")->u.string.bytes);
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	(void)puts(text.bytes != NULL ? text.bytes : "no memory");
	buf_done(&text);
}

static int baseline_put(const struct words *w, const struct gate *g,
			const struct gate_attempt *a, struct cupel_error *err)
{
	char hash[BLAKE3_TEXT_BYTES];
	struct buf text = { 0 };
	int e = baseline_write(g, a, &text, hash, err);
	FILE *f = e == 0 ? fopen(w->write, "w") : NULL;

	if (e == 0 &&
	    (f == NULL || fwrite(text.bytes, 1, text.len, f) != text.len ||
	     fclose(f) != 0))
		e = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_HOST, errno,
			       "%s", w->write);
	buf_done(&text);
	return e;
}

static int run(const struct words *w, const struct gate *g,
	       const struct baseline *b, struct gate_verdict *v,
	       struct cupel_error *err)
{
	const struct gate_attempt_request req = {
		.gate = g,
		.worktree = w->worktree,
		.number = w->attempt,
		.baseline = b,
		.wants_context = w->write != NULL,
		.stop_fd = -1,
	};
	struct gate_attempt a = { 0 };
	int e = gate_attempt_run(&req, &a, err);

	if (e == 0) {
		gate_judge(g, &a, v);
		print(&a, v);
	}
	if (e == 0 && w->write != NULL)
		e = baseline_put(w, g, &a, err);
	gate_attempt_done(&a);
	return e;
}

static int all(const struct words *w, struct gate_verdict *v,
	       struct cupel_error *err)
{
	int worktree = open(w->worktree, O_PATH | O_DIRECTORY | O_CLOEXEC);
	const struct catalogue_request req = {
		.files = &w->catalogue,
		.files_len = w->catalogue != NULL,
		.worktree_fd = worktree,
	};
	struct catalogue c = { 0 };
	struct baseline b = { 0 };
	const struct gate *g;
	int e = catalogue_read(&req, &c, err);

	g = e == 0 ? catalogue_find(&c, w->gate) : NULL;
	if (e == 0 && g == NULL)
		e = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, ENOENT,
			       "no gate %s", w->gate);
	if (e == 0 && w->baseline != NULL)
		e = baseline_read(w->baseline, worktree, g, &b, err);
	if (e == 0)
		e = run(w, g, w->baseline != NULL ? &b : NULL, v, err);
	baseline_done(&b);
	catalogue_done(&c);
	(void)close(worktree);
	return e;
}

int main(int argc, char *argv[])
{
	struct words w = { 0 };
	struct gate_verdict v = { 0 };
	struct cupel_error err = { 0 };

	if (!words_read(argc, argv, &w))
		return 2;
	if (all(&w, &v, &err) < 0) {
		(void)fprintf(stderr, "%s\n", err.what);
		return 2;
	}
	return v.passed ? 0 : 1;
}
