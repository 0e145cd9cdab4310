/* jobs_shrink.c -- smaller witnesses, of the same shape. */
#include "jobs/confirm/shrink.h"

#include "base/buf.h"
#include "json_at.h"

#define CANDIDATES_MAX 200

static struct json_value parse(const char *text, struct arena *arena)
{
	struct json_value v = { 0 };
	struct json_error e = { 0 };

	ok_int(json_parse(text, strlen(text), NULL, arena, &v, &e), 0);
	return v;
}

#define ONE(value)                                                             \
	"{\"arguments\":[{\"name\":\"x\",\"by\":\"position\",\"value\":" value \
	"}]}"

/* Write every candidate on a line of its own; returns how many there are. */
static size_t candidates(const char *text, struct buf *out)
{
	struct arena arena = { 0 };
	struct json_value witness = parse(text, &arena);
	struct buf again = { 0 };
	size_t n = 0;

	for (; n < CANDIDATES_MAX; n++) {
		const struct json_value *c = NULL;

		ok_int(shrink_candidate(&witness, n, &arena, &c), 0);
		if (c == NULL)
			break;
		json_write(c, out);
		buf_char(out, '\n');
	}
	json_write(&witness, &again);
	ok(strcmp(again.bytes, text) ==
	   0); /* the witness that was given is not changed */
	buf_done(&again);
	arena_done(&arena);
	return n;
}

static const struct {
	const char *text;
	size_t len;
	const char *expected[6];
} rows[] = {
	{ ONE("0"), 0, { NULL } },
	{ ONE("1"), 1, { ONE("0") } },
	{ ONE("2"), 2, { ONE("0"), ONE("1") } },
	{ ONE("9"), 3, { ONE("0"), ONE("4"), ONE("8") } },
	{ ONE("-9"), 3, { ONE("0"), ONE("-4"), ONE("-8") } },
	{ ONE("12345678901234567890"), 2, { ONE("0"), ONE("12345678901") } },
	{ ONE("2.5"), 2, { ONE("0.0"), ONE("1.0") } },
	{ ONE("1e308"), 2, { ONE("0.0"), ONE("1.0") } },
	{ ONE("0.0"), 0, { NULL } },
	{ ONE("null"), 0, { NULL } },
	{ ONE("true"), 0, { NULL } },
	{ ONE("\"\""), 0, { NULL } },
	{ ONE("\"a\""), 1, { ONE("\"\"") } },
	{ ONE("\"a\xc3\xa9z\""),
	  3,
	  { ONE("\"\""), ONE("\"a\""), ONE("\"a\xc3\xa9\"") } },
	{ ONE("[]"), 0, { NULL } },
	{ ONE("[0]"), 1, { ONE("[]") } },
	{ ONE("[0,null]"), 3, { ONE("[]"), ONE("[0]"), ONE("[null]") } },
	{ ONE("[1]"), 2, { ONE("[]"), ONE("[0]") } },
	{ ONE("{\"$tuple\":[1]}"),
	  2,
	  { ONE("{\"$tuple\":[]}"), ONE("{\"$tuple\":[0]}") } },
	{ ONE("{\"$dict\":[[7,1]]}"),
	  2,
	  { ONE("{\"$dict\":[]}"), ONE("{\"$dict\":[[7,0]]}") } },
	{ ONE("{\"$stub\":[[\"a\",1]]}"),
	  1,
	  { ONE("{\"$stub\":[[\"a\",0]]}") } },
	{ ONE("{\"$bytes\":\"ff00\"}"),
	  2,
	  { ONE("{\"$bytes\":\"\"}"), ONE("{\"$bytes\":\"ff\"}") } },
	{ ONE("{\"$call\":1}"), 1, { ONE("{\"$call\":0}") } },
	{ ONE("{\"$float\":\"inf\"}"), 0, { NULL } },
	{ ONE("{\"$member\":\"A.B\"}"), 0, { NULL } },
	{ ONE("{\"$new\":{\"type\":\"A\",\"arguments\":[]}}"), 0, { NULL } },
};

static void each_value_becomes_smaller(void)
{
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf got = { 0 }, want = { 0 };

		ok_int((intmax_t)candidates(rows[i].text, &got),
		       (intmax_t)rows[i].len);
		for (size_t c = 0; c < rows[i].len; c++)
			buf_format(&want, "%s\n", rows[i].expected[c]);
		if (rows[i].len > 0 && strcmp(got.bytes, want.bytes) != 0)
			fprintf(stderr, "# got %s# wanted %s", got.bytes,
				want.bytes);
		ok(rows[i].len == 0 || strcmp(got.bytes, want.bytes) == 0);
		buf_done(&got);
		buf_done(&want);
	}
}

/* JSON Lines as one list. */
static void lines_list(const struct buf *lines, struct buf *out)
{
	buf_char(out, '[');
	for (size_t i = 0; i + 1 < lines->len; i++)
		buf_char(out, lines->bytes[i] == '\n' ? ',' : lines->bytes[i]);
	buf_char(out, ']');
	ok(!buf_has_failed(out));
}

static void one_value_at_a_time(void)
{
	struct buf got = { 0 }, list = { 0 };
	size_t n = candidates(
		"{\"arguments\":[{\"name\":\"a\",\"by\":\"position\","
		"\"value\":1},{\"name\":\"b\",\"by\":\"name\",\"value\":7,"
		"\"fixed\":true},{\"name\":\"c\",\"by\":\"position\","
		"\"value\":[[1]]}],\"receiver\":[{\"name\":\"d\",\"by\":"
		"\"position\",\"value\":\"x\"}]}",
		&got);

	ok_int((intmax_t)n, 5);
	lines_list(&got, &list);
	ok_json(list.bytes, "/ALL", "{\"value\":7,\"fixed\":true}");
	ok_no_json(list.bytes, "{\"value\":3}"); /* what is fixed */
	ok_json(list.bytes, "/ALL/value", "[[]]");
	ok_json(list.bytes, "/ALL/value", "[[0]]");
	ok_json(list.bytes, "/ALL/value", "\"\"");
	buf_done(&list);
	buf_done(&got);
}

static void long_lists_are_halved_first(void)
{
	struct buf got = { 0 };
	size_t n = candidates(ONE("[null,null,null,null,true]"), &got);
	const char *second = strchr(got.bytes, '\n') + 1;

	ok_int((intmax_t)n, 7);
	ok(strncmp(second, ONE("[null,null]") "\n",
		   strlen(ONE("[null,null]") "\n")) == 0);
	buf_done(&got);
}

static void memory_that_runs_out_is_told(void)
{
	struct arena arena = { 0 }, small = { .cap_bytes = 16 };
	struct json_value witness = parse(ONE("[1,2,3]"), &arena);
	const struct json_value *c = NULL;

	ok(shrink_candidate(&witness, 1, &small, &c) < 0);
	ok(c == NULL);
	arena_done(&arena);
	arena_done(&small);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(each_value_becomes_smaller), CASE(one_value_at_a_time),
		CASE(long_lists_are_halved_first),
		CASE(memory_that_runs_out_is_told), TAP_END });
}
