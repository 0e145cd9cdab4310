/* listing_mypy.c -- see listing_mypy.h. */
#include "jobs/confirm/listing_mypy.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"

/* -- JSON ---------------------------------------------------------------- */

static const struct json_caps line_caps = { .text_bytes = FLAG_LINE_BYTES,
					    .depth = 32,
					    .memory_bytes = FLAG_LINE_MEMORY };

static const struct finding_shape shape = {
	"file", "line", "message", { "code" }
};

bool mypy_is_object(const char *line, size_t n)
{
	struct arena arena = { 0 };
	struct json_value v;
	struct json_error e = { 0 };
	bool is = json_parse(line, n, &line_caps, &arena, &v, &e) == 0 &&
		  v.type == JSON_OBJECT &&
		  json_find(&v, "flag_class") == NULL &&
		  finding_text(&v, "severity") != NULL &&
		  finding_text(&v, "message") != NULL;

	arena_done(&arena);
	return is;
}

int mypy_object_read(struct line_reading *r)
{
	struct flags *f = r->findings.flags;
	struct arena scratch = { 0 };
	struct json_value v;
	struct json_error e = { 0 };
	int ret;

	if (json_parse(r->line, r->len, &line_caps, &scratch, &v, &e) < 0) {
		ret = flags_fault_json(f, r->number, &e);
	} else if (v.type == JSON_OBJECT && json_find(&v, "severity") != NULL &&
		   json_is_text(json_find(&v, "severity"), "note")) {
		f->left_out++; /* words about the message before it */
		ret = 0;
	} else {
		ret = findings_add_item(&r->findings, &shape, &v, NULL,
					r->number);
	}
	arena_done(&scratch);
	return ret;
}

/* -- text ---------------------------------------------------------------- */

static const char wanted[] = "expected PATH:LINE: error: and words";

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

bool mypy_is_frame(const char *line, size_t n)
{
	bool is_frame =
		line_has_start(line, n, "Success: no issues found in ") ||
		(line_has_start(line, n, "Found ") && n > 6 &&
		 is_digit(line[6]));

	return is_frame && mypy_path_len(line, n) == 0;
}

/* How much of s is the severity, with the space after it, which is not there at the
 * end of a line; 0: it is another word. */
static size_t severity_len(const char *s, size_t n, const char *severity)
{
	size_t len = strlen(severity);

	if (!line_has_start(s, n, severity) || (n > len && s[len] != ' '))
		return 0;
	return n > len ? len + 1 : len;
}

/* Read ":LINE", up to three more numbers, and ": error: " at s; *ret_to is how much
 * that is. */
static bool tail_read(const char *s, size_t n, struct line_message *ret,
		      size_t *ret_to, bool *ret_is_note)
{
	uint64_t other;
	size_t at = 1, len = line_number_read(s + at, n - at, &ret->line);
	size_t error, note;

	at += len;
	for (int i = 0; len > 0 && i < 3 && at + 1 < n && s[at] == ':' &&
			is_digit(s[at + 1]);
	     i++) {
		len = line_number_read(s + at + 1, n - at - 1, &other);
		at += len + 1;
	}
	error = severity_len(s + at, n - at, ": error:");
	note = severity_len(s + at, n - at, ": note:");
	*ret_is_note = note > 0;
	*ret_to = at + error + note;
	return len > 0 && error + note > 0;
}

/* The code in "words  [code]", and how long the words are without it; without a code
 * it is named so. */
static size_t code_read(const char *text, size_t n, struct line_message *ret)
{
	static const char none[] = "no-code";
	size_t at = n;

	ret->code = none;
	ret->code_len = sizeof none - 1;
	if (n < 4 || text[n - 1] != ']')
		return n;
	while (at > 0 && text[at - 1] != '[')
		at--;
	if (at < 3 || text[at - 2] != ' ' || text[at - 3] != ' ' ||
	    at + 1 == n || memchr(text + at, ' ', n - at) != NULL)
		return n;
	ret->code = text + at;
	ret->code_len = n - 1 - at;
	return at - 3;
}

