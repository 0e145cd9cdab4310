/* parsers_yaml.c -- trees, budgets and refusals of the YAML reader. */
#include <errno.h>
#include <stdlib.h>

#include "parsers/yaml.h"
#include "parsers/yaml_events.h"
#include "tap.h"

struct read {
	struct arena arena;
	struct yaml_documents docs;
	struct parse_report report;
	struct parse_input in;
	int result;
};

static void read_bytes(struct read *t, const char *bytes, size_t len,
		       const struct yaml_caps *caps)
{
	*t = (struct read){ .in = {
				    .name = "f.yml",
				    .name_len = 5,
				    .bytes = bytes,
				    .len = len,
			    } };
	report_init(&t->report);
	t->result = yaml_read(&t->in, caps, &t->arena, &t->docs, &t->report);
}

static void read_text(struct read *t, const char *text)
{
	read_bytes(t, text, strlen(text), NULL);
}

static void read_done(struct read *t)
{
	report_done(&t->report);
	arena_done(&t->arena);
}

static void node_show(const struct yaml_node *n, struct buf *out)
{
	if (n->type == YAML_SCALAR) {
		if (n->is_plain)
			buf_add(out, n->u.text.bytes, n->u.text.len);
		else
			jsonw_quote(out, n->u.text.bytes, n->u.text.len);
		return;
	}
	buf_char(out, n->type == YAML_SEQUENCE ? '[' : '{');
	if (n->type == YAML_SEQUENCE)
		for (size_t i = 0; i < n->u.sequence.len; i++) {
			node_show(n->u.sequence.items[i], out);
			buf_char(out, ' ');
		}
	else
		for (size_t i = 0; i < n->u.mapping.len; i++) {
			node_show(n->u.mapping.pairs[i].key, out);
			buf_char(out, '=');
			node_show(n->u.mapping.pairs[i].value, out);
			buf_char(out, ' ');
		}
	buf_char(out, n->type == YAML_SEQUENCE ? ']' : '}');
}

/* text reads as want: documents with a '|' behind each. */
static void is_read_as(const char *text, const char *want)
{
	struct read t;
	struct buf out = { 0 };

	read_text(&t, text);
	ok_int(t.result, 0);
	buf_text(&out, "");
	for (size_t i = 0; i < t.docs.len; i++) {
		node_show(t.docs.items[i], &out);
		buf_char(&out, '|');
	}
	if (strcmp(out.bytes ? out.bytes : "", want) != 0) {
		tap_bad++;
		fprintf(stderr, "# %s\n# is %s\n# wanted %s\n", text,
			out.bytes ? out.bytes : "", want);
	}
	buf_done(&out);
	read_done(&t);
}

/* Refused with code at offset (-1: any), after kept documents. */
static void is_refused(const char *bytes, size_t len, const char *code,
		       long offset, size_t kept)
{
	char want[160];
	struct read t;

	read_bytes(&t, bytes, len, NULL);
	ok_int(t.result, -EINVAL);
	ok_int(t.report.errors.total, 1);
	ok_int(t.docs.len, kept);
	(void)snprintf(
		want, sizeof want,
		"[{\"code\":\"%s\",\"source\":\"f.yml\",\"offset\":", code);
	if (offset >= 0)
		(void)snprintf(want + strlen(want), sizeof want - strlen(want),
			       "%ld,", offset);
	ok_has(t.report.errors.text.bytes, want);
	read_done(&t);
}

