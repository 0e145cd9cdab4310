/* base_sha1.c -- SHA-1 against the published examples and against itself. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/sha1.h"
#include "tap.h"

static bool is_hash(struct sha1 *s, const char *wanted)
{
	uint8_t out[SHA1_BYTES];
	char text[SHA1_TEXT_BYTES];

	sha1_final(s, out);
	for (size_t i = 0; i < sizeof out; i++)
		(void)snprintf(text + 2 * i, 3, "%02x", out[i]);
	return strcmp(text, wanted) == 0;
}

/* From RFC 3174, section 7.3. */
static void the_published_examples(void)
{
	static const struct {
		const char *text, *hash;
		unsigned times;
	} rows[] = {
		{ "", "da39a3ee5e6b4b0d3255bfef95601890afd80709", 1 },
		{ "abc", "a9993e364706816aba3e25717850c26c9cd0d89d", 1 },
		{ "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
		  "84983e441c3bd26ebaae4aa1f95129e5e54670f1", 1 },
		{ "a", "34aa973cd4c4daa4f61eeb2bdbad27316534016f", 1000000 },
		{ "01234567012345670123456701234567",
		  "dea356a2cddd90c7a7ecedc5ebb563934f460452", 20 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct sha1 s;

		sha1_init(&s);
		for (unsigned k = 0; k < rows[i].times; k++)
			sha1_update(&s, rows[i].text, strlen(rows[i].text));
		ok(is_hash(&s, rows[i].hash));
	}
}

/* However the bytes come, and wherever the last block ends. */
static void pieces_make_no_difference(void)
{
	char bytes[200];
	size_t faults = 0;

	memset(bytes, 'x', sizeof bytes);
	for (size_t n = 0; n <= sizeof bytes; n++)
		for (size_t at = 0; at <= n; at++) {
			uint8_t whole[SHA1_BYTES], parts[SHA1_BYTES];
			struct sha1 s;

			sha1_init(&s);
			sha1_update(&s, bytes, n);
			sha1_final(&s, whole);
			sha1_init(&s);
			sha1_update(&s, bytes, at);
			sha1_update(&s, bytes + at, n - at);
			sha1_final(&s, parts);
			faults += memcmp(whole, parts, sizeof whole) != 0;
		}
	ok_int((intmax_t)faults, 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){ CASE(the_published_examples),
					    CASE(pieces_make_no_difference),
					    TAP_END });
}
