/* parsers_yaml.c -- trees and refusals of the YAML reader. */
#include <errno.h>
#include <stdlib.h>

#include "parsers/yaml/yaml_events.h"
#include "tap.h"
#include "yaml_read.h"

/* n times unit, between before and after. */
static char *text_of(const char *before, const char *unit, size_t n,
		     const char *after)
{
	struct buf out = { 0 };

	buf_text(&out, before);
	for (size_t i = 0; i < n; i++)
		buf_text(&out, unit);
	buf_text(&out, after);
	return buf_take(&out);
}

static void scalars_stay_as_written(void)
{
	is_read_as("[1.10, 0x1F, on, 2001-01-01, 1_000, ~, \"1.10\", 'a''b']",
		   "[1.10 0x1F on 2001-01-01 1_000 ~ \"1.10\" \"a'b\" ]|");
	is_read_as("a: |\n  x\n  y\nb: >-\n  x\n  y\n\"\\x41\\n\": z\n",
		   "{a=\"x\\ny\\n\" b=\"x y\" \"A\\n\"=z }|");
	is_read_as("{a: }", "{a= }|");
	is_read_as("on:\n  push:\n", "{on={push= } }|");
	is_read_as("a: !!str null\nb: ! x\n", "{a=\"null\" b=\"x\" }|");
}

static void a_stream_may_hold_many_documents(void)
{
	is_read_as("", "");
	is_read_as("# only a comment\n", "");
	is_read_as("--- a\n--- \n--- [b]\n...\n", "a||[b ]|");
	is_read_as("%YAML 1.1\n%TAG !e! tag:x,1:\n--- a\n", "a|");
}

static void aliases_are_shared(void)
{
	struct read t;
	const struct yaml_node *n;

	is_read_as("a: &x [1, {b: 2}]\nc: *x\n*x : d\n",
		   "{a=[1 {b=2 } ] c=[1 {b=2 } ] [1 {b=2 } ]=d }|");
	is_read_as("- &x 1\n- *x\n- &x 2\n- *x\n", "[1 1 2 2 ]|");
	is_read_as("&x [&x y, *x]", "[y y ]|");
	read_text(&t, "a: &x [1]\nb: *x\n");
	n = t.docs.items[0];
	ok(yaml_find(n, "a") == yaml_find(n, "b"));
	read_done(&t);
}

static void merges_add_what_is_missing(void)
{
	is_read_as("- &a {k: 1, l: 2}\n- {<<: *a, k: 9, m: 3}\n",
		   "[{k=1 l=2 } {k=9 m=3 l=2 } ]|");
	is_read_as("- &a {k: 1}\n- &b {k: 2, l: 2}\n- {<<: [*a, *b]}\n",
		   "[{k=1 } {k=2 l=2 } {k=1 l=2 } ]|");
	is_read_as("- &a {k: 1, l: 1}\n- &b {k: 2}\n- {<<: *a, <<: *b}\n",
		   "[{k=1 l=1 } {k=2 } {k=2 l=1 } ]|");
	is_read_as("- &a {k: 1}\n- &b {<<: *a, l: 2}\n- {<<: *b}\n",
		   "[{k=1 } {l=2 k=1 } {l=2 k=1 } ]|");
	is_read_as("{<<: {a: 1}, b: 2}", "{b=2 a=1 }|");
	is_read_as("{\"<<\": {a: 1}}", "{\"<<\"={a=1 } }|");
	is_read_as("{<<: [x], a: 1}", "{<<=[x ] a=1 }|");
}

static void a_bad_merge_is_a_warning(void)
{
	struct read t;

	read_text(&t, "{<<: 1}");
	ok_has(t.report.warnings.text.bytes,
	       "{\"code\":\"yaml_merge\",\"source\":\"f.yml\",\"offset\":1,");
	read_done(&t);
}

