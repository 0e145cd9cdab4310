/* attempt_context.c -- see attempt_context.h. */
#include "jobs/gate/attempt_context.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "base/name.h"
#include "jobs/gate/attempt_read.h"
#include "jobs/gate/kinds/change.h"
#include "jobs/gather/gather.h"
#include "jobs/gather/merge.h"

#define JOBS 4U /* vessels at once */

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the context");
}

/* --- the files that the probes were given ----------------------------------------- */

struct files {
	const struct gather_input **items;
	size_t len;
};

static int order(const void *a, const void *b)
{
	const struct gather_input *x = *(const struct gather_input *const *)a;
	const struct gather_input *y = *(const struct gather_input *const *)b;

	return strcmp(x->name, y->name);
}

static bool files_make(const struct gather *g, struct arena *arena,
		       struct files *ret)
{
	size_t n = 0;

	for (size_t i = 0; i < g->run.probes_len; i++)
		n += g->run.probes[i].inputs_len;
	ret->items = arena_array(arena, n + 1, sizeof *ret->items);
	if (ret->items == NULL)
		return false;
	for (size_t i = 0; i < g->run.probes_len; i++)
		for (size_t j = 0; j < g->run.probes[i].inputs_len; j++)
			if (!g->run.probes[i].inputs[j].is_names)
				ret->items[ret->len++] =
					&g->run.probes[i].inputs[j];
	if (ret->len > 0)
		qsort(ret->items, ret->len, sizeof(*ret->items), order);
	return true;
}

/* Several probes may be given the same file. */
static void files_write(const struct files *f, struct jsonw *w)
{
	jsonw_object(w, "files");
	for (size_t i = 0; i < f->len; i++) {
		owned_buf struct buf name = { 0 };

		if (i > 0 && order(&f->items[i - 1], &f->items[i]) == 0)
			continue;
		name_write(&name, f->items[i]->name, strlen(f->items[i]->name));
		w->out->failed |= buf_has_failed(&name);
		jsonw_text(w, name.bytes != NULL ? name.bytes : "",
			   f->items[i]->hash);
	}
	jsonw_end_object(w);
}

/* --- the context --------------------------------------------------------------------- */

static int text_make(const struct gather *g, struct arena *arena,
		     struct buf *out, struct cupel_error *err)
{
	struct json_value context;
	struct jsonw w = { .out = out };
	struct files files = { 0 };
	int e = merge_build(&g->run, arena, &context, err);

	if (e < 0)
		return e;
	if (!files_make(g, arena, &files))
		return no_memory(err);
	jsonw_object(&w, NULL);
	for (size_t i = 0; i < context.u.object.len; i++) {
		const struct json_member *m = &context.u.object.members[i];
		owned_buf struct buf text = { 0 };

		json_write(&m->value, &text);
		out->failed |= buf_has_failed(&text);
		jsonw_raw(&w, m->name.bytes,
			  text.bytes != NULL ? text.bytes : "null", text.len);
	}
	files_write(&files, &w);
	jsonw_end_object(&w);
	return buf_has_failed(out) ? no_memory(err) : 0;
}

static int context_take(const struct gather *g, struct gate_attempt *a,
			const struct json_value **ret, struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = (size_t)256 << 20,
					.memory_bytes = (size_t)2 << 30 };
	struct json_value *v = arena_alloc(&a->arena, sizeof *v);
	owned_buf struct buf text = { 0 };
	struct json_error bad = { 0 };
	struct arena scratch = { 0 };
	int e = text_make(g, &scratch, &text, err);

	arena_done(&scratch);
	if (e < 0)
		return e;
	if (v == NULL ||
	    json_parse(text.bytes, text.len, &caps, &a->arena, v, &bad) < 0 ||
	    attempt_file_add(a, "context.json", text.bytes, text.len) == NULL)
		return no_memory(err);
	*ret = v;
	return 0;
}

int attempt_context_read(const char *worktree, int stop_fd,
			 struct gate_attempt *a, const struct json_value **ret,
			 struct cupel_error *err)
{
	const struct gather_request req = {
		.repo = worktree,
		.jobs = JOBS,
		/* else a change could keep a manifest from the rules there */
		.with_own_output = true,
		.stop_fd = stop_fd,
	};
	struct gather *g = calloc(1, sizeof *g);
	int e;

	if (g == NULL)
		return no_memory(err);
	e = gather_collect(&req, g, err);
	if (e == 0 && g->exit == GATHER_HOST) {
		a->lost = true;
		a->why = arena_text(&a->arena, g->why);
		e = 1;
	}
	if (e == 0)
		e = context_take(g, a, ret, err);
	gather_done(g);
	free(g);
	return e;
}

int attempt_change_write(const struct json_value *base,
			 const struct json_value *now, struct gate_attempt *a,
			 struct cupel_error *err)
{
	owned_buf struct buf text = { 0 };
	struct jsonw w = { .out = &text };
	struct arena scratch = { 0 };
	int e;

	jsonw_object(&w, NULL);
	e = change_write(base, now, &scratch, &w);
	jsonw_end_object(&w);
	arena_done(&scratch);
	if (e < 0 || buf_has_failed(&text) ||
	    attempt_file_add(a, "change.json", text.bytes, text.len) == NULL)
		return no_memory(err);
	return 0;
}
