/* context.c -- see context.h. */
#include "jobs/gather/context.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/common/beneath.h"
#include "jobs/gather/merge.h"
#include "service/parse_program.h"
#include "service/sealed.h"
#include "service/vessel.h"
#include "service/vessel_result.h"

#define READ_BYTES    ((size_t)256 << 10)
#define CONTEXT_DEPTH 40U /* a slice's 32 and what is around it */

static int refuse(struct cupel_error *err, const char *name, const char *why)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s: %s", name, why);
}

static int file_read(int out_fd, const char *name, struct buf *out,
		     struct cupel_error *err)
{
	owned_fd int fd = -1;
	off_t size = 0;
	enum beneath b = beneath_open_file(out_fd, name, &fd, &size);

	if (b == BENEATH_VANISHED)
		return -ENOENT;
	if (b != BENEATH_OK)
		return refuse(err, name, beneath_name(b));
	out->cap_bytes = CONTEXT_BYTES + READ_BYTES;
	for (;;) {
		char *room = buf_reserve(out, READ_BYTES);
		ssize_t n = room != NULL ? read(fd, room, READ_BYTES) : -1;

		if (n < 0 && room != NULL && errno == EINTR)
			continue;
		if (n < 0)
			return refuse(err, name,
				      room ? strerror(errno) : "too long");
		if (n == 0)
			return 0;
		out->len += (size_t)n;
		if (out->len > CONTEXT_BYTES)
			return refuse(err, name, "longer than 30 MiB");
	}
}

/* p is a context, or it is told why not and freed. */
static int context_judge(const char *name, struct payload *p,
			 struct cupel_error *err)
{
	int e;

	if (p->status == PAYLOAD_VALID)
		return 0;
	e = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
		       "%s: is not a context: %s %s%s%s", name,
		       p->error.code ? p->error.code
				     : payload_status_name(p->status),
		       p->error.instance ? p->error.instance : "",
		       p->error.instance ? ": " : "",
		       p->error.message ? p->error.message : "");
	payload_done(p);
	return e;
}

/* The file's bytes are the context as JSON: through the boundary. */
static int json_context_read(const char *name, const struct buf *text,
			     const struct schema_set *set, struct payload *ret,
			     struct cupel_error *err)
{
	const struct payload_limits limits = {
		.bytes = CONTEXT_BYTES,
		.depth = CONTEXT_DEPTH,
		.string_bytes = VESSEL_STRING_BYTES,
	};

	payload_read(text->bytes ? text->bytes : "", text->len, text->len, set,
		     &limits, ret);
	return context_judge(name, ret, err);
}

/* What a vessel is given; stays open until the run has ended. */
struct given {
	int list_fd, bytes_fd, program_fd;
};

/* The one file, as the parser takes its inputs. */
static int given_make(const char *name, const struct buf *text, struct given *g,
		      struct cupel_error *err)
{
	char list[64];
	int n = snprintf(list, sizeof list, "%s%c%zu%c", name, 0, text->len, 0);

	g->list_fd = sealed_of(list, (size_t)n, false, err);
	if (g->list_fd < 0)
		return g->list_fd;
	g->bytes_fd = sealed_of(text->bytes ? text->bytes : "", text->len,
				false, err);
	if (g->bytes_fd < 0)
		return g->bytes_fd;
	g->program_fd =
		sealed_of(parse_program_bytes, parse_program_len(), true, err);
	return g->program_fd < 0 ? g->program_fd : 0;
}

static void given_done(struct given *g)
{
	cleanup_fd(&g->list_fd);
	cleanup_fd(&g->bytes_fd);
	cleanup_fd(&g->program_fd);
}

static int parser_start(const struct given *g, struct vessel **ret,
			struct cupel_error *err)
{
	const char *argv[] = { "cupel-parse", "context_read", NULL };
	const struct vessel_option options[] = { { "result-bytes", "32M" },
						 { NULL, NULL } };
	const struct vessel_request v = {
		.profile = "parser",
		.options = options,
		.argv = argv,
		.stdin_fd = g->list_fd,
		.inputs = &g->bytes_fd,
		.inputs_len = 1,
		.exec_fd = g->program_fd,
	};

	return vessel_start(&v, ret, err);
}

static const char *note_text(const struct json_value *note, const char *key)
{
	const struct json_value *v = json_find(note, key);

	return v != NULL && v->type == JSON_STRING ? v->u.string.bytes : "?";
}

/* What the parser said, unless it is an answer: its first error. */
static int answer_check(const char *name, const struct vessel_result *r,
			const struct payload *answer, struct cupel_error *err)
{
	const struct json_value *errors, *note, *at;

	if (r->status != CUPEL_OK || answer->status != PAYLOAD_VALID)
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			"%s: could not be parsed: %s", name,
			r->message ? r->message
			: r->status != CUPEL_OK
				? cupel_status_name(r->status)
				: payload_status_name(answer->status));
	errors = json_find(&answer->value, "errors");
	if (errors != NULL && errors->type == JSON_ARRAY &&
	    errors->u.array.len > 0) {
		note = &errors->u.array.items[0];
		at = json_find(note, "offset");
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			"%s: %s at byte %s: %s", name, note_text(note, "code"),
			at && at->type == JSON_NUMBER ? at->u.number.bytes
						      : "?",
			note_text(note, "message"));
	}
	return json_find(&answer->value, "slice") != NULL
		       ? 0
		       : refuse(err, name, "could not be parsed");
}

/* What the parser handed over is the context in an answer: that crosses the
 * boundary, and of it the slice counts. */
static int answer_take(const char *name, const struct vessel *v,
		       const struct schema_set *set, struct payload *ret,
		       struct cupel_error *err)
{
	const struct vessel_judge judge = {
		.limits = { .bytes = CONTEXT_BYTES,
			    .depth = CONTEXT_DEPTH + 1,
			    .string_bytes = VESSEL_STRING_BYTES }
	};
	struct vessel_result result;
	int e;

	vessel_read(v, &result);
	vessel_payload_read(v, &judge, ret);
	e = answer_check(name, &result, ret, err);
	if (e < 0) {
		payload_done(ret);
		return e;
	}
	payload_narrow(ret, "slice", set);
	return context_judge(name, ret, err);
}

static int yaml_context_read(const char *name, const struct buf *text,
			     const struct schema_set *set, struct payload *ret,
			     struct cupel_error *err)
{
	struct given g = { -1, -1, -1 };
	struct vessel *v = NULL;
	int e = given_make(name, text, &g, err);

	if (e == 0)
		e = parser_start(&g, &v, err);
	if (e == 0)
		e = vessel_wait(v, err);
	if (e == 0)
		e = answer_take(name, v, set, ret, err);
	vessel_free(v);
	given_done(&g);
	return e;
}

int context_open(int out_fd, const char *name, struct context *ret,
		 struct cupel_error *err)
{
	bool is_json = strcmp(name, CONTEXT_JSON) == 0;
	owned_buf struct buf text = { 0 };
	struct schema_set *set = NULL;
	struct context c = { 0 };
	int e = file_read(out_fd, name, &text, err);

	if (e < 0)
		return e;
	blake3_hex_text(text.bytes ? text.bytes : "", text.len, c.hash);
	e = merge_schema(&set, err);
	if (e == 0 && is_json)
		e = json_context_read(name, &text, set, &c.checked, err);
	else if (e == 0)
		e = yaml_context_read(name, &text, set, &c.checked, err);
	schema_set_free(set);
	if (e == 0)
		*ret = c;
	return e;
}

void context_close(struct context *c)
{
	payload_done(&c->checked);
}