static void a_name_twice_is_refused(void)
{
	struct buf text = { 0 };

	text_is_refused("a: 1\nb: 2\na: 3\n", "duplicate_name", 10);
	text_is_refused("{a: 1, \"a\": 2}", "duplicate_name", 7);
	text_is_refused("{a: 1, b: 2, b: 3, a: 4}", "duplicate_name", 13);
	text_is_refused("- &x k\n- {*x : 1, k: 2}", "duplicate_name", 18);
	text_is_refused("- &x {a: 1}\n- {<<: *x, b: 1, b: 2}", "duplicate_name",
			29);
	for (int i = 0; i < 5000; i++)
		buf_format(&text, "k%d: v\n", i);
	buf_text(&text, "k4711: v\n");
	text_is_refused(text.bytes, "duplicate_name", (long)text.len - 9);
	buf_done(&text);
}

static void a_number_is_no_string_of_its_digits(void)
{
	static const char *const others[] = {
		"null", "Null",   "NULL",  "~",     "true", "True", "TRUE",
		"1",    "false",  "False", "FALSE", "-0",   "+12",  "0o17",
		"0x1F", "0xbeef", "1.",    ".5",    "-1.5", "1e3",  "2.E-3",
		".inf", "-.Inf",  "+.INF", ".nan",  ".NaN", ".NAN",
	};
	static const char *const strings[] = {
		"nULL", "on",  "yes", "tRUE", "-",     "+",   ".",
		"..",   "1.e", "e3",  "0o8",  "0o",    "0x",  "0xg",
		"1_0",  "1:2", "v1",  "-0x1", "+.nan", ".in", "1.2.3",
	};
	char text[80];

	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct read t;

		(void)snprintf(text, sizeof text, "{%s: a, \"%s\": b}",
			       others[i], others[i]);
		read_text(&t, text);
		ok_int(t.result, 0);
		ok(t.docs.len == 1 && t.docs.items[0]->u.mapping.len == 2);
		read_done(&t);
		(void)snprintf(text, sizeof text, "{%s: a, %s: b}", others[i],
			       others[i]);
		text_is_refused(text, "duplicate_name",
				(long)strlen(others[i]) + 6);
	}
	for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
		(void)snprintf(text, sizeof text, "{%s: a, '%s': b}",
			       strings[i], strings[i]);
		text_is_refused(text, "duplicate_name",
				(long)strlen(strings[i]) + 6);
	}
	text_is_refused("{!!str 1: a, \"1\": b}", "duplicate_name", 13);
	is_read_as("{<<: {1: a}, \"1\": b}", "{\"1\"=b 1=a }|");
}

static void codes_name_the_fault(void)
{
	text_is_refused("a: *x", "yaml_alias", 3);
	text_is_refused("&a [*a]", "yaml_alias", 4);
	text_is_refused("&a {b: {<<: *a}}", "yaml_alias", 12);
	text_is_refused("a: b: c", "yaml_syntax", 4);
	text_is_refused("\"\xc3\xa4\": b: c", "yaml_syntax", 7);
	text_is_refused("a: \x01", "yaml_syntax", 3);
	text_is_refused("a: \xff", "bad_utf8", 3);
	text_is_refused("a: \xc0\xaf", "bad_utf8", 3);
	text_is_refused("\xff\xfe"
			"a",
			"bad_utf8", 0);
	is_refused("a\0:\0 \0b\0", 8, "yaml_nul", 1, 0);
	is_refused("--- a\n--- *x\n", 13, "yaml_alias", 10, 1);
}

static void anchors_end_with_their_document(void)
{
	is_refused("--- &x a\n--- *x\n", 16, "yaml_alias", 13, 1);
}

static void a_byte_order_mark_is_a_warning(void)
{
	struct read t;

	read_text(&t, "\xef\xbb\xbf"
		      "a: b");
	ok_int(t.result, 0);
	ok(is_in_open_list(t.report.warnings.text.bytes, "{\"code\":\"bom\"}"));
	ok_int(yaml_find(t.docs.items[0], "a")->offset, 6);
	read_done(&t);
}

static void offsets_are_bytes(void)
{
	struct read t;
	const struct yaml_node *n;

	read_text(&t, "\xc3\xa4: \xe2\x82\xac\r\nx: [\xf0\x9f\x98\x80, y]\n");
	n = t.docs.items[0];
	ok_int(n->offset, 0);
	ok_int(n->u.mapping.pairs[0].value->offset, 4);
	ok_int(n->u.mapping.pairs[1].key->offset, 9);
	n = yaml_find(n, "x");
	ok_int(n->offset, 12);
	ok_int(n->u.sequence.items[1]->offset, 19);
	read_done(&t);
}

