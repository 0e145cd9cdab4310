/* catalogue_gate.c -- see catalogue_private.h. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "jobs/common/value.h"
#include "jobs/gate/catalogue_private.h"
#include "jobs/gate/kinds/kind.h"
#include "jobs/gate/outside.h"
#include "jobs/gate/policy_read.h"

#define ATTEMPTS_DEFAULT 3U

static const char *const isolation_names[] = {
	[GATE_SHARED_KERNEL] = "shared_kernel",
	[GATE_USER_KERNEL] = "user_kernel",
	[GATE_MICROVM] = "microvm",
};

/* The state of reading one gate. */
struct reading {
	const struct catalogue_source *s;
	const char *name;
	const struct json_value *v;
	struct gate *g;
	struct cupel_error *err;
};

static int refuse(const struct reading *r, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

static int refuse(const struct reading *r, const char *fmt, ...)
{
	char text[300];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof text, fmt, args);
	va_end(args);
	return cupel_fail(r->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "%.120s: /gates/%s%s", r->s->name, r->name, text);
}

static int no_memory(const struct reading *r)
{
	return cupel_fail(r->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the catalogue");
}

static bool is_true(const struct json_value *v, const char *name)
{
	const struct json_value *b = json_find(v, name);

	return b != NULL && b->type == JSON_BOOL && b->u.boolean;
}

/* --- phases --------------------------------------------------------------------- */

/* Whether a phase's key is our own and not one of a spec. */
static bool is_own_key(const struct json_text *name)
{
	static const char *const own[] = { "name", "goes_on", "attempts" };

	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (strcmp(own[i], name->bytes) == 0)
			return true;
	return false;
}

static struct json_value *spec_make(const struct reading *r,
				    const struct json_value *phase)
{
	struct json_value *spec = arena_alloc(r->s->arena, sizeof *spec);

	if (spec == NULL ||
	    !value_object(r->s->arena, phase->u.object.len, spec))
		return NULL;
	for (size_t i = 0; i < phase->u.object.len; i++) {
		const struct json_member *m = &phase->u.object.members[i];

		if (!is_own_key(&m->name))
			value_member(spec, m->name.bytes, m->value);
	}
	return spec;
}

static int changes_read(const struct reading *r, const struct json_value *v,
			size_t index, struct gate_phase *ret)
{
	const struct json_value *list = json_find(v, "attempts");
	struct gate_change *changes;

	if (list == NULL)
		return 0;
	changes = arena_array(r->s->arena, list->u.object.len + 1,
			      sizeof *changes);
	if (changes == NULL)
		return no_memory(r);
	for (size_t i = 0; i < list->u.object.len; i++) {
		const struct json_member *m = &list->u.object.members[i];

		changes[i].spec = &m->value;
		for (const char *s = m->name.bytes; *s != '\0'; s++)
			changes[i].attempt =
				changes[i].attempt * 10 + (unsigned)(*s - '0');
		if (changes[i].attempt > r->g->max_attempts)
			return refuse(r,
				      "/phases/%zu/attempts/%u: expected an "
				      "attempt up to max_attempts, %u",
				      index, changes[i].attempt,
				      r->g->max_attempts);
	}
	ret->changes = changes;
	ret->changes_len = list->u.object.len;
	return 0;
}

static const struct gate_phase *phase_find(const struct gate *g,
					   const char *name)
{
	for (size_t i = 0; i < g->phases_len; i++)
		if (strcmp(g->phases[i].name, name) == 0)
			return &g->phases[i];
	return NULL;
}

static int phases_read(const struct reading *r)
{
	const struct json_value *list = json_find(r->v, "phases");
	int e = 0;

	r->g->phases = arena_array(r->s->arena, list->u.array.len,
				   sizeof *r->g->phases);
	if (r->g->phases == NULL)
		return no_memory(r);
	for (size_t i = 0; e == 0 && i < list->u.array.len; i++) {
		const struct json_value *v = &list->u.array.items[i];
		struct gate_phase p = {
			.name = json_find(v, "name")->u.string.bytes,
			.spec = spec_make(r, v),
			.goes_on = is_true(v, "goes_on"),
		};

		if (p.spec == NULL)
			return no_memory(r);
		if (phase_find(r->g, p.name) != NULL)
			return refuse(r,
				      "/phases/%zu/name: expected a name that "
				      "no other phase has, found %s",
				      i, p.name);
		e = changes_read(r, v, i, &p);
		r->g->phases[r->g->phases_len++] = p;
	}
	return e;
}

/* --- signals -------------------------------------------------------------------- */

/* The phase that a kind names, or that has the kind's name, must be the
 * gate's. */
static int phase_check(const struct reading *r, const struct gate_ask *ask)
{
	const struct json_value *one = json_find(ask->params, "phase");
	const struct json_value *many = json_find(ask->params, "phases");

	if (one == NULL && ask->kind->phase != NULL &&
	    phase_find(r->g, ask->kind->phase) == NULL)
		return refuse(
			r,
			"/signals/%s/phase: expected the name of a phase; "
			"none is called %s",
			ask->name, ask->kind->phase);
	if (one != NULL && phase_find(r->g, one->u.string.bytes) == NULL)
		return refuse(
			r,
			"/signals/%s/phase: expected the name of a phase, "
			"found %s",
			ask->name, one->u.string.bytes);
	for (size_t i = 0; many != NULL && i < many->u.array.len; i++) {
		const char *name = many->u.array.items[i].u.string.bytes;

		if (phase_find(r->g, name) == NULL)
			return refuse(r,
				      "/signals/%s/phases/%zu: expected the "
				      "name of a phase, found %s",
				      ask->name, i, name);
	}
	return 0;
}

/* A report must be a file that its phase leaves behind. */
static int artifact_check(const struct reading *r, const struct gate_ask *ask)
{
	const struct json_value *path = json_find(ask->params, "artifact");
	const struct json_value *phase = json_find(ask->params, "phase");
	const struct json_value *list = NULL;

	if (path == NULL || phase == NULL)
		return 0;
	list = json_find(phase_find(r->g, phase->u.string.bytes)->spec,
			 "artifact");
	for (size_t i = 0; list != NULL && i < list->u.array.len; i++)
		if (json_equal(&list->u.array.items[i], path))
			return 0;
	return refuse(r,
		      "/signals/%s/artifact: expected one of the phase's "
		      "artifacts, found %.100s",
		      ask->name, path->u.string.bytes);
}

static int ask_read(const struct reading *r, const struct json_member *m,
		    struct gate_ask *ret)
{
	ret->name = m->name.bytes;
	ret->params = &m->value;
	ret->kind = kind_find(ret->name);
	if (ret->kind == NULL) {
		int e = outside_read(r->s, r->g, ret, r->err);

		if (e < 0)
			return e;
	}
	ret->retryable = ret->kind->is_retryable;
	if (ret->kind->has_rules) {
		int e = policy_read(r->s, ret, r->err);

		if (e < 0)
			return e;
	}
	if (phase_check(r, ret) < 0)
		return -EINVAL;
	return artifact_check(r, ret);
}

static int asks_read(const struct reading *r)
{
	const struct json_value *list = json_find(r->v, "signals");
	int e = 0;

	r->g->asks = arena_array(r->s->arena, list->u.object.len,
				 sizeof *r->g->asks);
	if (r->g->asks == NULL)
		return no_memory(r);
	for (size_t i = 0; e == 0 && i < list->u.object.len; i++)
		e = ask_read(r, &list->u.object.members[i],
			     &r->g->asks[r->g->asks_len++]);
	return e;
}

static struct gate_ask *ask_find(struct gate *g, const char *name)
{
	for (size_t i = 0; i < g->asks_len; i++)
		if (strcmp(g->asks[i].name, name) == 0)
			return &g->asks[i];
	return NULL;
}

/* Read a list of kinds; the gate must have a signal of each. */
static int kinds_read(const struct reading *r, const char *member)
{
	const struct json_value *list = json_find(r->v, member);
	bool is_required = strcmp(member, "required") == 0;

	for (size_t i = 0; !is_required && list != NULL && i < r->g->asks_len;
	     i++)
		r->g->asks[i].retryable = false;
	for (size_t i = 0; list != NULL && i < list->u.array.len; i++) {
		const char *name = list->u.array.items[i].u.string.bytes;
		struct gate_ask *ask = ask_find(r->g, name);

		if (ask == NULL)
			return refuse(r,
				      "/%s/%zu: expected a kind of /signals, "
				      "found %s",
				      member, i, name);
		if (!is_required && ask->kind->is_final)
			return refuse(r,
				      "/%s/%zu: expected a kind that may be "
				      "tried again, found %s",
				      member, i, name);
		if (is_required)
			ask->required = true;
		else
			ask->retryable = true;
	}
	return 0;
}

/* --- the gate -------------------------------------------------------------------- */

static void rest_read(const struct reading *r)
{
	const struct json_value *attempts = json_find(r->v, "max_attempts");
	const struct json_value *isolation = json_find(r->v, "isolation");
	uint64_t n = ATTEMPTS_DEFAULT;

	if (attempts != NULL)
		(void)json_read_u64(attempts, &n);
	r->g->max_attempts = (unsigned)n;
	for (size_t i = 0; isolation != NULL && i < GATE_ISOLATION_MAX_; i++)
		if (json_is_text(isolation, isolation_names[i]))
			r->g->isolation = (enum gate_isolation)i;
	r->g->is_loose = is_true(r->v, "loose");
	r->g->catalogue = r->g->is_loose     ? "loose"
			  : r->s->is_shipped ? "shipped"
					     : r->s->name;
	r->g->vessel = json_find(r->v, "vessel");
}

/* Make the gate's digest: of its name and all that it says, in canonical
 * form. */
static int hash_make(const struct reading *r)
{
	owned_buf struct buf text = { 0 };

	buf_text(&text, r->name);
	buf_char(&text, '\0');
	if (json_write_canonical(r->v, &text) < 0 || buf_has_failed(&text))
		return refuse(r, ": expected numbers that JSON can carry");
	blake3_hex_text(text.bytes, text.len, r->g->hash);
	return 0;
}

int catalogue_gate_read(const struct catalogue_source *s, const char *name,
			const struct json_value *v, struct gate *ret,
			struct cupel_error *err)
{
	struct gate g = { .name = name };
	struct reading r = { s, name, v, &g, err };
	int e;

	rest_read(&r);
	e = phases_read(&r);
	if (e == 0)
		e = asks_read(&r);
	if (e == 0)
		e = kinds_read(&r, "required");
	if (e == 0)
		e = kinds_read(&r, "retryable");
	if (e == 0)
		e = hash_make(&r);
	if (e == 0)
		*ret = g;
	return e;
}
