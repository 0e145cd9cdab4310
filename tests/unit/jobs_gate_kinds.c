/* jobs_gate_kinds.c -- signals that are made of results, and what their schema
 * promises. */
#include "jobs/gate/kinds/kind.h"

#include <strings.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "boundary/schema.h"
#include "jobs/gate/baseline.h"
#include "jobs/gate/checked.h"
#include "jobs/gate/kinds/signal_write.h"
#include "json_at.h"
#include "spec/schemas.h"

#define HASH                                                                   \
	"blake3:"                                                              \
	"0000000000000000000000000000000000000000000000000000000000000000"

static struct arena arena;

static struct json_value *value(const char *text)
{
	struct json_value *v = arena_alloc(&arena, sizeof *v);
	struct json_error bad = { 0 };

	ok_int(json_parse(text, strlen(text), NULL, &arena, v, &bad), 0);
	return v;
}

/* One phase of that name with that result, and the signal that the kind makes
 * of it. */
static struct gate_signal make(const char *kind, const char *params,
			       const char *phase, const char *result,
			       const struct baseline *b)
{
	struct gate_phase phases[] = {
		{ .name = "test", .spec = value("{\"trace\":\"exec\"}") },
		{ .name = "build", .spec = value("{}") }
	};
	struct gate_ask ask = { .name = kind,
				.kind = kind_find(kind),
				.params = value(params) };
	struct gate gate = { .phases = phases, .phases_len = 2 };
	struct gate_run run = { .phase = phase,
				.run_id = "0123",
				.spec_hash = HASH,
				.result = value(result) };
	struct gate_attempt a = { .runs = &run, .runs_len = 1 };
	struct kind_source s = { .gate = &gate,
				 .ask = &ask,
				 .attempt = &a,
				 .baseline = b,
				 .arena = &arena };
	struct gate_signal ret = { .kind = kind, .at = "2026" };

	ok(ask.kind != NULL);
	ok_int(ask.kind->build(&s, &ret), 0);
	return ret;
}

/* The written signal fits the published schema. */
static void fits(const struct gate_signal *s)
{
	static const char *const refs[] = { "result", NULL };
	struct schema_set *set = NULL;
	struct cupel_error err = { 0 };
	struct json_value v;
	struct buf text = { 0 };
	struct jsonw w = { .out = &text };

	signal_write(s, NULL, &w);
	ok_int(checked_schema_make("gate-signals", refs, &set, &err), 0);
	ok_int(checked_read(&(struct checked_source){ "signal", text.bytes,
						      text.len },
			    set, &arena, &v, &err),
	       0);
	ok(err.what[0] == '\0');
	schema_set_free(set);
	buf_done(&text);
}

static void a_phase_that_is_ok_passes(void)
{
	struct gate_signal s =
		make("build", "{}", "build",
		     "{\"status\":\"OK\",\"rc\":0,\"reason\":null}", NULL);

	ok(s.passed && !s.is_final && !s.is_unreached);
	fits(&s);
	s = make("build", "{}", "build",
		 "{\"status\":\"FAILED\",\"rc\":1,\"reason\":null}", NULL);
	ok(!s.passed && !s.is_final);
	fits(&s);
}

static void ends_say_whether_to_try_again(void)
{
	static const struct {
		const char *status, *params;
		bool is_final;
	} rows[] = {
		{ "FAILED", "{}", false },
		{ "TIMEOUT", "{}", true },
		{ "TIMEOUT", "{\"retry_timeout\":true}", false },
		{ "TIMEOUT", "{\"retry_timeout\":false}", true },
		{ "CPU_LIMIT", "{}", true },
		{ "CPU_LIMIT", "{\"retry_timeout\":true}", false },
		{ "MEM_LIMIT", "{}", true },
		{ "MEM_LIMIT", "{\"retry_timeout\":true}", true },
		{ "FORBIDDEN_SYSCALL", "{\"retry_timeout\":true}", true },
		{ "SIGNALED", "{}", false },
		{ "OUTPUT_LIMIT", "{}", false },
	};
	static const char *const kinds[] = { "build", "tests" };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		for (size_t k = 0; k < 2; k++) {
			char result[64];
			struct gate_signal s;

			(void)snprintf(result, sizeof result,
				       "{\"status\":\"%s\",\"rc\":1}",
				       rows[i].status);
			s = make(kinds[k], rows[i].params,
				 k == 0 ? "build" : "test", result, NULL);
			ok(!s.passed);
			ok(s.is_final == rows[i].is_final);
			/* the phase before it ended like this */
			s = make(kinds[k], rows[i].params,
				 k == 0 ? "test" : "build", result, NULL);
			ok(!s.passed && s.is_unreached);
			ok(s.is_final == rows[i].is_final);
			fits(&s);
		}
}

