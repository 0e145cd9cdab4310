/* rules.c -- see rules.h.  Braces are expanded when a row is read, so that they
 * do not slow down a list of a million results. */
#include "jobs/confirm/rules.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/glob.h"
#include "base/grow.h"
#include "spec/data.h"

/* One row while it is read.  The columns are parts of the line, not
 * terminated. */
enum { COLUMN_TOOL, COLUMN_ID, COLUMN_LANGUAGE, COLUMN_CLASS, COLUMN_WORDS };
#define COLUMNS_MAX 5

struct intake {
	struct rules *rules;
	const char *origin;
	size_t line;
	char *columns[COLUMNS_MAX]; /* in the arena; NULL = not given */
	const char *tool;           /* the current alternative */
	struct rule rule;
	struct cupel_error *err;
};

static int fail(const struct intake *in, const char *why, const char *culprit)
{
	return cupel_fail(in->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s: line %zu: %s%s%.80s%s", in->origin, in->line,
			  why, culprit ? ", not '" : "", culprit ? culprit : "",
			  culprit ? "'" : "");
}

static int fail_memory(const struct intake *in)
{
	return cupel_fail(in->err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			  "%s: no memory for the rules", in->origin);
}

static int take_id(void *data, const char *plain, size_t n)
{
	struct intake *in = data;
	struct rules *r = in->rules;

	if (r->len == RULES_MAX)
		return -E2BIG;
	in->rule.tool = in->tool;
	in->rule.id = arena_copy(&r->arena, plain, n);
	if (in->rule.id == NULL ||
	    !array_grow((void **)&r->items, r->len, &r->room, sizeof *r->items))
		return -ENOMEM;
	r->items[r->len++] = in->rule;
	return 0;
}

static int take_tool(void *data, const char *plain, size_t n)
{
	struct intake *in = data;
	int e;

	in->tool = arena_copy(&in->rules->arena, plain, n);
	if (in->tool == NULL)
		return -ENOMEM;
	e = glob_expand(in->columns[COLUMN_ID], take_id, in);
	return e < 0 ? e : 0;
}

/* Split line[0..n-1] into columns; false if there are too few or too many, or
 * if one is empty. */
static bool columns_split(struct intake *in, const char *line, size_t n)
{
	size_t i = 0;

	for (;;) {
		const char *tab = memchr(line, '\t', n);
		size_t len = tab != NULL ? (size_t)(tab - line) : n;

		if (len == 0 || i == COLUMNS_MAX ||
		    memchr(line, '\0', len) != NULL)
			return false;
		in->columns[i] = arena_copy(&in->rules->arena, line, len);
		if (in->columns[i++] == NULL)
			return true; /* the caller finds out */
		if (tab == NULL)
			return i > COLUMN_CLASS;
		line += len + 1;
		n -= len + 1;
	}
}

static bool language_of(const char *name, enum language *ret)
{
	for (enum language l = 0; l < LANGUAGE_MAX_; l++)
		if (strcmp(language_name(l), name) == 0) {
			*ret = l;
			return true;
		}
	return false;
}

/* Cut the words at the hole, if they have one; false if they have two. */
static bool words_split(struct rule *rule, char *words)
{
	char *hole = words != NULL ? strstr(words, RULE_HOLE) : NULL;

	rule->words = words;
	rule->more = NULL;
	rule->has_hole = hole != NULL;
	if (hole == NULL)
		return true;
	*hole = '\0';
	rule->more = hole + strlen(RULE_HOLE);
	return strstr(rule->more, RULE_HOLE) == NULL;
}

static const char *alternatives_wrong(const struct intake *in)
{
	static_assert(RULES_MAX == 65536 && GLOB_ALTERNATIVES == 256 &&
			      GLOB_PATTERN_BYTES == 1024,
		      "as the text says");

	if (in->rules->len == RULES_MAX)
		return "expected at most 65536 rules, alternatives counted";
	return "tool, rule: expected at most 256 alternatives and 1024 bytes "
	       "each";
}

static int line_read(struct intake *in, const char *line, size_t n)
{
	const char *language, *flag_class;
	int e;

	memset(in->columns, 0, sizeof in->columns);
	if (!columns_split(in, line, n))
		return fail(in,
			    "expected tool, rule, language and class, with a "
			    "tab between them",
			    NULL);
	language = in->columns[COLUMN_LANGUAGE];
	flag_class = in->columns[COLUMN_CLASS];
	if (language == NULL || flag_class == NULL)
		return fail_memory(in);
	if (!language_of(language, &in->rule.language))
		return fail(in, "expected python or javascript", language);
	if (!class_is_known(in->rule.language, flag_class))
		return fail(in, "expected a class of that language",
			    flag_class);
	in->rule.flag_class = flag_class;
	if (!words_split(&in->rule, in->columns[COLUMN_WORDS]))
		return fail(in, "expected at most one " RULE_HOLE,
			    in->columns[COLUMN_WORDS]);
	e = glob_expand(in->columns[COLUMN_TOOL], take_tool, in);
	if (e == -ENOMEM)
		return fail_memory(in);
	if (e < 0)
		return fail(in, alternatives_wrong(in), NULL);
	return 0;
}

