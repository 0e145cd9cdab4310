/* vessel.c -- see vessel.h. */
#include "jobs/vessel.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "spec/data.h"

/* The result holds the payload (1 MiB) and both streams; the tree of a payload
 * may cost 48 times its text. */
#define RESULT_MEMORY_BYTES ((size_t)256 << 20)

static const char *text_of(const struct json_value *tree, const char *name)
{
	const struct json_value *v = json_find(tree, name);

	return v != NULL && v->type == JSON_STRING ? v->u.string.bytes : NULL;
}

static uint64_t number_of(const struct json_value *tree, const char *name)
{
	const struct json_value *v = tree ? json_find(tree, name) : NULL;
	uint64_t n = 0;

	return v != NULL && json_read_u64(v, &n) == 0 ? n : 0;
}

static enum cupel_cause cause_of(const char *name)
{
	for (int c = CUPEL_CAUSE_NONE; name != NULL && c < CUPEL_CAUSE_MAX_;
	     c++)
		if (strcmp(cupel_cause_name((enum cupel_cause)c), name) == 0)
			return (enum cupel_cause)c;
	return CUPEL_CAUSE_NONE;
}

static void result_take(const struct json_value *tree,
			struct vessel_result *ret)
{
	const struct json_value *started = json_find(tree, "started");
	const struct json_value *error = json_find(tree, "payload_error");

	ret->signal = (int)number_of(tree, "signal");
	ret->started = started != NULL && started->type == JSON_BOOL &&
		       started->u.boolean;
	ret->reason = text_of(tree, "reason");
	ret->message = text_of(tree, "message");
	ret->cause = cause_of(text_of(tree, "cause"));
	ret->backend = text_of(tree, "backend");
	ret->duration_ms = number_of(tree, "duration_ms");
	ret->stdout_bytes = number_of(tree, "stdout_bytes");
	ret->max_rss_kib = number_of(json_find(tree, "usage"), "max_rss_kib");
	ret->payload_status = text_of(tree, "payload_status");
	ret->payload_code = error ? text_of(error, "code") : NULL;
	if (ret->payload_status != NULL &&
	    strcmp(ret->payload_status, "valid") == 0)
		ret->payload = json_find(tree, "payload");
}

int vessel_read(struct cupel_run *run, struct vessel_result *ret,
		struct cupel_error *err)
{
	struct json_value *tree = arena_alloc(&ret->arena, sizeof *tree);
	struct json_error why = { 0 };
	size_t len = 0;
	const char *text = cupel_run_result(run, &len);
	struct json_caps caps = {
		.text_bytes = len + 1,
		.string_bytes = len + 1,
		.depth = JSON_DEPTH_MAX,
		.memory_bytes = RESULT_MEMORY_BYTES,
	};

	if (text == NULL || tree == NULL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, ENOMEM,
				  "a run ended without a result");
	if (json_parse(text, len, &caps, &ret->arena, tree, &why) < 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EINVAL,
				  "a run's result does not read: %s",
				  json_code_name(why.code));
	ret->status = cupel_run_status(run);
	ret->rc = cupel_run_rc(run);
	result_take(tree, ret);
	return 0;
}

void vessel_done(struct vessel_result *r)
{
	if (r->has_checked)
		payload_done(&r->checked);
	arena_done(&r->arena);
	*r = (struct vessel_result){ 0 };
}

bool vessel_check(struct vessel_result *r, const struct schema_set *set,
		  const char **why)
{
	const struct payload_limits limits = {
		.bytes = VESSEL_PAYLOAD_BYTES,
		.depth = VESSEL_PAYLOAD_DEPTH,
		.string_bytes = VESSEL_STRING_BYTES,
	};
	struct payload *p = &r->checked;
	owned_buf struct buf text = { .cap_bytes = VESSEL_PAYLOAD_BYTES };

	if (r->payload == NULL) {
		*why = arena_format(&r->arena, "payload %s%s%s",
				    r->payload_status ? r->payload_status : "?",
				    r->payload_code ? ": " : "",
				    r->payload_code ? r->payload_code : "");
		return false;
	}
	json_write(r->payload, &text);
	if (buf_has_failed(&text)) {
		*why = "payload too_large";
		return false;
	}
	payload_read(text.bytes, text.len, text.len, set, &limits, p);
	r->has_checked = true;
	if (p->status == PAYLOAD_VALID) {
		r->payload = &p->value;
		return true;
	}
	*why = arena_format(&r->arena, "payload %s: %s %s",
			    payload_status_name(p->status),
			    p->error.instance ? p->error.instance : "",
			    p->error.message ? p->error.message : "");
	return false;
}

int vessel_schema(const char *name, struct schema_set **ret,
		  struct cupel_error *err)
{
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	const struct data_text *t = NULL;

	for (size_t i = 0; i < schema_texts_len; i++)
		if (strcmp(schema_texts[i].name, name) == 0)
			t = &schema_texts[i];
	if (set != NULL && t != NULL &&
	    schema_set_add(set, NULL, t->bytes, t->len, &fault) == 0 &&
	    schema_set_use(set, NULL, &fault) == 0) {
		*ret = set;
		return 0;
	}
	schema_set_free(set);
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG, EINVAL,
			  "the schema %s: %s", name,
			  t ? fault.text : "there is none");
}