#define TESTS(status, report)                                                  \
	"{\"status\":\"" status "\",\"rc\":0,\"payload_status\":\"valid\","    \
	"\"payload\":{\"tests\":{\"format\":\"tap\"," report                   \
	",\"failures\":[],\"failures_omitted\":0,\"inventory_hash\":null,"     \
	"\"reports\":1,\"warnings\":[]}}}"
#define COUNTS(t, p, f, s)                                                     \
	"\"total\":" #t ",\"passed\":" #p ",\"failed\":" #f ",\"skipped\":" #s
#define NAMES(p, f, s, o)                                                      \
	",\"names\":{\"passed\":[" p "],\"failed\":[" f "],\"skipped\":[" s    \
	"],\"omitted\":" #o "}"

static void tests_are_held_against_the_base_by_name(void)
{
	static const struct {
		const char *report;
		bool passed;
		const char *problem;
	} rows[] = {
		{ COUNTS(2, 2, 0, 0) NAMES("\"a\",\"b\"", "", "", 0), true,
		  "null" },
		{ COUNTS(3, 3, 0, 0) NAMES("\"a\",\"b\",\"c\"", "", "", 0),
		  true, "null" },
		{ COUNTS(1, 1, 0, 0) NAMES("\"a\"", "", "", 0), false, "null" },
		{ COUNTS(2, 2, 0, 0) NAMES("\"a\",\"c\"", "", "", 0), false,
		  "null" },
		{ COUNTS(2, 2, 0, 0) NAMES("\"a\",\"a\"", "", "", 0), false,
		  "null" },
		{ COUNTS(2, 1, 0, 1) NAMES("\"a\"", "", "\"b\"", 0), false,
		  "null" },
		{ COUNTS(2, 0, 0, 2) NAMES("", "", "\"a\",\"b\"", 0), false,
		  "nothing_ran" },
		{ COUNTS(0, 0, 0, 0) NAMES("", "", "", 0), false,
		  "nothing_ran" },
		{ COUNTS(2, 1, 1, 0) NAMES("\"a\"", "\"b\"", "", 0), false,
		  "exit_disagrees" },
		{ COUNTS(2, 2, 0, 0) NAMES("\"a\"", "", "", 1), false,
		  "names_incomplete" },
		{ COUNTS(2, 2, 0, 0), false, "names_incomplete" },
	};
	struct baseline b = { .hash = HASH };

	b.value = *value("{\"inventory\":{" COUNTS(2, 2, 0, 0)
				 NAMES("\"a\",\"b\"", "", "", 0) "}}");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char result[1024];
		struct gate_signal s;
		const struct json_value *problem;

		(void)snprintf(result, sizeof result, TESTS("OK", "%s"),
			       rows[i].report);
		s = make("tests", "{}", "test", result, &b);
		ok(s.passed == rows[i].passed);
		problem = json_find(s.details, "problem");
		ok(strcmp(problem->type == JSON_NULL ? "null"
						     : problem->u.string.bytes,
			  rows[i].problem) == 0);
		fits(&s);
	}
}

/* Empty tests take the place of others without changing any number. */
static void a_base_without_all_names_holds_no_test(void)
{
	static const char *const bases[] = {
		"{\"inventory\":{" COUNTS(2, 2, 0, 0) "}}",
		"{\"inventory\":{" COUNTS(2, 2, 0, 0)
			NAMES("\"a\"", "", "", 1) "}}",
	};
	static const char *const nows[] = {
		TESTS("OK", COUNTS(2, 2, 0, 0)),
		TESTS("OK", COUNTS(3, 3, 0, 0)),
		TESTS("OK", COUNTS(2, 2, 0, 0) NAMES("\"a\",\"b\"", "", "", 0)),
	};

	for (size_t i = 0; i < sizeof bases / sizeof *bases; i++)
		for (size_t k = 0; k < sizeof nows / sizeof *nows; k++) {
			struct baseline b = { .hash = HASH };
			struct gate_signal s;

			b.value = *value(bases[i]);
			s = make("tests", "{}", "test", nows[k], &b);
			ok(!s.passed);
			ok(json_is_text(json_find(s.details, "problem"),
					"names_incomplete"));
			fits(&s);
		}
}

