/* payload.c -- the boundary in one call.  See payload.h. */
#include "boundary/payload.h"

#include <assert.h>
#include <string.h>

#include "base/hooks.h"
#include "base/plural.h"
#include "boundary/sanitize.h"
#include "boundary/schema.h"

static const char *const status_names[] = {
	[PAYLOAD_ABSENT] = "absent",
	[PAYLOAD_VALID] = "valid",
	[PAYLOAD_TOO_LARGE] = "too_large",
	[PAYLOAD_MALFORMED] = "malformed",
	[PAYLOAD_SCHEMA_VIOLATION] = "schema_violation",
	[PAYLOAD_SCHEMA_ERROR] = "schema_error",
	[PAYLOAD_REJECTED] = "rejected",
};
static_assert(sizeof status_names / sizeof *status_names == PAYLOAD_STATUS_MAX_,
	      "a name for every status");

/* The value tree takes at most this many times the bytes of its text. */
#define MEMORY_FACTOR 96

const char *payload_status_name(enum payload_status s)
{
	return (unsigned)s < PAYLOAD_STATUS_MAX_ ? status_names[s] : "?";
}

static void fail(struct payload *p, enum payload_status status,
		 const struct payload_error *error)
{
	p->status = status;
	p->value = (struct json_value){ 0 };
	p->error = *error;
}

static bool parse(struct payload *p, const char *bytes, size_t n,
		  const struct json_caps *caps)
{
	struct json_error err;
	struct payload_error error;

	if (json_parse(bytes, n, caps, &p->arena, &p->value, &err) == 0)
		return true;
	error = (struct payload_error){
		.code = json_code_name(err.code),
		.offset = err.offset,
		.message = arena_format(&p->arena,
					"line %zu, column %zu: expected %s",
					err.line, err.column, err.expected),
	};
	fail(p,
	     err.code == JSON_TOO_LARGE ? PAYLOAD_TOO_LARGE : PAYLOAD_MALFORMED,
	     &error);
	return false;
}

static bool fits_schema(struct payload *p, const struct schema_set *set)
{
	struct schema_report report;
	struct schema_fault fault = { 0 };
	struct payload_error error = { 0 };

	if (set == NULL)
		return true;
	if (schema_validate(set, &p->value, &p->arena, &report, &fault) < 0) {
		error.code = schema_code_name(fault.code);
		error.message = arena_text(&p->arena, fault.text);
		fail(p, PAYLOAD_SCHEMA_ERROR, &error);
		return false;
	}
	if (report.valid)
		return true;
	error.code = "schema_violation";
	if (report.len > 0) {
		error.instance = report.violations[0].instance;
		error.schema = report.violations[0].schema;
		error.message = report.violations[0].message;
	}
	fail(p, PAYLOAD_SCHEMA_VIOLATION, &error);
	return false;
}

static bool is_clean(struct payload *p, const struct sanitize_limits *limits)
{
	static const char *const messages[SANITIZE_CODE_MAX_] = {
		[SANITIZE_FIELD_NAME] = "a field is named like a credential",
		[SANITIZE_DUPLICATE_NAME] = "two names are the same once the "
					    "host's path is removed",
		[SANITIZE_SIZE] =
			"the value is larger than the limit on its size",
		[SANITIZE_STRING] = "a string is longer than the limit",
		[SANITIZE_DEPTH] = "the value is nested deeper than the limit",
		[SANITIZE_NO_MEMORY] = "no memory",
	};
	struct sanitize_report report;
	struct payload_error error = { 0 };

	if (sanitize_value(&p->value, limits, &p->arena, &report) == 0) {
		p->injection_markers = report.markers;
		p->scrubbed_paths = report.paths;
		return true;
	}
	error.code = sanitize_code_name(report.code);
	error.instance = report.instance;
	error.message = messages[report.code];
	fail(p, PAYLOAD_REJECTED, &error);
	return false;
}

void payload_read(const char *bytes, size_t n, size_t total,
		  const struct schema_set *set,
		  const struct payload_limits *limits, struct payload *ret)
{
	struct json_caps caps = { .text_bytes = limits->bytes,
				  .string_bytes = limits->string_bytes,
				  .depth = limits->depth };
	struct sanitize_limits clean = { .bytes = limits->bytes,
					 .text_bytes = n,
					 .string_bytes = limits->string_bytes,
					 .depth = limits->depth,
					 .roots = limits->roots };

	memset(ret, 0, sizeof *ret);
	if (caps.text_bytes == 0)
		caps.text_bytes = JSON_TEXT_BYTES;
	if (__builtin_mul_overflow(caps.text_bytes, MEMORY_FACTOR,
				   &caps.memory_bytes))
		caps.memory_bytes = SIZE_MAX / 4;
	if (test_wall_is_down(TEST_WALL_PAYLOAD_CAPS)) {
		caps.string_bytes = caps.text_bytes;
		caps.depth = JSON_DEPTH_MAX;
	}
	if (n == 0 && total == 0)
		return;
	if (total > n || n > caps.text_bytes) {
		struct payload_error error = {
			.code = json_code_name(JSON_TOO_LARGE),
			.offset = caps.text_bytes,
			.message = arena_format(&ret->arena,
						"more than the %zu byte%s "
						"allowed",
						caps.text_bytes,
						plural_s(caps.text_bytes)),
		};

		fail(ret, PAYLOAD_TOO_LARGE, &error);
		return;
	}
	if (parse(ret, bytes, n, &caps) && fits_schema(ret, set) &&
	    (limits->is_own || is_clean(ret, &clean)))
		ret->status = PAYLOAD_VALID;
}

void payload_narrow(struct payload *p, const char *name,
		    const struct schema_set *set)
{
	const struct payload_error absent = {
		.code = "absent",
		.message = name,
	};
	const struct json_value *v =
		p->status == PAYLOAD_VALID ? json_find(&p->value, name) : NULL;

	if (p->status != PAYLOAD_VALID)
		return;
	if (v == NULL) {
		fail(p, PAYLOAD_SCHEMA_VIOLATION, &absent);
		return;
	}
	p->value = *v;
	(void)fits_schema(p, set); /* or else its status says why */
}

void payload_done(struct payload *p)
{
	arena_done(&p->arena);
	memset(p, 0, sizeof *p);
}
