/* ci_makefile_var.c -- the words and variables of a Makefile.  See
 * ci_makefile.h.  Source: GNU make's manual, "How to Use Variables". */
#include <string.h>

#include "parsers/ci/ci_makefile.h"
#include "parsers/common/text_piece.h"

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* The next word, where a backslash at a line's end is white space. */
struct json_text ci_makefile_word(struct json_text *rest)
{
	struct json_text word;
	size_t i = 0, from;

	while (i < rest->len &&
	       (is_blank(rest->bytes[i]) ||
		(rest->bytes[i] == '\\' && i + 1 < rest->len &&
		 (rest->bytes[i + 1] == '\n' || rest->bytes[i + 1] == '\r'))))
		i++;
	from = i;
	while (i < rest->len && !is_blank(rest->bytes[i]))
		i++;
	if (i > from && rest->bytes[i - 1] == '\\' && i < rest->len)
		i--;
	word = (struct json_text){ rest->bytes + from, i - from };
	*rest = text_from(*rest, i);
	return word;
}

static size_t var_place(const struct makefile *m, struct json_text name)
{
	return text_place(m->vars, m->vars_len, sizeof *m->vars, name);
}

static bool is_var_at(const struct makefile *m, size_t at,
		      struct json_text name)
{
	return at < m->vars_len && text_order(m->vars[at].name, name) == 0;
}

/* Variables are kept in order. */
static void var_add(struct makefile *m, size_t at, struct makefile_var one)
{
	if (m->vars_len == MAKEFILE_VARS) {
		m->is_cut = true;
		return;
	}
	memmove(&m->vars[at + 1], &m->vars[at],
		(m->vars_len - at) * sizeof *m->vars);
	m->vars[at] = one;
	m->vars_len++;
}

static void var_append(struct makefile *m, struct makefile_var *v,
		       struct json_text value)
{
	const size_t len = v->value.len + 1 + value.len;
	char *text;

	/* A longer one is cut where it is put in, too. */
	if (len > MAKEFILE_TEXT) {
		m->is_cut = true;
		return;
	}
	if (len > v->room) {
		text = arena_alloc(&m->arena, 2 * len);
		if (text == NULL) {
			m->is_cut = true;
			return;
		}
		if (v->value.len > 0)
			memcpy(text, v->value.bytes, v->value.len);
		v->value.bytes = v->text = text;
		v->room = 2 * len;
	}
	v->text[v->value.len] = ' ';
	if (value.len > 0)
		memcpy(v->text + v->value.len + 1, value.bytes, value.len);
	v->value.len = len;
}

void ci_makefile_set(struct makefile *m, struct json_text before,
		     struct json_text value)
{
	char op = '=';
	struct json_text name, rest;
	size_t at;

	if (before.len > 0 &&
	    strchr(":?+!", before.bytes[before.len - 1]) != NULL)
		op = before.bytes[--before.len];
	while (before.len > 0 && before.bytes[before.len - 1] == ':')
		before.len--;
	rest = before;
	do
		name = ci_makefile_word(&rest);
	while (text_in(name, "export override private"));
	if (name.len == 0 || text_trim(rest).len > 0 ||
	    memchr(name.bytes, '$', name.len) != NULL)
		return;
	value = text_trim(value);
	if (text_is(name, ".DEFAULT_GOAL"))
		m->goal = value;
	at = var_place(m, name);
	if (!is_var_at(m, at, name))
		var_add(m, at,
			(struct makefile_var){ .name = name, .value = value });
	else if (op == '+')
		var_append(m, &m->vars[at], value);
	else if (op != '?')
		m->vars[at] =
			(struct makefile_var){ .name = name, .value = value };
}

static bool expand(struct makefile *m, struct json_text text, struct buf *out,
		   unsigned depth);

/* The length of "$(...)" or "${...}" at the beginning of text; 0: no end. */
static size_t reference_len(struct json_text text)
{
	const char open = text.bytes[1], close = open == '(' ? ')' : '}';
	size_t depth = 0;

	for (size_t i = 1; i < text.len; i++) {
		depth += text.bytes[i] == open;
		if (text.bytes[i] == close && --depth == 0)
			return i + 1;
	}
	return 0;
}

/* The value of a variable: "$x", "$(x)" or "${x}".  What is no name stays as it
 * is written, and of "x := $(x) y" the first value is not kept. */
static bool reference_put(struct makefile *m, struct json_text whole,
			  struct buf *out, unsigned depth)
{
	struct json_text name = { whole.bytes + 1, 1 };
	bool is_whole;
	size_t at;

	if (whole.len > 2)
		name = (struct json_text){ whole.bytes + 2, whole.len - 3 };

	if (text_length_before(name, " \t\n,:=$%<>@^*?+|/") < name.len) {
		buf_add(out, whole.bytes, whole.len);
		return true;
	}
	if (text_is(name, "MAKE")) {
		buf_text(out, "make");
		return true;
	}
	at = var_place(m, name);
	if (!is_var_at(m, at, name) || m->vars[at].is_open)
		return true;
	m->vars[at].is_open = true;
	is_whole = expand(m, m->vars[at].value, out, depth + 1);
	m->vars[at].is_open = false;
	return is_whole;
}

static bool expand(struct makefile *m, struct json_text text, struct buf *out,
		   unsigned depth)
{
	bool is_whole = true;

	if (depth > MAKEFILE_DEPTH || m->steps == 0)
		return false;
	m->steps--;
	m->work += text.len / 4 + 32; /* measured: a name is looked up */
	while (text.len > 0 && is_whole && m->steps > 0 &&
	       !buf_has_failed(out)) {
		size_t n = text_length_before(text, "$");

		buf_add(out, text.bytes, n);
		text = text_from(text, n);
		if (text.len < 2) {
			buf_add(out, text.bytes, text.len);
			break;
		}
		n = 2;
		if (text.bytes[1] == '$') {
			buf_char(out, '$');
		} else if (text.bytes[1] == '(' || text.bytes[1] == '{') {
			n = reference_len(text);
			if (n == 0)
				n = text.len;
			if (n < text.len || text.bytes[n - 1] == ')' ||
			    text.bytes[n - 1] == '}')
				is_whole &= reference_put(
					m, (struct json_text){ text.bytes, n },
					out, depth);
		} else {
			is_whole &= reference_put(m, text_first(text, 2), out,
						  depth);
		}
		text = text_from(text, n);
	}
	return is_whole && m->steps > 0 && !buf_has_failed(out);
}

bool ci_makefile_expand(struct makefile *m, struct json_text text,
			struct buf *out)
{
	m->steps = MAKEFILE_STEPS;
	return expand(m, text, out, 0);
}
