/* deploy_variable.c -- the variables of a Dockerfile's FROM.
 *
 * Only arguments that are declared before the first FROM may stand there, and
 * only their defaults are known.
 * Source: Dockerfile reference, "ARG" and "Environment replacement". */
#include "parsers/deploy/deploy_variable.h"

#include <errno.h>
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/deploy/deploy.h"

#define NESTED_MAX 4U /* defaults within defaults */

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static const struct deploy_variable *variable_find(
	const struct deploy_variables *v, struct json_text name)
{
	for (size_t i = 0; i < v->len; i++)
		if (text_order(v->items[i].name, name) == 0)
			return &v->items[i];
	return NULL;
}

static bool text_expand(const struct deploy_variables *v, struct json_text t,
			unsigned depth, struct buf *out);

/* Whether it is known what the variable is, or that it has no default. */
static bool is_known(const struct deploy_variables *v,
		     const struct deploy_variable *one)
{
	return one != NULL ? one->value.bytes != NULL : !v->is_cut;
}

/* The text between the braces: NAME, NAME:-word, NAME-word, NAME:+word or
 * NAME+word. */
static bool braces_expand(const struct deploy_variables *v,
			  struct json_text inner, unsigned depth,
			  struct buf *out)
{
	struct json_text name = { inner.bytes, 0 }, word;
	const struct deploy_variable *one;
	bool is_set;
	size_t mark;

	while (name.len < inner.len && is_name_byte(inner.bytes[name.len]))
		name.len++;
	word = text_from(inner, name.len);
	one = variable_find(v, name);
	if (name.len == 0 || !is_known(v, one))
		return false;
	mark = text_begins(word, ":") ? 2 : 1;
	is_set = one != NULL && (mark == 1 || one->value.len > 0);
	if (word.len == 0 || text_begins(word, ":-") ||
	    text_begins(word, "-")) {
		if (is_set)
			return buf_add(out, one->value.bytes, one->value.len),
			       true;
		return word.len > 0 &&
		       text_expand(v, text_from(word, mark), depth + 1, out);
	}
	if (!text_begins(word, ":+") && !text_begins(word, "+"))
		return false;
	return !is_set || text_expand(v, text_from(word, mark), depth + 1, out);
}

/* How many bytes "{...}" has at the beginning of t; 0 when it does not end. */
static size_t braces_len(struct json_text t)
{
	size_t open = 0;

	for (size_t i = 0; i < t.len; i++) {
		open += t.bytes[i] == '{';
		if (t.bytes[i] == '}' && --open == 0)
			return i + 1;
	}
	return 0;
}

/* What follows a '$'; *ret_len bytes of t belong to it. */
static bool dollar_expand(const struct deploy_variables *v, struct json_text t,
			  unsigned depth, struct buf *out, size_t *ret_len)
{
	struct json_text name = { t.bytes, 0 };
	const struct deploy_variable *one;

	if (t.len > 0 && t.bytes[0] == '{') {
		*ret_len = braces_len(t);
		return *ret_len > 2 &&
		       braces_expand(
			       v,
			       (struct json_text){ t.bytes + 1, *ret_len - 2 },
			       depth, out);
	}
	while (name.len < t.len && is_name_byte(t.bytes[name.len]))
		name.len++;
	*ret_len = name.len;
	one = variable_find(v, name);
	if (one == NULL || !is_known(v, one))
		return false;
	buf_add(out, one->value.bytes, one->value.len);
	return true;
}

/* The quote or escape at the beginning of t; *ret_len bytes of t belong to it.
 * is_quoted: between double quotes.  Returns false if a quote does not end. */
static bool quote_take(const struct deploy_variables *v, struct json_text t,
		       bool *is_quoted, struct buf *out, size_t *ret_len)
{
	const char c = t.bytes[0];
	const char next = t.len > 1 ? t.bytes[1] : '\0';
	struct json_text rest;

	*ret_len = 1;
	if (c == '"') {
		*is_quoted = !*is_quoted;
	} else if (c == '\'' && !*is_quoted) {
		t = text_cut(text_from(t, 1), '\'', &rest);
		if (rest.bytes == NULL)
			return false;
		buf_add(out, t.bytes, t.len);
		*ret_len = t.len + 2;
	} else if (c == v->escape && t.len > 1 &&
		   (!*is_quoted || next == '"' || next == '$' ||
		    next == v->escape)) {
		buf_char(out, next);
		*ret_len = 2;
	} else {
		buf_char(out, c);
	}
	return true;
}

static bool is_quote(const struct deploy_variables *v, char c)
{
	return v->escape != '\0' && (c == '"' || c == '\'' || c == v->escape);
}

static bool text_expand(const struct deploy_variables *v, struct json_text t,
			unsigned depth, struct buf *out)
{
	bool is_quoted = false;
	size_t len;

	if (depth > NESTED_MAX)
		return false;
	for (size_t i = 0; i < t.len && !buf_has_failed(out); i += len) {
		const struct json_text rest = text_from(t, i);

		len = 1;
		if (rest.bytes[0] == '$') {
			if (!dollar_expand(v, text_from(rest, 1), depth, out,
					   &len))
				return false;
			len++;
		} else if (is_quote(v, rest.bytes[0])) {
			if (!quote_take(v, rest, &is_quoted, out, &len))
				return false;
		} else {
			buf_char(out, rest.bytes[0]);
		}
	}
	return !buf_has_failed(out) && !is_quoted;
}

static bool has_special(const struct deploy_variables *v, struct json_text t)
{
	for (size_t i = 0; i < t.len; i++)
		if (t.bytes[i] == '$' || is_quote(v, t.bytes[i]))
			return true;
	return false;
}

int deploy_variables_expand(const struct deploy_variables *v,
			    struct json_text t, struct arena *arena,
			    struct json_text *ret)
{
	owned_buf struct buf out = { .cap_bytes = DEPLOY_TEXT_BYTES };
	const char *kept;

	if (!has_special(v, t) || !text_expand(v, t, 0, &out) || out.len == 0)
		return 0;
	kept = arena_copy(arena, out.bytes, out.len);
	if (kept == NULL)
		return -ENOMEM;
	*ret = (struct json_text){ kept, out.len };
	return 1;
}

/* The place of the variable by that name, perhaps a new one; NULL: no room. */
static struct deploy_variable *variable_place(struct deploy_variables *v,
					      struct json_text name,
					      struct arena *arena)
{
	for (size_t i = 0; i < v->len; i++)
		if (text_order(v->items[i].name, name) == 0)
			return &v->items[i];
	if (v->len == DEPLOY_VARIABLES_MAX || name.len > DEPLOY_TEXT_BYTES)
		return NULL;
	name.bytes = arena_copy(arena, name.bytes, name.len);
	if (name.bytes == NULL)
		return NULL;
	v->items[v->len].name = name;
	return &v->items[v->len++];
}

void deploy_variables_add(struct deploy_variables *v, struct json_text word,
			  struct arena *arena)
{
	owned_buf struct buf out = { .cap_bytes = DEPLOY_TEXT_BYTES };
	struct json_text value, name = text_cut(word, '=', &value);
	struct json_text known = { NULL, 0 };
	struct deploy_variable *one;

	if (name.len == 0 || value.bytes == NULL)
		return;
	if (text_expand(v, value, 0, &out)) {
		known.bytes = arena_copy(arena, out.len > 0 ? out.bytes : "",
					 out.len);
		known.len = known.bytes != NULL ? out.len : 0;
		v->is_cut |= known.bytes == NULL;
	}
	one = variable_place(v, name, arena);
	if (one != NULL)
		one->value = known;
	else
		v->is_cut = true;
}
