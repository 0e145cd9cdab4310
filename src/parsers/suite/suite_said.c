/* suite_said.c -- keeps what a report says about its failures: message, place,
 * duration.
 *
 * The texts are hostile, so each of them and their total are bounded.  What has
 * no room is left out, because a report without them is still valid. */
#include <string.h>

#include "base/grow.h"
#include "base/name.h"
#include "base/utf8.h"
#include "parsers/common/text_piece.h"
#include "parsers/suite/suite.h"

#define SHOWN_BYTES   1000U               /* of a name, or a message */
#define MESSAGE_BYTES 1000U               /* that are kept of one */
#define FILE_BYTES    512U                /* of a file's name */
#define TEXT_BYTES    ((size_t)2 << 20)   /* of all that is kept */
#define DETAILS_BYTES ((size_t)256 << 10) /* of their JSON */
#define DURATION_MAX  1000000000          /* ms, eleven days */

void suite_name_put(struct jsonw *w, const char *key, struct json_text t)
{
	owned_buf struct buf shown = { 0 };

	if (t.len > 0)
		name_write(&shown, t.bytes,
			   utf8_cut(t.bytes, t.len, SHOWN_BYTES));
	if (shown.bytes != NULL)
		jsonw_bytes(w, key, shown.bytes,
			    utf8_cut(shown.bytes, shown.len, SHOWN_BYTES));
	else
		jsonw_text(w, key, "");
}

/* --- what is kept ------------------------------------------------------------- */

/* The details of t, or NULL if no more are kept. */
static struct suite_said *said_of(struct suite *s, struct suite_test *t)
{
	if (t->end != SUITE_FAILED)
		return NULL;
	if (t->said > 0)
		return &s->said[t->said - 1];
	if (s->said_len >= SUITE_SAID_MAX ||
	    !array_grow((void **)&s->said, s->said_len, &s->said_room,
			sizeof *s->said))
		return NULL;
	s->said[s->said_len] =
		(struct suite_said){ .line = -1, .duration_ms = -1 };
	t->said = (unsigned)++s->said_len;
	return &s->said[t->said - 1];
}

static size_t text_keep(struct suite *s, struct json_text t, size_t most,
			size_t *ret_at)
{
	size_t n = t.len > 0 ? utf8_cut(t.bytes, t.len, most) : 0;

	*ret_at = s->said_text.len;
	if (n == 0 || s->said_text.len + n > TEXT_BYTES)
		return 0;
	buf_add(&s->said_text, t.bytes, n);
	return buf_has_failed(&s->said_text) ? 0 : n;
}

/* Remove a terminal's colours, ESC [ ... letter.  The result is in out. */
static struct json_text plain(struct json_text t, struct buf *out)
{
	for (size_t i = 0; i < t.len; i++) {
		if (t.bytes[i] != '\x1b' || i + 1 >= t.len ||
		    t.bytes[i + 1] != '[') {
			buf_char(out, t.bytes[i]);
			continue;
		}
		for (i += 2;
		     i < t.len && (t.bytes[i] < '@' || t.bytes[i] > '~'); i++)
			;
	}
	return (struct json_text){ out->bytes, out->len };
}

static struct json_text first_line(struct json_text t)
{
	struct json_text line = { NULL, 0 };

	while (t.bytes != NULL && line.len == 0)
		line = text_trim(text_cut(t, '\n', &t));
	return line;
}

void suite_say_message(struct suite *s, struct suite_test *t,
		       struct json_text text)
{
	owned_buf struct buf out = { .cap_bytes = PARSE_STRING_BYTES };
	struct json_text line = first_line(text);
	struct suite_said *d = line.len > 0 ? said_of(s, t) : NULL;

	if (d == NULL || d->message_len > 0)
		return;
	if (line.len > TEXT_LINE_BYTES)
		line.len = TEXT_LINE_BYTES;
	line = text_trim(plain(line, &out));
	if (!buf_has_failed(&out))
		d->message_len =
			text_keep(s, line, MESSAGE_BYTES, &d->message_at);
}

void suite_say_place(struct suite *s, struct suite_test *t,
		     struct json_text file, int64_t line)
{
	static const char *const tops[] = { "file://", "/repo/", "./" };
	struct suite_said *d = file.len > 0 ? said_of(s, t) : NULL;

	if (d == NULL)
		return;
	for (size_t i = 0; i < sizeof tops / sizeof *tops; i++)
		if (text_begins(file, tops[i]))
			file = text_from(file, strlen(tops[i]));
	if (file.len > FILE_BYTES)
		return;
	d->file_len = text_keep(s, file, FILE_BYTES, &d->file_at);
	d->line = d->file_len > 0 ? line : -1;
}

void suite_say_duration(struct suite *s, struct suite_test *t, int64_t ms)
{
	struct suite_said *d = ms >= 0 ? said_of(s, t) : NULL;

	if (d != NULL)
		d->duration_ms = ms < DURATION_MAX ? ms : DURATION_MAX;
}

static struct json_text kept(const struct suite *s, size_t at, size_t n)
{
	struct json_text none = { NULL, 0 };

	return n > 0 ? (struct json_text){ s->said_text.bytes + at, n } : none;
}

void suite_say_again(struct suite *s, struct suite_test *t,
		     const struct suite *from, const struct suite_test *other)
{
	const struct suite_said *d;

	if (other->said == 0)
		return;
	d = &from->said[other->said - 1];
	suite_say_message(s, t, kept(from, d->message_at, d->message_len));
	suite_say_place(s, t, kept(from, d->file_at, d->file_len), d->line);
	suite_say_duration(s, t, d->duration_ms);
}

