/* suite_go_json.c -- reads the events of go test -json, one object a line.
 *
 * Events of several packages are mixed, so each test is found by its package
 * and its name.  What the go command itself prints between the events is about
 * a package that could not be built, or means nothing.
 * Source: cmd/doc/test2json of Go. */
#include <errno.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"
#include "parsers/suite/suite_index.h"

#define EVENT_BYTES ((size_t)1 << 20) /* of a line's values */

struct events {
	struct suite *suite;
	struct suite_index index;         /* packages, and the tests of each */
	size_t packages;                  /* number that have ended */
	size_t open;                      /* number that have not */
	struct buf log;                   /* the last output of a test */
	const struct suite_named *log_of; /* that test */
};

/* One event. */
struct event {
	const struct json_value *value;
	struct json_text action;
	struct suite_named *package, *test; /* test NULL: about the package */
};

static const struct json_text none = { NULL, 0 };

/* Read a member that is a text or missing; false: it is something else. */
static bool text_read(const struct json_value *v, const char *name,
		      struct json_text *ret)
{
	const struct json_value *m = json_find(v, name);

	*ret = none;
	if (m == NULL)
		return true;
	if (m->type != JSON_STRING ||
	    memchr(m->u.string.bytes, '\0', m->u.string.len) != NULL)
		return false;
	*ret = m->u.string;
	return true;
}

static int no_memory(struct events *e)
{
	return suite_fail(e->suite, "no_memory", 0, "no memory");
}

/* The last place that a test prints is where it failed. */
static void output_take(struct events *e, const struct event *v)
{
	struct json_text text;

	if (!text_read(v->value, "Output", &text) ||
	    !text_begins(text, "    ") || !text_has(text, ".go:"))
		return;
	e->log.len = 0;
	buf_add(&e->log, text.bytes, text.len);
	e->log_of = v->test;
}

/* Add what is known about the test of v, which has ended. */
static void end_tell(struct events *e, const struct event *v)
{
	struct suite_test *t = &e->suite->tests[v->test->ended - 1];
	const struct json_value *took = json_find(v->value, "Elapsed");
	struct json_text file, rest;
	int64_t line;

	if (took != NULL && took->type == JSON_NUMBER)
		suite_say_duration(e->suite, t, suite_ms_of(took->u.number));
	if (e->log_of != v->test)
		return;
	e->log_of = NULL;
	rest = text_trim((struct json_text){ e->log.bytes, e->log.len });
	if (suite_place_cut(rest, &file, &line, &rest)) {
		suite_say_place(e->suite, t, file, line);
		suite_say_message(e->suite, t, text_trim(text_from(rest, 1)));
	}
}

/* A failure counts whether its test is open or not.  If the test seems to have
 * ended, it has failed after all (what it prints can look like an end).  If it
 * has not begun, it is still a test. */
static int end_take(struct events *e, const struct event *v, enum suite_end end)
{
	struct suite *s = e->suite;
	struct suite_named *test = v->test;
	int r = 0;

	if (!suite_index_close(test) && end != SUITE_FAILED)
		return 0;
	if (test->ended == 0) {
		r = suite_add(s, v->package->name, ".", test->name, end);
		if (r < 0)
			return r;
		test->ended = s->len;
	}
	s->tests[test->ended - 1].end = end;
	v->package->has_failed |= end == SUITE_FAILED;
	end_tell(e, v);
	return 0;
}

static int run_take(struct events *e, const struct event *v)
{
	if (!suite_index_open(&e->index, v->package, v->test, e->suite->len))
		return no_memory(e);
	return suite_add(e->suite, v->package->name, ".", v->test->name,
			 SUITE_OPEN);
}

static void package_open(struct events *e, struct suite_named *package)
{
	e->open += !package->is_open;
	package->is_open = true;
}

/* Tests that are open when their package ends have failed.  A package that
 * failed without a failed test is a failure itself. */
static int package_take(struct events *e, struct suite_named *package,
			bool failed)
{
	struct suite *s = e->suite;

	e->packages++;
	e->open -= package->is_open;
	package->is_open = false;
	package->has_ended = true;
	for (; package->runs != NULL; package->runs = package->runs->next) {
		const struct suite_run *run = package->runs;

		while (suite_index_close(run->of))
			;
		if (s->tests[run->test].end == SUITE_OPEN) {
			s->tests[run->test].end = SUITE_FAILED;
			package->has_failed = true;
		}
	}
	if (!failed || package->has_failed)
		return 0;
	package->has_failed = true;
	return suite_add(s, none, "", package->name, SUITE_FAILED);
}

static int test_take(struct events *e, const struct event *v)
{
	if (text_is(v->action, "run"))
		return run_take(e, v);
	if (text_is(v->action, "output"))
		output_take(e, v);
	else if (text_is(v->action, "pass"))
		return end_take(e, v, SUITE_PASSED);
	else if (text_is(v->action, "fail"))
		return end_take(e, v, SUITE_FAILED);
	else if (text_is(v->action, "skip"))
		return end_take(e, v, SUITE_SKIPPED);
	return 0;
}

static int event_take(struct events *e, const struct json_value *value,
		      size_t offset)
{
	struct event v = { .value = value };
	struct json_text package, test;

	if (!text_read(value, "Action", &v.action) || v.action.len == 0)
		return suite_fail(e->suite, "not_go", offset,
				  "an event has no Action");
	if (!text_read(value, "Package", &package) ||
	    !text_read(value, "Test", &test) ||
	    (package.len == 0 && test.len > 0))
		return suite_fail(
			e->suite, "not_go", offset,
			"the Package or Test of an event is not a name");
	if (package.len == 0)
		return 0; /* an event of a build */
	v.package = suite_index_put(&e->index, NULL, package);
	if (v.package == NULL)
		return no_memory(e);
	if (test.len == 0 && text_in(v.action, "pass fail skip"))
		return package_take(e, v.package, text_is(v.action, "fail"));
	/* Output after the end of a package does not mean that another run has
	 * begun. */
	if (!v.package->has_ended || !text_is(v.action, "output"))
		package_open(e, v.package);
	if (test.len == 0)
		return 0;
	v.test = suite_index_put(&e->index, v.package, test);
	return v.test != NULL ? test_take(e, &v) : no_memory(e);
}

/* "FAIL\tPACKAGE [build failed]" */
static int unbuilt_take(struct events *e, struct json_text line)
{
	struct suite_named *package;

	if (!text_has(line, " ["))
		return 0;
	package = suite_index_put(&e->index, NULL, text_word(&line));
	return package != NULL ? package_take(e, package, true) : no_memory(e);
}

static int line_take(struct events *e, struct json_text line, size_t offset)
{
	const struct json_caps caps = { .depth = 8,
					.memory_bytes = EVENT_BYTES };
	struct arena arena = { .cap_bytes = EVENT_BYTES };
	struct json_error err;
	struct json_value v;
	int r;

	if (text_begins(line, "FAIL\t"))
		return unbuilt_take(e, text_from(line, 5));
	if (!text_begins(line, "{"))
		return 0;
	if (json_parse(line.bytes, line.len, &caps, &arena, &v, &err) < 0)
		r = suite_fail(e->suite, "not_go", offset,
			       "an event is not JSON: the run was cut short");
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
	buf_done(&e.log);
	suite_index_done(&e.index);
	return r;
}
