/* suite.c -- cupel-parse test_report.  Each report is named like its format,
 * followed by "+names" if every test is to be named. */
#include "parsers/suite/suite.h"
#include "base/grow.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/blake3.h"
#include "parsers/common/text_piece.h"

#define FAILURES_MAX   1000U
#define FAILURES_BYTES ((size_t)512 << 10) /* of their JSON; half a slice */
#define NAMES_WORD     "+names"
/* What a slice may hold, apart from one more name and the numbers after it. */
#define NAMES_BYTES (PARSE_SLICE_BYTES - (16U << 10))

static const struct format {
	const char *name;
	int (*read)(struct suite *s);
	bool names_all; /* name those that passed, too */
} formats[] = {
	{ "junit", suite_junit, true },
	{ "tap", suite_tap, true },
	{ "jest", suite_jest, true },
	{ "go", suite_go, true },
	{ "cargo", suite_cargo, true },
	{ "unittest", suite_unittest, false },
	{ "automake", suite_automake, true },
	{ "prove", suite_prove, false },
};

int suite_fail(struct suite *s, const char *code, size_t offset,
	       const char *message)
{
	report_note(&s->report->errors, code, s->in, (int64_t)offset, message);
	return -EINVAL;
}

int suite_disagree(struct suite *s, size_t offset, const char *what,
		   uint64_t said, uint64_t has)
{
	char message[120];

	(void)snprintf(message, sizeof message,
		       "the report says %s: %llu, and has %llu", what,
		       (unsigned long long)said, (unsigned long long)has);
	return suite_fail(s, "counts_disagree", offset, message);
}

int64_t suite_number_of(struct json_text t)
{
	int64_t value = 0;

	if (t.len == 0 || t.len > 7)
		return -1;
	for (size_t i = 0; i < t.len; i++) {
		if (t.bytes[i] < '0' || t.bytes[i] > '9')
			return -1;
		value = value * 10 + (t.bytes[i] - '0');
	}
	return value <= SUITE_TESTS_MAX ? value : -1;
}

static int grow(struct suite *s)
{
	if (s->len == s->room && s->len >= SUITE_TESTS_MAX)
		return suite_fail(s, "too_many_tests", 0,
				  "more than 1000000 tests");
	if (!array_grow((void **)&s->tests, s->len, &s->room, sizeof *s->tests))
		return suite_fail(s, "no_memory", 0, "no memory");
	return 0;
}

int suite_add(struct suite *s, struct json_text prefix, const char *separator,
	      struct json_text name, enum suite_end end)
{
	struct suite_test *t;
	int r = grow(s);

	if (r < 0)
		return r;
	t = &s->tests[s->len];
	*t = (struct suite_test){ .at = s->names.len, .end = end };
	if (prefix.len > 0) {
		buf_add(&s->names, prefix.bytes, prefix.len);
		buf_text(&s->names, separator);
	}
	if (name.len > 0)
		buf_add(&s->names, name.bytes, name.len);
	if (buf_has_failed(&s->names))
		return suite_fail(s, "names_too_long", 0,
				  "the names of the tests are over 96 MiB");
	t->len = s->names.len - t->at;
	s->len++;
	return 0;
}

uint64_t suite_count(const struct suite *s, enum suite_end end)
{
	uint64_t n = 0;

	for (size_t i = 0; i < s->len; i++)
		n += s->tests[i].end == end;
	return n;
}

/* --- the slice ---------------------------------------------------------------- */

/* No name holds a NUL, so there is only one text of sorted names that end with
 * one. */
static int compare_tests(const void *a, const void *b, void *names)
{
	const struct suite_test *x = a, *y = b;
	const char *bytes = names;
	size_t n = x->len < y->len ? x->len : y->len;
	int c = n > 0 ? memcmp(bytes + x->at, bytes + y->at, n) : 0;

	return c != 0 ? c : (x->len > y->len) - (x->len < y->len);
}

struct json_text suite_name_of(const struct suite *s,
			       const struct suite_test *t)
{
	return (struct json_text){ t->len > 0 ? s->names.bytes + t->at : NULL,
				   t->len };
}

