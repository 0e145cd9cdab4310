/* intake.c -- see intake.h. */
#include "jobs/confirm/intake.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/common/beneath.h"
#include "jobs/confirm/listing.h"
#include "jobs/confirm/listing_lines.h"
#include "jobs/confirm/sarif.h"
#include "service/file.h"

#define CHUNK        ((size_t)64 << 10)
#define FORM_UNKNOWN 1 /* positive: no report that we know */

static int fail(const char *path, const char *why, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s: cannot be read: %s", path, why);
}

static int fail_memory(const char *path, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "%s: no memory for the flags", path);
}

/* Wait until fd can be read.  Returns -EINTR once stop_fd can be read. */
static int read_wait(int fd, int stop_fd)
{
	struct pollfd p[] = { { .fd = fd, .events = POLLIN },
			      { .fd = stop_fd, .events = POLLIN } };

	while (poll(p, 2, -1) < 0)
		if (errno != EINTR)
			return 0; /* the read reports what is wrong */
	return p[1].revents != 0 ? -EINTR : 0;
}

/* Read all that fd holds, up to the end if it is a pipe. */
static int bytes_read(const struct intake_request *req, const char *path,
		      int fd, size_t cap, struct buf *out,
		      struct cupel_error *err)
{
	for (;;) {
		char *at = buf_reserve(out, CHUNK);
		ssize_t n;

		if (at == NULL)
			return fail(path, strerror(ENOMEM), err);
		if (read_wait(fd, req->stop_fd) < 0)
			return cupel_fail_lit(err, CUPEL_STAGE_JOB,
					      CUPEL_CAUSE_BUSY, EINTR,
					      "stopped");
		n = read(fd, at, CHUNK);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n < 0)
			return fail(path, strerror(errno), err);
		if (n == 0)
			return 0;
		out->len += (size_t)n;
		if (out->len > cap)
			return cupel_fail(
				err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EFBIG,
				"%s: is larger than %zu MiB", path, cap >> 20);
	}
}

static int path_read(const struct intake_request *req, const char *path,
		     size_t cap, struct buf *out, struct cupel_error *err)
{
	owned_fd int fd = file_open(path);

	return fd < 0 ? fail(path, file_why(-fd), err)
		      : bytes_read(req, path, fd, cap, out, err);
}

static int flags_open(const struct intake_request *req, struct buf *out,
		      struct cupel_error *err)
{
	owned_fd int fd = -1;
	enum beneath b;
	off_t size = 0;

	if (req->beneath == NULL)
		return path_read(req, req->path, FLAGS_BYTES, out, err);
	b = beneath_open_file(req->repo_fd, req->beneath, &fd, &size);
	if (b == BENEATH_VANISHED)
		return fail(req->path, strerror(ENOENT), err);
	if (b != BENEATH_OK)
		return fail(req->path, beneath_name(b), err);
	return bytes_read(req, req->path, fd, FLAGS_BYTES, out, err);
}

/* Skip a byte order mark; -EINVAL if the text is UTF-16. */
static int mark_skip(const char *path, struct json_text *text,
		     struct cupel_error *err)
{
	if (text->len >= 2 && (memcmp(text->bytes, "\xff\xfe", 2) == 0 ||
			       memcmp(text->bytes, "\xfe\xff", 2) == 0))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL, "%s: is UTF-16, expected UTF-8",
				  path);
	if (text->len >= 3 && memcmp(text->bytes, "\xef\xbb\xbf", 3) == 0) {
		text->bytes += 3;
		text->len -= 3;
	}
	return 0;
}

static int rules_load(const struct intake_request *req, struct rules *rules,
		      struct cupel_error *err)
{
	const char *path = req->rules;
	owned_buf struct buf file = { 0 };
	struct json_text text;
	int e;

	if (path == NULL)
		return rules_read_own(rules, err);
	e = path_read(req, path, RULES_BYTES, &file, err);
	if (e < 0)
		return e;
	text = (struct json_text){ file.bytes, file.len };
	e = mark_skip(path, &text, err);
	if (e == 0)
		e = rules_read(rules, text.bytes, text.len, path, err);
	return e < 0 ? e : rules_read_own(rules, err);
}

static bool has_suffix(const char *path, const char *suffix)
{
	size_t n = strlen(path), len = strlen(suffix);

	return n >= len && strcasecmp(path + n - len, suffix) == 0;
}

static int sarif_take(const struct intake_request *req,
		      const struct json_value *log, const struct rules *rules,
		      struct flags *ret, struct cupel_error *err)
{
	owned_mem char *repo = realpath(req->repo, NULL);
	const char *why = NULL;
	int e = sarif_read(log, repo ? repo : req->repo, rules, ret, &why);

	if (e == -EINVAL)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL, "%s: %s", req->path, why);
	return e < 0 ? fail_memory(req->path, err) : 0;
}

static int fail_json(const char *path, const struct json_error *e,
		     struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s: line %zu, column %zu: %s%s%s", path, e->line,
			  e->column, json_code_name(e->code),
			  e->expected ? ": expected " : "",
			  e->expected ? e->expected : "");
}

/* Take a text that is one JSON document. */
static int document_take(const struct intake_request *req,
			 const struct json_value *doc,
			 const struct rules *rules, struct flags *ret,
			 struct cupel_error *err)
{
	const struct listing *listing;

	if (sarif_is_log(doc))
		return sarif_take(req, doc, rules, ret, err);
	listing = listing_find(doc);
	if (listing == NULL)
		return FORM_UNKNOWN;
	return listing_read(listing, doc, rules, ret) < 0
		       ? fail_memory(req->path, err)
		       : 0;
}

/* Take a text with one message or flag a line. */
static int lines_take(const struct intake_request *req, struct json_text text,
		      const struct rules *rules, struct flags *ret,
		      struct cupel_error *err)
{
	const struct line_form *form = line_form_find(text.bytes, text.len);
	int e = form != NULL
			? line_form_read(form, text.bytes, text.len, rules, ret)
			: flags_read(text.bytes, text.len, ret);

	return e < 0 ? fail_memory(req->path, err) : 0;
}

static int text_take(const struct intake_request *req, struct json_text text,
		     const struct rules *rules, struct flags *ret,
		     struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = FLAGS_BYTES,
					.memory_bytes = SARIF_MEMORY };
	bool must = has_suffix(req->path, ".sarif") ||
		    has_suffix(req->path, ".sarif.json");
	struct arena arena = { .cap_bytes = SARIF_MEMORY };
	struct json_value doc;
	struct json_error e = { 0 };
	bool is_json =
		json_parse(text.bytes, text.len, &caps, &arena, &doc, &e) == 0;
	int r = FORM_UNKNOWN;

	if (must && !is_json)
		r = fail_json(req->path, &e, err);
	else if (must && !sarif_is_log(&doc))
		r = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			       "%s: expected SARIF: an object with runs",
			       req->path);
	else if (is_json)
		r = document_take(req, &doc, rules, ret, err);
	arena_done(&arena);
	return r == FORM_UNKNOWN ? lines_take(req, text, rules, ret, err) : r;
}

int intake_read(const struct intake_request *req, struct rules *rules,
		struct flags *ret, struct cupel_error *err)
{
	owned_buf struct buf file = { 0 };
	struct json_text text;
	int e = flags_open(req, &file, err);

	if (e < 0)
		return e;
	text = (struct json_text){ file.bytes, file.len };
	e = mark_skip(req->path, &text, err);
	if (e == 0)
		e = rules_load(req, rules, err);
	return e < 0 ? e : text_take(req, text, rules, ret, err);
}
