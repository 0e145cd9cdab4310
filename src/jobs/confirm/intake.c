/* intake.c -- see intake.h. */
#include "jobs/confirm/intake.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/confirm/sarif.h"

#define CHUNK ((size_t)64 << 10)

static int fail(const char *path, int sys, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, sys,
			  "%s: cannot be read: %s", path, strerror(sys));
}

static int fail_memory(const char *path, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "%s: needs more memory than there is for flags",
			  path);
}

static int file_read(const char *path, size_t cap, struct buf *out,
		     struct cupel_error *err)
{
	owned_fd int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	if (fd < 0)
		return fail(path, errno, err);
	for (;;) {
		char *at = buf_reserve(out, CHUNK);
		ssize_t n;

		if (at == NULL)
			return fail(path, ENOMEM, err);
		n = read(fd, at, CHUNK);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(path, errno, err);
		if (n == 0)
			return 0;
		out->len += (size_t)n;
		if (out->len > cap)
			return cupel_fail(
				err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EFBIG,
				"%s: is larger than %zuM", path, cap >> 20);
	}
}

/* The text behind a byte order mark; -EINVAL for one of UTF-16. */
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

static int rules_load(const char *path, struct rules *rules,
		      struct cupel_error *err)
{
	owned_buf struct buf file = { 0 };
	struct json_text text;
	int e;

	if (path == NULL)
		return rules_read_own(rules, err);
	e = file_read(path, RULES_BYTES, &file, err);
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

static int text_take(const struct intake_request *req, struct json_text text,
		     const struct rules *rules, struct flags *ret,
		     struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = FLAGS_BYTES,
					.memory_bytes = SARIF_MEMORY };
	bool must = has_suffix(req->path, ".sarif") ||
		    has_suffix(req->path, ".sarif.json");
	struct arena arena = { .cap_bytes = SARIF_MEMORY };
	struct json_value log;
	struct json_error e = { 0 };
	bool is_json =
		json_parse(text.bytes, text.len, &caps, &arena, &log, &e) == 0;
	bool is_log = is_json && sarif_is_log(&log);
	int r;

	if (is_log)
		r = sarif_take(req, &log, rules, ret, err);
	else if (must && !is_json)
		r = fail_json(req->path, &e, err);
	else if (must)
		r = cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			       "%s: expected SARIF: an object with runs",
			       req->path);
	else
		r = flags_read(text.bytes, text.len, ret) < 0
			    ? fail_memory(req->path, err)
			    : 0;
	arena_done(&arena);
	return r;
}

int intake_read(const struct intake_request *req, struct rules *rules,
		struct flags *ret, struct cupel_error *err)
{
	owned_buf struct buf file = { 0 };
	struct json_text text;
	int e = file_read(req->path, FLAGS_BYTES, &file, err);

	if (e < 0)
		return e;
	text = (struct json_text){ file.bytes, file.len };
	e = mark_skip(req->path, &text, err);
	if (e == 0)
		e = rules_load(req->rules, rules, err);
	return e < 0 ? e : text_take(req, text, rules, ret, err);
}
