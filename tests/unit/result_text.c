/* Output as JSON text: cut, counted, closed. */
#include "result/text.h"

#include "base/buf.h"
#include "tap.h"

static void a_split_sequence_is_dropped(void)
{
	ok_int(text_find_end("abc", 3), 3);
	ok_int(text_find_end("", 0), 0);
	ok_int(text_find_end("a\xc3", 2), 1);
	ok_int(text_find_end("a\xc3\xa9", 3), 3);
	ok_int(text_find_end("a\xe2\x82", 3), 1);
	ok_int(text_find_end("a\xe2\x82\xac", 4), 4);
	ok_int(text_find_end("a\xf0\x9f\x98", 4), 1);
	ok_int(text_find_end("\xf0\x9f", 2), 0);
	/* bytes that are not a sequence stay, to be replaced and counted */
	ok_int(text_find_end("a\x80\x80\x80\x80", 5), 5);
	ok_int(text_find_end("a\xff", 2), 2);
}

static void bad_bytes_are_counted(void)
{
	ok_int(text_count_bad("a\xc3\xa9", 3), 0);
	ok_int(text_count_bad("a\xff\xfe"
			      "b",
			      4),
	       2);
	ok_int(text_count_bad("\xed\xa0\x80", 3), 3);
	ok_int(text_count_bad("a\0b", 3), 0);
}

static void is_quoted(const char *s, size_t n, bool truncated,
		      const char *wanted, uint64_t bad)
{
	struct buf b = { 0 };

	ok_int(text_quote(&b, s, n, truncated), bad);
	ok(b.len == strlen(wanted) && strcmp(b.bytes, wanted) == 0);
	buf_done(&b);
}

static void text_is_quoted_and_closed(void)
{
	is_quoted(NULL, 0, false, "\"\"", 0);
	is_quoted("a\n\x1b\"", 4, false, "\"a\\n\\u001b\\\"\"", 0);
	is_quoted("a\xff", 2, false, "\"a\xef\xbf\xbd\"", 1);
	is_quoted("a\xe2\x82", 3, true, "\"a\\n[TRUNCATED]\\n\"", 0);
	is_quoted("a\0b", 3, true, "\"a\\u0000b\\n[TRUNCATED]\\n\"", 0);
	is_quoted("", 0, true, "\"\\n[TRUNCATED]\\n\"", 0);
}

static void a_buffer_that_is_full_stays_failed(void)
{
	struct buf b = { .cap_bytes = 4 };

	(void)text_quote(&b, "abcdefgh", 8, true);
	ok(buf_has_failed(&b));
	buf_done(&b);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_split_sequence_is_dropped), CASE(bad_bytes_are_counted),
		CASE(text_is_quoted_and_closed),
		CASE(a_buffer_that_is_full_stays_failed), TAP_END });
}