static bool message_read(const char *line, size_t n, struct line_message *ret,
			 size_t *ret_to, bool *ret_is_note)
{
	if (memchr(line, '\0', n) != NULL)
		return false;
	for (size_t i = 1; i + 1 < n; i++)
		if (line[i] == ':' && is_digit(line[i + 1]) &&
		    tail_read(line + i, n - i, ret, ret_to, ret_is_note)) {
			ret->path_len = i;
			*ret_to += i;
			return true;
		}
	return false;
}

size_t mypy_path_len(const char *line, size_t n)
{
	struct line_message m;
	size_t to;
	bool is_note;

	return message_read(line, n, &m, &to, &is_note) ? m.path_len : 0;
}

/* With --pretty the source stands below a message. */
static bool is_source(const char *line, size_t n)
{
	return line_has_start(line, n, "    ");
}

static bool has_part(const char *line, size_t n, const char *part)
{
	return memmem(line, n, part, strlen(part)) != NULL;
}

/* Whether the line can be more words of the message above it. */
static bool is_more(const char *line, size_t n)
{
	return n > 0 && memchr(line, '\0', n) == NULL &&
	       !has_part(line, n, ": error:") && !has_part(line, n, ": note:");
}

/* Whether the last word of a line is the code of a message. */
static bool has_code(const char *line, size_t n)
{
	struct line_message m;
	size_t at = n > 0 && line[0] == ' ' ? 1 : 0;

	return code_read(line, n, &m) < n ||
	       (n > at + 2 && line[at] == '[' && line[n - 1] == ']' &&
		memchr(line + at, ' ', n - at) == NULL);
}

/* Add the lines that go on with the message whose first words these are, which
 * --pretty wraps at spaces, and pass over them.  They belong to it only if its code
 * or its source comes in the end; else they stay, to be read as what they are.
 * Returns how many they are. */
static size_t more_take(struct line_reading *r, struct buf *words)
{
	const char *text = r->rest, *line = r->line;
	size_t n = r->rest_len, len = r->len, was = words->len, lines = 0;

	while (!has_code(line, len)) {
		const char *to = text;
		size_t left = n;
		bool is_there = line_take(&to, &left, &line, &len);

		if (is_there && is_source(line, len))
			break;
		if (!is_there || !is_more(line, len) ||
		    words->len + len > FLAG_LINE_BYTES) {
			words->len = was;
			return 0;
		}
		/* Of the two spaces before a code one may have ended a line. */
		buf_text(words, line[0] == '[' ? "  " : " ");
		buf_add(words, line, len);
		text = to;
		n = left;
		lines++;
	}
	r->rest = text;
	r->rest_len = n;
	return lines;
}

/* Add the message at m, the words of which begin at to. */
static int text_add(struct line_reading *r, struct line_message *m, size_t to)
{
	owned_buf struct buf words = { 0 };
	size_t lines;
	int e;

	buf_add(&words, r->line + to, r->len - to);
	lines = more_take(r, &words);
	if (buf_has_failed(&words))
		return -ENOMEM;
	if (words.len == 0)
		return flags_fault(r->findings.flags, r->number, wanted);
	e = line_message_add(r, m, words.bytes,
			     code_read(words.bytes, words.len, m));
	r->number += lines;
	return e;
}

int mypy_text_read(struct line_reading *r)
{
	struct line_message m;
	size_t to;
	bool is_note;
	/* The path of a message may begin as a frame or a source does. */
	bool is_message = message_read(r->line, r->len, &m, &to, &is_note);

	if (!is_message &&
	    (mypy_is_frame(r->line, r->len) || is_source(r->line, r->len)))
		return 0;
	if (!is_message || r->len > FLAG_LINE_BYTES)
		return flags_fault(r->findings.flags, r->number, wanted);
	if (!is_note)
		return text_add(r, &m, to);
	r->findings.flags->left_out++;
	return 0;
}
