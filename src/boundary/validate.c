/* validate.c -- see validate.h. */
#include "boundary/validate.h"

#include <stdio.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "boundary/json.h"
#include "boundary/schema.h"

/* These are the caller's own texts, so they may have any length and the
 * greatest depth there is. 96 bytes of tree for each byte of text are enough
 * for any of them. */
#define MEMORY_FACTOR 96
#define MEMORY_MAX    ((size_t)2 << 30)

static void write_error(struct jsonw *w, const char *instance,
			const char *schema, const char *message)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "instance", instance);
	jsonw_text(w, "schema", schema);
	jsonw_text(w, "message", message);
	jsonw_end_object(w);
}

static void write_report(struct jsonw *w, const struct schema_report *r)
{
	char more[64];

	for (size_t i = 0; i < r->len; i++)
		write_error(w, r->violations[i].instance,
			    r->violations[i].schema, r->violations[i].message);
	(void)snprintf(more, sizeof more, "and %zu more", r->total - r->len);
	if (r->total > r->len)
		write_error(w, "", "", more);
}

static enum validate_verdict give_up(struct jsonw *w, struct buf *why,
				     const char *message)
{
	write_error(w, "", "", message);
	if (why != NULL)
		buf_text(why, message);
	return VALIDATE_UNUSABLE;
}

static struct json_caps caps_for(size_t n)
{
	struct json_caps caps = { .text_bytes = n + 1,
				  .string_bytes = n + 1,
				  .depth = JSON_DEPTH_MAX,
				  .memory_bytes = MEMORY_MAX };

	if (n <= JSON_TEXT_BYTES)
		caps.memory_bytes = JSON_MEMORY_BYTES;
	else if (n < MEMORY_MAX / MEMORY_FACTOR)
		caps.memory_bytes = n * MEMORY_FACTOR;
	return caps;
}

/* Parse the text and check it against the schema; the errors go to w. */
static enum validate_verdict judge(const struct schema_set *set,
				   const struct validate_input *in,
				   struct arena *arena, struct jsonw *w,
				   struct buf *why)
{
	const struct json_caps caps = caps_for(in->n);
	struct json_error err;
	struct json_value v;
	struct schema_report report;
	struct schema_fault fault = { 0 };
	char message[480];

	if (json_parse(in->bytes, in->n, &caps, arena, &v, &err) < 0) {
		(void)snprintf(message, sizeof message,
			       "%s at line %zu, column %zu: expected %s",
			       json_code_name(err.code),
			       in->line > 0 ? in->line : err.line, err.column,
			       err.expected);
		return give_up(w, why, message);
	}
	if (set == NULL)
		return VALIDATE_VALID;
	if (schema_validate(set, &v, arena, &report, &fault) < 0) {
		(void)snprintf(message, sizeof message, "the schema: %s: %s",
			       schema_code_name(fault.code), fault.text);
		return give_up(w, why, message);
	}
	write_report(w, &report);
	return report.valid ? VALIDATE_VALID : VALIDATE_INVALID;
}

enum validate_verdict validate_text(const struct schema_set *set,
				    const struct validate_input *in,
				    struct buf *out, struct buf *why)
{
	struct arena arena = { 0 };
	struct buf errors = { 0 };
	struct jsonw list = { .out = &errors };
	struct jsonw w = { .out = out };
	enum validate_verdict verdict;

	jsonw_array(&list, NULL);
	verdict = judge(set, in, &arena, &list, why);
	jsonw_end_array(&list);
	jsonw_object(&w, NULL);
	jsonw_bool(&w, "valid", verdict == VALIDATE_VALID);
	jsonw_raw(&w, "errors", errors.bytes, errors.len);
	jsonw_end_object(&w);
	buf_char(out, '\n');
	out->failed = out->failed || buf_has_failed(&errors);
	buf_done(&errors);
	arena_done(&arena);
	return verdict;
}
