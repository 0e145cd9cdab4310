/* parsers_yaml_caps.c -- how much a YAML text may cost. */
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
	ok(is_in_open_list(t.report.errors.text.bytes,
			   "{\"code\":\"yaml_nodes\",\"offset\":16}"));
	read_done(&t);
	/* merged pairs count in both places, where they are and where they are
	 * merged */
	caps.nodes = 8;
	read_bytes(&t, "{<<: {a: 1}, b: 2}", 18, &caps);
	ok(is_in_open_list(t.report.errors.text.bytes,
			   "{\"code\":\"yaml_nodes\"}"));
	read_done(&t);
	caps.nodes = 9;
	read_bytes(&t, "{<<: {a: 1}, b: 2}", 18, &caps);
	ok_int(t.result, 0);
	read_done(&t);
	/* and so do 64 bytes of a text */
	caps.nodes = 2;
	read_bytes(&t,
		   "0123456789012345678901234567890123456789012345678901"
		   "234567890123",
		   64, &caps);
	ok_int(t.result, 0);
	read_done(&t);
	caps.nodes = 1;
	read_bytes(&t,
		   "0123456789012345678901234567890123456789012345678901"
		   "234567890123",
		   64, &caps);
	ok_int(t.result, -EINVAL);
	read_done(&t);
	caps = (struct yaml_caps){ .documents = 2 };
	read_bytes(&t, "--- a\n--- b\n--- c\n", 18, &caps);
	ok_int(t.docs.len, 2);
	ok(is_in_open_list(t.report.errors.text.bytes,
			   "{\"code\":\"yaml_documents\"}"));
	read_done(&t);
	caps = (struct yaml_caps){ .memory_bytes = 200 };
	read_bytes(&t, "[a, b, c, d, e, f]", 18, &caps);
	ok(is_in_open_list(t.report.errors.text.bytes,
			   "{\"code\":\"memory\"}"));
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
	       "\"message\":\"the tag !reference is ignored\"}");
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

/* Anchors are those of one document. */
static void a_document_has_10000_anchors(void)
{
	struct buf text = { 0 };
	struct read t;

	for (unsigned i = 0; i < 20000; i++)
		buf_format(&text, "%s- &a%u x\n", i % 10000 ? "" : "---\n", i);
	read_text(&t, text.bytes);
	ok_int(t.result, 0);
	read_done(&t);
	text.len = 0;
	for (unsigned i = 0; i < 10001; i++)
		buf_format(&text, "- &a%u x\n", i);
	text_is_refused(text.bytes, "yaml_alias", -1);
	buf_done(&text);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(depth_is_64),
		CASE(aliases_do_not_pass_the_depth),
		CASE(bombs_are_refused_early),
		CASE(caps_hold_exactly),
		CASE(a_document_has_10000_anchors),
		CASE(tags_are_noted_and_not_acted_upon),
		CASE(what_would_be_slow_is_refused),
		TAP_END,
	});
}
