/* outside_answer.c -- reads what the program of an outside kind answered.  See
 * outside.h. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/gate/outside.h"
#include "service/vessel.h"
#include "service/vessel_result.h"

#define ANSWER_BYTES ((size_t)64 << 10) /* so that a record has room for it */
#define ANSWER_DEPTH 24U
#define STRING_BYTES ((size_t)16 << 10)

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the answer of an outside kind");
}

/* The value is kept in the attempt, because the text it comes from is freed. */
static const struct json_value *value_keep(struct gate_attempt *a,
					   const struct json_value *v)
{
	const struct json_caps caps = { .text_bytes = 8 * ANSWER_BYTES,
					.depth = ANSWER_DEPTH };
	struct json_value *ret = arena_alloc(&a->arena, sizeof *ret);
	owned_buf struct buf text = { 0 };
	struct json_error bad = { 0 };

	json_write(v, &text);
	if (ret == NULL || buf_has_failed(&text) ||
	    json_parse(text.bytes, text.len, &caps, &a->arena, ret, &bad) < 0)
		return NULL;
	return ret;
}

/* Take {passed, details}.  No other member may be there, and the details must
 * fit their schema. */
static int answer_take(struct gate_attempt *a, struct payload *p,
		       const struct schema_set *set, struct gate_answer *answer,
		       struct cupel_error *err)
{
	const struct json_value *passed, *details;
	char why[320];

	answer->problem = "bad_answer";
	passed = p->status == PAYLOAD_VALID ? json_find(&p->value, "passed")
					    : NULL;
	details = p->status == PAYLOAD_VALID ? json_find(&p->value, "details")
					     : NULL;
	if (p->status == PAYLOAD_VALID &&
	    (p->value.type != JSON_OBJECT || p->value.u.object.len != 2 ||
	     passed == NULL || passed->type != JSON_BOOL || details == NULL)) {
		answer->why = "expected the members passed and details";
		return 0;
	}
	answer->passed = passed != NULL && passed->u.boolean;
	if (p->status == PAYLOAD_VALID)
		payload_narrow(p, "details", set);
	if (p->status != PAYLOAD_VALID) {
		if (p->status == PAYLOAD_ABSENT)
			answer->problem = "no_answer";
		vessel_payload_why(p, why, sizeof why);
		answer->why = arena_text(&a->arena, why);
		return 0;
	}
	answer->found = value_keep(a, &p->value);
	if (answer->found == NULL)
		return no_memory(err);
	answer->problem = NULL;
	return 0;
}

static int answer_read(const struct gate_outside *o, const struct vessel *v,
		       struct gate_attempt *a, struct gate_answer *answer,
		       struct cupel_error *err)
{
	const struct vessel_judge judge = {
		.limits = { .bytes = ANSWER_BYTES,
			    .depth = ANSWER_DEPTH,
			    .string_bytes = STRING_BYTES },
	};
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };
	struct payload p = { 0 };
	int e = 0;

	if (set == NULL ||
	    schema_set_add(set, NULL, o->schema, o->schema_len, &fault) < 0 ||
	    schema_set_use(set, NULL, &fault) < 0) {
		e = no_memory(err);
	} else {
		vessel_payload_read(v, &judge, &p);
		e = answer_take(a, &p, set, answer, err);
	}
	payload_done(&p);
	schema_set_free(set);
	return e;
}

/* A program that did not end well has no answer, whatever it wrote. */
int outside_answer_read(const struct gate_outside *o, const struct vessel *v,
			struct gate_attempt *a, struct gate_answer *answer,
			struct cupel_error *err)
{
	struct vessel_result r;
	const char *code;

	vessel_read(v, &r);
	code = vessel_end_code(r.status);
	if (r.status == CUPEL_INTERNAL_ERROR) {
		a->lost = true;
		a->why = "the host could not run the program of a kind";
	}
	if (code != NULL) {
		answer->problem = strcmp(code, "parser_failed") == 0
					  ? "program_failed"
					  : code;
		return 0;
	}
	return answer_read(o, v, a, answer, err);
}
