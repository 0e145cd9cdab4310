/* pattern_translate.c -- ECMA-262 patterns (u flag) into PCRE2's language. */
#include <errno.h>
#include <string.h>

#include "base/utf8.h"
#include "boundary/pattern_private.h"

/* Whether there is something that a quantifier can repeat. */
enum before { BEFORE_NOTHING, BEFORE_ATOM };

bool ecma_fail(struct ecma *e, const char *why)
{
	e->why = why;
	return false;
}

int ecma_peek(const struct ecma *e, size_t ahead)
{
	return ahead < e->n - e->at ? (unsigned char)e->text[e->at + ahead]
				    : -1;
}

uint32_t ecma_code(struct ecma *e)
{
	uint32_t code = 0;
	size_t len = utf8_read(e->text + e->at, e->n - e->at, &code);

	e->at += len > 0 ? len : 1;
	return code;
}

void ecma_put(struct buf *out, uint32_t code)
{
	if ((code >= '0' && code <= '9') || (code >= 'A' && code <= 'Z') ||
	    (code >= 'a' && code <= 'z') || code == '_')
		buf_char(out, (char)code);
	else
		buf_format(out, "\\x{%x}", code);
}

bool ecma_group_name(struct ecma *e, const char **name, size_t *len)
{
	size_t start = e->at + 1;

	if (ecma_peek(e, 0) != '<')
		return ecma_fail(e, "a group's name in <>");
	for (size_t i = start; i < e->n; i++) {
		unsigned char c = (unsigned char)e->text[i];
		bool digit = c >= '0' && c <= '9';

		if (c == '>' && i > start) {
			*name = e->text + start;
			*len = i - start;
			e->at = i + 1;
			return true;
		}
		if (c < 0x80 && c != '$' && c != '_' &&
		    !((c | 0x20) >= 'a' && (c | 0x20) <= 'z') &&
		    !(digit && i > start))
			break;
	}
	return ecma_fail(e, "a group's name in <>");
}

/* Visit every group that captures; count them, and those named name. */
static unsigned walk_groups(const struct ecma *whole, const char *name,
			    size_t len, unsigned *named)
{
	struct ecma e = { .text = whole->text, .n = whole->n };
	unsigned count = 0;
	bool in_class = false;

	for (; e.at < e.n; e.at++) {
		int c = ecma_peek(&e, 0);
		const char *here;
		size_t here_len;

		if (c == '\\')
			e.at++;
		else if (c == '[' || c == ']')
			in_class = c == '[';
		if (c != '(' || in_class)
			continue;
		if (ecma_peek(&e, 1) != '?') {
			count++;
			continue;
		}
		if (ecma_peek(&e, 2) != '<' || ecma_peek(&e, 3) == '=' ||
		    ecma_peek(&e, 3) == '!')
			continue;
		count++;
		e.at += 2;
		if (!ecma_group_name(&e, &here, &here_len))
			break;
		e.at--;
		if (name != NULL && len == here_len &&
		    memcmp(name, here, len) == 0)
			*named = *named == 0 ? count : *named | 1U << 31;
	}
	return count;
}

unsigned ecma_group_find(const struct ecma *e, const char *name, size_t len,
			 bool *twice)
{
	unsigned named = 0;

	(void)walk_groups(e, name, len, &named);
	*twice = (named & 1U << 31) != 0;
	return named & ~(1U << 31);
}

static bool read_bound(struct ecma *e, unsigned long *ret)
{
	size_t start = e->at;

	*ret = 0;
	while (ecma_peek(e, 0) >= '0' && ecma_peek(e, 0) <= '9') {
		*ret = *ret * 10 + (unsigned long)(ecma_peek(e, 0) - '0');
		if (*ret > 65535)
			return ecma_fail(e, "a bound of at most 65535");
		e->at++;
	}
	return e->at > start;
}

static bool read_braces(struct ecma *e)
{
	unsigned long low;
	unsigned long high;
	const char *why = "a quantifier {n}, {n,} or {n,m}";

	e->at++;
	if (!read_bound(e, &low))
		return ecma_fail(e, e->why != NULL ? e->why : why);
	buf_format(e->out, "{%lu", low);
	if (ecma_peek(e, 0) == ',') {
		e->at++;
		buf_char(e->out, ',');
		if (ecma_peek(e, 0) != '}') {
			if (!read_bound(e, &high))
				return ecma_fail(e,
						 e->why != NULL ? e->why : why);
			if (high < low)
				return ecma_fail(e, "a lower bound that is not "
						    "above the upper one");
			buf_format(e->out, "%lu", high);
		}
	}
	if (ecma_peek(e, 0) != '}')
		return ecma_fail(e, why);
	e->at++;
	buf_char(e->out, '}');
	return true;
}