static void text_is_refused(const char *text, const char *code, long offset)
{
	is_refused(text, strlen(text), code, offset, 0);
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

static void depth_is_64(void)
{
	char *in = text_of("", "[", 64, ""), *out = text_of("", "]", 64, "");
	char *both = text_of(in, out, 1, "");

	is_read_as("[[a]]", "[[a ] ]|");
	{
		struct read t;

		read_text(&t, both);
		ok_int(t.result, 0);
		read_done(&t);
	}
	free(in);
	free(both);
	in = text_of("", "[", 65, out);
	text_is_refused(in, "depth", 64);
	free(in);
	free(out);
}

static void aliases_do_not_pass_the_depth(void)
{
	struct buf text = { 0 };

	buf_text(&text, "- &a0 [x]\n");
	for (int i = 1; i < 70; i++)
		buf_format(&text, "- &a%d [*a%d]\n", i, i - 1);
	text_is_refused(text.bytes, "depth", -1);
	buf_done(&text);
}

static void bombs_are_refused_early(void)
{
	struct buf text = { 0 };
	struct read t;

	buf_text(&text, "- &a0 [x,x,x,x,x,x,x,x,x,x]\n");
	for (int i = 1; i < 40; i++) {
		buf_format(&text, "- &a%d [", i);
		for (int k = 0; k < 10; k++)
			buf_format(&text, "*a%d,", i - 1);
		buf_text(&text, "]\n");
	}
	text_is_refused(text.bytes, "yaml_nodes", -1);
	buf_done(&text);
	buf_text(&text, "- &a {");
	for (int i = 0; i < 1000; i++)
		buf_format(&text, "k%d: v,", i);
	buf_text(&text, "}\n");
	for (int i = 0; i < 3000; i++)
		buf_text(&text, "- {<<: *a}\n");
	read_text(&t, text.bytes);
	ok_int(t.result, -EINVAL);
	ok_has(t.report.errors.text.bytes, "yaml_nodes");
	ok(t.arena.used < (size_t)40 << 20);
	read_done(&t);
	buf_done(&text);
}

static void caps_hold_exactly(void)
{
	struct yaml_caps caps = { .nodes = 7 };
	struct read t;

	/* sequence, a's sequence, 1, alias (2), 2, 3: seven */
	read_bytes(&t, "[&a [1], *a, 2, 3]", 18, &caps);
	ok_int(t.result, 0);
	read_done(&t);
	caps.nodes = 6;
	read_bytes(&t, "[&a [1], *a, 2, 3]", 18, &caps);
	ok_int(t.result, -EINVAL);
	ok_has(t.report.errors.text.bytes, "\"yaml_nodes\"");
	ok_has(t.report.errors.text.bytes, "\"offset\":16");
	read_done(&t);
	caps = (struct yaml_caps){ .documents = 2 };
	read_bytes(&t, "--- a\n--- b\n--- c\n", 18, &caps);
	ok_int(t.docs.len, 2);
	ok_has(t.report.errors.text.bytes, "\"yaml_documents\"");
	read_done(&t);
	caps = (struct yaml_caps){ .memory_bytes = 200 };
	read_bytes(&t, "[a, b, c, d, e, f]", 18, &caps);
	ok_has(t.report.errors.text.bytes, "\"memory\"");
	ok_int(t.docs.len, 0);
	read_done(&t);
}

static void tags_are_noted_and_not_acted_upon(void)
{
	struct read t;
	char *many = text_of("", "- !x y\n", 500, "");

	is_read_as("!!python/object/apply:os.system [id]", "[id ]|");
	is_read_as("a: !!int \"1\"", "{a=\"1\" }|");
	read_text(&t, "a: !reference [.x, script]\n");
	ok_has(t.report.warnings.text.bytes,
	       "{\"code\":\"yaml_tag\",\"source\":\"f.yml\",\"offset\":3,"
	       "\"message\":\"the tag !reference is not acted upon\"}");
	read_done(&t);
	read_text(&t, "!!map {a: !!str b, c: !!seq [! d]}\n");
	ok_int(t.report.warnings.total, 0);
	read_done(&t);
	read_text(&t, many);
	ok_int(t.result, 0);
	ok_int(t.report.warnings.total, YAML_TAG_NOTES);
	read_done(&t);
	free(many);
}

static void a_byte_order_mark_is_a_warning(void)
{
	struct read t;

	read_text(&t, "\xef\xbb\xbf"
		      "a: b");
	ok_int(t.result, 0);
	ok_has(t.report.warnings.text.bytes, "\"code\":\"bom\"");
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

static void what_would_be_slow_is_refused(void)
{
	char *blanks = text_of("\"", " ", 1 << 20, "");
	char *text = text_of(blanks, "a ", 1 << 20, "\"");
	char *tags = text_of("", "%TAG !a! b\n", 65, "--- a\n");
	char *few = text_of("\"", " ", 1 << 20, "a b\"");

	text_is_refused(text, "yaml_blanks", 1);
	text_is_refused(tags, "yaml_directives", 64 * 11);
	is_read_as("a: \"x          y\"", "{a=\"x          y\" }|");
	{
		struct read t;

		read_text(&t, few);
		ok_int(t.result, 0);
		read_done(&t);
	}
	free(blanks);
	free(text);
	free(tags);
	free(few);
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
	ok_has(t.report.errors.text.bytes, "\"string_too_long\"");
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

	report_init(&r);
	ok_int(yaml_events_open(&e, &in, &r), 0);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok_int(ev.kind, YAML_EV_DOCUMENT);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok_int(ev.kind, YAML_EV_MAPPING);
	ok_int(ev.depth, 0);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok(ev.kind == YAML_EV_SCALAR && ev.text.bytes[0] == 'a');
	ok_int(yaml_events_skip(&e, &ev), 0);
	ok_int(yaml_events_next(&e, &ev), 1);
	ok_int(ev.kind, YAML_EV_SEQUENCE);
	ok_int(ev.depth, 1);
	ok_int(yaml_events_skip(&e, &ev), 0);
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
	report_done(&r);
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
		CASE(codes_name_the_fault),
		CASE(anchors_end_with_their_document),
		CASE(depth_is_64),
		CASE(aliases_do_not_pass_the_depth),
		CASE(bombs_are_refused_early),
		CASE(caps_hold_exactly),
		CASE(tags_are_noted_and_not_acted_upon),
		CASE(a_byte_order_mark_is_a_warning),
		CASE(offsets_are_bytes),
		CASE(what_would_be_slow_is_refused),
		CASE(questions_have_answers),
		CASE(events_need_no_tree),
		TAP_END,
	});
}
