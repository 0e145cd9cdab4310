/* listing_lines.c -- see listing_lines.h. */
#include "jobs/confirm/listing_lines.h"

#include <errno.h>
#include <string.h>

#include "jobs/confirm/finding.h"

/* One line while it is read. */
struct reading {
	struct findings findings;
	const char *line;
	size_t len, number;
};

struct line_form {
	const char *tool;
	bool (*is)(const char *line, size_t n);
	int (*read)(struct reading *r);
};

static const struct json_caps line_caps = { .text_bytes = FLAG_LINE_BYTES,
					    .depth = 32,
					    .memory_bytes = FLAG_LINE_MEMORY };

static const struct finding_shape mypy_shape = {
	"file", "line", "message", { "code" }
};

static bool is_mypy(const char *line, size_t n)
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

static int mypy_read(struct reading *r)
{
	struct flags *f = r->findings.flags;
	struct arena scratch = { 0 };
	struct json_value v;
	struct json_error e = { 0 };
	int ret;

	if (json_parse(r->line, r->len, &line_caps, &scratch, &v, &e) < 0) {
		ret = flags_fault(f, r->number,
				  arena_format(&f->arena,
					       "%s at column %zu%s%s",
					       json_code_name(e.code), e.column,
					       e.expected ? ": expected " : "",
					       e.expected ? e.expected : ""));
	} else if (v.type == JSON_OBJECT && json_find(&v, "severity") != NULL &&
		   json_is_text(json_find(&v, "severity"), "note")) {
		f->left_out++; /* words about the message before it */
		ret = 0;
	} else {
		ret = findings_add_item(&r->findings, &mypy_shape, &v, NULL,
					r->number);
	}
	arena_done(&scratch);
	return ret;
}

/* The parts of "PATH:LINE:COLUMN: CODE words". */
struct plain {
	size_t path_len;
	uint64_t line;
	const char *code;
	size_t code_len;
};

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Read the digits at s, within n; returns how many.  More than nine count as
 * none. */
static size_t number_read(const char *s, size_t n, uint64_t *ret)
{
	uint64_t value = 0;
	size_t i = 0;

	for (; i < n && is_digit(s[i]); i++)
		value = i < 9 ? value * 10 + (uint64_t)(s[i] - '0') : value;
	*ret = value;
	return i <= 9 ? i : 0;
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
static bool plain_tail_read(const char *s, size_t n, struct plain *ret)
{
	uint64_t column;
	size_t at = 1, len = number_read(s + at, n - at, &ret->line);

	at += len;
	if (len == 0 || at >= n || s[at++] != ':')
		return false;
	len = number_read(s + at, n - at, &column);
	at += len;
	if (len == 0 || n - at < 2 || s[at] != ':' || s[at + 1] != ' ')
		return false;
	ret->code = s + at + 2;
	ret->code_len = code_len(ret->code, n - at - 2);
	return ret->code_len > 0;
}

static bool plain_read(const char *line, size_t n, struct plain *ret)
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
	struct plain p;

	return plain_read(line, n, &p);
}

static int flake8_read(struct reading *r)
{
	struct flags *f = r->findings.flags;
	struct flag flag = { .number = r->number };
	struct finding_rule rule = { .message = NULL };
	struct arena scratch = { 0 };
	struct plain p;
	char *path;
	int e = -ENOMEM;

	if (r->len > FLAG_LINE_BYTES || !plain_read(r->line, r->len, &p))
		return flags_fault(f, r->number,
				   "expected PATH:LINE:COLUMN: CODE and words");
	if (p.line < 1 || p.line > FLAG_LINE_MAX)
		return flags_fault(f, r->number,
				   "line: expected a whole number from 1");
	flag.line = p.line;
	path = arena_copy(&scratch, r->line, p.path_len);
	rule.names[0] = arena_copy(&scratch, p.code, p.code_len);
	rule.message =
		arena_copy(&scratch, p.code + p.code_len,
			   (size_t)(r->line + r->len - p.code) - p.code_len);
	flag.file =
		path != NULL ? findings_keep_file(&r->findings, path) : NULL;
	if (flag.file != NULL && rule.names[0] != NULL && rule.message != NULL)
		e = findings_add(&r->findings, &flag, &rule);
	arena_done(&scratch);
	return e;
}

static bool starts(const char *line, size_t n, const char *with)
{
	size_t len = strlen(with);

	return n >= len && memcmp(line, with, len) == 0;
}

/* Whether the line is one that pylint writes around its messages. */
static bool is_frame(const char *line, size_t n)
{
	return starts(line, n, "************* Module ") ||
	       starts(line, n, "--------") ||
	       starts(line, n, "Your code has been rated at ");
}

static int pylint_read(struct reading *r)
{
	return is_frame(r->line, r->len) ? 0 : flake8_read(r);
}

/* pylint's text has the same parts, and a colon after the code. */
static bool is_pylint(const char *line, size_t n)
{
	struct plain p;

	return plain_read(line, n, &p) && p.code[p.code_len] == ':';
}

static const struct line_form forms[] = {
	{ "mypy", is_mypy, mypy_read },
	{ "pylint", is_pylint, pylint_read },
	{ "flake8", is_flake8, flake8_read },
};

/* Take the next line of *text, without its end; false: there is none.  A blank
 * line has length 0. */
static bool line_take(const char **text, size_t *n, const char **ret,
		      size_t *ret_len)
{
	const char *eol;
	size_t len;

	if (*n == 0)
		return false;
	eol = memchr(*text, '\n', *n);
	len = eol != NULL ? (size_t)(eol - *text) : *n;
	*ret = *text;
	*text += len + (eol != NULL);
	*n -= len + (eol != NULL);
	while (len > 0 && ((*ret)[len - 1] == '\r' || (*ret)[len - 1] == ' ' ||
			   (*ret)[len - 1] == '\t'))
		len--;
	*ret_len = len;
	return true;
}

const struct line_form *line_form_find(const char *text, size_t n)
{
	const char *line = NULL;
	size_t len = 0;

	while (len == 0 || is_frame(line, len))
		if (!line_take(&text, &n, &line, &len))
			return NULL;
	for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
		if (forms[i].is(line, len))
			return &forms[i];
	return NULL;
}

int line_form_read(const struct line_form *form, const char *text, size_t n,
		   const struct rules *rules, struct flags *ret)
{
	struct reading r = { .number = 0 };
	int e;

	ret->unit = "line";
	ret->arena.cap_bytes = FLAGS_MEMORY;
	e = findings_init(&r.findings, ret, rules, form->tool);
	while (e == 0 && line_take(&text, &n, &r.line, &r.len)) {
		r.number++;
		if (r.len > 0)
			e = form->read(&r);
	}
	findings_done(&r.findings);
	return e;
}
