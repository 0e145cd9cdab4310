/* witness_json.c -- the strict JSON reader against json-c, which others wrote.
 * Over texts that are made by changing good ones, both accept the same texts
 * and read the same values, except for the differences that are rows here. */
#include <stdlib.h>
#include <string.h>

#define json_type other_type /* both have an enum of that name */
#include <json-c/json.h>
#undef json_type

#include "base/arena.h"
#include "boundary/json.h"
#include "tap.h"

#define TEXTS      60000
#define TEXT_BYTES 96
#define DEPTH      32

/* What json-c accepts even in its strict mode and RFC 8259 does not, by the
 * byte at which our reader stops and the one before it. */
static bool is_lenient(const struct json_error *err, const char *text)
{
	unsigned char at = (unsigned char)text[err->offset];
	char before = err->offset > 0 ? text[err->offset - 1] : '\0';
	bool is_digit = at >= '0' && at <= '9';

	if (err->code == JSON_DUPLICATE_NAME || /* the last one counts */
	    err->code == JSON_BAD_UNICODE)      /* U+FFFD for half a pair */
		return true;
	if (at < ' ') /* a control character in a string, not escaped */
		return true;
	return (before == '0' && is_digit) ||  /* 012 */
	       (before == '.' && !is_digit) || /* 0. */
	       (before == '-' && at == '.');   /* -.5 */
}

static uint64_t state = UINT64_C(0x9e3779b97f4a7c15);

static size_t dice(size_t n)
{
	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (size_t)((state >> 11) % n);
}

/* Good texts; each is changed in a few places, or not. */
static size_t text_make(char *out)
{
	static const char *const seeds[] = {
		"{\"a\":[1,-2.5e+3,0],\"b\":{\"c\":null}}",
		"[true,false,null,\"x\\u00e9\\n\\\\\",[[]],{}]",
		"{\"k\":\"\\ud834\\udd1e\",\"l\":1e-7,\"m\":0.0}",
		" [ 12 , { \"a b\" : \"\xc3\xa9\" } ]\n",
		"\"\\\"\\/\\b\\f\\r\\t\"",
		"-123456789.25E2",
	};
	static const char odd[] = "{}[],:\"\\/ 0123456789.eE+-tfnulrase\n\t*x";
	const char *seed = seeds[dice(sizeof seeds / sizeof *seeds)];
	size_t n = strlen(seed);

	memcpy(out, seed, n);
	for (size_t changes = dice(3); changes > 0; changes--) {
		size_t at = dice(n);

		if (dice(3) == 0 && n > 1) {
			memmove(out + at, out + at + 1, n - at - 1);
			n--;
		} else if (dice(2) == 0 && n + 1 < TEXT_BYTES) {
			memmove(out + at + 1, out + at, n - at);
			out[at] = odd[dice(sizeof odd - 1)];
			n++;
		} else {
			out[at] = odd[dice(sizeof odd - 1)];
		}
	}
	out[n] = '\0';
	return n;
}

/* The whole text as json-c reads it in its strictest mode; NULL: refused. */
static struct json_object *other_read(const char *text, size_t n, bool *good)
{
	struct json_tokener *t = json_tokener_new_ex(DEPTH);
	struct json_object *o;

	json_tokener_set_flags(t, JSON_TOKENER_STRICT |
					  JSON_TOKENER_VALIDATE_UTF8);
	o = json_tokener_parse_ex(t, text, (int)n + 1); /* with its NUL */
	*good = json_tokener_get_error(t) == json_tokener_success &&
		json_tokener_get_parse_end(t) >= n;
	json_tokener_free(t);
	return o;
}

static bool is_same(const struct json_value *v, struct json_object *o);

static bool is_same_array(const struct json_value *v, struct json_object *o)
{
	if (json_object_array_length(o) != v->u.array.len)
		return false;
	for (size_t i = 0; i < v->u.array.len; i++)
		if (!is_same(&v->u.array.items[i],
			     json_object_array_get_idx(o, i)))
			return false;
	return true;
}

static bool is_same_object(const struct json_value *v, struct json_object *o)
{
	if ((size_t)json_object_object_length(o) != v->u.object.len)
		return false;
	for (size_t i = 0; i < v->u.object.len; i++) {
		const struct json_member *m = &v->u.object.members[i];
		struct json_object *other = NULL;

		if (!json_object_object_get_ex(o, m->name.bytes, &other) ||
		    !is_same(&m->value, other))
			return false;
	}
	return true;
}

static bool is_same(const struct json_value *v, struct json_object *o)
{
	switch (v->type) {
	case JSON_NULL:
		return o == NULL;
	case JSON_BOOL:
		return json_object_is_type(o, json_type_boolean) &&
		       json_object_get_boolean(o) == v->u.boolean;
	case JSON_NUMBER: /* ours is the text; theirs is a number of C */
		return (json_object_is_type(o, json_type_int) ||
			json_object_is_type(o, json_type_double)) &&
		       json_object_get_double(o) ==
			       strtod(v->u.number.bytes, NULL);
	case JSON_STRING:
		return json_object_is_type(o, json_type_string) &&
		       (size_t)json_object_get_string_len(o) ==
			       v->u.string.len &&
		       memcmp(json_object_get_string(o), v->u.string.bytes,
			      v->u.string.len) == 0;
	case JSON_ARRAY:
		return json_object_is_type(o, json_type_array) &&
		       is_same_array(v, o);
	default:
		return json_object_is_type(o, json_type_object) &&
		       is_same_object(v, o);
	}
}

/* The outcome of one text. */
enum verdict { BOTH_TAKE, BOTH_REFUSE, OURS_REFUSES, DIFFERENT };

static enum verdict text_judge(const char *text, size_t n)
{
	const struct json_caps caps = { .depth = DEPTH - 1 };
	struct arena arena = { 0 };
	struct json_error err = { 0 };
	struct json_value v = { 0 };
	bool other = false;
	struct json_object *o = other_read(text, n, &other);
	bool own = json_parse(text, n, &caps, &arena, &v, &err) == 0;
	enum verdict said = DIFFERENT;

	if (own && other)
		said = is_same(&v, o) ? BOTH_TAKE : DIFFERENT;
	else if (!own && !other)
		said = BOTH_REFUSE;
	else if (!own && is_lenient(&err, text))
		said = OURS_REFUSES;
	if (said == DIFFERENT)
		fprintf(stderr, "# %s: ours %s, json-c %s\n", text,
			own ? "takes it" : json_code_name(err.code),
			other ? "takes it" : "refuses it");
	json_object_put(o);
	arena_done(&arena);
	return said;
}

static void agrees_with_json_c(void)
{
	size_t count[DIFFERENT + 1] = { 0 };
	char text[TEXT_BYTES + 1];

	for (int i = 0; i < TEXTS; i++) {
		size_t n = text_make(text);

		count[text_judge(text, n)]++;
	}
	ok_int(count[DIFFERENT], 0);
	/* Each outcome occurred. */
	ok(count[BOTH_TAKE] > TEXTS / 10);
	ok(count[BOTH_REFUSE] > TEXTS / 10);
	ok(count[OURS_REFUSES] > 0);
}

int main(void)
{
	return tap_run(
		(struct tap_case[]){ CASE(agrees_with_json_c), TAP_END });
}