static void inventory_write(const struct suite *s, struct jsonw *w)
{
	uint8_t digest[BLAKE3_BYTES];
	char text[BLAKE3_TEXT_BYTES];
	struct blake3 hash;

	blake3_init(&hash);
	if (s->len > 0)
		qsort_r(s->tests, s->len, sizeof *s->tests, compare_tests,
			s->names.bytes);
	for (size_t i = 0; i < s->len; i++) {
		const struct suite_test *t = &s->tests[i];

		if (t->len > 0)
			blake3_update(&hash, s->names.bytes + t->at, t->len);
		blake3_update(&hash, "", 1);
	}
	blake3_final(&hash, digest, sizeof digest);
	blake3_hex(digest, text);
	jsonw_text(w, "inventory_hash", text);
}

static void failures_write(const struct suite *s, struct jsonw *w)
{
	uint64_t failed = suite_count(s, SUITE_FAILED) + s->unnamed_failed;
	uint64_t shown = 0;

	jsonw_array(w, "failures");
	for (size_t i = 0;
	     i < s->len && shown < FAILURES_MAX && w->out->len < FAILURES_BYTES;
	     i++) {
		const struct suite_test *t = &s->tests[i];

		if (t->end != SUITE_FAILED)
			continue;
		suite_name_put(w, NULL, suite_name_of(s, t));
		shown++;
	}
	jsonw_end_array(w);
	jsonw_uint(w, "failures_omitted", failed - shown);
}

/* Write the names of all tests that ended like this, sorted, as far as they fit. */
static uint64_t names_write(const struct suite *s, enum suite_end end,
			    const char *key, struct jsonw *w)
{
	uint64_t shown = 0;

	jsonw_array(w, key);
	for (size_t i = 0; i < s->len && w->out->len < NAMES_BYTES; i++) {
		const struct suite_test *t = &s->tests[i];

		if (t->end != end || t->len == 0)
			continue;
		suite_name_put(w, NULL, suite_name_of(s, t));
		shown++;
	}
	jsonw_end_array(w);
	return shown;
}

/* The tests are sorted: inventory_write() did that.  A test that has no name is
 * counted as omitted, since nobody can say which one it is. */
static void all_names_write(const struct suite *s, struct jsonw *w)
{
	uint64_t shown;

	jsonw_object(w, "names");
	shown = names_write(s, SUITE_PASSED, "passed", w);
	shown += names_write(s, SUITE_FAILED, "failed", w);
	shown += names_write(s, SUITE_SKIPPED, "skipped", w);
	jsonw_uint(w, "omitted",
		   s->len + s->unnamed_passed + s->unnamed_failed +
			   s->unnamed_skipped - shown);
	jsonw_end_object(w);
}

/* If there are several formats, the format is "any"; each report has been read
 * as its own. */
static void slice_write(struct suite *s, const struct format *f, bool is_mixed,
			bool with_names)
{
	struct jsonw w = { .out = &s->report->slice };
	uint64_t passed = suite_count(s, SUITE_PASSED) + s->unnamed_passed;
	uint64_t failed = suite_count(s, SUITE_FAILED) + s->unnamed_failed;
	uint64_t skipped = suite_count(s, SUITE_SKIPPED) + s->unnamed_skipped;

	jsonw_object(&w, NULL);
	jsonw_object(&w, "tests");
	jsonw_text(&w, "format", is_mixed ? "any" : f->name);
	jsonw_uint(&w, "total", passed + failed + skipped);
	jsonw_uint(&w, "passed", passed);
	jsonw_uint(&w, "failed", failed);
	jsonw_uint(&w, "skipped", skipped);
	failures_write(s, &w);
	suite_said_write(s, &w);
	if (f->names_all)
		inventory_write(s, &w);
	else
		jsonw_null(&w, "inventory_hash");
	jsonw_uint(&w, "reports", s->reports);
	jsonw_array(&w, "warnings");
	if (s->disagrees)
		jsonw_text(&w, NULL, "counts_disagree_with_exit");
	if (s->is_counted_otherwise)
		jsonw_text(&w, NULL, "counted_otherwise");
	jsonw_end_array(&w);
	if (with_names && f->names_all)
		all_names_write(s, &w);
	jsonw_end_object(&w);
	jsonw_end_object(&w);
}

static const struct format *format_find(const struct parse_input *in,
					bool *ret_with_names)
{
	const size_t word = sizeof NAMES_WORD - 1;
	size_t n = in->name_len;

	*ret_with_names =
		n > word && memcmp(in->name + n - word, NAMES_WORD, word) == 0;
	if (*ret_with_names)
		n -= word;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strlen(formats[i].name) == n &&
		    memcmp(formats[i].name, in->name, n) == 0)
			return &formats[i];
	return NULL;
}

