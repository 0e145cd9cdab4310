/* base_name.c -- file names are shown so that no two look the same. */
#include "base/name.h"

#include "base/buf.h"
#include "tap.h"

static void shows(const char *name, size_t n, const char *want)
{
	owned_buf struct buf b = { 0 };

	name_write(&b, name, n);
	ok(b.bytes != NULL && strcmp(b.bytes, want) == 0);
}

static void plain_names_stay(void)
{
	shows("a/b c.json", 10, "a/b c.json");
	shows("\xc3\xa9", 2, "\xc3\xa9");
}

static void the_rest_is_escaped_reversibly(void)
{
	shows("a\nb", 3, "a\\x0ab");
	shows("a\\x0ab", 6, "a\\\\x0ab");
	shows("\xff", 1, "\\xff");
	shows("\xc2\x85", 2, "\\xc2\\x85");
	shows("\x7f", 1, "\\x7f");
	shows("\xed\xa0\x80", 3, "\\xed\\xa0\\x80");
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(plain_names_stay), CASE(the_rest_is_escaped_reversibly),
		TAP_END });
}
