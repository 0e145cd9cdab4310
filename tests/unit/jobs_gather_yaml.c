/* jobs_gather_yaml.c -- block YAML: libyaml reads back what was written.
 *
 * With an argument it is a filter, JSON on stdin to YAML on stdout, for
 * jobs_gather_pyyaml.t. */
#include "jobs/gather/yaml_write.h"

#include <stdlib.h>
#include <yaml.h>

#include "base/buf.h"
#include "boundary/json.h"
#include "tap.h"

#define IN_BYTES ((size_t)8 << 20)

static void parse(struct arena *arena, const char *json, size_t n,
		  struct json_value *ret)
{
	struct json_caps caps = { .text_bytes = IN_BYTES,
				  .string_bytes = IN_BYTES };
	struct json_error e;

	*ret = (struct json_value){ 0 };
	ok_int(json_parse(json, n, &caps, arena, ret, &e), 0);
}

static yaml_event_type_t next(yaml_parser_t *p, yaml_event_t *e)
{
	if (!yaml_parser_parse(p, e)) {
		ok(p->problem == NULL);
		fprintf(stderr, "# %s\n", p->problem);
		memset(e, 0, sizeof *e);
	}
	return e->type;
}

static void skip_to(yaml_parser_t *p, yaml_event_type_t want)
{
	yaml_event_t e;

	ok_int(next(p, &e), want);
	yaml_event_delete(&e);
}

static void same_scalar(const yaml_event_t *e, const struct json_value *v)
{
	struct json_text got = { (const char *)e->data.scalar.value,
				 e->data.scalar.length };
	bool is_plain = e->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;

	ok(e->data.scalar.tag == NULL && e->data.scalar.anchor == NULL);
	if (v->type == JSON_STRING) {
		ok(got.len == v->u.string.len &&
		   memcmp(got.bytes, v->u.string.bytes, got.len) == 0);
		return;
	}
	ok(is_plain);
	if (v->type == JSON_NULL)
		ok(strcmp(got.bytes, "null") == 0);
	else if (v->type == JSON_BOOL)
		ok(strcmp(got.bytes, v->u.boolean ? "true" : "false") == 0);
	else
		ok(strtold(got.bytes, NULL) ==
		   strtold(v->u.number.bytes, NULL));
}

/* The next node of p is v. */
static void same(yaml_parser_t *p, const struct json_value *v)
{
	yaml_event_t e;
	yaml_event_type_t type = next(p, &e);

	switch (v->type) {
	case JSON_OBJECT:
		ok_int(type, YAML_MAPPING_START_EVENT);
		for (size_t i = 0; i < v->u.object.len && !tap_bad; i++) {
			struct json_value key = { .type = JSON_STRING };

			key.u.string = v->u.object.members[i].name;
			same(p, &key);
			same(p, &v->u.object.members[i].value);
		}
		if (!tap_bad)
			skip_to(p, YAML_MAPPING_END_EVENT);
		break;
	case JSON_ARRAY:
		ok_int(type, YAML_SEQUENCE_START_EVENT);
		for (size_t i = 0; i < v->u.array.len && !tap_bad; i++)
			same(p, &v->u.array.items[i]);
		if (!tap_bad)
			skip_to(p, YAML_SEQUENCE_END_EVENT);
		break;
	default:
		ok_int(type, YAML_SCALAR_EVENT);
		if (type == YAML_SCALAR_EVENT)
			same_scalar(&e, v);
	}
	yaml_event_delete(&e);
}

static void round_trip(const char *json, size_t n)
{
	struct arena arena = { 0 };
	struct json_value v;
	owned_buf struct buf out = { 0 };
	yaml_parser_t p;
	int bad = tap_bad;

	parse(&arena, json, n, &v);
	yaml_write(&v, &out);
	ok(!buf_has_failed(&out));
	ok(out.len > 0 && out.bytes[out.len - 1] == '\n');
	yaml_parser_initialize(&p);
	yaml_parser_set_input_string(&p, (const unsigned char *)out.bytes,
				     out.len);
	skip_to(&p, YAML_STREAM_START_EVENT);
	skip_to(&p, YAML_DOCUMENT_START_EVENT);
	same(&p, &v);
	if (tap_bad == bad) {
		skip_to(&p, YAML_DOCUMENT_END_EVENT);
		skip_to(&p, YAML_STREAM_END_EVENT);
	} else {
		fprintf(stderr, "# json: %.*s\n# yaml: %s", (int)n, json,
			out.bytes);
	}
	yaml_parser_delete(&p);
	arena_done(&arena);
}

