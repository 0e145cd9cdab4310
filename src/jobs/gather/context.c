/* context.c -- see context.h. */
#include "jobs/gather/context.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "jobs/common/beneath.h"
#include "jobs/common/composed.h"
#include "jobs/gather/merge.h"
#include "service/vessel_result.h"

#define READ_BYTES    ((size_t)256 << 10)
#define CONTEXT_DEPTH 40U /* the 32 levels of a slice and those around it */

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
				      room ? strerror(errno) : "is too long");
		if (n == 0)
			return 0;
		out->len += (size_t)n;
		if (out->len > CONTEXT_BYTES)
			return refuse(err, name, "is longer than 30 MiB");
	}
}

/* Check that p is a context; if not, fill *err and free it. */
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

static int yaml_context_read(const char *name, const struct buf *text,
			     const struct schema_set *set, struct payload *ret,
			     struct cupel_error *err)
{
	const struct composed_source d = {
		.name = name,
		.bytes = text->bytes ? text->bytes : "",
		.len = text->len,
		.limits = { .bytes = CONTEXT_BYTES,
			    .depth = CONTEXT_DEPTH + 1,
			    .string_bytes = VESSEL_STRING_BYTES },
	};
	int e = composed_read(&d, set, ret, err);

	return e < 0 ? e : context_judge(name, ret, err);
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