static bool read_quantifier(struct ecma *e, enum before *before)
{
	int c = ecma_peek(e, 0);

	if (*before == BEFORE_NOTHING)
		return ecma_fail(e, "something to repeat");
	*before = BEFORE_NOTHING;
	if (c == '{') {
		if (!read_braces(e))
			return false;
	} else {
		buf_char(e->out, (char)c);
		e->at++;
	}
	if (ecma_peek(e, 0) == '?') {
		buf_char(e->out, '?');
		e->at++;
	}
	return true;
}

/* After the '('; *repeats says whether the group may have a quantifier. */
static bool open_group(struct ecma *e, bool *repeats)
{
	static const struct {
		const char *word;
		bool repeats;
	} kinds[] = { { "?:", true },
		      { "?=", false },
		      { "?!", false },
		      { "?<=", false },
		      { "?<!", false } };
	const char *name;
	size_t len;
	bool twice;

	*repeats = true;
	buf_char(e->out, '(');
	if (ecma_peek(e, 0) != '?')
		return true;
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		len = strlen(kinds[i].word);
		if (e->n - e->at < len ||
		    memcmp(e->text + e->at, kinds[i].word, len) != 0)
			continue;
		buf_text(e->out, kinds[i].word);
		e->at += len;
		*repeats = kinds[i].repeats;
		return true;
	}
	if (ecma_peek(e, 1) != '<')
		return ecma_fail(e, "a group of ECMA-262: (?: (?= (?! (?<= "
				    "(?<! or (?<name>");
	e->at++;
	if (!ecma_group_name(e, &name, &len))
		return false;
	(void)ecma_group_find(e, name, len, &twice);
	return !twice || ecma_fail(e, "a name of its own for each group");
}

/* A backslash and what follows, outside of a class. */
static bool put_escape(struct ecma *e, enum before *before)
{
	struct escape escape = { 0 };
	bool good;

	e->at++;
	good = ecma_escape(e, false, &escape);
	if (good && escape.kind == ESCAPE_CODE) {
		/* No well-formed text has half a surrogate pair in it. */
		if (escape.code >= 0xd800 && escape.code <= 0xdfff)
			buf_text(e->out, "(?!)");
		else
			ecma_put(e->out, escape.code);
	}
	if (good && escape.kind == ESCAPE_SET) {
		if (escape.set.len == 0)
			buf_text(e->out, "(?!)");
		else
			buf_format(e->out, "[%s]", escape.set.bytes);
	}
	*before = escape.kind == ESCAPE_EDGE ? BEFORE_NOTHING : BEFORE_ATOM;
	buf_done(&escape.set);
	return good;
}

static bool put_atom(struct ecma *e, enum before *before)
{
	int c = ecma_peek(e, 0);

	*before = BEFORE_ATOM;
	switch (c) {
	case '\\':
		return put_escape(e, before);
	case '[':
		e->at++;
		return ecma_class(e);
	case '.':
		e->at++;
		buf_text(e->out, "[^\\x{a}\\x{d}\\x{2028}\\x{2029}]");
		return true;
	case ']':
	case '}':
		return ecma_fail(e, "a backslash before a lone ']' or '}'");
	case '^':
	case '$':
	case '|':
		e->at++;
		*before = BEFORE_NOTHING;
		buf_text(e->out, c == '^' ? "\\A" : c == '$' ? "\\z" : "|");
		return true;
	default:
		ecma_put(e->out, ecma_code(e));
		return true;
	}
}

static bool translate(struct ecma *e)
{
	bool repeats[PATTERN_GROUPS];
	size_t depth = 0;
	enum before before = BEFORE_NOTHING;

	while (e->at < e->n) {
		int c = ecma_peek(e, 0);

		if (c == '(') {
			if (depth == PATTERN_GROUPS)
				return ecma_fail(
					e, "groups that are nested less deep");
			e->at++;
			if (!open_group(e, &repeats[depth++]))
				return false;
			before = BEFORE_NOTHING;
		} else if (c == ')') {
			if (depth == 0)
				return ecma_fail(e, "a '(' for each ')'");
			e->at++;
			buf_char(e->out, ')');
			before =
				repeats[--depth] ? BEFORE_ATOM : BEFORE_NOTHING;
		} else if (c == '*' || c == '+' || c == '?' || c == '{') {
			if (!read_quantifier(e, &before))
				return false;
		} else if (!put_atom(e, &before)) {
			return false;
		}
	}
	return depth == 0 || ecma_fail(e, "a ')' for each '('");
}

int pattern_translate(const char *text, size_t n, struct buf *out,
		      const char **why, size_t *at)
{
	struct ecma e = { .text = text, .n = n, .out = out };
	bool good;

	e.groups = walk_groups(&e, NULL, 0, NULL);
	good = translate(&e);
	*why = e.why;
	*at = e.at;
	return good ? 0 : -EINVAL;
}
