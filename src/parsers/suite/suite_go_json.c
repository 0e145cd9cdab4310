/* suite_go_json.c -- the events of go test -json, one object a line.
 *
 * Packages are told at the same time, so each test is found by its package and
 * its name.  What the go command itself prints between the events is a package
 * that could not be built, or nothing.
 * Source: cmd/doc/test2json of Go. */
#include <errno.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"

#define EVENT_BYTES ((size_t)1 << 20) /* of a line's values */

struct events {
	struct suite *suite;
	size_t packages;      /* that have ended */
	size_t open;          /* tests that have not */
	struct buf name, log; /* of this event's test; what one said last */
	struct buf log_name;  /* and which one */
};

static const struct json_text none = { NULL, 0 };

static struct json_text text_of(const struct json_value *v, const char *name)
{
	const struct json_value *m = json_find(v, name);

	return m != NULL && m->type == JSON_STRING &&
			       memchr(m->u.string.bytes, '\0',
				      m->u.string.len) == NULL
		       ? m->u.string
		       : none;
}

static bool is_same(const struct buf *a, struct json_text b)
{
	return a->len == b.len && b.len > 0 &&
	       memcmp(a->bytes, b.bytes, b.len) == 0;
}

/* The open test of this event, the latest first; NULL for none. */
static struct suite_test *find(const struct events *e)
{
	struct suite *s = e->suite;

	for (size_t i = s->len; e->open > 0 && i > 0; i--) {
		struct suite_test *t = &s->tests[i - 1];

		if (t->end == SUITE_OPEN &&
		    is_same(&e->name, suite_name_of(s, t)))
			return t;
	}
	return NULL;
}

/* The last place that a test names is where it failed. */
static void output_take(struct events *e, const struct json_value *v)
{
	struct json_text text = text_of(v, "Output");

	if (!text_begins(text, "    ") || !text_has(text, ".go:"))
		return;
	e->log.len = 0;
	e->log_name.len = 0;
	buf_add(&e->log, text.bytes, text.len);
	buf_add(&e->log_name, e->name.bytes, e->name.len);
}

static int end_take(struct events *e, const struct json_value *v,
		    enum suite_end end)
{
	const struct json_value *took = json_find(v, "Elapsed");
	struct suite_test *t = find(e);
	struct json_text file, rest;
	int64_t line;

	if (t == NULL)
		return 0;
	e->open--;
	t->end = end;
	if (took != NULL && took->type == JSON_NUMBER)
		suite_say_duration(e->suite, t, suite_ms_of(took->u.number));
	if (!is_same(&e->log_name, suite_name_of(e->suite, t)))
		return 0;
	rest = text_trim((struct json_text){ e->log.bytes, e->log.len });
	if (suite_place_cut(rest, &file, &line, &rest)) {
		suite_say_place(e->suite, t, file, line);
		suite_say_message(e->suite, t, text_trim(text_from(rest, 1)));
	}
	return 0;
}

/* What a package did not end has failed; a package that failed and has no test
 * that did is a failure itself. */
static int package_take(struct events *e, struct json_text package, bool failed)
{
	struct suite *s = e->suite;
	bool has_failed = false;

	e->packages++;
	for (size_t i = 0; (failed || e->open > 0) && i < s->len; i++) {
		struct suite_test *t = &s->tests[i];

		if (t->end != SUITE_OPEN && t->end != SUITE_FAILED)
			continue;
		if (t->len <= package.len ||
		    memcmp(s->names.bytes + t->at, package.bytes,
			   package.len) != 0 ||
		    s->names.bytes[t->at + package.len] != '.')
			continue;
		e->open -= t->end == SUITE_OPEN;
		t->end = SUITE_FAILED;
		has_failed = true;
	}
	return failed && !has_failed
		       ? suite_add(s, none, "", package, SUITE_FAILED)
		       : 0;
}

static int event_take(struct events *e, const struct json_value *v,
		      size_t offset)
{
	struct json_text action = text_of(v, "Action");
	struct json_text package = text_of(v, "Package");
	struct json_text test = text_of(v, "Test");

	if (action.len == 0)
		return suite_fail(e->suite, "not_go", offset,
				  "an event has no Action");
	if (package.len == 0)
		return 0; /* of a build */
	if (test.len == 0 && text_in(action, "pass fail skip"))
		return package_take(e, package, text_is(action, "fail"));
	e->name.len = 0;
	buf_add(&e->name, package.bytes, package.len);
	buf_char(&e->name, '.');
	if (test.len > 0)
		buf_add(&e->name, test.bytes, test.len);
	if (test.len == 0 || buf_has_failed(&e->name))
		return 0;
	if (text_is(action, "run")) {
		e->open++;
		return suite_add(e->suite, package, ".", test, SUITE_OPEN);
	}
	if (text_is(action, "output"))
		output_take(e, v);
	else if (text_is(action, "pass"))
		return end_take(e, v, SUITE_PASSED);
	else if (text_is(action, "fail"))
		return end_take(e, v, SUITE_FAILED);
	else if (text_is(action, "skip"))
		return end_take(e, v, SUITE_SKIPPED);
	return 0;
}

static int line_take(struct events *e, struct json_text line, size_t offset)
{
	const struct json_caps caps = { .depth = 8,
					.memory_bytes = EVENT_BYTES };
	struct arena arena = { .cap_bytes = EVENT_BYTES };
	struct json_error err;
	struct json_value v;
	int r;

	if (text_begins(line, "FAIL\t")) { /* could not be built */
		line = text_from(line, 5);
		return text_has(line, " [")
			       ? package_take(e, text_word(&line), true)
			       : 0;
	}
	if (!text_begins(line, "{"))
		return 0;
	if (json_parse(line.bytes, line.len, &caps, &arena, &v, &err) < 0)
		r = suite_fail(e->suite, "not_go", offset,
			       "an event is no JSON: the run was cut short");
	else
		r = event_take(e, &v, offset);
	arena_done(&arena);
	return r;
}

int suite_go_json(struct suite *s)
{
	struct events e = { .suite = s };
	struct lines lines = lines_of(s->in);
	struct json_text line;
	size_t offset = 0;
	int r = 0;

	while (r == 0 && line_next(&lines, &line, &offset))
		r = line_take(&e, line, offset);
	if (r == 0 && (e.packages == 0 || e.open > 0))
		r = suite_fail(s, "no_result", s->in->len,
			       "tests without a result: the run was cut short");
	buf_done(&e.name);
	buf_done(&e.log);
	buf_done(&e.log_name);
	return r;
}
