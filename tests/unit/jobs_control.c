/* jobs_control.c -- witnesses that differ in one argument alone. */
#include "jobs/confirm/control.h"

#include "base/arena.h"
#include "tap.h"

#define A(name, value)                                                         \
	"{\"name\":\"" name "\",\"by\":\"position\",\"value\":" value "}"
#define K(name, value)                                                         \
	"{\"name\":\"" name "\",\"by\":\"name\",\"value\":" value "}"
#define W(arguments) "{\"arguments\":[" arguments "]}"
#define M(arguments, receiver)                                                 \
	"{\"arguments\":[" arguments "],\"receiver\":[" receiver "]}"

static struct json_value parsed(const char *text, struct arena *arena)
{
	const struct json_caps caps = { .text_bytes = 4096,
					.depth = 32,
					.memory_bytes = 1 << 20 };
	struct json_value v = { 0 };
	struct json_error e;

	ok_int(json_parse(text, strlen(text), &caps, arena, &v, &e), 0);
	return v;
}

static void compares_exactly(void)
{
	static const struct {
		const char *of, *other;
		bool is;
	} rows[] = {
		{ W(A("a", "1") "," A("b", "0")),
		  W(A("a", "1") "," A("b", "1")), true },
		{ W(A("a", "1") "," A("b", "0")),
		  W(A("a", "1") "," A("b", "0")), false },
		{ W(A("a", "1") "," A("b", "0")),
		  W(A("a", "2") "," A("b", "1")), false },
		{ W(A("a", "1") "," A("b", "0")),
		  W(A("a", "1.0") "," A("b", "1")), false },
		{ W(A("a", "1") "," A("b", "1")),
		  W(A("a", "1") "," A("b", "1.0")), true },
		{ W(A("a", "1") "," A("b", "0")), W(A("a", "1")), true },
		{ W(A("a", "1")), W(A("a", "1") "," A("b", "0")), true },
		{ W(A("a", "1")), W(A("a", "1")), false },
		{ W(A("a", "1") "," A("b", "0")), W(A("b", "1")), false },
		{ W(A("a", "1") "," A("b", "0")),
		  W(A("a", "1") "," A("b", "1") "," A("c", "0")), false },
		{ W(A("b", "0") "," A("c", "1")), W(K("c", "1")), true },
		{ W(A("b", "0") "," A("c", "1")), W(K("d", "1")), false },
		{ M(A("b", "0"), A("x", "1")), M(A("b", "1"), A("x", "1")),
		  true },
		{ M(A("b", "0"), A("x", "1")), M(A("b", "1"), A("x", "2")),
		  false },
		{ M(A("b", "0"), A("b", "1")), M(A("b", "1"), A("b", "2")),
		  false },
		{ M(A("b", "0"), A("x", "1")), W(A("b", "1")), false },
		{ W(A("a", "{\"$dict\":[]}") "," A("b", "0")),
		  W(A("a", "{\"$dict\":[]}") "," A("b", "[]")), true },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct arena arena = { 0 };
		struct json_value of = parsed(rows[i].of, &arena);
		struct json_value other = parsed(rows[i].other, &arena);

		ok_int(control_is(&of, &other, "b"), rows[i].is);
		ok_int(control_is(&other, &of, "b"), rows[i].is);
		if (control_is(&of, &other, "b") != rows[i].is)
			printf("# row %zu\n", i);
		arena_done(&arena);
	}
}

static void finds_each_once_and_ends(void)
{
	struct arena arena = { 0 };
	struct json_value all =
		parsed("[" W(A("b", "0")) "," W(A("b", "1")) "," W(
			       A("c", "1")) "," W(A("b", "2")) "]",
		       &arena);
	const struct json_value *items = all.u.array.items;
	size_t at = 0;

	ok(control_find(&all, &items[0], "b", &at) == &items[1]);
	ok(control_find(&all, &items[0], "b", &at) == &items[3]);
	ok(control_find(&all, &items[0], "b", &at) == NULL);
	ok(control_find(&all, &items[0], "b", &at) == NULL);
	at = 0;
	ok(control_find(&all, &items[2], "b", &at) == NULL);
	arena_done(&arena);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(compares_exactly),
		CASE(finds_each_once_and_ends),
		TAP_END,
	});
}
