/* outside_read.c -- reads a kind's manifest and what it names.  See
 * outside.h. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/gate/attempt_spec.h"
#include "jobs/gate/checked.h"
#include "jobs/gate/held.h"
#include "jobs/gate/kinds/kind.h"
#include "jobs/gate/outside.h"

#define MANIFEST_BYTES ((size_t)256 << 10)
#define PROGRAM_BYTES  ((size_t)16 << 20)

/* The state of reading one manifest. */
struct reading {
	const struct catalogue_source *s;
	const struct gate *g;
	struct gate_ask *ask;
	const char *file;
	struct json_value root;
	struct gate_outside *o;
	struct cupel_error *err;
};

static int refuse(const struct reading *r, const char *place, const char *why)
{
	return cupel_fail(r->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "the kind %.200s: %s: %.300s", r->file, place, why);
}

static int no_memory(const struct reading *r)
{
	return cupel_fail(r->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the catalogue");
}

static const char *text_of(const struct json_value *v, const char *name)
{
	const struct json_value *text = json_find(v, name);

	return text != NULL ? text->u.string.bytes : NULL;
}

/* --- what it is given ----------------------------------------------------------- */

static int input_read(const struct reading *r, const struct json_value *v,
		      size_t index)
{
	struct outside_input *in = &r->o->inputs[index];
	const char *paths[PHASE_ARTIFACTS_MAX];
	bool is_there = false;
	size_t n;

	in->phase_name = text_of(v, "phase");
	in->artifact = text_of(v, "artifact");
	while (in->phase < r->g->phases_len &&
	       strcmp(r->g->phases[in->phase].name, in->phase_name) != 0)
		in->phase++;
	if (in->phase == r->g->phases_len)
		return refuse(r, "/inputs",
			      "names a phase that the gate does not have");
	n = phase_artifacts_find(&r->g->phases[in->phase], 1, paths,
				 PHASE_ARTIFACTS_MAX);
	for (size_t i = 0; i < n; i++)
		is_there |= strcmp(paths[i], in->artifact) == 0;
	if (!is_there)
		return refuse(r, "/inputs",
			      "expected one of the phase's artifacts");
	r->o->inputs_len++;
	return 0;
}

static int inputs_read(const struct reading *r)
{
	const struct json_value *list = json_find(&r->root, "inputs");
	int e = 0;

	for (size_t i = 0; e == 0 && list != NULL && i < list->u.array.len; i++)
		e = input_read(r, &list->u.array.items[i], i);
	return e;
}

/* --- what it runs ----------------------------------------------------------------- */

static void cap_read(const struct json_value *caps, const char *name,
		     char ret[24])
{
	const struct json_value *v =
		caps != NULL ? json_find(caps, name) : NULL;
	uint64_t n = 0;

	if (v != NULL && json_read_u64(v, &n) == 0)
		(void)snprintf(ret, 24, "%llu", (unsigned long long)n);
}

static int command_read(const struct reading *r)
{
	const struct json_value *list = json_find(&r->root, "command");
	const struct json_value *caps = json_find(&r->root, "caps");
	bool has_program = json_find(&r->root, "program") != NULL;

	for (size_t i = 0; i < list->u.array.len; i++) {
		const struct json_text *word = &list->u.array.items[i].u.string;

		if (strlen(word->bytes) != word->len)
			return refuse(r, "/command", "has a NUL within a word");
		if (strcmp(word->bytes, "{program}") == 0 && !has_program)
			return refuse(r, "/command",
				      "has {program}, but the manifest names "
				      "no program");
		r->o->command[i] = word->bytes;
	}
	cap_read(caps, "wall_time_s", r->o->wall);
	cap_read(caps, "cpu_time_s", r->o->cpu);
	cap_read(caps, "mem_bytes", r->o->mem);
	return 0;
}

static int program_read(const struct reading *r, int dir_fd)
{
	const char *hash = text_of(&r->root, "program_blake3");
	const struct held_request held = {
		.what = "the program",
		.path = text_of(&r->root, "program"),
		.dir_fd = dir_fd,
		.worktree_fd = r->s->worktree_fd,
		.cap_bytes = PROGRAM_BYTES,
	};
	owned_buf struct buf bytes = { 0 };
	char found[BLAKE3_TEXT_BYTES];
	int e;

	if (held.path == NULL)
		return 0;
	e = held_read(&held, &bytes, NULL, r->err);
	if (e < 0)
		return e;
	blake3_hex_text(bytes.bytes != NULL ? bytes.bytes : "", bytes.len,
			found);
	if (strcmp(found, hash) != 0)
		return refuse(r, found,
			      "is the hash of the program, but the manifest "
			      "gives another");
	r->o->program = arena_copy(
		r->s->arena, bytes.bytes != NULL ? bytes.bytes : "", bytes.len);
	r->o->program_len = bytes.len;
	return r->o->program != NULL ? 0 : no_memory(r);
}

/* --- what it may say -------------------------------------------------------------- */

/* The schema of {passed, details}.  The details are a resource of their own, so
 * that "#" in them stands for themselves. */
static int schema_make(const struct reading *r)
{
	const struct json_value *details = json_find(&r->root, "details");
	const char *why = outside_is_closed(details);
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { .text = "no memory" };
	owned_buf struct buf text = { 0 };
	int e = 0;

	if (why == NULL) {
		json_write(details, &text);
		if (set == NULL || buf_has_failed(&text) ||
		    schema_set_add(set, NULL, text.bytes, text.len, &fault) <
			    0 ||
		    schema_set_use(set, NULL, &fault) < 0)
			why = fault.text;
	}
	if (why != NULL)
		e = refuse(r, "/details", why);
	schema_set_free(set);
	if (e < 0)
		return e;
	r->o->schema = arena_copy(r->s->arena, text.bytes, text.len);
	r->o->schema_len = text.len;
	return r->o->schema != NULL ? 0 : no_memory(r);
}

/* --- the manifest ----------------------------------------------------------------- */

static int text_check(struct reading *r, const struct buf *text)
{
	static const char *const refs[] = { NULL };
	const struct checked_source source = {
		r->file, text->bytes != NULL ? text->bytes : "", text->len
	};
	struct schema_set *set = NULL;
	char found[BLAKE3_TEXT_BYTES];
	int e;

	blake3_hex_text(source.bytes, source.len, found);
	if (strcmp(found, text_of(r->ask->params, "blake3")) != 0)
		return refuse(r, found,
			      "is the hash of the file, but the catalogue "
			      "gives another");
	e = checked_schema_make("gate-kind", refs, &set, r->err);
	if (e == 0)
		e = checked_read(&source, set, r->s->arena, &r->root, r->err);
	schema_set_free(set);
	if (e == 0 && strcmp(text_of(&r->root, "kind"), r->ask->name) != 0)
		e = refuse(r, "/kind", "is not the name of the signal");
	return e;
}

static int row_make(const struct reading *r)
{
	const struct json_value *again = json_find(&r->root, "retryable");
	struct gate_kind *kind = arena_alloc(r->s->arena, sizeof *kind);

	if (kind == NULL)
		return no_memory(r);
	*kind = (struct gate_kind){
		.name = r->ask->name,
		.is_retryable = again != NULL && again->u.boolean,
		.build = outside_build,
	};
	r->o->kind = kind;
	r->o->version = text_of(&r->root, "version");
	r->o->hash = text_of(r->ask->params, "blake3");
	r->ask->kind = kind;
	r->ask->outside = r->o;
	return 0;
}

int outside_read(const struct catalogue_source *s, const struct gate *g,
		 struct gate_ask *ask, struct cupel_error *err)
{
	struct reading r = { .s = s, .g = g, .ask = ask, .err = err };
	struct held_request held = {
		.what = "the kind",
		.path = text_of(ask->params, "manifest"),
		.dir_fd = s->dir_fd,
		.worktree_fd = s->worktree_fd,
		.cap_bytes = MANIFEST_BYTES,
	};
	owned_buf struct buf text = { 0 };
	owned_fd int dir_fd = -1;
	int e;

	r.file = held.path;
	r.o = arena_alloc(s->arena, sizeof *r.o);
	if (r.o == NULL)
		return no_memory(&r);
	*r.o = (struct gate_outside){ 0 };
	e = held_read(&held, &text, &dir_fd, err);
	if (e == 0)
		e = text_check(&r, &text);
	if (e == 0)
		e = inputs_read(&r);
	if (e == 0)
		e = command_read(&r);
	if (e == 0)
		e = program_read(&r, dir_fd);
	if (e == 0)
		e = schema_make(&r);
	return e == 0 ? row_make(&r) : e;
}