static void one_of_two_tests_of_a_name_can_be_gone(void)
{
	struct baseline b = { .hash = HASH };
	struct gate_signal s;

	b.value = *value("{\"inventory\":{" COUNTS(2, 2, 0, 0)
				 NAMES("\"a\",\"a\"", "", "", 0) "}}");
	s = make(
		"tests", "{}", "test",
		TESTS("OK", COUNTS(2, 2, 0, 0) NAMES("\"a\",\"b\"", "", "", 0)),
		&b);
	ok(!s.passed);
	ok_int((intmax_t)json_find(s.details, "gone")->u.array.len, 1);
	s = make(
		"tests", "{}", "test",
		TESTS("OK", COUNTS(2, 2, 0, 0) NAMES("\"a\",\"a\"", "", "", 0)),
		&b);
	ok(s.passed);
}

static void a_report_and_its_exit_agree(void)
{
	struct gate_signal s = make("tests", "{}", "test",
				    TESTS("FAILED", COUNTS(2, 2, 0, 0)), NULL);

	ok(!s.passed);
	s = make("tests", "{}", "test", "{\"status\":\"OK\",\"rc\":0}", NULL);
	ok(!s.passed);
	fits(&s);
	s = make("tests", "{}", "test", TESTS("OK", COUNTS(2, 2, 0, 0)), NULL);
	ok(s.passed);
	fits(&s);
}

/* Anything may come from descriptor 3. */
static void what_is_no_report_is_none(void)
{
	static const char *const reports[] = {
		COUNTS(1, 1, 0, 0) ",\"failures\":\"AAAA\"",
		COUNTS(1, 1, 0, 0) ",\"failures\":[1],\"failures_omitted\":0",
		COUNTS(1, 1, 0, 0) ",\"failures\":{\"a\":1}",
		COUNTS(-1, 1, 0, 0) ",\"failures\":[]",
	};
	struct gate_signal s;

	for (size_t i = 0; i < sizeof reports / sizeof *reports; i++) {
		char result[512];

		(void)snprintf(result, sizeof result,
			       "{\"status\":\"OK\",\"rc\":0,\"payload_status\":"
			       "\"valid\",\"payload\":{\"tests\":{%s}}}",
			       reports[i]);
		s = make("tests", "{}", "test", result, NULL);
		ok(!s.passed);
		ok(json_is_text(json_find(s.details, "problem"), "no_report"));
		fits(&s);
	}
}

/* No name in the schema promises something that nobody measured. */
static void names_walk(const struct json_value *v, unsigned *seen)
{
	static const char *const words[] = { "confidence", "score",
					     "rank",       "llm",
					     "model",      "self_reported" };

	for (size_t i = 0; v->type == JSON_ARRAY && i < v->u.array.len; i++)
		names_walk(&v->u.array.items[i], seen);
	for (size_t i = 0; v->type == JSON_OBJECT && i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];

		++*seen;
		for (size_t k = 0; k < sizeof words / sizeof *words; k++)
			ok(strcasestr(m->name.bytes, words[k]) == NULL);
		names_walk(&m->value, seen);
	}
}

/* Every object that lists properties allows no others. */
static void closed_walk(const struct json_value *v, bool is_detail)
{
	const struct json_value *properties =
		v->type == JSON_OBJECT ? json_find(v, "properties") : NULL;
	const struct json_value *others =
		v->type == JSON_OBJECT ? json_find(v, "additionalProperties")
				       : NULL;

	if (is_detail && properties != NULL)
		ok(others != NULL && others->type == JSON_BOOL &&
		   !others->u.boolean);
	for (size_t i = 0; v->type == JSON_OBJECT && i < v->u.object.len; i++)
		closed_walk(&v->u.object.members[i].value, is_detail);
}

static void the_schema_is_closed_and_holds_no_opinion(void)
{
	const struct data_text *t = schema_text_find("gate-signals");
	const struct json_value *root = value(t->bytes);
	const struct json_value *defs = json_find(root, "$defs");
	unsigned seen = 0;

	names_walk(root, &seen);
	ok(seen > 100);
	for (size_t i = 0; i < defs->u.object.len; i++)
		closed_walk(&defs->u.object.members[i].value, true);
}

int main(void)
{
	int r = tap_run((struct tap_case[]){
		CASE(a_phase_that_is_ok_passes),
		CASE(ends_say_whether_to_try_again),
		CASE(tests_are_held_against_the_base_by_name),
		CASE(a_base_without_all_names_holds_no_test),
		CASE(one_of_two_tests_of_a_name_can_be_gone),
		CASE(a_report_and_its_exit_agree),
		CASE(what_is_no_report_is_none),
		CASE(the_schema_is_closed_and_holds_no_opinion), TAP_END });

	arena_done(&arena);
	return r;
}