/* Add what one report has to the total. */
static int suite_merge(struct suite *sum, const struct suite *one)
{
	int r = 0;

	sum->in = one->in;
	sum->unnamed_failed += one->unnamed_failed;
	sum->unnamed_skipped += one->unnamed_skipped;
	sum->unnamed_passed += one->unnamed_passed;
	sum->is_counted_otherwise |= one->is_counted_otherwise;
	for (size_t i = 0; r == 0 && i < one->len; i++) {
		const struct suite_test *t = &one->tests[i];
		const struct json_text name = suite_name_of(one, t);
		const struct json_text none = { NULL, 0 };

		r = suite_add(sum, none, "", name, t->end);
		if (r == 0)
			suite_say_again(sum, &sum->tests[sum->len - 1], one, t);
	}
	return r;
}

static void suite_done(struct suite *s)
{
	free(s->tests);
	free(s->said);
	buf_done(&s->names);
	buf_done(&s->said_text);
}

/* Read one report as if it were alone, and check what it says about itself
 * against its own tests. */
static int report_add(struct suite *sum, const struct format *f,
		      const struct parse_input *in)
{
	struct suite one = { .in = in,
			     .report = sum->report,
			     .names.cap_bytes = SUITE_NAME_BYTES };
	int r;

	if (in->len > 0 && f->read != suite_junit &&
	    memchr(in->bytes, '\0', in->len) != NULL)
		r = suite_fail(&one, "nul", 0, "the report contains a NUL");
	else
		r = f->read(&one);
	if (r == 0 && sum->reports == 0) {
		suite_done(sum);
		one.reports = sum->reports;
		*sum = one;
		one = (struct suite){ 0 };
	} else if (r == 0) {
		r = suite_merge(sum, &one);
	}
	sum->reports++;
	suite_done(&one);
	return r;
}

/* If a run failed and its report says that all tests passed, its counts are not
 * used. */
static int end_hold(struct suite *s, const struct parse_input *end)
{
	uint64_t failed = suite_count(s, SUITE_FAILED) + s->unnamed_failed;
	struct json_text text = { NULL, 0 };
	int64_t rc;
	char message[160];

	if (end == NULL)
		return 0;
	text = (struct json_text){ end->bytes, end->len };
	rc = suite_number_of(text);
	s->disagrees = (rc == 0) != (failed == 0);
	if (rc == 0 || failed > 0)
		return 0;
	(void)snprintf(message, sizeof message,
		       "the run ended with %lld, but none of the tests in "
		       "the report (%llu) failed: the failure is not in it",
		       (long long)rc,
		       (unsigned long long)(s->len + s->unnamed_passed +
					    s->unnamed_skipped));
	return suite_fail(s, "counts_disagree_with_exit", 0, message);
}

static bool input_is_exit(const struct parse_input *in)
{
	return in->name_len == 4 && memcmp(in->name, "exit", 4) == 0;
}

int test_report_run(const struct parse_inputs *in, struct parse_report *r)
{
	struct suite s = { .report = r, .names.cap_bytes = SUITE_NAME_BYTES };
	size_t first = in->len > 0 && input_is_exit(&in->items[0]);
	bool with_names = false, also = false, is_mixed = false;
	const struct format *f =
		in->len > first ? format_find(&in->items[first], &with_names)
				: NULL;
	int e = 0;

	for (size_t i = first; f != NULL && i < in->len; i++) {
		const struct format *own = format_find(&in->items[i], &also);

		is_mixed |= own != f;
		/* Either all reports that are added up have names, or none. */
		if (own == NULL || also != with_names ||
		    own->names_all != f->names_all)
			f = NULL;
	}
	if (f == NULL) {
		report_note(&r->errors, "format", NULL, -1,
			    "unknown format of report");
		return 0;
	}
	for (size_t i = first; e == 0 && i < in->len; i++)
		e = report_add(&s, format_find(&in->items[i], &also),
			       &in->items[i]);
	if (e == 0)
		e = end_hold(&s, first > 0 ? &in->items[0] : NULL);
	if (e == 0)
		slice_write(&s, f, is_mixed, with_names);
	suite_done(&s);
	return 0;
}