/* --- what is read ------------------------------------------------------------- */

int64_t suite_ms_of(struct json_text t)
{
	struct json_text part, whole = text_cut(t, '.', &part);
	int64_t ms = 0, unit = 100;

	if (whole.len == 0)
		return -1;
	for (size_t i = 0; i < whole.len; i++) {
		if (whole.bytes[i] < '0' || whole.bytes[i] > '9')
			return -1;
		if (ms < DURATION_MAX)
			ms = ms * 10 + (int64_t)(whole.bytes[i] - '0') * 1000;
	}
	for (size_t i = 0; i < part.len; i++, unit /= 10) {
		if (part.bytes[i] < '0' || part.bytes[i] > '9')
			return -1;
		ms += (part.bytes[i] - '0') * unit;
	}
	return ms;
}

int64_t suite_whole_of(struct json_text t)
{
	int64_t thousandths = suite_ms_of(t);

	return thousandths < 0 ? -1 : thousandths / 1000;
}

bool suite_place_cut(struct json_text text, struct json_text *ret_file,
		     int64_t *ret_line, struct json_text *ret_rest)
{
	if (text.len > TEXT_LINE_BYTES)
		text.len = TEXT_LINE_BYTES;
	for (size_t i = 1; i + 1 < text.len; i++) {
		size_t n = i + 1;
		int64_t line = 0;

		if (text.bytes[i] != ':')
			continue;
		while (n < text.len && text.bytes[n] >= '0' &&
		       text.bytes[n] <= '9' && line <= SUITE_LINE_MAX)
			line = line * 10 + (text.bytes[n++] - '0');
		if (n == i + 1)
			continue;
		if (line == 0 || line > SUITE_LINE_MAX)
			return false; /* that number is no line's */
		*ret_file = (struct json_text){ text.bytes, i };
		*ret_line = line;
		*ret_rest = text_from(text, n);
		return memchr(text.bytes, '\t', i) == NULL;
	}
	return false;
}

/* Read a line of a JavaScript stack: "at f (FILE:3:5)", "at FILE:3:5", or
 * vitest's arrow.  A place in node_modules or in node itself is not the
 * test's. */
static bool stack_line(struct json_text line, struct json_text *ret_file,
		       int64_t *ret_line)
{
	static const char arrow[] = "\xe2\x9d\xaf ";
	struct json_text inner, rest;

	if (text_begins(line, "at ")) {
		(void)text_cut(line, '(', &inner);
		line = inner.bytes != NULL ? inner : text_from(line, 3);
		if (text_begins(line, "async "))
			line = text_from(line, 6);
	} else if (text_begins(line, arrow)) {
		line = text_from(line, sizeof arrow - 1);
		(void)text_cut(line, ' ', &inner);
		line = inner.bytes != NULL && text_has(inner, ":") ? inner
								   : line;
	} else {
		return false;
	}
	if (text_begins(line, "file://"))
		line = text_from(line, 7);
	return !text_begins(line, "node:") && !text_has(line, "node_modules") &&
	       suite_place_cut(line, ret_file, ret_line, &rest) &&
	       text_begins(rest, ":");
}

bool suite_place_of(struct json_text text, struct json_text *ret_file,
		    int64_t *ret_line)
{
	struct json_text file, line, rest;
	bool has_stack = false, has_place = false;
	int64_t at;

	while (text.bytes != NULL) {
		line = text_cut(text, '\n', &text);
		if (line.len == 0)
			continue;
		if (line.bytes[0] != ' ' &&
		    suite_place_cut(line, &file, &at, &rest) &&
		    text_begins(rest, ": ") &&
		    memchr(file.bytes, ' ', file.len) == NULL) {
			has_place = true;
		} else if (has_place || has_stack ||
			   !stack_line(text_trim(line), &file, &at)) {
			continue;
		} else {
			has_stack = true;
		}
		*ret_file = file;
		*ret_line = at;
	}
	return has_place || has_stack;
}

/* --- the slice ---------------------------------------------------------------- */

static void said_write(const struct suite *s, const struct suite_test *t,
		       struct jsonw *w)
{
	const struct suite_said none = { .line = -1, .duration_ms = -1 };
	const struct suite_said *d =
		t->said > 0 ? &s->said[t->said - 1] : &none;

	jsonw_object(w, NULL);
	suite_name_put(w, "name", suite_name_of(s, t));
	if (d->message_len > 0)
		suite_name_put(w, "message",
			       kept(s, d->message_at, d->message_len));
	else
		jsonw_null(w, "message");
	if (d->file_len > 0)
		suite_name_put(w, "file", kept(s, d->file_at, d->file_len));
	else
		jsonw_null(w, "file");
	if (d->line > 0)
		jsonw_int(w, "line", d->line);
	else
		jsonw_null(w, "line");
	if (d->duration_ms >= 0)
		jsonw_int(w, "duration_ms", d->duration_ms);
	else
		jsonw_null(w, "duration_ms");
	jsonw_end_object(w);
}

void suite_said_write(const struct suite *s, struct jsonw *w)
{
	size_t most = w->out->len + DETAILS_BYTES, shown = 0;

	jsonw_array(w, "details");
	for (size_t i = 0;
	     i < s->len && shown < SUITE_SAID_MAX && w->out->len < most; i++) {
		if (s->tests[i].end != SUITE_FAILED)
			continue;
		said_write(s, &s->tests[i], w);
		shown++;
	}
	jsonw_end_array(w);
}
