/* yaml_node.c -- questions to a YAML tree.  See yaml.h. */
#include <string.h>

#include "parsers/yaml.h"

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
