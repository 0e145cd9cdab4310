/* policy.c -- checks rules, which are JSON Schemas, against what was gathered
 * and what changed. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "boundary/schema.h"
#include "jobs/common/value.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/kinds/change.h"
#include "jobs/gate/kinds/made.h"

#define CHANGE_BYTES ((size_t)256 << 20)
#define BROKEN_MAX   256U

struct work {
	const struct kind_source *s;
	struct json_value document; /* {context, base, change} */
	struct buf broken_text;     /* items of "broken" */
	struct jsonw broken;
	size_t broken_len;
	const char *problem;
};

static const struct json_value *member_find(const struct json_value *v,
					    const char *name)
{
	static const struct json_value null = { .type = JSON_NULL };
	const struct json_value *m = v != NULL ? json_find(v, name) : NULL;

	return m != NULL ? m : &null;
}

/* Without a baseline, base and change are null, so rules about them are
 * broken. */
static int change_make(struct work *w, const struct json_value *base,
		       struct json_value *ret)
{
	const struct json_caps caps = { .text_bytes = CHANGE_BYTES,
					.memory_bytes = 8 * CHANGE_BYTES };
	owned_buf struct buf text = { 0 };
	struct jsonw out = { .out = &text };
	struct json_error bad = { 0 };
	struct json_value root;

	*ret = (struct json_value){ .type = JSON_NULL };
	if (base->type != JSON_OBJECT || w->s->context == NULL)
		return 0;
	jsonw_object(&out, NULL);
	if (change_write(base, w->s->context, w->s->arena, &out) < 0)
		return -ENOMEM;
	jsonw_end_object(&out);
	if (buf_has_failed(&text) || json_parse(text.bytes, text.len, &caps,
						w->s->arena, &root, &bad) < 0)
		return -ENOMEM;
	*ret = *member_find(&root, "change");
	return 0;
}

static int document_make(struct work *w)
{
	const struct baseline *b = w->s->baseline;
	const struct json_value *base =
		member_find(b != NULL ? &b->value : NULL, "context");
	struct json_value change;

	if (w->s->context == NULL)
		w->problem = "nothing was gathered";
	if (!value_object(w->s->arena, 3, &w->document) ||
	    change_make(w, base, &change) < 0)
		return -ENOMEM;
	if (w->s->context != NULL)
		value_member(&w->document, "context", *w->s->context);
	value_member(&w->document, "base", *base);
	value_member(&w->document, "change", change);
	return 0;
}

/* --- one rule ------------------------------------------------------------------------ */

static void broken_note(struct work *w, const struct json_value *rule,
			const char *place, const char *found)
{
	if (w->broken_len++ >= BROKEN_MAX)
		return;
	jsonw_object(&w->broken, NULL);
	jsonw_text(&w->broken, "id", member_find(rule, "id")->u.string.bytes);
	jsonw_text(&w->broken, "message",
		   member_find(rule, "message")->u.string.bytes);
	jsonw_text(&w->broken, "place", place);
	jsonw_text(&w->broken, "found", found);
	jsonw_end_object(&w->broken);
}

/* A rule that gives no answer is broken. */
static void rule_hold(struct work *w, const struct json_value *rule)
{
	struct schema_set *set = schema_set_new();
	struct schema_report report = { 0 };
	struct schema_fault fault = { .text = "no memory" };
	owned_buf struct buf text = { 0 };

	json_write(member_find(rule, "schema"), &text);
	if (set == NULL || buf_has_failed(&text) ||
	    schema_set_add(set, NULL, text.bytes, text.len, &fault) < 0 ||
	    schema_set_use(set, NULL, &fault) < 0 ||
	    schema_validate(set, &w->document, w->s->arena, &report, &fault) <
		    0)
		broken_note(w, rule, "", fault.text);
	else if (!report.valid)
		broken_note(w, rule,
			    report.len > 0 ? report.violations[0].instance : "",
			    report.len > 0 ? report.violations[0].message
					   : "does not fit");
	schema_set_free(set);
}

static const struct gate_file *context_file_find(const struct gate_attempt *a)
{
	for (size_t i = 0; i < a->files_len; i++)
		if (strcmp(a->files[i]->path, "context.json") == 0)
			return a->files[i];
	return NULL;
}

static int signal_make(struct work *w, size_t held, struct gate_signal *ret)
{
	const struct gate_file *file = context_file_find(w->s->attempt);
	owned_buf struct buf text = { 0 };
	struct jsonw out = { .out = &text };

	jsonw_object(&out, NULL);
	jsonw_text(&out, "rules", w->s->ask->rules_hash);
	jsonw_text_or_null(&out, "baseline",
			   w->s->baseline != NULL ? w->s->baseline->hash
						  : NULL);
	jsonw_text_or_null(&out, "problem", w->problem);
	jsonw_uint(&out, "held", held);
	jsonw_raw(&out, "broken", w->broken_text.bytes, w->broken_text.len);
	jsonw_end_object(&out);
	ret->passed = w->broken_len == 0 && w->problem == NULL && held > 0;
	if (file != NULL && file_note(w->s, file, ret) < 0)
		return -ENOMEM;
	return details_take(w->s, &text, ret);
}

int policy_build(const struct kind_source *s, struct gate_signal *ret)
{
	const struct json_value *rules = json_find(s->ask->rules, "rules");
	struct work w = { .s = s };
	int e = document_make(&w);

	w.broken.out = &w.broken_text;
	jsonw_array(&w.broken, NULL);
	for (size_t i = 0; e == 0 && i < rules->u.array.len; i++)
		rule_hold(&w, &rules->u.array.items[i]);
	jsonw_end_array(&w.broken);
	if (e == 0 && buf_has_failed(&w.broken_text))
		e = -ENOMEM;
	if (e == 0)
		e = signal_make(&w, rules->u.array.len, ret);
	buf_done(&w.broken_text);
	return e;
}