static void writes(const char *json, const char *want)
{
	struct arena arena = { 0 };
	struct json_value v;
	owned_buf struct buf out = { 0 };

	parse(&arena, json, strlen(json), &v);
	yaml_write(&v, &out);
	if (strcmp(out.bytes, want) != 0) {
		tap_bad++;
		fprintf(stderr, "# %s\n# became %s# not    %s", json, out.bytes,
			want);
	}
	arena_done(&arena);
}

static void lays_out_blocks(void)
{
	writes("{\"a\":{\"b\":[1,{\"c\":[],\"d\":{}},[true,null]]},\"e\":"
	       "\"g\"}",
	       "a:\n  b:\n    - 1\n    - c: []\n      d: {}\n"
	       "    - - true\n      - null\ne: g\n");
	writes("[]", "[]\n");
	writes("{\"list\":[{\"name\":\"x y\",\"v\":\"1.10\"}]}",
	       "list:\n  - name: x y\n    v: \"1.10\"\n");
	writes("[1e5,1.5E-3,-0,10E2,2E+2]",
	       "- 1.0e+5\n- 1.5e-3\n- -0\n- 10.0e+2\n- 2.0e+2\n");
}

/* A text that some reader takes for another type is never written plain. */
static void quotes_what_is_ambiguous(void)
{
	static const char *const texts[] = {
		"yes",     "No",       "ON",        "off",        "y",
		"N",       "true",     "False",     "null",       "NULL",
		"~",       "1",        "-1",        "+1",         "0x1f",
		"0o7",     "017",      "1_000",     "1.5",        ".5",
		"1e3",     "1:30",     "190:20:30", "2026-11-21", ".inf",
		"-.INF",   ".nan",     "NaN",       "",           " a",
		"a ",      "a: b",     "a:",        "a #b",       "#a",
		"- a",     "-",        "?",         "? a",        ":",
		": a",     "&a",       "*a",        "!a",         "|",
		">",       "'a'",      "%a",        "@a",         "`a",
		"{a",      "[a",       "a, b",      "=",          "<<",
		"---",     "...",      "a\\tb",     "\\u0085",    "\\u2028",
		"\\ufeff", "\\u202ea", "\\u007f",   "a\\nb",      "\\u00e9",
		"a]",      "a}",       "a\\u0000b",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char json[64], yaml[64];

		(void)snprintf(json, sizeof json, "[\"%s\"]", texts[i]);
		round_trip(json, strlen(json));
		(void)snprintf(yaml, sizeof yaml, "- \"%s\"\n", texts[i]);
		if (strcmp(texts[i], "\\u00e9") != 0)
			writes(json, yaml);
	}
}

static void leaves_what_is_clear(void)
{
	static const char *const texts[] = {
		"name",    "node_manifest", "packages/a/package.json",
		"a.b-c_d", "/usr/bin",      "blake3:00ff",
		"a@1.0",   "yesterday",     "nothing",
		"on push", "http://x/y",
	};

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		char json[64], yaml[64];

		(void)snprintf(json, sizeof json, "[\"%s\"]", texts[i]);
		(void)snprintf(yaml, sizeof yaml, "- %s\n", texts[i]);
		writes(json, yaml);
	}
}

static void escapes_what_is_not_seen(void)
{
	writes("[\"\\u202e\\u200b\\u2029\\ufeff\\u0000\\u00a0\"]",
	       "- \"\\u202e\\u200b\\u2029\\ufeff\\u0000\\u00a0\"\n");
	writes("[\"\\udb40\\udc41\"]", "- \"\\U000e0041\"\n");
	writes("[\"\\ud83d\\ude00\"]", "- \"\xf0\x9f\x98\x80\"\n");
	writes("[\"\\/\\b\\f\\\"\\\\\"]", "- \"/\\b\\f\\\"\\\\\"\n");
}

