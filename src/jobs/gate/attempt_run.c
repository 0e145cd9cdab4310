/* attempt_run.c -- see attempt_run.h. */
#include "jobs/gate/attempt_run.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/name.h"
#include "jobs/common/beneath.h"
#include "jobs/gate/attempt_context.h"
#include "jobs/gate/attempt_read.h"
#include "jobs/gate/attempt_spec.h"
#include "jobs/gate/attempt_vulns.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/kinds/kind.h"
#include "jobs/gate/ledger/moment.h"
#include "jobs/gate/outside.h"
#include "jobs/probe/tree.h"
#include "service/flight.h"
#include "service/spec_handle.h"

#define ARTIFACT_BYTES ((size_t)32 << 20)
#define READ_BYTES     ((size_t)256 << 10)

struct work {
	const struct gate_attempt_request *req;
	struct gate_attempt *a;
	const struct json_value *context; /* NULL: not asked for */
	struct probe_tree out;            /* where artifacts are left */
	size_t told; /* runs that req->ended was called for */
};

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the attempt");
}

/* --- the phases ------------------------------------------------------------------- */

static int options_set(const struct gate_attempt_request *req,
		       struct cupel_spec *spec, struct cupel_error *err)
{
	const struct gate_option *o = req->options;
	int e = 0;

	for (; e == 0 && o != NULL && o->name != NULL; o++)
		e = spec_set(&spec->fields, o->name, o->value, err);
	return e;
}

static int spec_make(const struct work *w, struct cupel_spec **ret,
		     struct cupel_error *err)
{
	owned_buf struct buf text = { 0 };
	int e = spec_handle_new(ret, err);

	if (e < 0)
		return e;
	attempt_spec_write(w->req, w->out.path, &text);
	if (buf_has_failed(&text))
		return no_memory(err);
	e = spec_read_json(&(*ret)->fields, text.bytes, text.len,
			   w->req->gate->name, err);
	if (e == 0)
		e = options_set(w->req, *ret, err);
	return e == 0 ? attempt_spec_check(w->req->gate, &(*ret)->fields, err)
		      : e;
}

/* Wait for its end.  If we are told to stop, it is killed and waited for. */
static int flight_drive(const struct work *w, struct cupel_run *run,
			struct cupel_error *err)
{
	bool is_stopped = false;
	int state = flight_step(run, false, err);

	while (state > 0) {
		struct pollfd fds[] = {
			{ .fd = flight_fd(run), .events = POLLIN },
			{ .fd = is_stopped ? -1 : w->req->stop_fd,
			  .events = POLLIN },
		};

		if (poll(fds, 2, -1) < 0 && errno != EINTR)
			return cupel_fail(err, CUPEL_STAGE_JOB,
					  CUPEL_CAUSE_HOST, errno, "poll: %s",
					  strerror(errno));
		if (!is_stopped && fds[1].revents != 0) {
			is_stopped = true;
			flight_cancel(run, 0);
		}
		state = flight_step(run, false, err);
	}
	return state < 0 ? state : is_stopped ? -EINTR : 0;
}

/* Write down what a run cost before anything is made from it. */
static int runs_tell(struct work *w, struct cupel_error *err)
{
	int e = 0;

	while (e == 0 && w->told < w->a->runs_len) {
		const struct gate_run *run = &w->a->runs[w->told++];

		if (w->req->ended != NULL)
			e = w->req->ended(w->req->data, run, err);
	}
	return e;
}

static int phase_ended(void *data, const char *json, size_t n,
		       struct cupel_error *err)
{
	struct work *w = data;
	int e = attempt_read_phase(w->req->gate, json, n, w->a, err);

	return e == 0 ? runs_tell(w, err) : e;
}

static int phases_run(struct work *w, struct cupel_error *err)
{
	struct cupel_spec *spec = NULL;
	struct cupel_run *run = NULL;
	int e = spec_make(w, &spec, err);

	if (e == 0)
		e = flight_start(spec, NULL, &run, err);
	if (e == 0) {
		flight_tell_phases(run, phase_ended, w);
		e = flight_drive(w, run, err);
	}
	if (e == 0)
		e = attempt_read(w->req->gate, run->json, run->json_len, w->a,
				 err);
	if (e == 0)
		e = runs_tell(w, err);
	flight_free(run);
	spec_handle_drop(spec);
	return e;
}

/* --- what they left ----------------------------------------------------------------- */

/* An artifact that is not there was refused or never made: its result says
 * which. */
static int artifact_read(struct work *w, int dir_fd, size_t phase, size_t item,
			 struct cupel_error *err)
{
	owned_buf struct buf bytes = { .cap_bytes = ARTIFACT_BYTES };
	owned_fd int fd = -1;
	char name[48], path[64];
	off_t size = 0;

	(void)snprintf(name, sizeof name, "%zu-%zu", phase, item);
	(void)snprintf(path, sizeof path, "artifacts/%zu-%zu", phase, item);
	if (beneath_open_file(dir_fd, name, &fd, &size) != BENEATH_OK ||
	    size < 0 || (uint64_t)size > ARTIFACT_BYTES - READ_BYTES)
		return 0;
	for (;;) {
		char *room = buf_reserve(&bytes, READ_BYTES);
		ssize_t n = room != NULL ? read(fd, room, READ_BYTES) : -1;

		if (room == NULL)
			return no_memory(err);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return 0;
		if (n == 0)
			break;
		bytes.len += (size_t)n;
	}
	return attempt_file_add(w->a, path,
				bytes.bytes != NULL ? bytes.bytes : "",
				bytes.len) != NULL
		       ? 0
		       : no_memory(err);
}

