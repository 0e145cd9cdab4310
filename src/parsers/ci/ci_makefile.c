/* ci_makefile.c -- see ci_makefile.h. */
#include "parsers/ci/ci_makefile.h"

#include <stdlib.h>
#include <string.h>

#include "parsers/ci/ci.h"
#include "parsers/common/text_piece.h"

/* A Makefile on its way. */
struct reader {
	struct ci *ci;
	struct makefile *m;
	/* The rules from first on have one recipe, which may go on. */
	size_t first;
	struct json_text recipe;
	bool is_recipe, is_defined; /* within a recipe; within a "define" */
	unsigned includes;
};

/* --- rules -------------------------------------------------------------------- */

static int rule_order(const void *a, const void *b)
{
	const struct makefile_rule *x = a, *y = b;
	int c = text_order(x->target, y->target);

	return c != 0 ? c : (x->order > y->order) - (x->order < y->order);
}

struct makefile_rule *ci_makefile_rules_find(const struct makefile *m,
					     struct json_text target,
					     size_t *ret_len)
{
	const size_t from =
		text_place(m->rules, m->rules_len, sizeof *m->rules, target);

	*ret_len = 0;
	while (from + *ret_len < m->rules_len &&
	       text_order(m->rules[from + *ret_len].target, target) == 0)
		++*ret_len;
	return *ret_len > 0 ? &m->rules[from] : NULL;
}

/* ".PHONY" and its kind are no goals; "./x" and "a/.b" are. */
static bool is_goal(struct json_text target)
{
	return memchr(target.bytes, '%', target.len) == NULL &&
	       (target.bytes[0] != '.' ||
		memchr(target.bytes, '/', target.len) != NULL);
}

/* The rules from first on get their recipe when its end is known. */
static void recipe_end(struct reader *r)
{
	for (size_t i = r->first; r->is_recipe && i < r->m->rules_len; i++)
		r->m->rules[i].recipe = r->recipe;
	r->is_recipe = false;
}

/* A target that is a variable is not known. */
static void targets_take(struct reader *r, struct json_text targets,
			 struct json_text needs, struct json_text recipe)
{
	struct makefile *m = r->m;
	struct json_text word;

	recipe_end(r);
	r->first = m->rules_len;
	r->recipe = recipe;
	r->is_recipe = true;
	while ((word = ci_makefile_word(&targets)).len > 0) {
		if (m->rules_len == MAKEFILE_RULES) {
			m->is_cut = true;
			return;
		}
		if (m->goal.bytes == NULL && is_goal(word))
			m->goal = word;
		m->rules[m->rules_len] = (struct makefile_rule){
			.target = word,
			.needs = needs,
			.order = m->rules_len,
		};
		m->rules_len++;
	}
}

/* Where the first byte of any stands outside of "$(...)", or t.len. */
static size_t length_outside(struct json_text t, const char *any)
{
	size_t depth = 0;

	for (size_t i = 0; i < t.len; i++) {
		if (t.bytes[i] == '(' || t.bytes[i] == '{')
			depth++;
		else if ((t.bytes[i] == ')' || t.bytes[i] == '}') && depth > 0)
			depth--;
		else if (depth == 0 && strchr(any, t.bytes[i]) != NULL)
			return i;
	}
	return t.len;
}

/* "targets: needs ; recipe", "a: x: y" and "a: VARIABLE = value". */
static void rule_take(struct reader *r, struct json_text line, size_t colon)
{
	struct json_text targets = { line.bytes, colon };
	struct json_text needs = text_from(line, colon + 1);
	struct json_text recipe = { NULL, 0 };
	size_t n;

	if (text_begins(needs, ":"))
		needs = text_from(needs, 1);
	n = length_outside(needs, ";");
	if (n < needs.len) {
		recipe = text_from(needs, n + 1);
		needs.len = n;
	}
	if (length_outside(needs, "=") < needs.len)
		return;
	n = length_outside(needs, ":");
	if (n < needs.len)
		needs = text_from(needs, n + 1);
	targets_take(r, targets, needs, recipe);
}

static void file_read(struct reader *r, const struct parse_input *in);

