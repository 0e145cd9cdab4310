/* catalogue.c -- see catalogue.h. */
#include "jobs/gate/catalogue.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/common/composed.h"
#include "jobs/gate/catalogue_private.h"
#include "jobs/gate/checked.h"
#include "jobs/gate/held.h"
#include "spec/data.h"

#define DEPTH 16U

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the catalogue");
}

/* --- one document ------------------------------------------------------------- */

static int order(const void *a, const void *b)
{
	return strcmp(((const struct gate *)a)->name,
		      ((const struct gate *)b)->name);
}

/* A later gate replaces an earlier one of the same name. */
static int gate_put(struct catalogue *c, const struct gate *g,
		    struct cupel_error *err)
{
	for (size_t i = 0; i < c->len; i++)
		if (strcmp(c->gates[i].name, g->name) == 0) {
			c->gates[i] = *g;
			return 0;
		}
	if (c->len == CATALOGUE_GATES_MAX)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  E2BIG, "more than %u gates",
				  CATALOGUE_GATES_MAX);
	c->gates[c->len++] = *g;
	return 0;
}

static int gates_add(struct catalogue *c, const struct catalogue_source *s,
		     const struct json_value *root, struct cupel_error *err)
{
	const struct json_value *gates = json_find(root, "gates");
	int e = 0;

	for (size_t i = 0; e == 0 && i < gates->u.object.len; i++) {
		const struct json_member *m = &gates->u.object.members[i];
		struct gate g = { 0 };

		e = catalogue_gate_read(s, m->name.bytes, &m->value, &g, err);
		if (e == 0)
			e = gate_put(c, &g, err);
	}
	return e;
}

static int judge(const char *name, const struct payload *p,
		 struct cupel_error *err)
{
	const struct payload_error *e = &p->error;

	if (p->status == PAYLOAD_VALID)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "%.200s: %s: %s", name,
			  e->instance != NULL && e->instance[0] != '\0'
				  ? e->instance
				  : "/",
			  e->message != NULL ? e->message
					     : payload_status_name(p->status));
}

/* The value is kept in the catalogue's arena, because the text it comes from is
 * freed. */
static int value_keep(struct arena *arena, const struct json_value *v,
		      struct json_value *ret, struct cupel_error *err)
{
	owned_buf struct buf text = { 0 };
	struct json_error bad = { 0 };
	const struct json_caps caps = { .text_bytes = 8 * CATALOGUE_BYTES };

	json_write(v, &text);
	if (buf_has_failed(&text) ||
	    json_parse(text.bytes, text.len, &caps, arena, ret, &bad) < 0)
		return no_memory(err);
	return 0;
}

static int text_add(struct catalogue *c, const struct catalogue_source *s,
		    const char *bytes, size_t len, struct cupel_error *err)
{
	static const char *const refs[] = { "spec", NULL };
	const struct composed_source text = {
		.name = s->name,
		.bytes = bytes,
		.len = len,
		.limits = { .bytes = 8 * CATALOGUE_BYTES,
			    .depth = DEPTH,
			    .string_bytes = CATALOGUE_BYTES,
			    .is_own = true },
	};
	struct schema_set *set = NULL;
	struct payload composed = { 0 };
	struct json_value root;
	int e = checked_schema_make("gate-catalogue", refs, &set, err);

	if (e == 0)
		e = composed_read(&text, set, &composed, err);
	if (e == 0)
		e = judge(s->name, &composed, err);
	if (e == 0)
		e = value_keep(&c->arena, &composed.value, &root, err);
	if (e == 0)
		e = gates_add(c, s, &root, err);
	payload_done(&composed);
	schema_set_free(set);
	return e;
}

/* --- the files ------------------------------------------------------------------ */

static int shipped_add(struct catalogue *c, struct cupel_error *err)
{
	const struct catalogue_source s = {
		.name = "shipped",
		.is_shipped = true,
		.dir_fd = -1,
		.worktree_fd = -1,
		.arena = &c->arena,
	};

	return text_add(c, &s, gate_texts[0].bytes, gate_texts[0].len, err);
}

static int file_add(struct catalogue *c, const char *path, int worktree_fd,
		    struct cupel_error *err)
{
	const struct held_request held = {
		.what = "the catalogue",
		.path = path,
		.dir_fd = AT_FDCWD,
		.worktree_fd = worktree_fd,
		.cap_bytes = CATALOGUE_BYTES,
	};
	struct catalogue_source s = {
		.name = arena_text(&c->arena, path),
		.worktree_fd = worktree_fd,
		.arena = &c->arena,
	};
	owned_buf struct buf text = { 0 };
	owned_fd int dir_fd = -1;
	int e = held_read(&held, &text, &dir_fd, err);

	if (e < 0)
		return e;
	if (s.name == NULL)
		return no_memory(err);
	s.dir_fd = dir_fd;
	return text_add(c, &s, text.bytes != NULL ? text.bytes : "", text.len,
			err);
}

int catalogue_read(const struct catalogue_request *req, struct catalogue *ret,
		   struct cupel_error *err)
{
	int e;

	if (req->files_len > CATALOGUE_FILES_MAX)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  E2BIG, "more than %u catalogues",
				  CATALOGUE_FILES_MAX);
	ret->gates = arena_array(&ret->arena, CATALOGUE_GATES_MAX,
				 sizeof *ret->gates);
	if (ret->gates == NULL)
		return no_memory(err);
	e = shipped_add(ret, err);
	for (size_t i = 0; e == 0 && i < req->files_len; i++)
		e = file_add(ret, req->files[i], req->worktree_fd, err);
	qsort(ret->gates, ret->len, sizeof *ret->gates, order);
	return e;
}

const struct gate *catalogue_find(const struct catalogue *c, const char *name)
{
	for (size_t i = 0; i < c->len; i++)
		if (strcmp(c->gates[i].name, name) == 0)
			return &c->gates[i];
	return NULL;
}

void catalogue_done(struct catalogue *c)
{
	arena_done(&c->arena);
	*c = (struct catalogue){ 0 };
}
