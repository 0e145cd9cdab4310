/* schema_keyword.c -- the table of keywords and what their values must be. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "boundary/decimal.h"
#include "boundary/schema_private.h"

const struct keyword schema_keywords[KW_MAX_] = {
	[KW_REF] = { "$ref", VOCAB_CORE, SHAPE_STRING },
	[KW_DYNAMIC_REF] = { "$dynamicRef", VOCAB_CORE, SHAPE_STRING },
	[KW_TYPE] = { "type", VOCAB_VALIDATION, SHAPE_TYPES },
	[KW_CONST] = { "const", VOCAB_VALIDATION, SHAPE_ANY },
	[KW_ENUM] = { "enum", VOCAB_VALIDATION, SHAPE_ARRAY },
	[KW_MULTIPLE_OF] = { "multipleOf", VOCAB_VALIDATION, SHAPE_POSITIVE },
	[KW_MAXIMUM] = { "maximum", VOCAB_VALIDATION, SHAPE_NUMBER },
	[KW_EXCLUSIVE_MAXIMUM] = { "exclusiveMaximum", VOCAB_VALIDATION,
				   SHAPE_NUMBER },
	[KW_MINIMUM] = { "minimum", VOCAB_VALIDATION, SHAPE_NUMBER },
	[KW_EXCLUSIVE_MINIMUM] = { "exclusiveMinimum", VOCAB_VALIDATION,
				   SHAPE_NUMBER },
	[KW_MAX_LENGTH] = { "maxLength", VOCAB_VALIDATION, SHAPE_COUNT },
	[KW_MIN_LENGTH] = { "minLength", VOCAB_VALIDATION, SHAPE_COUNT },
	[KW_PATTERN] = { "pattern", VOCAB_VALIDATION, SHAPE_PATTERN },
	[KW_MAX_ITEMS] = { "maxItems", VOCAB_VALIDATION, SHAPE_COUNT },
	[KW_MIN_ITEMS] = { "minItems", VOCAB_VALIDATION, SHAPE_COUNT },
	[KW_UNIQUE_ITEMS] = { "uniqueItems", VOCAB_VALIDATION, SHAPE_BOOL },
	[KW_MAX_PROPERTIES] = { "maxProperties", VOCAB_VALIDATION,
				SHAPE_COUNT },
	[KW_MIN_PROPERTIES] = { "minProperties", VOCAB_VALIDATION,
				SHAPE_COUNT },
	[KW_REQUIRED] = { "required", VOCAB_VALIDATION, SHAPE_NAMES },
	[KW_DEPENDENT_REQUIRED] = { "dependentRequired", VOCAB_VALIDATION,
				    SHAPE_NAMES_MAP },
	[KW_PREFIX_ITEMS] = { "prefixItems", VOCAB_APPLICATOR,
			      SHAPE_SCHEMA_LIST },
	[KW_ITEMS] = { "items", VOCAB_APPLICATOR, SHAPE_SCHEMA },
	[KW_CONTAINS] = { "contains", VOCAB_APPLICATOR, SHAPE_SCHEMA },
	[KW_PROPERTY_NAMES] = { "propertyNames", VOCAB_APPLICATOR,
				SHAPE_SCHEMA },
	[KW_PROPERTIES] = { "properties", VOCAB_APPLICATOR, SHAPE_SCHEMA_MAP },
	[KW_PATTERN_PROPERTIES] = { "patternProperties", VOCAB_APPLICATOR,
				    SHAPE_PATTERN_MAP },
	[KW_ADDITIONAL_PROPERTIES] = { "additionalProperties", VOCAB_APPLICATOR,
				       SHAPE_SCHEMA },
	[KW_DEPENDENT_SCHEMAS] = { "dependentSchemas", VOCAB_APPLICATOR,
				   SHAPE_SCHEMA_MAP },
	[KW_ALL_OF] = { "allOf", VOCAB_APPLICATOR, SHAPE_SCHEMA_LIST },
	[KW_ANY_OF] = { "anyOf", VOCAB_APPLICATOR, SHAPE_SCHEMA_LIST },
	[KW_ONE_OF] = { "oneOf", VOCAB_APPLICATOR, SHAPE_SCHEMA_LIST },
	[KW_NOT] = { "not", VOCAB_APPLICATOR, SHAPE_SCHEMA },
	[KW_IF] = { "if", VOCAB_APPLICATOR, SHAPE_SCHEMA },
	[KW_UNEVALUATED_ITEMS] = { "unevaluatedItems", VOCAB_UNEVALUATED,
				   SHAPE_SCHEMA },
	[KW_UNEVALUATED_PROPERTIES] = { "unevaluatedProperties",
					VOCAB_UNEVALUATED, SHAPE_SCHEMA },
	[KW_THEN] = { "then", VOCAB_APPLICATOR, SHAPE_SCHEMA },
	[KW_ELSE] = { "else", VOCAB_APPLICATOR, SHAPE_SCHEMA },
	[KW_MAX_CONTAINS] = { "maxContains", VOCAB_VALIDATION, SHAPE_COUNT },
	[KW_MIN_CONTAINS] = { "minContains", VOCAB_VALIDATION, SHAPE_COUNT },
	[KW_ID] = { "$id", VOCAB_CORE, SHAPE_ID },
	[KW_SCHEMA] = { "$schema", VOCAB_CORE, SHAPE_STRING },
	[KW_ANCHOR] = { "$anchor", VOCAB_CORE, SHAPE_ANCHOR },
	[KW_DYNAMIC_ANCHOR] = { "$dynamicAnchor", VOCAB_CORE, SHAPE_ANCHOR },
	[KW_VOCABULARY] = { "$vocabulary", VOCAB_CORE, SHAPE_BOOL_MAP },
	[KW_COMMENT] = { "$comment", VOCAB_CORE, SHAPE_STRING },
	[KW_DEFS] = { "$defs", VOCAB_CORE, SHAPE_SCHEMA_MAP },
	[KW_TITLE] = { "title", VOCAB_METADATA, SHAPE_STRING },
	[KW_DESCRIPTION] = { "description", VOCAB_METADATA, SHAPE_STRING },
	[KW_DEFAULT] = { "default", VOCAB_METADATA, SHAPE_ANY },
	[KW_DEPRECATED] = { "deprecated", VOCAB_METADATA, SHAPE_BOOL },
	[KW_READ_ONLY] = { "readOnly", VOCAB_METADATA, SHAPE_BOOL },
	[KW_WRITE_ONLY] = { "writeOnly", VOCAB_METADATA, SHAPE_BOOL },
	[KW_EXAMPLES] = { "examples", VOCAB_METADATA, SHAPE_ARRAY },
	[KW_FORMAT] = { "format", VOCAB_FORMAT, SHAPE_STRING },
	[KW_CONTENT_ENCODING] = { "contentEncoding", VOCAB_CONTENT,
				  SHAPE_STRING },
	[KW_CONTENT_MEDIA_TYPE] = { "contentMediaType", VOCAB_CONTENT,
				    SHAPE_STRING },
	[KW_CONTENT_SCHEMA] = { "contentSchema", VOCAB_CONTENT, SHAPE_SCHEMA },
};

unsigned schema_type_bit(const struct json_text *name)
{
	static const struct {
		const char *word;
		unsigned bit;
	} types[] = {
		{ "null", TYPE_NULL },       { "boolean", TYPE_BOOLEAN },
		{ "object", TYPE_OBJECT },   { "array", TYPE_ARRAY },
		{ "number", TYPE_NUMBER },   { "string", TYPE_STRING },
		{ "integer", TYPE_INTEGER },
	};

	for (size_t i = 0; i < sizeof types / sizeof *types; i++)
		if (strlen(types[i].word) == name->len &&
		    memcmp(types[i].word, name->bytes, name->len) == 0)
			return types[i].bit;
	return 0;
}

static bool is_schema(const struct json_value *v)
{
	return v->type == JSON_OBJECT || v->type == JSON_BOOL;
}

static bool is_number(const struct json_value *v, bool positive)
{
	struct decimal d;

	if (v->type != JSON_NUMBER)
		return false;
	d = decimal_read(v->u.number.bytes, v->u.number.len);
	return !positive || (d.n > 0 && !d.negative);
}

static bool is_count(const struct json_value *v)
{
	uint64_t n;
	int r = json_read_u64(v, &n);

	return r == 0 || r == -ERANGE;
}

static bool is_types(const struct json_value *v)
{
	unsigned seen = 0;

	if (v->type == JSON_STRING)
		return schema_type_bit(&v->u.string) != 0;
	if (v->type != JSON_ARRAY || v->u.array.len == 0)
		return false;
	for (size_t i = 0; i < v->u.array.len; i++) {
		const struct json_value *item = &v->u.array.items[i];
		unsigned bit = item->type == JSON_STRING
				       ? schema_type_bit(&item->u.string)
				       : 0;

		if (bit == 0 || (seen & bit) != 0)
			return false;
		seen |= bit;
	}
	return true;
}

static int name_order(const void *a, const void *b)
{
	const struct json_text *x = *(const struct json_text *const *)a;
	const struct json_text *y = *(const struct json_text *const *)b;

	if (x->len != y->len)
		return x->len < y->len ? -1 : 1;
	return memcmp(x->bytes, y->bytes, x->len);
}

/* Strings, no two of them equal. */
static bool is_names(const struct json_value *v)
{
	owned_mem const struct json_text **order = NULL;
	size_t n = v->u.array.len;

	if (v->type != JSON_ARRAY)
		return false;
	order = calloc(n + 1, sizeof *order);
	if (order == NULL)
		return false;
	for (size_t i = 0; i < n; i++) {
		if (v->u.array.items[i].type != JSON_STRING)
			return false;
		order[i] = &v->u.array.items[i].u.string;
	}
	qsort(order, n, sizeof *order, name_order);
	for (size_t i = 1; i < n; i++)
		if (name_order(&order[i - 1], &order[i]) == 0)
			return false;
	return true;
}