static void long_keys_are_explicit(void)
{
	owned_buf struct buf json = { 0 };

	buf_text(&json, "[{\"");
	for (int i = 0; i < 3000; i++)
		buf_text(&json, "k ");
	buf_text(&json, "\":{\"a\":1},\"");
	for (int i = 0; i < 101; i++)
		buf_text(&json, "\\u0001");
	buf_text(&json, "\":2,\"z\":[3]}]");
	round_trip(json.bytes, json.len);
}

static void deep_values_come_back(void)
{
	owned_buf struct buf json = { 0 };

	for (int i = 0; i < 60; i++)
		buf_text(&json, "[{\"a b\":");
	buf_text(&json, "\"x\"");
	for (int i = 0; i < 60; i++)
		buf_text(&json, "},{}]");
	round_trip(json.bytes, json.len);
}

static unsigned pick(unsigned *seed, unsigned n)
{
	*seed = *seed * 1103515245U + 12345U;
	return (*seed >> 16) % n;
}

static void text_make(struct buf *json, unsigned *seed)
{
	static const char *const parts[] = {
		"a",       "yes",     " ",       ":",        "#",
		"-",       "\\n",     "\\t",     "\\u0000",  "\\\\",
		"\\\"",    "'",       "1",       ".",        "e",
		"{",       "}",       "[",       "]",        ",",
		"&",       "*",       "!",       "|",        ">",
		"%",       "@",       "`",       "~",        "\\u0085",
		"\\u2028", "\\ufeff", "\\ufffe", "\xc3\xa9", "\xf0\x9f\x98\x80",
		"?",       "\\u007f", "<<",      "=",        "\\udbff\\udfff",
		"\\r",     "/",
	};

	buf_char(json, '"');
	for (unsigned i = pick(seed, 7); i > 0; i--)
		buf_text(json, parts[pick(seed, sizeof parts / sizeof *parts)]);
	buf_char(json, '"');
}

static void value_make(struct buf *json, unsigned *seed, unsigned depth)
{
	static const char *const plain[] = { "null", "true", "false", "0", "-1",
					     "1e2",  "12.5", "{}",    "[]" };
	unsigned kind = pick(seed, depth > 0 ? 5 : 3);
	unsigned len = pick(seed, 4);

	if (kind < 2) {
		text_make(json, seed);
	} else if (kind == 2) {
		buf_text(json, plain[pick(seed, 9)]);
	} else {
		buf_char(json, kind == 3 ? '[' : '{');
		for (unsigned i = 0; i < len; i++) {
			if (i > 0)
				buf_char(json, ',');
			if (kind == 4)
				buf_format(json, "\"%u%s\":", i,
					   pick(seed, 2) ? ": #" : "");
			value_make(json, seed, depth - 1);
		}
		buf_char(json, kind == 3 ? ']' : '}');
	}
}

static void random_values_come_back(void)
{
	for (unsigned i = 0; i < 20000 && !tap_bad; i++) {
		owned_buf struct buf json = { 0 };
		unsigned seed = i;

		value_make(&json, &seed, 5);
		round_trip(json.bytes, json.len);
	}
}

static void a_full_buffer_is_told(void)
{
	struct arena arena = { 0 };
	struct json_value v;
	owned_buf struct buf out = { .cap_bytes = 10 };

	parse(&arena, "{\"a\":[1,2,3,4,5,6]}", 19, &v);
	yaml_write(&v, &out);
	ok(buf_has_failed(&out));
	arena_done(&arena);
}

/* JSON on stdin becomes YAML on stdout. */
static int filter(void)
{
	static char in[8 << 20];
	size_t n = fread(in, 1, sizeof in, stdin);
	struct arena arena = { 0 };
	owned_buf struct buf out = { 0 };
	struct json_value v;

	parse(&arena, in, n, &v);
	yaml_write(&v, &out);
	fwrite(out.bytes, 1, out.len, stdout);
	arena_done(&arena);
	return tap_bad;
}

int main(int argc, char *argv[])
{
	(void)argv;
	if (argc > 1)
		return filter();
	return tap_run((struct tap_case[]){
		CASE(lays_out_blocks), CASE(quotes_what_is_ambiguous),
		CASE(leaves_what_is_clear), CASE(escapes_what_is_not_seen),
		CASE(long_keys_are_explicit), CASE(deep_values_come_back),
		CASE(random_values_come_back), CASE(a_full_buffer_is_told),
		TAP_END });
}
