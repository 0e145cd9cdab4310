/* yaml_node.c -- questions to a YAML tree.  See yaml.h. */
#include <string.h>

#include "parsers/common/text_piece.h"
#include "parsers/yaml/yaml.h"

bool yaml_is_text(const struct yaml_node *n, const char *text)
{
	return n != NULL && n->type == YAML_SCALAR &&
	       n->u.text.len == strlen(text) &&
	       memcmp(n->u.text.bytes, text, n->u.text.len) == 0;
}

bool yaml_is_null(const struct yaml_node *n)
{
	static const char *const nulls[] = { "", "~", "null", "Null", "NULL" };

	if (n == NULL)
		return true;
	if (n->type != YAML_SCALAR || !n->is_plain)
		return false;
	for (size_t i = 0; i < sizeof nulls / sizeof *nulls; i++)
		if (yaml_is_text(n, nulls[i]))
			return true;
	return false;
}

/* How many bytes of t, from at on, are of set. */
static size_t span(struct json_text t, size_t at, const char *set)
{
	size_t n = 0;

	while (at + n < t.len && t.bytes[at + n] != '\0' &&
	       strchr(set, t.bytes[at + n]) != NULL)
		n++;
	return n;
}

#define DIGITS "0123456789"

/* 0o17, 0x1F: no sign before them. */
static bool is_based(struct json_text t, const char *prefix, const char *set)
{
	return text_begins(t, prefix) && t.len > 2 &&
	       span(t, 2, set) == t.len - 2;
}

/* 1, +1., .5e-3, -.inf */
static bool is_number(struct json_text t)
{
	const size_t sign =
		span((struct json_text){ t.bytes, t.len > 0 }, 0, "+-");
	size_t at = sign, whole, part = 0, n;

	if (text_in(text_from(t, sign), ".inf .Inf .INF"))
		return true;
	whole = span(t, at, DIGITS);
	at += whole;
	if (at < t.len && t.bytes[at] == '.') {
		part = span(t, at + 1, DIGITS);
		at += 1 + part;
	}
	if (whole + part == 0)
		return false;
	if (at < t.len && (t.bytes[at] == 'e' || t.bytes[at] == 'E')) {
		at++;
		at += at < t.len && strchr("+-", t.bytes[at]) != NULL;
		n = span(t, at, DIGITS);
		if (n == 0)
			return false;
		at += n;
	}
	return at == t.len;
}

bool yaml_is_string(const struct yaml_node *n)
{
	if (n == NULL || n->type != YAML_SCALAR)
		return false;
	return !n->is_plain ||
	       !(yaml_is_null(n) || is_number(n->u.text) ||
		 is_based(n->u.text, "0o", "01234567") ||
		 is_based(n->u.text, "0x", DIGITS "abcdefABCDEF") ||
		 text_in(n->u.text, "true True TRUE false False FALSE "
				    ".nan .NaN .NAN"));
}

const struct yaml_node *yaml_find(const struct yaml_node *n, const char *key)
{
	if (n == NULL || n->type != YAML_MAPPING)
		return NULL;
	for (size_t i = 0; i < n->u.mapping.len; i++)
		if (yaml_is_text(n->u.mapping.pairs[i].key, key))
			return n->u.mapping.pairs[i].value;
	return NULL;
}

struct json_text yaml_text(const struct yaml_node *n,
			   const struct parse_input *in, struct parse_report *r)
{
	struct json_text none = { NULL, 0 };

	if (yaml_is_null(n) || n->type != YAML_SCALAR)
		return none;
	if (n->u.text.len > PARSE_STRING_BYTES) {
		report_note(&r->errors, "string_too_long", in,
			    (int64_t)n->offset, "a string over 64 KiB");
		return none;
	}
	return n->u.text;
}
