/* schema_eval_value.c -- keywords about scalars and about whole values. */
#include <string.h>

#include "base/plural.h"
#include "boundary/schema_eval.h"

/* Of a number, in a message. */
#define NUMBER_BYTES 40

static const char *const type_names[] = { "null",   "boolean", "object",
					  "array",  "number",  "string",
					  "integer" };

static unsigned type_of(const struct json_value *v)
{
	static const unsigned bits[JSON_TYPE_MAX_] = {
		[JSON_NULL] = TYPE_NULL,     [JSON_BOOL] = TYPE_BOOLEAN,
		[JSON_NUMBER] = TYPE_NUMBER, [JSON_STRING] = TYPE_STRING,
		[JSON_ARRAY] = TYPE_ARRAY,   [JSON_OBJECT] = TYPE_OBJECT,
	};
	struct decimal d;

	if (v->type != JSON_NUMBER)
		return bits[v->type];
	d = decimal_read(v->u.number.bytes, v->u.number.len);
	return TYPE_NUMBER | (decimal_is_whole(&d) ? TYPE_INTEGER : 0U);
}

static const char *name_of(unsigned bits)
{
	for (unsigned i = 7; i > 0; i--)
		if ((bits & 1U << (i - 1)) != 0)
			return type_names[i - 1];
	return "nothing";
}

bool eval_type(const struct frame *f, const struct schema_rule *rule)
{
	unsigned is = type_of(f->v);
	char want[96] = "";
	size_t n = 0;

	if ((is & rule->count) != 0)
		return true;
	for (unsigned i = 0; i < 7; i++) {
		size_t len = strlen(type_names[i]);

		if ((rule->count & 1U << i) == 0)
			continue;
		if (n > 0) {
			memcpy(want + n, " or ", 4);
			n += 4;
		}
		memcpy(want + n, type_names[i], len + 1);
		n += len;
	}
	return schema_violate(f, rule, "expected %s, found %s", want,
			      name_of(is));
}

bool eval_const(const struct frame *f, const struct schema_rule *rule)
{
	return json_equal(f->v, rule->value) ||
	       schema_violate(f, rule, "is not the one value allowed");
}

bool eval_enum(const struct frame *f, const struct schema_rule *rule)
{
	const struct json_value *list = rule->value;

	if (!schema_spend(f->e, list->u.array.len / 8))
		return false;
	for (size_t i = 0; i < list->u.array.len; i++)
		if (json_equal(f->v, &list->u.array.items[i]))
			return true;
	if (list->u.array.len == 1)
		return schema_violate(f, rule, "is not the one value allowed");
	return schema_violate(f, rule, "is not one of the %zu values allowed",
			      list->u.array.len);
}

bool eval_multiple_of(const struct frame *f, const struct schema_rule *rule)
{
	struct decimal d;
	struct decimal by;

	if (f->v->type != JSON_NUMBER)
		return true;
	d = decimal_read(f->v->u.number.bytes, f->v->u.number.len);
	by = decimal_read(rule->value->u.number.bytes,
			  rule->value->u.number.len);
	if (!schema_spend(f->e, decimal_multiple_cost(&d, &by)))
		return false;
	return decimal_is_multiple(&d, &by) ||
	       schema_violate(f, rule, "%.*s is not a multiple of %.*s",
			      NUMBER_BYTES, f->v->u.number.bytes, NUMBER_BYTES,
			      rule->value->u.number.bytes);
}

bool eval_bound(const struct frame *f, const struct schema_rule *rule)
{
	static const struct {
		enum keyword_id id;
		bool upper, inclusive;
		const char *words;
	} bounds[] = {
		{ KW_MAXIMUM, true, true, "greater than" },
		{ KW_EXCLUSIVE_MAXIMUM, true, false, "not less than" },
		{ KW_MINIMUM, false, true, "less than" },
		{ KW_EXCLUSIVE_MINIMUM, false, false, "not greater than" },
	};
	struct decimal d;
	struct decimal bound;
	size_t i = 0;
	int order;

	if (f->v->type != JSON_NUMBER)
		return true;
	while (bounds[i].id != rule->id)
		i++;
	d = decimal_read(f->v->u.number.bytes, f->v->u.number.len);
	bound = decimal_read(rule->value->u.number.bytes,
			     rule->value->u.number.len);
	order = decimal_order(&d, &bound);
	if ((order == 0 && bounds[i].inclusive) ||
	    (bounds[i].upper ? order < 0 : order > 0))
		return true;
	return schema_violate(f, rule, "%.*s is %s %.*s", NUMBER_BYTES,
			      f->v->u.number.bytes, bounds[i].words,
			      NUMBER_BYTES, rule->value->u.number.bytes);
}

bool eval_length(const struct frame *f, const struct schema_rule *rule)
{
	bool most = rule->id == KW_MAX_LENGTH;
	uint64_t len = 0;

	if (f->v->type != JSON_STRING)
		return true;
	for (size_t i = 0; i < f->v->u.string.len; i++)
		len += ((unsigned char)f->v->u.string.bytes[i] & 0xc0) != 0x80;
	if (!schema_spend(f->e, f->v->u.string.len / 64))
		return false;
	if (most ? len <= rule->count : len >= rule->count)
		return true;
	return schema_violate(f, rule, "has %llu character%s, %s %llu %s",
			      (unsigned long long)len, plural_s(len),
			      most ? "at most" : "at least",
			      (unsigned long long)rule->count,
			      most ? "allowed" : "required");
}

bool eval_pattern(const struct frame *f, const struct schema_rule *rule)
{
	if (f->v->type != JSON_STRING)
		return true;
	if (schema_matches(f->e, rule->patterns[0], &f->v->u.string))
		return true;
	return !f->e->stop &&
	       schema_violate(f, rule, "does not match the pattern %.160s",
			      rule->value->u.string.bytes);
}

static uint64_t mix(uint64_t h, uint64_t x)
{
	h = (h ^ x) * 0x9e3779b97f4a7c15U;
	return h ^ h >> 29;
}

static uint64_t hash_text(const struct json_text *t)
{
	uint64_t h = t->len;

	for (size_t i = 0; i < t->len; i++)
		h = mix(h, (unsigned char)t->bytes[i]);
	return h;
}

static uint64_t hash_number(const struct json_value *v)
{
	struct decimal d = decimal_read(v->u.number.bytes, v->u.number.len);
	uint64_t h = mix(d.negative, (uint64_t)decimal_point(&d));
	const char *at = d.digits;

	if (d.n == 0)
		return 0;
	for (size_t i = 0; i < d.n; i++)
		h = mix(h, (uint64_t)decimal_next(&at));
	return h;
}

uint64_t schema_hash(struct eval *e, const struct json_value *v)
{
	uint64_t h = mix(1, v->type);

	if (!schema_spend(e, 1))
		return 0;
	switch (v->type) {
	case JSON_BOOL:
		return mix(h, v->u.boolean);
	case JSON_NUMBER:
		return mix(h, hash_number(v));
	case JSON_STRING:
		return mix(h, hash_text(&v->u.string));
	case JSON_ARRAY:
		for (size_t i = 0; i < v->u.array.len; i++)
			h = mix(h, schema_hash(e, &v->u.array.items[i]));
		return h;
	case JSON_OBJECT:
		/* In any order: a sum. */
		for (size_t i = 0; i < v->u.object.len; i++) {
			const struct json_member *m = &v->u.object.members[i];

			h += mix(hash_text(&m->name),
				 schema_hash(e, &m->value));
		}
		return h;
	default:
		return h;
	}
}
