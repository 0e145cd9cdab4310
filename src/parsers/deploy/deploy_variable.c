/* deploy_variable.c -- the variables of a Dockerfile's FROM.
 *
 * Only arguments that are declared before the first FROM may stand there, and
 * only their defaults are known.
 * Source: Dockerfile reference, "ARG" and "Environment replacement". */
#include "parsers/deploy/deploy_variable.h"

#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/deploy/deploy.h"

#define NESTED_MAX 4U /* defaults within defaults */

static bool is_name_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '_';
}

static const struct json_text *variable_find(const struct deploy_variables *v,
					     struct json_text name)
{
	for (size_t i = v->len; i > 0; i--)
		if (text_order(v->items[i - 1].name, name) == 0)
			return &v->items[i - 1].value;
	return NULL;
}

static bool text_expand(const struct deploy_variables *v, struct json_text t,
			unsigned depth, struct buf *out);

/* The text between the braces: NAME, NAME:-word or NAME:+word. */
static bool braces_expand(const struct deploy_variables *v,
			  struct json_text inner, unsigned depth,
			  struct buf *out)
{
	struct json_text name = { inner.bytes, 0 }, word;
	const struct json_text *value;
	bool is_set;

	while (name.len < inner.len && is_name_byte(inner.bytes[name.len]))
		name.len++;
	word = text_from(inner, name.len);
	value = variable_find(v, name);
	is_set = value != NULL && value->len > 0;
	if (name.len == 0)
		return false;
	if (word.len == 0 || text_begins(word, ":-")) {
		if (is_set)
			return buf_add(out, value->bytes, value->len), true;
		return word.len > 0 &&
		       text_expand(v, text_from(word, 2), depth + 1, out);
	}
	if (!text_begins(word, ":+"))
		return false;
	return !is_set || text_expand(v, text_from(word, 2), depth + 1, out);
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
	const struct json_text *value;

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
	value = variable_find(v, name);
	if (value == NULL || value->len == 0)
		return false;
	buf_add(out, value->bytes, value->len);
	return true;
}

static bool text_expand(const struct deploy_variables *v, struct json_text t,
			unsigned depth, struct buf *out)
{
	size_t len;

	if (depth > NESTED_MAX)
		return false;
	for (size_t i = 0; i < t.len && !buf_has_failed(out); i++) {
		if (t.bytes[i] != '$') {
			buf_char(out, t.bytes[i]);
			continue;
		}
		if (!dollar_expand(v, text_from(t, i + 1), depth, out, &len))
			return false;
		i += len;
	}
	return !buf_has_failed(out);
}

bool deploy_variables_expand(const struct deploy_variables *v,
			     struct json_text t, struct arena *arena,
			     struct json_text *ret)
{
	owned_buf struct buf out = { .cap_bytes = DEPLOY_TEXT_BYTES };
	const char *kept;

	if (t.len == 0 || memchr(t.bytes, '$', t.len) == NULL ||
	    !text_expand(v, t, 0, &out) || out.len == 0)
		return false;
	kept = arena_copy(arena, out.bytes, out.len);
	if (kept == NULL)
		return false;
	*ret = (struct json_text){ kept, out.len };
	return true;
}

void deploy_variables_add(struct deploy_variables *v, struct json_text word,
			  struct arena *arena)
{
	struct deploy_variable one = { { NULL, 0 }, { "", 0 } };
	struct json_text value, name = text_cut(word, '=', &value);

	if (v->len == DEPLOY_VARIABLES_MAX || name.len == 0 ||
	    word.len > DEPLOY_TEXT_BYTES)
		return;
	one.name.bytes = arena_copy(arena, name.bytes, name.len);
	one.name.len = name.len;
	if (value.bytes != NULL) {
		value = text_unquote(value);
		if (!deploy_variables_expand(v, value, arena, &one.value) &&
		    memchr(value.bytes, '$', value.len) == NULL) {
			one.value.bytes =
				arena_copy(arena, value.bytes, value.len);
			one.value.len = value.len;
		}
	}
	if (one.name.bytes != NULL && one.value.bytes != NULL)
		v->items[v->len++] = one;
}