/* Names are relative to the directory of the Makefile that is run. */
static void include_take(struct reader *r, struct json_text names)
{
	const struct parse_input *top = r->m->in;
	struct json_text word;

	while ((word = ci_makefile_word(&names)).len > 0) {
		struct ci_dir dir = { .len = input_dir_len(top) };
		const struct parse_input *in;
		char base[CI_BASE_BYTES];
		const char *slash;
		size_t head, tail;

		slash = memrchr(word.bytes, '/', word.len);
		head = slash != NULL ? (size_t)(slash - word.bytes) : 0;
		tail = head + (slash != NULL);
		if (dir.len >= sizeof dir.bytes ||
		    word.len - tail >= sizeof base)
			continue; /* no file is called so */
		memcpy(dir.bytes, top->name, dir.len);
		if (head > 0)
			ci_dir_enter(&dir, text_first(word, head));
		if (dir.is_unknown)
			continue;
		memcpy(base, word.bytes + tail, word.len - tail);
		base[word.len - tail] = '\0';
		in = input_find(r->ci->inputs, dir.bytes, dir.len, base);
		if (in != NULL && in->is_name_only)
			ci_tell(r->ci, in, CI_TOLD_UNREAD, -1);
		if (in == NULL || in->is_name_only || in == top)
			continue;
		if (r->includes++ >= MAKEFILE_INCLUDES) {
			r->m->is_cut = true;
			return;
		}
		file_read(r, in);
	}
}

/* Whether the line is a directive that says nothing here. */
static bool is_directive(struct json_text first)
{
	return text_in(first, "ifeq ifneq ifdef ifndef else endif vpath "
			      "unexport undefine endef");
}

static void line_take(struct reader *r, struct json_text line)
{
	struct json_text rest = line, first = ci_makefile_word(&rest);
	size_t equals, colon;

	if (first.len == 0 || first.bytes[0] == '#' || is_directive(first))
		return;
	if (text_is(first, "define")) {
		r->is_defined = true;
		return;
	}
	if (text_in(first, "include -include sinclude")) {
		include_take(r, rest);
		return;
	}
	line.len = length_outside(line, "#");
	equals = length_outside(line, "=");
	colon = length_outside(line, ":");
	if (equals < line.len &&
	    (equals < colon || colon + 1 == equals ||
	     (colon + 2 == equals && line.bytes[colon + 1] == ':') ||
	     (colon + 3 == equals && line.bytes[colon + 1] == ':' &&
	      line.bytes[colon + 2] == ':')))
		ci_makefile_set(r->m, (struct json_text){ line.bytes, equals },
				text_from(line, equals + 1));
	else if (colon < line.len)
		rule_take(r, line, colon);
}

/* A line that begins with a tab belongs to the rules before it.  Lines of one
 * recipe lie in one file, so what is between two of them is read with them. */
static void recipe_take(struct reader *r, struct json_text line)
{
	if (r->recipe.bytes == NULL)
		r->recipe = line;
	else
		r->recipe.len =
			(size_t)(line.bytes + line.len - r->recipe.bytes);
}

/* The logical line at *at, whose ends may be after backslashes. */
static struct json_text logical_line(struct json_text text, size_t *at)
{
	struct json_text line = { text.bytes + *at, 0 };

	while (*at < text.len) {
		const char *end =
			memchr(text.bytes + *at, '\n', text.len - *at);
		size_t n = end != NULL ? (size_t)(end - text.bytes) : text.len;
		bool goes_on = n > *at && text.bytes[n - 1] == '\\';

		line.len = (size_t)(text.bytes + n - line.bytes);
		*at = n + (end != NULL);
		if (!goes_on)
			break;
	}
	return line;
}

static void file_read(struct reader *r, const struct parse_input *in)
{
	struct json_text text = { in->bytes, in->len };
	size_t at = 0;

	recipe_end(r);
	r->m->work += in->len;
	while (at < text.len) {
		struct json_text line = logical_line(text, &at);

		if (r->is_defined) {
			r->is_defined = !text_begins(text_trim(line), "endef");
			continue;
		}
		if (text_begins(line, "\t")) {
			if (r->is_recipe)
				recipe_take(r, line);
			continue;
		}
		line_take(r, line);
	}
	recipe_end(r);
	r->is_defined = false;
}

struct makefile *ci_makefile_read(struct ci *ci, const struct parse_input *file)
{
	struct makefile *m = calloc(1, sizeof *m);
	struct reader r = { .ci = ci, .m = m };

	if (m == NULL)
		return NULL;
	m->in = file;
	m->arena.cap_bytes = MAKEFILE_BYTES;
	m->rules = arena_array(&m->arena, MAKEFILE_RULES, sizeof *m->rules);
	m->vars = arena_array(&m->arena, MAKEFILE_VARS, sizeof *m->vars);
	if (m->rules == NULL || m->vars == NULL) {
		ci_makefile_free(m);
		return NULL;
	}
	file_read(&r, file);
	if (m->is_cut)
		ci_tell(ci, file, CI_TOLD_RULES, -1);
	if (m->rules_len > 0)
		qsort(m->rules, m->rules_len, sizeof *m->rules, rule_order);
	return m;
}

void ci_makefile_free(struct makefile *m)
{
	if (m != NULL)
		arena_done(&m->arena);
	free(m);
}