int rules_read(struct rules *r, const char *text, size_t n, const char *origin,
	       struct cupel_error *err)
{
	struct intake in = { .rules = r, .origin = origin, .err = err };
	int e = 0;

	while (n > 0 && e == 0) {
		const char *eol = memchr(text, '\n', n);
		size_t step = eol != NULL ? (size_t)(eol - text) + 1 : n;
		size_t len = eol != NULL ? step - 1 : n;

		in.line++;
		if (len > 0 && text[len - 1] == '\r')
			len--;
		if (len > 0 && text[0] != '#')
			e = line_read(&in, text, len);
		text += step;
		n -= step;
	}
	return e;
}

int rules_read_own(struct rules *r, struct cupel_error *err)
{
	int e = 0;

	for (size_t i = 0; i < rule_texts_len && e == 0; i++)
		e = rules_read(r, rule_texts[i].bytes, rule_texts[i].len,
			       rule_texts[i].name, err);
	return e;
}

void rules_done(struct rules *r)
{
	free(r->items);
	arena_done(&r->arena);
	*r = (struct rules){ 0 };
}

/* Write text in small letters to out; false if it is too long. */
static bool text_lower(const char *text, char out[RULE_ID_BYTES])
{
	size_t len = strlen(text);

	if (len >= RULE_ID_BYTES)
		return false;
	for (size_t i = 0; i <= len; i++)
		out[i] = text[i] >= 'A' && text[i] <= 'Z' ? text[i] - 'A' + 'a'
							  : text[i];
	return true;
}

int rules_pick(const struct rules *r, const char *tool, struct rule_pick *ret)
{
	struct rule_pick p = { 0 };
	char name[RULE_ID_BYTES];

	p.rows = calloc(r->len > 0 ? r->len : 1, sizeof(struct rule *));
	if (p.rows == NULL)
		return -ENOMEM;
	for (size_t i = 0; text_lower(tool, name) && i < r->len; i++) {
		const char *pattern = r->items[i].tool;

		if (glob_match(pattern, strlen(pattern), name, strlen(name)))
			p.rows[p.len++] = &r->items[i];
	}
	*ret = p;
	return 0;
}

void rule_pick_done(struct rule_pick *p)
{
	free(p->rows);
	*p = (struct rule_pick){ 0 };
}

static bool is_in_name(char c, bool is_first)
{
	return c == '_' || c == '$' || (c >= 'a' && c <= 'z') ||
	       (c >= 'A' && c <= 'Z') || (!is_first && c >= '0' && c <= '9');
}

/* The length of the name that text begins with; 0 = none. */
static size_t name_len(const char *text)
{
	size_t n = 0;

	while (is_in_name(text[n], n == 0))
		n++;
	return n;
}

/* The length of the names that text begins with, with points between them. */
static size_t path_len(const char *text)
{
	size_t n = name_len(text), next;

	while (n > 0 && text[n] == '.' && (next = name_len(text + n + 1)) > 0)
		n += 1 + next;
	return n;
}

/* Whether the message has the words of the row; what stands in their hole is
 * noted. */
static bool words_fit(const struct rule *r, const char *message,
		      struct rule_meaning *ret)
{
	const char *at = message;

	if (r->words == NULL)
		return true;
	for (; (at = strstr(at, r->words)) != NULL && *at != '\0'; at++) {
		const char *name = at + strlen(r->words);
		size_t len = path_len(name);

		if (!r->has_hole)
			return true;
		if (len == 0 ||
		    strncmp(name + len, r->more, strlen(r->more)) != 0)
			continue;
		ret->argument = name;
		ret->argument_len = name_len(name);
		return true;
	}
	return false;
}

struct rule_meaning rule_find(const struct rule_pick *p,
			      const struct rule_query *q)
{
	struct rule_meaning found = { 0 };
	size_t len = strlen(q->id);

	for (size_t i = 0; len < RULE_ID_BYTES && i < p->len; i++) {
		const struct rule *r = p->rows[i];

		if ((q->language == NULL || *q->language == r->language) &&
		    glob_match(r->id, strlen(r->id), q->id, len) &&
		    words_fit(r, q->message, &found)) {
			found.flag_class = r->flag_class;
			break;
		}
	}
	return found;
}
