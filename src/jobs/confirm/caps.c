/* caps.c -- see caps.h.  The ceiling and the requested caps are both specs, so
 * that units and ranges are the same as in every other spec. */
#include "jobs/confirm/caps.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/json.h"
#include "spec/field.h"

#define SECOND_MS  UINT64_C(1000)
#define BACKSTOP_S 5U /* how long after the alarm the parent ends the run */

struct reading {
	const char *origin;
	const char *review; /* NULL = none */
	struct spec asked;
	struct caps *caps;
	struct cupel_error *err;
};

static int fail_memory(struct cupel_error *err)
{
	return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			      "no memory for the caps");
}

static bool is_cap(const struct field *f)
{
	return f != NULL && f->group == GROUP_LIMITS &&
	       (f->flags & FIELD_PROFILE_ONLY) == 0 &&
	       (f->flags & FIELD_IN_PROFILE) != 0 && /* runners' caps do */
	       (f->type == FIELD_COUNT || f->type == FIELD_SIZE ||
		f->type == FIELD_TIME);
}

static bool is_alarm(const struct field *f)
{
	return strcmp(f->name, "wall-time-s") == 0;
}

/* What the runner has before any spec applies. */
static int ceiling_make(const struct runner *r, struct spec *ret,
			struct cupel_error *err)
{
	int e = spec_init(ret, err);

	if (e == 0)
		e = spec_apply_profile(ret, r->profile, err);
	for (const struct confirm_cap *c = r->caps; e == 0 && c->option; c++)
		e = spec_set(ret, c->option, c->value, err);
	return e;
}

static uint64_t ceiling_of(const struct runner *r, const struct spec *ceiling,
			   const struct field *f)
{
	return is_alarm(f) ? r->alarm_s * SECOND_MS : field_number(ceiling, f);
}

static int fail_looser(const struct reading *in, const struct runner *r,
		       const char *key, const struct field *f, uint64_t most)
{
	return cupel_fail(in->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EPERM,
			  "%s: %s: is looser than the %s runner's %" PRIu64
			  "; add a security_review to allow it",
			  in->origin, key, language_name(r->language),
			  f->type == FIELD_TIME ? most / SECOND_MS : most);
}

/* The row for f: one that the runner has, or a new one. */
static struct confirm_cap *row_find(struct confirm_cap *rows,
				    const struct field *f)
{
	struct confirm_cap *row = rows;

	while (row->option != NULL && strcmp(row->option, f->name) != 0)
		row++;
	return row;
}

static int row_set(const struct reading *in, struct runner *r,
		   struct confirm_cap *rows, const struct field *f)
{
	struct confirm_cap *row = row_find(rows, f);
	struct arena *arena = &in->caps->arena;
	uint64_t number = field_number(&in->asked, f);
	char key[FIELD_KEY_MAX];

	if (f->type == FIELD_TIME)
		number /= SECOND_MS;
	if (is_alarm(f)) {
		r->alarm_s = (unsigned)number;
		number += BACKSTOP_S;
	}
	if (row->option == NULL) {
		if (row + 1 == rows + CONFIRM_CAPS_MAX)
			return cupel_fail(in->err, CUPEL_STAGE_JOB,
					  CUPEL_CAUSE_BUG, E2BIG,
					  "%s: more than %d caps", in->origin,
					  CONFIRM_CAPS_MAX - 1);
		field_write_key(f, key);
		row->key = arena_text(arena, key);
		row->option = f->name;
	}
	row->value = arena_format(arena, "%" PRIu64, number);
	row->number = number;
	return row->key != NULL && row->value != NULL ? 0
						      : fail_memory(in->err);
}

/* Apply one cap of the spec to one runner. */
static int cap_take(const struct reading *in, struct runner *r,
		    const struct spec *ceiling, const struct json_text *name)
{
	const struct field *f = field_find_json(name->bytes, name->len);
	uint64_t asked = field_number(&in->asked, f);
	uint64_t most = ceiling_of(r, ceiling, f);

	if (most == SPEC_UNLIMITED)
		return 0; /* its runtime cannot live under one */
	if (asked == SPEC_UNLIMITED)
		return cupel_fail(in->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL, "%s: %s: expected a number",
				  in->origin, name->bytes);
	if (f->type == FIELD_TIME &&
	    (asked % SECOND_MS != 0 || asked > UINT64_C(86400) * SECOND_MS))
		return cupel_fail(
			in->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			"%s: %s: expected whole seconds, at most 86400",
			in->origin, name->bytes);
	if (asked > most && in->review == NULL)
		return fail_looser(in, r, name->bytes, f, most);
	return row_set(in, r, in->caps->rows[r->language], f);
}

