/* validate.c -- see validate.h. */
#include "boundary/validate.h"

#include <stdio.h>
#include <string.h>

#include "base/buf.h"
#include "base/jsonw.h"
#include "boundary/json.h"
#include "boundary/schema.h"

/* The caller's own texts: any size that memory allows for, as deep as can be;
 * 96 bytes of tree for each byte of text are enough for any. */
#define MEMORY_FACTOR 96

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

/* Parse and hold against the schema; the errors go to w. */
static enum validate_verdict judge(const struct schema_set *set,
				   const char *bytes, size_t n,
				   struct arena *arena, struct jsonw *w)
{
	struct json_caps caps = { .text_bytes = n + 1,
				  .string_bytes = n + 1,
				  .depth = JSON_DEPTH_MAX,
				  .memory_bytes = JSON_MEMORY_BYTES };
	struct json_error err;
	struct json_value v;
	struct schema_report report;
	struct schema_fault fault = { 0 };
	char message[480];

	if (n > JSON_TEXT_BYTES &&
	    __builtin_mul_overflow(n, MEMORY_FACTOR, &caps.memory_bytes))
		caps.memory_bytes = (size_t)-1 / 4;
	if (json_parse(bytes, n, &caps, arena, &v, &err) < 0) {
		(void)snprintf(message, sizeof message,
			       "line %zu, column %zu: %s: expected %s",
			       err.line, err.column, json_code_name(err.code),
			       err.expected);
		write_error(w, "", "", message);
		return VALIDATE_UNUSABLE;
	}
	if (set == NULL)
		return VALIDATE_VALID;
	if (schema_validate(set, &v, arena, &report, &fault) < 0) {
		(void)snprintf(message, sizeof message, "the schema: %s: %s",
			       schema_code_name(fault.code), fault.text);
		write_error(w, "", "", message);
		return VALIDATE_UNUSABLE;
	}
	write_report(w, &report);
	return report.valid ? VALIDATE_VALID : VALIDATE_INVALID;
}

enum validate_verdict validate_text(const struct schema_set *set,
				    const char *bytes, size_t n,
				    struct buf *out)
{
	struct arena arena = { 0 };
	struct buf errors = { 0 };
	struct jsonw list = { .out = &errors };
	struct jsonw w = { .out = out };
	enum validate_verdict verdict;

	jsonw_array(&list, NULL);
	verdict = judge(set, bytes, n, &arena, &list);
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

enum validate_verdict validate_lines(const struct schema_set *set,
				     const char *bytes, size_t n,
				     struct buf *out)
{
	enum validate_verdict worst = VALIDATE_VALID;

	while (n > 0) {
		const char *end = memchr(bytes, '\n', n);
		size_t len = end != NULL ? (size_t)(end - bytes) : n;
		enum validate_verdict verdict =
			validate_text(set, bytes, len, out);

		if (verdict > worst)
			worst = verdict;
		len += end != NULL;
		bytes += len;
		n -= len;
	}
	return worst;
}
