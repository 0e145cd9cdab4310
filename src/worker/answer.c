/* answer.c -- writes answers, and checks them against their schema. */
#include <stdio.h>
#include <string.h>

#include "base/jsonw.h"
#include "boundary/schema.h"
#include "spec/schemas.h"
#include "worker/do.h"

/* An answer contains a result, and that the deepest payload that is allowed. */
#define ANSWER_DEPTH  (JSON_DEPTH_RESULT + 8U)
#define ANSWER_MEMORY ((size_t)512 << 20)

void worker_answer_write(const struct worker_answer *a, struct buf *out)
{
	struct jsonw w = { .out = out };
	bool is_known = a->q->kind != WORKER_KIND_NONE;

	jsonw_object(&w, NULL);
	jsonw_text(&w, "version", "1.0");
	if (a->q->id.len > 0)
		jsonw_bytes(&w, "id", a->q->id.bytes, a->q->id.len);
	else
		jsonw_null(&w, "id");
	jsonw_text_or_null(&w, "kind",
			   is_known ? worker_kind_name(a->q->kind) : NULL);
	jsonw_text(&w, "request", a->q->hash);
	jsonw_text(&w, "outcome", worker_end_name(a->end));
	jsonw_uint(&w, "failures", a->failures);
	jsonw_text(&w, "worker", a->worker);
	jsonw_uint(&w, "duration_ms", a->duration_ms);
	if (a->end == WORKER_DONE) {
		jsonw_raw(&w, "result", a->result->bytes, a->result->len);
	} else {
		jsonw_object(&w, "error");
		jsonw_text(&w, "code", a->why->code);
		jsonw_text(&w, "message",
			   a->why->text[0] != '\0' ? a->why->text : "?");
		jsonw_end_object(&w);
	}
	jsonw_end_object(&w);
}

struct schema_set *worker_answer_schema(void)
{
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	bool is_good = set != NULL;

	/* The schema may refer to every other published schema. */
	for (size_t i = 0; is_good && schema_text_at(i) != NULL; i++) {
		const struct data_text *t = schema_text_at(i);
		char uri[128];

		(void)snprintf(uri, sizeof uri, "urn:cupel:schema:%s-1.0",
			       t->name);
		is_good =
			schema_set_add(set, uri, t->bytes, t->len, &fault) == 0;
	}
	if (is_good && schema_set_use(set, "urn:cupel:schema:worker-answer-1.0",
				      &fault) == 0)
		return set;
	schema_set_free(set);
	return NULL;
}

bool worker_answer_check(const struct schema_set *set, const char *bytes,
			 size_t n, struct arena *arena, struct json_value *ret,
			 struct worker_why *why)
{
	const struct json_caps caps = { .text_bytes = WORKER_ANSWER_BYTES,
					.string_bytes = WORKER_ANSWER_BYTES,
					.depth = ANSWER_DEPTH,
					.memory_bytes = ANSWER_MEMORY };
	struct json_value value = { 0 };
	struct json_error e = { 0 };
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };

	if (json_parse(bytes, n, &caps, arena, &value, &e) < 0) {
		(void)worker_why_set(why, "bad_answer",
				     "the answer is not JSON: byte %zu: %s",
				     e.offset, json_code_name(e.code));
		return false;
	}
	if (schema_validate(set, &value, arena, &report, &fault) < 0) {
		(void)worker_why_set(why, "bad_answer", "%s", fault.text);
		return false;
	}
	if (!report.valid) {
		(void)worker_why_set(why, "bad_answer", "%s: %s",
				     report.violations[0].instance,
				     report.violations[0].message);
		return false;
	}
	if (ret != NULL)
		*ret = value;
	return true;
}
