/* jobs_gate_plan.c -- what a planner reads first: names, messages, the rule that was
 * broken; and nothing that it can do nothing with. */
#include "jobs/gate/plan_input.h"

#include <stdlib.h>

#include "base/buf.h"
#include "json_at.h"

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

/* The input after an attempt with one signal that failed. */
static char *input(const char *kind, const char *details, const char *result)
{
	struct gate_file change = { .path = "change.json" };
	struct gate_file run_file = { .path = "runs/0-test.json" };
	struct gate_file *files[] = { &run_file, &change };
	const struct gate_file *const of[] = { &run_file };
	struct gate_run run = { .phase = "test", .result = value(result) };
	struct gate_signal signal = { .kind = kind,
				      .details = value(details),
				      .files = of,
				      .files_len = 1 };
	struct gate gate = { .name = "node-validate" };
	struct gate_attempt a = { .number = 1,
				  .runs = &run,
				  .runs_len = 1,
				  .files = files,
				  .files_len = 2,
				  .signals = &signal,
				  .signals_len = 1 };
	struct gate_verdict v = { .failing = { kind }, .failing_len = 1 };
	struct records_kept kept[] = { { .path = "evidence/run" },
				       { .path = "evidence/change" } };
	struct buf out = { 0 };

	plan_input_write(&(struct plan_input){ .gate = &gate,
					       .attempt = &a,
					       .verdict = &v,
					       .max = 3,
					       .state = "/s",
					       .kept = kept },
			 &out);
	ok(!buf_has_failed(&out));
	return buf_take(&out);
}

#define DETAILS                                                                \
	"{\"phase\":\"test\",\"ran\":true,\"status\":\"OK\",\"rc\":0,"         \
	"\"reason\":null,\"problem\":null,\"payload_status\":\"valid\","       \
	"\"total\":1260,\"skipped\":0,\"inventory_hash\":\"" HASH "\","        \
	"\"baseline\":\"" HASH "\",\"delta_test_count\":-4,"                   \
	"\"gone\":[\"req .xhr one\",\"two\\nlines\"],"                         \
	"\"newly_skipped\":[\"app three\"],\"gone_omitted\":0}"

static void names_come_first_and_nothing_dull(void)
{
	static const char lines[] =
		"| gone: req .xhr one\\n| gone: two lines\\n"
		"| newly_skipped: app three\\n| phase: test\\n"
		"| status: OK\\n| total: 1260\\n| delta_test_count: -4\\n---";
	char *text = input("tests", DETAILS, "{\"status\":\"OK\"}");

	ok_has(text, lines);
	ok_lacks(text, "blake3:");
	ok_lacks(text, "omitted");
	ok_lacks(text, "null");
	ok_has(text, "\"evidence\":{\"tests\":\"/s/evidence/run\","
		     "\"change\":\"/s/evidence/change\"}");
	free(text);
}

static void the_rule_that_broke_has_its_place(void)
{
	char *text =
		input("policy",
		      "{\"held\":7,\"rules\":\"" HASH "\",\"broken\":[{\"id\":"
		      "\"no-new-install-script\",\"message\":\"a new script\","
		      "\"place\":\"/change/scripts/0\",\"found\":\"curl x\"}]}",
		      "{\"status\":\"OK\"}");

	ok_has(text, "| broken: id=no-new-install-script message=a new script "
		     "place=/change/scripts/0 found=curl x\\n| held: 7\\n");
	free(text);
}

static void a_failed_test_has_its_message(void)
{
	char *text = input(
		"tests",
		"{\"status\":\"FAILED\",\"rc\":1,\"failures\":[\"sum adds\"]}",
		"{\"status\":\"FAILED\",\"stdout\":\"log\",\"payload\":{"
		"\"tests\":{\"details\":[{\"name\":\"sum adds\",\"message\":"
		"\"3 != 4\",\"file\":\"a.js\",\"line\":7,\"duration_ms\":3},"
		"{\"name\":\"b\",\"message\":null,\"file\":null,"
		"\"line\":null}]}}}");

	ok_has(text, "--- data: failures of test (");
	ok_has(text, "| sum adds: 3 != 4, a.js:7\\n| b\\n");
	ok_has(text, "--- data: stdout of test (");
	free(text);
}

/* What the report says is hostile, and may be of any shape. */
static void a_strange_report_says_nothing(void)
{
	static const char *const payloads[] = {
		"null",
		"[]",
		"{\"tests\":null}",
		"{\"tests\":{\"details\":{}}}",
		"{\"tests\":{\"details\":[]}}",
	};

	for (size_t i = 0; i < sizeof payloads / sizeof *payloads; i++) {
		char result[128];
		char *text;

		(void)snprintf(result, sizeof result,
			       "{\"status\":\"OK\",\"payload\":%s}",
			       payloads[i]);
		text = input("tests", "{}", result);
		ok_lacks(text, "failures of");
		free(text);
	}
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(names_come_first_and_nothing_dull),
		CASE(the_rule_that_broke_has_its_place),
		CASE(a_failed_test_has_its_message),
		CASE(a_strange_report_says_nothing), TAP_END });
}
