/* line.c -- see line.h. */
#include "jobs/trace/line.h"

#include <string.h>

#include "base/buf.h"
#include "base/utf8.h"
#include "jobs/trace/happened.h"

static const char cut[] = "...";
#define CUT (sizeof cut - 1)

/* Append text as far as the columns reach; a character outside ASCII may take
 * two. */
struct pen {
	struct buf *out;
	size_t column;
	size_t room_len; /* of out, where a cut would begin */
	bool is_full;
};

static void pen_add(struct pen *p, const char *bytes, size_t n, size_t columns)
{
	if (p->is_full)
		return;
	if (p->column + columns > LINE_COLUMNS) {
		p->is_full = true;
		p->out->len = p->room_len;
		buf_text(p->out, cut);
		return;
	}
	if (p->column <= LINE_COLUMNS - CUT)
		p->room_len = p->out->len;
	buf_add(p->out, bytes, n);
	p->column += columns;
}

static void pen_text(struct pen *p, const char *text, size_t n)
{
	for (size_t i = 0; i < n;) {
		uint32_t code = 0;
		size_t len = utf8_read(text + i, n - i, &code);

		if (len == 0 || utf8_is_control(code))
			pen_add(p, "?", 1, 1);
		else
			pen_add(p, text + i, len, len > 1 ? 2 : 1);
		i += len > 0 ? len : 1;
	}
}

static void pen_words(struct pen *p, const char *words)
{
	pen_text(p, words, strlen(words));
}

static bool is_plain(const struct json_text *word)
{
	static const char more[] = "%+,-./:=@_";

	for (size_t i = 0; i < word->len; i++) {
		char c = word->bytes[i];

		if (!(c >= 'a' && c <= 'z') && !(c >= 'A' && c <= 'Z') &&
		    !(c >= '0' && c <= '9') && strchr(more, c) == NULL)
			return false;
	}
	return word->len > 0;
}

static void pen_word(struct pen *p, const struct json_text *word)
{
	const char *quote = is_plain(word) ? "" : "'";

	pen_words(p, quote);
	pen_text(p, word->bytes, word->len);
	pen_words(p, quote);
}

/* The path and the words, without the first word, which mostly repeats the
 * path. */
static void pen_exec(struct pen *p, const struct json_value *event)
{
	const struct json_value *path = json_find(event, "path");
	const struct json_text *word;
	unsigned long long error = happened_number(event, "result");

	if (error != 0) {
		struct buf why = { 0 };

		buf_format(&why, "(failed: %.40s) ",
			   strerror((int)(error & 4095)));
		pen_words(p, why.bytes != NULL ? why.bytes : "");
		buf_done(&why);
	}
	if (!happened_bool(event, "verified"))
		pen_words(p, "(claimed) ");
	if (happened_bool(event, "sealed"))
		pen_words(p, "(no file) ");
	if (path != NULL && path->type == JSON_STRING)
		pen_word(p, &path->u.string);
	else
		pen_words(p, "?");
	for (size_t i = 1;; i++) {
		word = happened_word(event, "argv", i);
		if (word == NULL)
			break;
		pen_words(p, " ");
		pen_word(p, word);
	}
}

static void pen_place(struct pen *p, const struct json_value *event)
{
	const char *host = happened_text(event, "host");
	const char *address = happened_text(event, "address");
	const struct json_value *path = json_find(event, "path");
	unsigned long long port = happened_number(event, "port");
	struct buf text = { 0 };

	if (host != NULL || address != NULL) {
		pen_words(p, host != NULL ? host : address);
		if (port != 0)
			buf_format(&text, ":%llu", port);
		pen_words(p, text.bytes != NULL ? text.bytes : "");
	} else if (path != NULL && path->type == JSON_STRING) {
		pen_words(p, "socket ");
		pen_word(p, &path->u.string);
	} else {
		pen_words(p, "an unknown address");
	}
	buf_done(&text);
}

/* The verdict comes first, so that a long name cannot push it off the line. */
static void pen_connect(struct pen *p, const struct json_value *event)
{
	const char *verdict = happened_text(event, "verdict");

	pen_words(p, "-> ");
	if (verdict != NULL && strcmp(verdict, "refused") == 0)
		pen_words(p, "(refused) ");
	if (json_find(event, "verified") != NULL &&
	    !happened_bool(event, "verified"))
		pen_words(p, "(claimed) ");
	pen_place(p, event);
}

void line_write(const struct json_value *event, bool is_exec, size_t indent,
		struct buf *out)
{
	struct pen p = { .out = out, .room_len = out->len };

	for (size_t i = 0; i < indent; i++)
		pen_add(&p, " ", 1, 1);
	if (is_exec)
		pen_exec(&p, event);
	else
		pen_connect(&p, event);
	buf_char(out, '\n');
}