static bool is_id(const struct json_value *v)
{
	const char *hash;

	if (v->type != JSON_STRING ||
	    strlen(v->u.string.bytes) != v->u.string.len)
		return false;
	hash = strchr(v->u.string.bytes, '#');
	return hash == NULL || hash[1] == '\0';
}

static bool is_anchor(const struct json_value *v)
{
	static const char first[] = "abcdefghijklmnopqrstuvwxyz"
				    "ABCDEFGHIJKLMNOPQRSTUVWXYZ_";
	static const char rest[] = "abcdefghijklmnopqrstuvwxyz"
				   "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789.-";

	return v->type == JSON_STRING && v->u.string.len > 0 &&
	       strchr(first, v->u.string.bytes[0]) != NULL &&
	       v->u.string.bytes[0] != '\0' &&
	       strspn(v->u.string.bytes, rest) == v->u.string.len;
}

static bool is_map(const struct json_value *v,
		   bool (*holds)(const struct json_value *v))
{
	if (v->type != JSON_OBJECT)
		return false;
	for (size_t i = 0; i < v->u.object.len; i++)
		if (!holds(&v->u.object.members[i].value))
			return false;
	return true;
}

static bool is_bool(const struct json_value *v)
{
	return v->type == JSON_BOOL;
}

static bool is_schema_list(const struct json_value *v)
{
	if (v->type != JSON_ARRAY || v->u.array.len == 0)
		return false;
	for (size_t i = 0; i < v->u.array.len; i++)
		if (!is_schema(&v->u.array.items[i]))
			return false;
	return true;
}

