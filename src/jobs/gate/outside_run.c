/* outside_run.c -- runs the programs of other people's kinds, each in a vessel
 * of its own.  See outside.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "jobs/gate/attempt_spec.h"
#include "jobs/gate/kinds/kind.h"
#include "jobs/gate/outside.h"
#include "service/pool.h"
#include "service/sealed.h"
#include "service/vessel.h"

#define INPUT_BYTES ((size_t)64 << 20) /* results, on its descriptor 0 */
#define FIRST_INPUT 4 /* the first descriptor after the answer's */
#define OPTIONS_MAX 8U

/* One program that is to run. */
struct outside_work {
	const struct gate_attempt_request *req;
	struct gate_attempt *a;
	const struct gate_ask *ask;
	struct gate_answer *answer;
	int stdin_fd;
	int fds[OUTSIDE_INPUTS_MAX + 1]; /* artifacts, then the program */
	size_t fds_len;
};

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the attempt");
}

/* --- what it is given ----------------------------------------------------------- */

/* NULL: the phase did not leave it behind.  The number is that of this attempt,
 * which may have other artifacts than the first one. */
static const struct gate_file *artifact_find(const struct outside_work *w,
					     const struct outside_input *in)
{
	const char *paths[PHASE_ARTIFACTS_MAX];
	size_t n = phase_artifacts_find(&w->req->gate->phases[in->phase],
					w->req->number, paths,
					PHASE_ARTIFACTS_MAX);
	size_t item = 0;
	char path[64];

	while (item < n && strcmp(paths[item], in->artifact) != 0)
		item++;
	(void)snprintf(path, sizeof path, "artifacts/%zu-%zu", in->phase, item);
	for (size_t i = 0; i < w->a->files_len; i++)
		if (strcmp(w->a->files[i]->path, path) == 0)
			return w->a->files[i];
	return NULL;
}

/* Returns 0, 1 (an input that it declares is missing, and the answer says so)
 * or -errno. */
static int artifacts_take(struct outside_work *w, struct cupel_error *err)
{
	const struct gate_outside *o = w->ask->outside;
	struct gate_answer *answer = w->answer;

	for (size_t i = 0; i < o->inputs_len; i++) {
		const struct gate_file *f = artifact_find(w, &o->inputs[i]);
		int fd;

		if (o->inputs[i].phase >= w->a->runs_len) {
			answer->problem = "not_run";
			answer->is_unreached = true;
			return 1;
		}
		if (f == NULL) {
			answer->problem = "artifact_missing";
			return 1;
		}
		fd = sealed_of(f->bytes, f->len, false, err);
		if (fd < 0)
			return fd;
		w->fds[w->fds_len++] = fd;
		answer->files[answer->files_len++] = f;
	}
	return 0;
}

static void input_write(const struct outside_work *w, struct buf *out)
{
	const struct gate_outside *o = w->ask->outside;
	struct jsonw jw = { .out = out };

	jsonw_object(&jw, NULL);
	jsonw_text(&jw, "kind", w->ask->name);
	jsonw_uint(&jw, "attempt", w->req->number);
	jsonw_array(&jw, "results");
	for (size_t i = 0; i < w->a->runs_len; i++)
		jsonw_raw(&jw, NULL, w->a->runs[i].file->bytes,
			  w->a->runs[i].file->len);
	jsonw_end_array(&jw);
	jsonw_array(&jw, "artifacts");
	for (size_t i = 0; i < o->inputs_len; i++) {
		jsonw_object(&jw, NULL);
		jsonw_text(&jw, "phase", o->inputs[i].phase_name);
		jsonw_text(&jw, "artifact", o->inputs[i].artifact);
		jsonw_uint(&jw, "descriptor", FIRST_INPUT + i);
		jsonw_end_object(&jw);
	}
	jsonw_end_array(&jw);
	jsonw_end_object(&jw);
	buf_char(out, '\n');
}

static int stdin_take(struct outside_work *w, struct cupel_error *err)
{
	owned_buf struct buf text = { .cap_bytes = INPUT_BYTES };

	input_write(w, &text);
	if (buf_has_failed(&text)) {
		w->answer->problem = "input_too_large";
		return 1;
	}
	w->stdin_fd = sealed_of(text.bytes, text.len, false, err);
	return w->stdin_fd < 0 ? w->stdin_fd : 0;
}

/* --- its vessel ------------------------------------------------------------------- */