static int runner_take(const struct reading *in, const struct runner *from,
		       const struct json_value *doc)
{
	struct runner *r = &in->caps->runners[from->language];
	struct confirm_cap *rows = in->caps->rows[from->language];
	struct spec ceiling = { 0 };
	size_t n = 0;
	int e = ceiling_make(from, &ceiling, in->err);

	*r = *from;
	for (; from->caps[n].option != NULL; n++)
		rows[n] = from->caps[n];
	r->caps = rows;
	r->security_review = in->review;
	in->caps->has[from->language] = true;
	for (size_t i = 0; i < doc->u.object.len && e == 0; i++)
		if (json_find(doc, "security_review") !=
		    &doc->u.object.members[i].value)
			e = cap_take(in, r, &ceiling,
				     &doc->u.object.members[i].name);
	spec_done(&ceiling);
	return e;
}

static int review_take(struct reading *in, const struct json_value *v)
{
	const struct json_text *t = &v->u.string;

	if (v->type != JSON_STRING || t->len == 0 ||
	    t->len > CAPS_REVIEW_BYTES ||
	    memchr(t->bytes, '\0', t->len) != NULL)
		return cupel_fail(in->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "%s: security_review: expected a reference, "
				  "1 to %u bytes",
				  in->origin, CAPS_REVIEW_BYTES);
	in->review = arena_text(&in->caps->arena, t->bytes);
	return in->review != NULL ? 0 : fail_memory(in->err);
}

/* Read the document, without security_review, as a spec. */
static int spec_take(struct reading *in, const struct json_value *doc)
{
	owned_buf struct buf text = { 0 };
	struct json_value rest = *doc;
	struct json_member *members = arena_array(
		&in->caps->arena, doc->u.object.len + 1, sizeof *members);
	int e = 0;

	if (members == NULL)
		return fail_memory(in->err);
	rest.u.object.members = members;
	rest.u.object.len = 0;
	rest.u.object.index = NULL;
	for (size_t i = 0; i < doc->u.object.len && e == 0; i++) {
		const struct json_member *m = &doc->u.object.members[i];

		if (json_find(doc, "security_review") == &m->value)
			e = review_take(in, &m->value);
		else if (!is_cap(field_find_json(m->name.bytes, m->name.len)))
			e = cupel_fail(in->err, CUPEL_STAGE_JOB,
				       CUPEL_CAUSE_CALLER, EINVAL,
				       "%s: %.60s: expected a cap, such as "
				       "cpu_time_s, or security_review",
				       in->origin, m->name.bytes);
		else
			members[rest.u.object.len++] = *m;
	}
	if (e < 0)
		return e;
	json_write(&rest, &text);
	if (buf_has_failed(&text))
		return fail_memory(in->err);
	return spec_read_json(&in->asked, text.bytes, text.len, in->origin,
			      in->err);
}

/* Try one runner.  If a cap is too loose for it, keep the message; *first
 * becomes the first such message. */
static int runner_try(const struct reading *in, const struct runner *r,
		      const struct json_value *doc, struct cupel_error *first)
{
	int e = runner_take(in, r, doc);

	if (e != -EPERM)
		return e;
	in->caps->refused[r->language] =
		arena_text(&in->caps->arena, in->err->what);
	if (in->caps->refused[r->language] == NULL)
		return fail_memory(in->err);
	if (first->sys == 0)
		*first = *in->err;
	*in->err = (struct cupel_error){ 0 };
	return 0;
}

static int document_take(struct reading *in, const struct json_value *doc)
{
	struct cupel_error first = { 0 };
	size_t fit = 0;
	int e = spec_init(&in->asked, in->err);

	if (e == 0)
		e = spec_take(in, doc);
	for (enum language l = 0; l < LANGUAGE_MAX_ && e == 0; l++) {
		const struct runner *r = runner_of(l);

		if (r == NULL)
			continue;
		e = runner_try(in, r, doc, &first);
		fit += in->caps->refused[l] == NULL;
	}
	spec_done(&in->asked);
	if (e == 0 && fit == 0) {
		*in->err = first;
		e = -EPERM;
	}
	return e;
}

int caps_read(const char *text, size_t n, const char *origin, struct caps *ret,
	      struct cupel_error *err)
{
	struct reading in = { .origin = origin, .caps = ret, .err = err };
	struct json_value doc;
	struct json_error e = { 0 };

	if (json_parse(text, n, NULL, &ret->arena, &doc, &e) < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL, "%s: line %zu, column %zu: %s%s%s",
				  origin, e.line, e.column,
				  json_code_name(e.code),
				  e.expected ? ": expected " : "",
				  e.expected ? e.expected : "");
	if (doc.type != JSON_OBJECT)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL, "%s: expected an object", origin);
	return document_take(&in, &doc);
}

void caps_done(struct caps *c)
{
	arena_done(&c->arena);
	*c = (struct caps){ 0 };
}

const struct runner *caps_runner(const struct caps *c, const struct runner *r)
{
	if (r == NULL || c == NULL || !c->has[r->language])
		return r;
	return &c->runners[r->language];
}

const char *caps_refusal(const struct caps *c, const struct runner *r)
{
	return r == NULL || c == NULL ? NULL : c->refused[r->language];
}