static int artifacts_read(struct work *w, struct cupel_error *err)
{
	const struct gate *g = w->req->gate;
	const char *paths[PHASE_ARTIFACTS_MAX];
	owned_fd int dir_fd =
		open(w->out.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int e = 0;

	for (size_t i = 0; dir_fd >= 0 && i < w->a->runs_len; i++) {
		size_t n = phase_artifacts_find(&g->phases[i], w->req->number,
						paths, PHASE_ARTIFACTS_MAX);

		for (size_t j = 0; e == 0 && j < n; j++)
			e = artifact_read(w, dir_fd, i, j, err);
	}
	return e;
}

/* --- signals ------------------------------------------------------------------------ */

static int signals_make(struct work *w, struct cupel_error *err)
{
	const struct gate *g = w->req->gate;
	struct gate_attempt *a = w->a;

	a->signals =
		arena_array(&a->arena, g->asks_len + 1, sizeof *a->signals);
	if (a->signals == NULL)
		return no_memory(err);
	for (size_t i = 0; i < g->asks_len; i++) {
		struct gate_signal *s = &a->signals[a->signals_len];
		const struct kind_source source = {
			.gate = g,
			.ask = &g->asks[i],
			.attempt = a,
			.baseline = w->req->baseline,
			.context = w->context,
			.arena = &a->arena,
		};

		s->kind = g->asks[i].name;
		if (g->asks[i].kind->build(&source, s) < 0)
			return no_memory(err);
		moment_now(s->at);
		a->signals_len++;
	}
	return 0;
}

static bool is_context_asked(const struct gate_attempt_request *req)
{
	if (req->wants_context)
		return true;
	for (size_t i = 0; i < req->gate->asks_len; i++)
		if (req->gate->asks[i].kind->has_context)
			return true;
	return false;
}

/* Write the change, if both trees were gathered. */
static int change_keep(struct work *w, struct cupel_error *err)
{
	const struct baseline *b = w->req->baseline;
	const struct json_value *base =
		b != NULL ? json_find(&b->value, "context") : NULL;

	if (base == NULL || base->type != JSON_OBJECT || w->context == NULL)
		return 0;
	return attempt_change_write(base, w->context, w->a, err);
}

/* Read the tree again: it must be what the vessels were shown from the first to
 * the last. */
static int tree_hold(struct work *w, struct cupel_error *err)
{
	owned_buf struct buf name = { 0 };
	char changed[JUDGED_PATH_BYTES];
	int e;

	if (w->req->tree == NULL)
		return 0;
	e = judged_read(w->req->worktree, w->req->stop_fd, w->req->tree,
			&w->a->tree, changed, err);
	if (e < 0 || changed[0] == '\0')
		return e;
	name_write(&name, changed, strlen(changed));
	if (!buf_has_failed(&name))
		w->a->changed = arena_text(&w->a->arena, name.bytes);
	return w->a->changed != NULL ? 0 : no_memory(err);
}

static int attempt_make(struct work *w, struct cupel_error *err)
{
	const struct probe_inputs none = { 0 };
	int e = 0;

	if (is_context_asked(w->req))
		e = attempt_context_read(w->req->worktree, w->req->stop_fd,
					 w->a, &w->context, err);
	if (e == 0)
		e = change_keep(w, err);
	if (e == 0)
		e = tree_make(&none, w->req->work_dir, &w->out, err);
	if (e == 0)
		e = phases_run(w, err);
	if (e == 0)
		e = artifacts_read(w, err);
	if (e == 0 && !w->a->lost)
		e = attempt_vulns_read(w->req, w->context, w->a, err);
	if (e == 0 && !w->a->lost)
		e = outside_run(w->req, w->a, err);
	if (e == 0 && !w->a->lost)
		e = tree_hold(w, err);
	if (e == 0 && !w->a->lost)
		e = signals_make(w, err);
	return e > 0 ? 0 : e;
}

int gate_attempt_run(const struct gate_attempt_request *req,
		     struct gate_attempt *ret, struct cupel_error *err)
{
	struct work w = {
		.req = req,
		.a = ret,
		.out = { .base_fd = -1, .fd = -1 },
	};
	int e;

	ret->number = req->number;
	e = attempt_make(&w, err);
	ret->context = w.context;
	tree_remove(&w.out);
	return e;
}

int gate_attempt_check(const struct gate_attempt_request *req,
		       struct cupel_error *err)
{
	const struct work w = {
		.req = req, .out = { .path = "/", .base_fd = -1, .fd = -1 }
	};
	struct cupel_spec *spec = NULL;
	int e = spec_make(&w, &spec, err);

	spec_handle_drop(spec);
	return e;
}

void gate_attempt_done(struct gate_attempt *a)
{
	arena_done(&a->arena);
	judged_done(&a->tree);
	*a = (struct gate_attempt){ 0 };
}
