/* listing_lines.c -- see listing_lines.h. */
#include "jobs/confirm/listing_lines.h"

#include <string.h>

#include "jobs/confirm/listing_mypy.h"

struct line_form {
	const char *tool;
	bool (*is)(const char *line, size_t n);
	int (*read)(struct line_reading *r);
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* The length of a linter's code at s: letters, then digits, before a space or a
 * colon. */
static size_t code_len(const char *s, size_t n)
{
	size_t letters = 0, i;

	while (letters < n && s[letters] >= 'A' && s[letters] <= 'Z')
		letters++;
	for (i = letters; i < n && is_digit(s[i]); i++)
		;
	return letters > 0 && letters <= 4 && i > letters && i < n &&
			       (s[i] == ' ' || s[i] == ':')
		       ? i
		       : 0;
}

/* Read ":LINE:COLUMN: CODE " at s. */
static bool plain_tail_read(const char *s, size_t n, struct line_message *ret)
{
	uint64_t column;
	size_t at = 1, len = line_number_read(s + at, n - at, &ret->line);

	at += len;
	if (len == 0 || at >= n || s[at++] != ':')
		return false;
	len = line_number_read(s + at, n - at, &column);
	at += len;
	if (len == 0 || n - at < 2 || s[at] != ':' || s[at + 1] != ' ')
		return false;
	ret->code = s + at + 2;
	ret->code_len = code_len(ret->code, n - at - 2);
	return ret->code_len > 0;
}

static bool plain_read(const char *line, size_t n, struct line_message *ret)
{
	if (memchr(line, '\0', n) != NULL)
		return false;
	for (size_t i = 1; i + 1 < n; i++)
		if (line[i] == ':' && is_digit(line[i + 1]) &&
		    plain_tail_read(line + i, n - i, ret)) {
			ret->path_len = i;
			return true;
		}
	return false;
}

static bool is_flake8(const char *line, size_t n)
{
	struct line_message p;

	return plain_read(line, n, &p);
}

static int flake8_read(struct line_reading *r)
{
	struct line_message p;
	size_t to_code;

	if (r->len > FLAG_LINE_BYTES || !plain_read(r->line, r->len, &p))
		return flags_fault(r->findings.flags, r->number,
				   "expected PATH:LINE:COLUMN: CODE MESSAGE");
	to_code = (size_t)(p.code - r->line) + p.code_len;
	return line_message_add(r, &p, r->line + to_code, r->len - to_code);
}

/* Whether the line is one that pylint writes around its messages.  A message is none,
 * whatever its path begins with. */
static bool is_pylint_frame(const char *line, size_t n)
{
	struct line_message p;
	bool is_frame = line_has_start(line, n, "************* Module ") ||
			line_has_start(line, n, "--------") ||
			line_has_start(line, n, "Your code has been rated at ");

	return is_frame && !plain_read(line, n, &p);
}

/* Below the message that lines are alike ("R0801") stand those lines. */
static int pylint_read(struct line_reading *r)
{
	struct line_message p;

	if (is_pylint_frame(r->line, r->len)) {
		r->may_go_on = false;
		return 0;
	}
	if (plain_read(r->line, r->len, &p))
		r->may_go_on =
			p.code_len == 5 && line_has_start(p.code, 5, "R0801");
	else if (r->may_go_on)
		return 0;
	return flake8_read(r);
}

/* Words of the other tools may have a part that looks like mypy's, and mypy's like
 * theirs, for example a text of the source: the first such part decides. */
static bool is_mypy_text(const char *line, size_t n)
{
	struct line_message other;
	size_t path_len = mypy_path_len(line, n);

	return path_len > 0 &&
	       (!plain_read(line, n, &other) || path_len < other.path_len);
}

/* pylint's text has the same parts, and a colon after the code. */
static bool is_pylint(const char *line, size_t n)
{
	struct line_message p;

	return plain_read(line, n, &p) && p.code[p.code_len] == ':';
}

enum { FORM_MYPY, FORM_MYPY_TEXT, FORM_PYLINT, FORM_FLAKE8 };

static const struct line_form forms[] = {
	[FORM_MYPY] = { "mypy", mypy_is_object, mypy_object_read },
	[FORM_MYPY_TEXT] = { "mypy", is_mypy_text, mypy_text_read },
	[FORM_PYLINT] = { "pylint", is_pylint, pylint_read },
	[FORM_FLAKE8] = { "flake8", is_flake8, flake8_read },
};

const struct line_form *line_form_find(const char *text, size_t n)
{
	const struct line_form *framed = NULL;
	const char *line = NULL;
	size_t len = 0;

	/* What frames no message is the report of a tool that found nothing. */
	do {
		if (!line_take(&text, &n, &line, &len))
			return framed;
		if (is_pylint_frame(line, len))
			framed = &forms[FORM_PYLINT];
		else if (mypy_is_frame(line, len))
			framed = &forms[FORM_MYPY_TEXT];
	} while (len == 0 || is_pylint_frame(line, len) ||
		 mypy_is_frame(line, len));
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].is(line, len))
			return &forms[i];
	return NULL;
}

int line_form_read(const struct line_form *form, const char *text, size_t n,
		   const struct rules *rules, struct flags *ret)
{
	struct line_reading r = { .rest = text, .rest_len = n };
	int e;

	ret->unit = "line";
	ret->arena.cap_bytes = FLAGS_MEMORY;
	e = findings_init(&r.findings, ret, rules, form->tool);
	while (e == 0 && line_take(&r.rest, &r.rest_len, &r.line, &r.len)) {
		r.number++;
		if (r.len > 0)
			e = form->read(&r);
	}
	findings_done(&r.findings);
	return e;
}