const char *schema_keyword_check(enum keyword_id id, const struct json_value *v)
{
	switch (schema_keywords[id].shape) {
	case SHAPE_ANY:
		return NULL;
	case SHAPE_STRING:
	case SHAPE_PATTERN:
		return v->type == JSON_STRING ? NULL : "must be a string";
	case SHAPE_BOOL:
		return is_bool(v) ? NULL : "must be true or false";
	case SHAPE_ARRAY:
		return v->type == JSON_ARRAY ? NULL : "must be an array";
	case SHAPE_NUMBER:
		return is_number(v, false) ? NULL : "must be a number";
	case SHAPE_POSITIVE:
		return is_number(v, true) ? NULL : "must be a number above 0";
	case SHAPE_COUNT:
		return is_count(v) ? NULL : "must be a whole number from 0";
	case SHAPE_TYPES:
		return is_types(v) ? NULL
				   : "must be the name of a type, or an array "
				     "of different ones";
	case SHAPE_NAMES:
		return is_names(v) ? NULL
				   : "must be an array of different strings";
	case SHAPE_NAMES_MAP:
		return is_map(v, is_names)
			       ? NULL
			       : "must be an object of arrays of different "
				 "strings";
	case SHAPE_ID:
		return is_id(v) ? NULL : "must be a URI without a fragment";
	case SHAPE_ANCHOR:
		return is_anchor(v) ? NULL
				    : "must be a name of letters, digits, "
				      "'_', '-' and '.'";
	case SHAPE_BOOL_MAP:
		return is_map(v, is_bool) ? NULL
					  : "must be an object of booleans";
	case SHAPE_SCHEMA:
		return is_schema(v) ? NULL : "must be a schema";
	case SHAPE_SCHEMA_LIST:
		return is_schema_list(v) ? NULL
					 : "must be an array of schemas that "
					   "is not empty";
	case SHAPE_SCHEMA_MAP:
	case SHAPE_PATTERN_MAP:
		return is_map(v, is_schema) ? NULL
					    : "must be an object of schemas";
	}
	return NULL;
}
