/* report_answer.c -- see report_answer.h. */
#include "service/report_answer.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "boundary/schema.h"
#include "spec/schemas.h"
#include "supervise/outcome.h"

#define SCHEMA       "tests"
#define CODE_BYTES   64U
#define ANSWER_BYTES ((size_t)1 << 20)
#define ANSWER_DEPTH 8U

static void fail(struct payload *p, enum payload_status status,
		 const char *code, const char *message)
{
	p->status = status;
	p->value = (struct json_value){ 0 };
	p->error = (struct payload_error){ .code = code, .message = message };
}

static void fail_answer(struct payload *p)
{
	fail(p, PAYLOAD_REJECTED, "parser_failed",
	     "the report's parser gave no answer");
}

static bool is_text(const struct json_value *v)
{
	return v != NULL && v->type == JSON_STRING;
}

/* A code is a word: letters and "_". */
static bool is_code(const struct json_value *v)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";

	return is_text(v) && v->u.string.len > 0 &&
	       v->u.string.len <= CODE_BYTES &&
	       strspn(v->u.string.bytes, letters) == v->u.string.len;
}

/* Make one line of bounded length, in p's arena; NULL when out of memory. */
static const char *line_of(struct payload *p, const struct json_value *v)
{
	size_t n = utf8_cut(v->u.string.bytes, v->u.string.len,
			    REPORT_MESSAGE_BYTES);
	char *line = arena_copy(&p->arena, v->u.string.bytes, n);

	if (line != NULL)
		utf8_make_line(line);
	return line;
}

/* Take the first of the errors that the parser found. */
static bool has_errors(struct payload *p)
{
	const struct json_value *list = json_find(&p->value, "errors");
	const struct json_value *first, *code, *message, *at;
	uint64_t offset = 0;
	bool is_lie;

	if (list == NULL || list->type != JSON_ARRAY || list->u.array.len == 0)
		return false;
	first = &list->u.array.items[0];
	code = json_find(first, "code");
	message = json_find(first, "message");
	at = json_find(first, "offset");
	if (!is_code(code) || !is_text(message)) {
		fail_answer(p);
		return true;
	}
	is_lie = json_is_text(code, "counts_disagree") ||
		 json_is_text(code, "counts_disagree_with_exit");
	fail(p, is_lie ? PAYLOAD_REJECTED : PAYLOAD_MALFORMED,
	     code->u.string.bytes, line_of(p, message));
	if (at != NULL && json_read_u64(at, &offset) == 0)
		p->error.offset = offset;
	return true;
}

/* Check the slice alone against its schema. */
static void slice_take(struct payload *p)
{
	const struct data_text *t = schema_text_find(SCHEMA);
	struct schema_set *set = schema_set_new();
	struct schema_fault fault = { 0 };

	if (json_find(&p->value, "slice") == NULL)
		fail_answer(p);
	else if (set == NULL || t == NULL ||
		 schema_set_add(set, NULL, t->bytes, t->len, &fault) < 0 ||
		 schema_set_use(set, NULL, &fault) < 0)
		fail(p, PAYLOAD_SCHEMA_ERROR, "schema_error", NULL);
	else
		payload_narrow(p, "slice", set);
	schema_set_free(set);
}

void report_answer_read(const struct stream *said, const char *const *roots,
			struct payload *ret)
{
	const struct payload_limits limits = {
		.bytes = ANSWER_BYTES,
		.depth = ANSWER_DEPTH,
		.roots = roots,
	};

	payload_read(said->kept.bytes, said->kept.len, said->bytes, NULL,
		     &limits, ret);
	if (ret->status != PAYLOAD_VALID)
		fail_answer(ret);
	else if (!has_errors(ret))
		slice_take(ret);
}