static void options_fill(const struct outside_work *w,
			 struct vessel_option ret[OPTIONS_MAX])
{
	const struct gate_outside *o = w->ask->outside;
	const struct vessel_option own[] = {
		{ "result-bytes", "64K" },
		{ o->wall[0] != '\0' ? "wall-time-s" : NULL, o->wall },
		{ o->cpu[0] != '\0' ? "cpu-time-s" : NULL, o->cpu },
		{ o->mem[0] != '\0' ? "mem-bytes" : NULL, o->mem },
	};
	const struct gate_option *more = w->req->options;
	size_t n = 0;

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (own[i].name != NULL)
			ret[n++] = own[i];
	for (; more != NULL && more->name != NULL && n < OPTIONS_MAX - 1;
	     more++)
		ret[n++] = (struct vessel_option){ more->name, more->value };
	ret[n] = (struct vessel_option){ NULL, NULL };
}

static int program_start(struct outside_work *w, struct vessel **ret,
			 struct cupel_error *err)
{
	const struct gate_outside *o = w->ask->outside;
	const char *argv[OUTSIDE_WORDS_MAX + 1] = { NULL };
	struct vessel_option options[OPTIONS_MAX];
	struct vessel_request v = { .profile = "probe",
				    .options = options,
				    .argv = argv,
				    .stdin_fd = w->stdin_fd,
				    .inputs = w->fds,
				    .exec_fd = -1 };
	char program[32];

	(void)snprintf(program, sizeof program, "/dev/fd/%zu",
		       FIRST_INPUT + w->fds_len);
	for (size_t i = 0; o->command[i] != NULL; i++)
		argv[i] = strcmp(o->command[i], "{program}") == 0
				  ? program
				  : o->command[i];
	if (o->program != NULL) {
		int fd = sealed_of(o->program, o->program_len, true, err);

		if (fd < 0)
			return fd;
		w->fds[w->fds_len++] = fd;
	}
	v.inputs_len = w->fds_len;
	options_fill(w, options);
	return vessel_start(&v, ret, err);
}

/* --- one after the other ---------------------------------------------------------- */

struct outside_all {
	const struct gate_attempt_request *req;
	struct gate_attempt *a;
	size_t next; /* among the gate's kinds */
	struct outside_work work;
	struct vessel *vessel; /* the one that runs, or NULL */
};

static void work_end(struct outside_all *all)
{
	struct outside_work *w = &all->work;

	vessel_free(all->vessel);
	all->vessel = NULL;
	cleanup_fd(&w->stdin_fd);
	for (size_t i = 0; i < w->fds_len; i++)
		cleanup_fd(&w->fds[i]);
	w->fds_len = 0;
}

static int work_start(struct outside_all *all, struct cupel_error *err)
{
	struct outside_work *w = &all->work;
	int e = artifacts_take(w, err);

	if (e == 0)
		e = stdin_take(w, err);
	if (e == 0)
		e = program_start(w, &all->vessel, err);
	if (e == 0)
		return POOL_STARTED;
	work_end(all);
	return e < 0 ? e : POOL_AT_ONCE;
}

static int next_start(void *data, size_t place, struct cupel_error *err)
{
	struct outside_all *all = data;
	const struct gate *g = all->req->gate;

	(void)place;
	while (!all->a->lost && all->next < g->asks_len) {
		size_t i = all->next++;

		if (g->asks[i].outside == NULL)
			continue;
		all->work =
			(struct outside_work){ .req = all->req,
					       .a = all->a,
					       .ask = &g->asks[i],
					       .answer = &all->a->answers[i],
					       .stdin_fd = -1 };
		return work_start(all, err);
	}
	return POOL_NOTHING;
}

static int place_fd(const void *data, size_t place)
{
	const struct outside_all *all = data;

	(void)place;
	return vessel_fd(all->vessel);
}

static int place_step(void *data, size_t place, struct cupel_error *err)
{
	struct outside_all *all = data;
	int e = vessel_step(all->vessel, err);

	(void)place;
	if (e != 0)
		return e;
	e = outside_answer_read(all->work.ask->outside, all->vessel, all->a,
				all->work.answer, err);
	work_end(all);
	return e;
}

static void place_cancel(void *data, size_t place)
{
	struct outside_all *all = data;

	(void)place;
	if (all->vessel != NULL)
		vessel_cancel(all->vessel, 0);
}

static void place_end(void *data, size_t place)
{
	struct outside_all *all = data;
	struct cupel_error ignored = { 0 };

	(void)place;
	if (all->vessel != NULL)
		(void)vessel_wait(all->vessel, &ignored);
}

int outside_run(const struct gate_attempt_request *req, struct gate_attempt *a,
		struct cupel_error *err)
{
	static const struct pool_calls calls = { .start = next_start,
						 .fd = place_fd,
						 .step = place_step,
						 .cancel = place_cancel,
						 .end = place_end };
	struct outside_all all = { .req = req, .a = a };
	int e;

	all.work.stdin_fd = -1;
	a->answers = arena_array(&a->arena, req->gate->asks_len + 1,
				 sizeof *a->answers);
	if (a->answers == NULL)
		return no_memory(err);
	e = pool_run(&calls, &all, 1, req->stop_fd, err);
	work_end(&all);
	return e;
}
