/* base_text.c -- arenas, buffers, UTF-8 and the JSON writer. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/buf.h"
#include "base/jsonw.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "tap.h"

static void one_thing_has_no_plural(void)
{
	ok(strcmp(plural_s(1), "") == 0 && strcmp(plural_y(1), "y") == 0);
	ok(strcmp(plural_s(0), "s") == 0 && strcmp(plural_y(0), "ies") == 0);
	ok(strcmp(plural_s(2), "s") == 0 && strcmp(plural_y(2), "ies") == 0);
	ok(strcmp(plural_s(0x100000001ULL), "s") == 0);
}

static void arena_hands_out_zeroed_aligned_bytes(void)
{
	struct arena a = { 0 };

	for (size_t n = 0; n < 9000; n += 37) {
		unsigned char *p = arena_alloc(&a, n);

		ok(p != NULL && (uintptr_t)p % _Alignof(max_align_t) == 0);
		for (size_t i = 0; i < n; i++)
			if (p[i] != 0)
				ok(p[i] == 0);
		memset(p, 0xff, n);
	}
	arena_done(&a);
	ok(a.used == 0 && a.blocks == NULL);
	ok(arena_alloc(&a, 1) != NULL);
	arena_done(&a);
}

static void arena_stops_at_its_cap(void)
{
	struct arena a = { .cap_bytes = 64 };

	ok(arena_alloc(&a, 65) == NULL);
	ok(arena_alloc(&a, 64) != NULL);
	ok(arena_alloc(&a, 1) == NULL);
	ok(arena_copy(&a, "x", SIZE_MAX) == NULL);
	ok(arena_array(&a, SIZE_MAX / 2, 3) == NULL);
	arena_done(&a);
	ok(arena_text(&a, "abc") != NULL);
	arena_done(&a);
	a.cap_bytes = 0;
	ok(arena_alloc(&a, SIZE_MAX - 8) == NULL);
	ok_has(arena_format(&a, "%d-%s", 7, "x"), "7-x");
	ok(memcmp(arena_copy(&a, "a\0b", 3), "a\0b", 4) == 0);
	arena_done(&a);
}

static void buf_keeps_its_nul_and_its_cap(void)
{
	struct buf b = { .cap_bytes = 10 };
	char *taken;

	buf_add(&b, "a\0b", 3);
	ok(b.len == 3 && b.bytes[3] == '\0');
	buf_format(&b, "%04d", 42);
	buf_text(&b, "xyz");
	ok(b.len == 10 && !buf_has_failed(&b));
	buf_char(&b, '!');
	ok(buf_has_failed(&b) && b.len == 10);
	buf_text(&b, "");
	ok(buf_has_failed(&b) && buf_take(&b) == NULL);
	buf_done(&b);
	ok(!buf_has_failed(&b) && b.cap_bytes == 10);
	ok(buf_reserve(&b, 11) == NULL && buf_has_failed(&b));
	buf_done(&b);
	ok(buf_reserve(&b, 10) != NULL);
	buf_text(&b, "taken");
	taken = buf_take(&b);
	ok_has(taken, "taken");
	ok(b.bytes == NULL && b.len == 0);
	free(taken);
	taken = buf_take(&b);
	ok(taken != NULL && taken[0] == '\0');
	free(taken);
	b = (struct buf){ 0 };
	for (int i = 0; i < 100000; i++)
		buf_format(&b, "%d,", i);
	ok(!buf_has_failed(&b) && b.len == 588890);
	buf_done(&b);
}

static void utf8_knows_every_scalar_value(void)
{
	char bytes[4];

	for (uint32_t code = 0; code <= 0x110000; code++) {
		int scalar =
			code <= 0x10ffff && (code < 0xd800 || code > 0xdfff);
		uint32_t back = 0;
		size_t n = utf8_write(code, bytes);

		if (utf8_read(bytes, n, &back) != (scalar ? n : 0) ||
		    (scalar && back != code))
			ok(code == 0x110001);
		if (scalar && n > 1 && utf8_read(bytes, n - 1, NULL) != 0)
			ok(code == 0x110001);
	}
}

static void utf8_refuses_what_is_not_well_formed(void)
{
	static const char *const bad[] = {
		"\x80",
		"\xbf",
		"\xc0\x80",
		"\xc1\xbf",
		"\xc2",
		"\xc2\x20",
		"\xe0\x9f\xbf",
		"\xe2\x82",
		"\xe2\x28\xa1",
		"\xed\xa0\x80",
		"\xef\xbf\x7f",
		"\xf0\x8f\xbf\xbf",
		"\xf0\x9f\x98",
		"\xf4\x90\x80\x80",
		"\xf5\x80\x80\x80",
		"\xfe",
		"\xff",
	};

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		ok(utf8_read(bad[i], strlen(bad[i]), NULL) == 0);
		ok(!utf8_is_valid(bad[i], strlen(bad[i])));
	}
	ok(utf8_is_valid("a\0\xc3\xa9\xf0\x9f\x98\x80", 8));
	ok(utf8_read("a", 0, NULL) == 0);
}

static void utf8_cuts_between_characters(void)
{
	static const char text[] = "a\xc3\xa9\xf0\x9f\x98\x80z";
	static const size_t want[] = { 0, 1, 1, 3, 3, 3, 3, 7, 8, 8 };

	for (size_t cap = 0; cap < 10; cap++)
		ok(utf8_cut(text, 8, cap) == want[cap]);
	ok(utf8_cut("\x80\x80\x80\x80\x80", 5, 4) == 4);
}

static void utf8_makes_one_printable_line(void)
{
	char text[] = "a\nb\x1b[0m\xc2\x9b\x7f\xff\xc3\xa9\xe2\x82";

	utf8_make_line(text);
	ok_int(strcmp(text, "a?b?[0m\?\?\?\?\xc3\xa9"), 0);
}

static void utf8_knows_what_a_terminal_obeys(void)
{
	static const uint32_t controls[] = {
		0,      0x1b,   0x1f,   0x7f,   0x80,   0x9b,   0x9f,
		0x61c,  0x200e, 0x200f, 0x202a, 0x202b, 0x202c, 0x202d,
		0x202e, 0x2066, 0x2067, 0x2068, 0x2069,
	};
	static const uint32_t unseen[] = {
		0xad,    0x34f,   0x115f,  0x17b4,   0x180b,  0x180e,  0x200b,
		0x200c,  0x200d,  0x2028,  0x2029,   0x2060,  0x2065,  0x206a,
		0x2800,  0x3164,  0xfe00,  0xfe0f,   0xfeff,  0xffa0,  0xfff9,
		0xfffb,  0xfffe,  0x1d173, 0x1fffe,  0xe0001, 0xe0041, 0xe007f,
		0xe0100, 0xe01ef, 0xf0000, 0x10ffff,
	};
	static const uint32_t others[] = {
		0x20,   0x7e,   0xa0,   0xa1,   0xe9,    0x61b,
		0x61d,  0x2010, 0x202f, 0x5d0,  0x627,   0x2713,
		0xe000, 0xfe10, 0xfffc, 0xfffd, 0x1f600,
	};
	char line[] = "a\xe2\x80\xae\xd8\x9c\xe2\x81\xa9z";

	for (size_t i = 0; i < sizeof controls / sizeof *controls; i++)
		ok(utf8_is_control(controls[i]));
	for (size_t i = 0; i < sizeof unseen / sizeof *unseen; i++)
		ok(utf8_is_control(unseen[i]));
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		ok(!utf8_is_control(others[i]));
	utf8_make_line(line);
	ok_int(strcmp(line, "a\?\?\?\?\?\?\?\?z"), 0);
}

static void jsonw_puts_the_commas(void)
{
	struct buf b = { 0 };
	struct jsonw w = { .out = &b };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "a\"", "x\n\x01\xff\xc3\xa9");
	jsonw_array(&w, "l");
	jsonw_int(&w, NULL, INT64_MIN);
	jsonw_uint(&w, NULL, UINT64_MAX);
	jsonw_object(&w, NULL);
	jsonw_end_object(&w);
	jsonw_end_array(&w);
	jsonw_bool(&w, "t", true);
	jsonw_null(&w, "n");
	jsonw_text_or_null(&w, "m", NULL);
	jsonw_raw(&w, "r", "[1]", 3);
	jsonw_bytes(&w, "z", "a\0b", 3);
	jsonw_end_object(&w);
	ok_int(strcmp(b.bytes, "{\"a\\\"\":\"x\\n\\u0001\xef\xbf\xbd\xc3\xa9\","
			       "\"l\":[-9223372036854775808,"
			       "18446744073709551615,{}],\"t\":true,"
			       "\"n\":null,\"m\":null,\"r\":[1],"
			       "\"z\":\"a\\u0000b\"}"),
	       0);
	buf_done(&b);
}

static void jsonw_lays_out_for_a_person(void)
{
	struct buf b = { 0 };
	struct jsonw w = { .out = &b, .indent = 2 };

	jsonw_object(&w, NULL);
	jsonw_array(&w, "a");
	jsonw_int(&w, NULL, 1);
	jsonw_end_array(&w);
	jsonw_array(&w, "e");
	jsonw_end_array(&w);
	jsonw_end_object(&w);
	ok_int(strcmp(b.bytes, "{\n  \"a\": [\n    1\n  ],\n  \"e\": []\n}"),
	       0);
	buf_done(&b);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(one_thing_has_no_plural),
		CASE(arena_hands_out_zeroed_aligned_bytes),
		CASE(arena_stops_at_its_cap),
		CASE(buf_keeps_its_nul_and_its_cap),
		CASE(utf8_knows_every_scalar_value),
		CASE(utf8_refuses_what_is_not_well_formed),
		CASE(utf8_cuts_between_characters),
		CASE(utf8_makes_one_printable_line),
		CASE(utf8_knows_what_a_terminal_obeys),
		CASE(jsonw_puts_the_commas), CASE(jsonw_lays_out_for_a_person),
		TAP_END });
}
