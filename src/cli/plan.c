/* plan.c -- cupel plan: shows what a run would do. */
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/json.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/file.h"
#include "cli/pretty.h"
#include "cli/request.h"
#include "cupel.h"
#include "spec/spec.h"

static int put(const struct spec *fields, const char *json, size_t n)
{
	struct cupel_error err = { 0 };

	if (fields->json == NULL || fields->json[0] == '\0')
		return pretty_print(json, n);
	return file_write(fields->json, 0666, json, n, &err) < 0
		       ? cli_fail(&err)
		       : CLI_OK;
}

/* Explain that a rule asks for every port but gets only some. */
static void explain_any_port(const struct json_value *plan)
{
	const struct json_value *e = json_find(plan, "egress");
	const struct json_value *ports = e != NULL && e->type == JSON_OBJECT
						 ? json_find(e, "any_port")
						 : NULL;
	owned_buf struct buf list = { 0 };

	if (ports == NULL || ports->type != JSON_ARRAY ||
	    ports->u.array.len == 0)
		return;
	json_write(ports, &list);
	buf_char(&list, '\0');
	if (!buf_has_failed(&list))
		cli_complain("plan: a rule's port '*' covers only %s; name any "
			     "other port in a rule",
			     list.bytes);
}

/* With --json print one line, as a program wants it; otherwise laid out. */
static int print_plan(const struct spec *fields, const char *json)
{
	owned_buf struct buf out = { 0 };
	struct arena arena = { 0 };
	const struct json_caps caps = {
		.text_bytes = (size_t)64 << 20,
		.string_bytes = (size_t)64 << 20,
		.memory_bytes = (size_t)1 << 30,
	};
	struct json_value v = { 0 };
	struct json_error err;
	int r;

	if (json_parse(json, strlen(json), &caps, &arena, &v, &err) < 0)
		buf_text(&out, json);
	else if (fields->json == NULL)
		pretty_write(&v, &out);
	else
		json_write(&v, &out);
	if (out.len > 0 && v.type == JSON_OBJECT)
		explain_any_port(&v);
	arena_done(&arena);
	buf_char(&out, '\n');
	if (buf_has_failed(&out)) {
		cli_complain("plan: no memory");
		return CLI_FAILED;
	}
	r = put(fields, out.bytes, out.len);
	return r;
}

int plan_command(int argc, char *argv[])
{
	owned_mem char *json = NULL;
	struct cupel_error err = { 0 };
	struct request req = { 0 };
	int status = CLI_OK;

	if (request_read(argc, argv, &req, &status)) {
		if (cupel_plan_json(req.spec, &json, &err) == 0)
			status = print_plan(req.fields, json);
		else
			status = cli_fail(&err);
		if (status == CLI_USAGE)
			status = request_usage_rc(&req, argc, argv);
	}
	request_done(&req);
	return status;
}
