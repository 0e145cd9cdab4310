/* request.c -- strict JSON, then the keys of its spec, then the schema. */
#include "worker/request.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "boundary/schema.h"
#include "spec/schemas.h"
#include "worker/worker.h"

/* The keys of cupel-spec(5) that a requester may ask for.  The schema bounds
 * their values.  Every other key reads, writes or reaches something of the
 * host, takes a wall down, or asks for something that not every host has.  The
 * last would count as the worker's failure, and a requester could make all
 * workers rest. */
static const char *const keys[] = {
	"chdir",          "command",      "cpu_time_s",  "data_bytes",
	"as_bytes",       "env",          "env_dummy",   "fsize_bytes",
	"kill_after_s",   "mem_bytes",    "network",     "nofile",
	"nproc",          "output_bytes", "output_mode", "phases",
	"pids_max",       "profile",      "report",      "report_names",
	"repo_mode",      "result_bytes", "result_from", "scratch_bytes",
	"scratch_inodes", "trace",        "trace_id",    "wall_time_s",
};
static const char *const phase_keys[] = { "name", "goes_on" };

#define REQUEST_MEMORY ((size_t)64 << 20)

/* The key of an id, which may be any text: 32 digits of its hash. */
static void key_write(const char *id, size_t n, char ret[WORKER_KEY_BYTES])
{
	char hash[BLAKE3_TEXT_BYTES];

	blake3_hex_text(id, n, hash);
	memcpy(ret, strchr(hash, ':') + 1, WORKER_KEY_BYTES - 1);
	ret[WORKER_KEY_BYTES - 1] = '\0';
}

int worker_why_set(struct worker_why *why, const char *code, const char *fmt,
		   ...)
{
	va_list ap;

	why->code = code;
	va_start(ap, fmt);
	(void)vsnprintf(why->text, sizeof why->text, fmt, ap);
	va_end(ap);
	utf8_make_line(why->text);
	return -EINVAL;
}

static bool is_in(const char *const list[], size_t n, const char *name)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(list[i], name) == 0)
			return true;
	return false;
}

static int keys_check(const struct json_value *spec, bool is_phase,
		      struct worker_why *why)
{
	if (spec == NULL || spec->type != JSON_OBJECT)
		return 0; /* the schema refuses that */
	for (size_t i = 0; i < spec->u.object.len; i++) {
		const char *name = spec->u.object.members[i].name.bytes;

		if (is_in(keys, sizeof keys / sizeof *keys, name) ||
		    (is_phase && is_in(phase_keys, 2, name)))
			continue;
		return worker_why_set(why, "key",
				      "spec%s: a request may not ask for "
				      "'%.80s'",
				      is_phase ? ".phases" : "", name);
	}
	return 0;
}

static int phases_check(const struct json_value *spec, struct worker_why *why)
{
	const struct json_value *p =
		spec != NULL ? json_find(spec, "phases") : NULL;

	if (p == NULL || p->type != JSON_ARRAY)
		return 0;
	for (size_t i = 0; i < p->u.array.len; i++) {
		int r = keys_check(&p->u.array.items[i], true, why);

		if (r < 0)
			return r;
	}
	return 0;
}

static int schema_check(struct worker_request *q, struct worker_why *why)
{
	const struct data_text *text = schema_text_find("worker-request");
	struct schema_set *set = schema_set_new();
	struct schema_report report = { 0 };
	struct schema_fault fault = { 0 };
	int r = set == NULL || text == NULL
			? -ENOMEM
			: schema_set_add(set, NULL, text->bytes, text->len,
					 &fault);

	if (r == 0)
		r = schema_set_use(set, NULL, &fault);
	if (r == 0)
		r = schema_validate(set, &q->value, &q->arena, &report, &fault);
	if (r < 0)
		r = worker_why_set(why, "wrong_schema", "%s",
				   fault.text[0] != '\0' ? fault.text
							 : "no memory");
	else if (!report.valid)
		r = worker_why_set(
			why, "wrong_schema", "%s: %s",
			report.len > 0 &&
					report.violations[0].instance[0] != '\0'
				? report.violations[0].instance
				: "the request",
			report.len > 0 ? report.violations[0].message
				       : "does not fit its schema");
	schema_set_free(set);
	return r;
}

/* Read the id and the kind, as far as they are readable, so that a refusal can
 * be sent to the requester. */
static void head_read(struct worker_request *q)
{
	const struct json_value *id = json_find(&q->value, "id");
	const struct json_value *kind = json_find(&q->value, "kind");

	if (id != NULL && id->type == JSON_STRING && id->u.string.len > 0 &&
	    id->u.string.len <= 256 &&
	    memchr(id->u.string.bytes, 0, id->u.string.len) == NULL)
		q->id = id->u.string;
	if (q->id.len > 0)
		key_write(q->id.bytes, q->id.len, q->key);
	for (enum worker_kind k = WORKER_RUN; k < WORKER_KIND_NONE; k++)
		if (kind != NULL && json_is_text(kind, worker_kind_name(k)))
			q->kind = k;
}

static int wrong_json(const struct json_error *e, struct worker_why *why)
{
	return worker_why_set(why, "not_json", "line %zu, column %zu: %s",
			      e->line, e->column, json_code_name(e->code));
}

int worker_request_read(const char *bytes, size_t n, struct worker_request *ret,
			struct worker_why *why)
{
	const struct json_caps caps = { .text_bytes = WORKER_REQUEST_BYTES,
					.string_bytes = WORKER_REQUEST_BYTES,
					.depth = 64,
					.memory_bytes = REQUEST_MEMORY };
	const struct json_value *spec;
	struct json_error e = { 0 };
	int r;

	if (n == 0)
		bytes = ""; /* a message without a payload has no pointer */
	ret->arena.cap_bytes = 2 * REQUEST_MEMORY;
	ret->kind = WORKER_KIND_NONE;
	blake3_hex_text(bytes, n, ret->hash);
	key_write(bytes, n, ret->key);
	if (n > WORKER_REQUEST_BYTES)
		return worker_why_set(
			why, "too_large",
			"the request has %zu bytes, expected at most %zu", n,
			WORKER_REQUEST_BYTES);
	if (json_parse(bytes, n, &caps, &ret->arena, &ret->value, &e) < 0)
		return wrong_json(&e, why);
	if (ret->value.type != JSON_OBJECT)
		return worker_why_set(why, "wrong_schema",
				      "the request: expected an object");
	head_read(ret);
	if (json_find(&ret->value, "id") != NULL && ret->id.len == 0)
		return worker_why_set(why, "wrong_schema",
				      "/id: expected a string of 1 to 256 "
				      "bytes without NUL");
	spec = json_find(&ret->value, "spec");
	r = keys_check(spec, false, why);
	if (r == 0)
		r = phases_check(spec, why);
	return r == 0 ? schema_check(ret, why) : r;
}

void worker_request_done(struct worker_request *r)
{
	arena_done(&r->arena);
}
