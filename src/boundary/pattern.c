/* pattern.c -- compile and match, within limits.  See pattern.h. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "boundary/pattern.h"

#include <pcre2.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/cleanup.h"

/* PCRE2 counts its steps afresh at each place where a match could begin.  So
 * that one limit bounds all of it, a pattern that may begin anywhere is made
 * to begin at the start, after a lazy run of anything. */
#define ANYWHERE "(?s:.)*?(?:"

#define PATTERN_BYTES 65536
#define FIRST_STEPS   1000
#define STEPS_MAX     10000000
#define HEAP_KIB      65536
#define DEPTH_MAX     200000

struct pattern {
	pcre2_code *code;
};

void pattern_free(struct pattern *p)
{
	if (p == NULL)
		return;
	pcre2_code_free(p->code);
	free(p);
}

static pcre2_code *compile(const char *text, size_t n, uint32_t anchored,
			   char *why, size_t why_bytes)
{
	const uint32_t options = PCRE2_UTF | PCRE2_DOLLAR_ENDONLY |
				 PCRE2_MATCH_UNSET_BACKREF |
				 PCRE2_NEVER_BACKSLASH_C | PCRE2_NEVER_UCP |
				 PCRE2_NO_START_OPTIMIZE;
	int code;
	size_t at;
	pcre2_code *out = pcre2_compile((PCRE2_SPTR)text, n, options | anchored,
					&code, &at, NULL);

	if (out == NULL) {
		unsigned char text_of[160] = "?";

		(void)pcre2_get_error_message(code, text_of, sizeof text_of);
		(void)snprintf(why, why_bytes, "%s", (const char *)text_of);
	}
	return out;
}

static pcre2_code *compile_bounded(const struct buf *text, char *why,
				   size_t why_bytes)
{
	owned_buf struct buf whole = { 0 };
	pcre2_code *code = compile(text->bytes, text->len, 0, why, why_bytes);
	uint32_t options = 0;

	if (code == NULL)
		return NULL;
	(void)pcre2_pattern_info(code, PCRE2_INFO_ALLOPTIONS, &options);
	if ((options & PCRE2_ANCHORED) != 0)
		return code;
	pcre2_code_free(code);
	buf_text(&whole, ANYWHERE);
	buf_add(&whole, text->bytes, text->len);
	buf_char(&whole, ')');
	if (buf_has_failed(&whole)) {
		(void)snprintf(why, why_bytes, "no memory");
		return NULL;
	}
	return compile(whole.bytes, whole.len, PCRE2_ANCHORED, why, why_bytes);
}

struct pattern *pattern_new(const char *text, size_t n, char *why,
			    size_t why_bytes)
{
	owned_buf struct buf out = { 0 };
	struct pattern *p = NULL;
	const char *expected;
	size_t at;

	if (n > PATTERN_BYTES) {
		(void)snprintf(why, why_bytes, "longer than %d bytes",
			       PATTERN_BYTES);
		return NULL;
	}
	buf_text(&out, "");
	if (pattern_translate(text, n, &out, &expected, &at) < 0) {
		(void)snprintf(why, why_bytes, "at byte %zu: expected %s", at,
			       expected);
		return NULL;
	}
	p = buf_has_failed(&out) ? NULL : calloc(1, sizeof *p);
	if (p == NULL) {
		(void)snprintf(why, why_bytes, "no memory");
		return NULL;
	}
	p->code = compile_bounded(&out, why, why_bytes);
	if (p->code != NULL)
		return p;
	free(p);
	return NULL;
}

static int match_once(const struct pattern *p, const char *subject, size_t n,
		      uint32_t steps, pcre2_match_data *data)
{
	pcre2_match_context *limits = pcre2_match_context_create(NULL);
	int r;

	if (limits == NULL)
		return PCRE2_ERROR_NOMEMORY;
	(void)pcre2_set_match_limit(limits, steps);
	(void)pcre2_set_depth_limit(limits, DEPTH_MAX);
	(void)pcre2_set_heap_limit(limits, HEAP_KIB);
	r = pcre2_match(p->code, (PCRE2_SPTR)subject, n, 0, PCRE2_NO_UTF_CHECK,
			data, limits);
	pcre2_match_context_free(limits);
	return r;
}

/* The library does not say how many steps a match took, so each try is charged
 * with all that it was allowed, and a try that was not enough is followed by
 * one with eight times as many. */
enum pattern_result pattern_match(const struct pattern *p, const char *subject,
				  size_t n, uint64_t *budget)
{
	pcre2_match_data *data = pcre2_match_data_create(1, NULL);
	uint64_t steps = FIRST_STEPS + 4 * (uint64_t)n;
	int r = PCRE2_ERROR_MATCHLIMIT;

	if (data == NULL)
		return PATTERN_LIMIT;
	if (steps > STEPS_MAX)
		steps = STEPS_MAX;
	while (r == PCRE2_ERROR_MATCHLIMIT && steps <= STEPS_MAX) {
		/* Most matches end early: charge the first try by length. */
		uint64_t charge = steps <= FIRST_STEPS + 4 * (uint64_t)n
					  ? 10 + (uint64_t)n
					  : steps;

		if (charge > *budget)
			break;
		*budget -= charge;
		r = match_once(p, subject, n, (uint32_t)steps, data);
		steps *= 8;
	}
	pcre2_match_data_free(data);
	if (r >= 0)
		return PATTERN_MATCH;
	return r == PCRE2_ERROR_NOMATCH ? PATTERN_MISMATCH : PATTERN_LIMIT;
}
