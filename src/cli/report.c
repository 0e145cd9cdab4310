/* report.c -- cupel report: a run's tests in the forms that CI systems read. */
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/junit.h"
#include "spec/schemas.h"

#define RESULT_BYTES ((size_t)64 << 20)

/* The payload comes from a file that anybody may have written. */
static int payload_hold(const char *path, const struct json_value *payload,
			struct arena *arena)
{
	const struct data_text *text = schema_text_find("tests");
	struct schema_set *set = schema_set_new();
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };
	int r = CLI_OK;

	if (set == NULL || text == NULL ||
	    schema_set_add(set, NULL, text->bytes, text->len, &fault) < 0 ||
	    schema_set_use(set, NULL, &fault) < 0 ||
	    schema_validate(set, payload, arena, &report, &fault) < 0)
		r = cli_usage("report: %.200s: it cannot be checked: %s", path,
			      fault.text);
	else if (!report.valid)
		r = cli_usage("report: %.200s: its payload does not hold tests",
			      path);
	schema_set_free(set);
	return r;
}

/* There are no tests: return CLI_FAILED after a line that says why. */
static int refuse_none(const char *path, const struct json_value *root)
{
	const struct json_value *error = json_find(root, "payload_error");
	const struct json_value *code = NULL, *why = NULL;

	if (error != NULL && error->type == JSON_OBJECT) {
		code = json_find(error, "code");
		why = json_find(error, "message");
	}
	cli_complain(
		"report: %.200s: has no tests%s%.60s%s%.300s", path,
		code != NULL ? ": " : "",
		code != NULL && code->type == JSON_STRING ? code->u.string.bytes
							  : "",
		why != NULL ? ": " : "",
		why != NULL && why->type == JSON_STRING ? why->u.string.bytes
							: "");
	return CLI_FAILED;
}

static int write_junit(const char *path, struct arena *arena)
{
	const struct json_caps caps = { .text_bytes = RESULT_BYTES,
					.string_bytes = RESULT_BYTES,
					.depth = JSON_DEPTH_RESULT,
					.memory_bytes = 4 * RESULT_BYTES };
	owned_buf struct buf text = { 0 };
	owned_buf struct buf out = { 0 };
	struct cupel_error err = { 0 };
	struct json_error bad = { 0 };
	struct json_value root;
	const struct json_value *payload;
	int status;

	if (file_read_all(path, RESULT_BYTES, &text, &err) < 0)
		return cli_fail(&err);
	if (json_parse(text.bytes != NULL ? text.bytes : "", text.len, &caps,
		       arena, &root, &bad) < 0)
		return cli_usage("report: %.200s: is not a result: %s", path,
				 json_code_name(bad.code));
	payload = json_find(&root, "payload");
	if (payload == NULL || payload->type == JSON_NULL)
		return refuse_none(path, &root);
	status = payload_hold(path, payload, arena);
	if (status != CLI_OK)
		return status;
	junit_write(json_find(payload, "tests"), &out);
	return cli_print(&out);
}

int report_command(int argc, char *argv[])
{
	struct arena arena = { 0 };
	const char *form = argc > 1 ? argv[1] : "";
	int status;

	if (strcmp(form, "--help") == 0)
		return command_show_help(argv[0]);
	if (strcmp(form, "junit") != 0)
		return cli_usage("report: expected junit, not '%.80s'", form);
	if (argc > 3)
		return cli_usage(
			"report: expected one RESULT, found '%.80s' after it",
			argv[3]);
	if (argc > 2 && argv[2][0] == '-' && argv[2][1] != '\0')
		return strcmp(argv[2], "--help") == 0
			       ? command_show_help(argv[0])
			       : cli_usage("report: unknown option '%.80s'",
					   argv[2]);
	status = write_junit(argc > 2 ? argv[2] : "-", &arena);
	arena_done(&arena);
	return status;
}
