/* jobs_gate_trace.c -- the signal trace: what may be missing is reported, and
 * it fails if something did not fit. */
#include "jobs/gate/kinds/kind.h"

#include "jobs/gate/baseline.h"
#include "json_at.h"
#include "tap.h"

#define EXEC(path)                                                             \
	"{\"t_ms\":1,\"pid\":1,\"ppid\":0,\"kind\":\"exec\",\"path\":\"" path  \
	"\",\"argv\":[],\"interpreter\":null,\"sealed\":false,\"result\":0,"   \
	"\"verified\":true}"
#define RESULT(events, omitted, ok, coverage)                                  \
	"{\"version\":\"1.0\",\"status\":\"OK\",\"rc\":0,\"egress\":null,"     \
	"\"egress_omitted\":0,\"enforced\":{\"trace\":{\"requested\":true,"    \
	"\"applied\":true,\"details\":{\"exec\":true,\"connect\":true}}},"     \
	"\"trace\":{\"events\":[" events "],\"events_omitted\":" omitted       \
	",\"lost\":0,\"coverage_ok\":" ok ",\"coverage\":[" coverage "]}}"

static struct arena arena;

static struct json_value *value(const char *text)
{
	struct json_value *v = arena_alloc(&arena, sizeof *v);
	struct json_error bad = { 0 };

	ok_int(json_parse(text, strlen(text), NULL, &arena, v, &bad), 0);
	return v;
}

static struct gate_signal make(const char *before, const char *now)
{
	static char base[4096];
	struct baseline b = { .hash = "blake3:0" };
	struct gate_phase phase = { .name = "test",
				    .spec = value("{\"trace\":\"exec\"}") };
	struct gate_ask ask = { .name = "trace",
				.kind = kind_find("trace"),
				.params = value("{}") };
	struct gate gate = { .phases = &phase, .phases_len = 1 };
	struct gate_run run = { .phase = "test",
				.run_id = "0123",
				.result = value(now) };
	struct gate_attempt a = { .runs = &run, .runs_len = 1 };
	struct kind_source s = { .gate = &gate,
				 .ask = &ask,
				 .attempt = &a,
				 .baseline = &b,
				 .arena = &arena };
	struct gate_signal ret = { .kind = "trace", .at = "2026" };

	(void)snprintf(base, sizeof base,
		       "{\"trace\":[{\"phase\":\"test\",\"result\":%s}]}",
		       before);
	b.value = *value(base);
	ok_int(ask.kind->build(&s, &ret), 0);
	return ret;
}

static void what_may_be_missing_is_told_and_does_not_fail(void)
{
	static const char whole[] = RESULT(EXEC("/usr/bin/a"), "0", "true", "");
	static const char gaps[] =
		RESULT(EXEC("/usr/bin/a"), "0", "false",
		       "{\"cause\":\"foreign_abi\",\"count\":1}");
	struct gate_signal s = make(whole, whole);

	ok(s.passed && json_find(s.details, "coverage_ok")->u.boolean);
	s = make(whole, gaps);
	ok(s.passed && !json_find(s.details, "coverage_ok")->u.boolean);
}

static void what_is_new_or_had_no_room_fails_for_good(void)
{
	static const char base[] = RESULT(EXEC("/usr/bin/a"), "0", "true", "");
	static const char *const bad[] = {
		RESULT(EXEC("/usr/bin/a") "," EXEC("/usr/bin/b"), "0", "true",
		       ""),
		RESULT(EXEC("/usr/bin/a"), "1", "false", ""),
		"{\"version\":\"1.0\",\"status\":\"OK\",\"trace\":null}",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct gate_signal s = make(base, bad[i]);

		ok(!s.passed && s.is_final);
	}
}

int main(void)
{
	int r = tap_run((struct tap_case[]){
		CASE(what_may_be_missing_is_told_and_does_not_fail),
		CASE(what_is_new_or_had_no_room_fails_for_good), TAP_END });

	arena_done(&arena);
	return r;
}
