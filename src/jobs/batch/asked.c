/* asked.c -- see asked.h. */
#include "jobs/batch/asked.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "boundary/json.h"
#include "service/spec_handle.h"
#include "spec/canonical.h"
#include "spec/line.h"

static int refuse(struct cupel_error *err, const char *why)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s", why);
}

/* Hash the line as it is written, so that even a line that cannot be read has a
 * hash. */
static void hash_make(const struct batch_text *text, const char *options,
		      const char *spec_hash, char ret[BLAKE3_TEXT_BYTES])
{
	uint8_t digest[BLAKE3_BYTES];
	struct blake3 b;

	blake3_init(&b);
	blake3_update(&b, options, strlen(options) + 1);
	blake3_update(&b, spec_hash, strlen(spec_hash) + 1);
	if (text->len > 0)
		blake3_update(&b, text->bytes, text->len);
	blake3_final(&b, digest, sizeof digest);
	blake3_hex(digest, ret);
}

static int id_take(const struct json_value *root, struct batch_asked *ret,
		   struct cupel_error *err)
{
	const struct json_value *id = json_find(root, "id");

	if (id == NULL)
		return refuse(err, "line: id is missing");
	if (id->type != JSON_STRING || id->u.string.len == 0 ||
	    id->u.string.len > BATCH_ID_BYTES_MAX ||
	    memchr(id->u.string.bytes, '\0', id->u.string.len) != NULL)
		return refuse(err, "line: id: expected a string of 1 to 256 "
				   "bytes without NUL");
	memcpy(ret->id, id->u.string.bytes, id->u.string.len);
	ret->id_len = id->u.string.len;
	return 0;
}

/* The caps are the same as those of the reader that comes next. */
static int id_read(const struct batch_text *text, struct batch_asked *ret,
		   struct cupel_error *err)
{
	const struct json_caps caps = { .text_bytes = SPEC_DOCUMENT_BYTES,
					.depth = 8 };
	struct arena arena = { 0 };
	struct json_value root = { 0 };
	struct json_error e = { 0 };
	int r = json_parse(text->bytes, text->len, &caps, &arena, &root, &e);

	if (r < 0 && e.code == JSON_NO_MEMORY)
		r = cupel_fail_lit(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				   ENOMEM, "no memory for a line");
	else if (r < 0)
		r = cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
			       EINVAL, "line: column %zu: %s%s%s", e.column,
			       json_code_name(e.code),
			       e.expected ? ", expected " : "",
			       e.expected ? e.expected : "");
	else if (root.type != JSON_OBJECT)
		r = refuse(err, "line: expected an object");
	else
		r = id_take(&root, ret, err);
	arena_done(&arena);
	return r;
}

static int spec_build(const struct batch_text *text, const struct spec *base,
		      struct batch_asked *ret, struct cupel_error *err)
{
	ret->spec = calloc(1, sizeof *ret->spec);
	if (ret->spec == NULL)
		return cupel_fail_lit(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				      ENOMEM, "no memory for a line");
	atomic_init(&ret->spec->users, 1);
	return spec_line_build(base, text->bytes, text->len, &ret->spec->fields,
			       err);
}

int batch_asked_read(const struct batch_text *text, const struct spec *base,
		     const char *options, struct batch_asked *ret,
		     struct cupel_error *err)
{
	char spec[BLAKE3_TEXT_BYTES] = "";
	int r;

	ret->number = text->number;
	if (text->is_too_long)
		r = refuse(err, "line: is longer than 1 MiB");
	else
		r = id_read(text, ret, err);
	if (r == 0)
		r = spec_build(text, base, ret, err);
	if (r == 0)
		r = spec_check(&ret->spec->fields, err);
	if (r == 0)
		r = spec_hash(&ret->spec->fields, spec, err);
	hash_make(text, options, spec, ret->hash);
	return r;
}

struct batch_key batch_asked_key(const struct batch_asked *a)
{
	return batch_key_answer(a->id_len > 0 ? a->id : NULL, a->id_len,
				a->number, a->hash);
}

static void head_write(struct jsonw *w, const struct batch_asked *a)
{
	jsonw_object(w, NULL);
	if (a->id_len > 0)
		jsonw_bytes(w, "id", a->id, a->id_len);
	else
		jsonw_null(w, "id");
	jsonw_uint(w, "line", a->number);
	jsonw_text(w, "hash", a->hash);
}

void batch_answer_result(const struct batch_asked *a, const char *json,
			 size_t n, struct buf *out)
{
	struct jsonw w = { .out = out };

	head_write(&w, a);
	jsonw_raw(&w, "result", json, n);
	jsonw_end_object(&w);
	buf_char(out, '\n');
}

void batch_answer_error(const struct batch_asked *a,
			const struct cupel_error *why, struct buf *out)
{
	struct jsonw w = { .out = out };

	head_write(&w, a);
	jsonw_object(&w, "error");
	jsonw_text(&w, "cause", cupel_cause_name(why->cause));
	jsonw_text(&w, "message", why->what);
	jsonw_end_object(&w);
	jsonw_end_object(&w);
	buf_char(out, '\n');
}

void batch_asked_done(struct batch_asked *a)
{
	spec_handle_drop(a->spec);
	a->spec = NULL;
}