static void questions_have_answers(void)
{
	char *longer = text_of("{l: ", "x", PARSE_STRING_BYTES + 1, "}");
	const struct yaml_node *n;
	struct read t;

	read_text(&t, "{a: x, n: ~, q: \"~\", e: , s: [1], N: NULL}");
	n = t.docs.items[0];
	ok(yaml_find(n, "b") == NULL);
	ok(yaml_find(NULL, "a") == NULL);
	ok(yaml_find(yaml_find(n, "a"), "a") == NULL);
	ok(yaml_is_text(yaml_find(n, "a"), "x"));
	ok(!yaml_is_text(yaml_find(n, "a"), "xy"));
	ok(!yaml_is_text(NULL, ""));
	ok(yaml_is_null(NULL) && yaml_is_null(yaml_find(n, "n")));
	ok(yaml_is_null(yaml_find(n, "e")) && yaml_is_null(yaml_find(n, "N")));
	ok(!yaml_is_null(yaml_find(n, "q")) && !yaml_is_null(n));
	ok(yaml_text(yaml_find(n, "n"), &t.in, &t.report).bytes == NULL);
	ok(yaml_text(yaml_find(n, "s"), &t.in, &t.report).bytes == NULL);
	ok_int(yaml_text(yaml_find(n, "a"), &t.in, &t.report).len, 1);
	ok_int(t.report.errors.total, 0);
	read_done(&t);
	read_text(&t, longer);
	n = t.docs.items[0];
	ok(yaml_text(yaml_find(n, "l"), &t.in, &t.report).bytes == NULL);
	ok(is_in_open_list(t.report.errors.text.bytes,
			   "{\"code\":\"string_too_long\"}"));
	read_done(&t);
	free(longer);
}

static void events_need_no_tree(void)
{
	static const char text[] = "a: [1, {b: 2}, 3]\nc: &x d\n";
	struct parse_input in = { .name = "f",
				  .name_len = 1,
				  .bytes = text,
				  .len = sizeof text - 1 };
	struct parse_report r;
	struct yaml_events e;
	struct yaml_ev ev;

	parse_report_init(&r);
	ok_int(yaml_events_open(&e, &in, &r), 0);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok_int(ev.kind, YAML_EV_DOCUMENT);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok_int(ev.kind, YAML_EV_MAPPING);
	ok_int(ev.depth, 0);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok(ev.kind == YAML_EV_SCALAR && ev.text.bytes[0] == 'a');
	ok_int(yaml_events_next(&e, &ev), 1);
	ok_int(ev.kind, YAML_EV_SEQUENCE);
	ok_int(ev.depth, 1);
	while (ev.kind != YAML_EV_END || ev.depth > 1)
		ok_int(yaml_events_next(&e, &ev), 1);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok(ev.kind == YAML_EV_SCALAR && ev.text.bytes[0] == 'c');
	ok_int(yaml_events_next(&e, &ev), 1);
	ok(ev.anchor.len == 1 && ev.is_plain);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok(ev.kind == YAML_EV_END && ev.depth == 0);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok_int(ev.kind, YAML_EV_DOCUMENT_END);
	ok_int(yaml_events_next(&e, &ev), 0);
	yaml_events_done(&e);
	parse_report_done(&r);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(scalars_stay_as_written),
		CASE(a_stream_may_hold_many_documents),
		CASE(aliases_are_shared),
		CASE(merges_add_what_is_missing),
		CASE(a_bad_merge_is_a_warning),
		CASE(a_name_twice_is_refused),
		CASE(a_number_is_no_string_of_its_digits),
		CASE(codes_name_the_fault),
		CASE(anchors_end_with_their_document),
		CASE(a_byte_order_mark_is_a_warning),
		CASE(offsets_are_bytes),
		CASE(questions_have_answers),
		CASE(events_need_no_tree),
		TAP_END,
	});
}
