/* sha1.c -- see sha1.h. */
#include "base/sha1.h"

#include <string.h>

static uint32_t roll(uint32_t x, unsigned n)
{
	return x << n | x >> (32 - n);
}

static uint32_t word_at(const uint8_t *p)
{
	return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 |
	       (uint32_t)p[2] << 8 | p[3];
}

/* The function and the constant of round t. */
static uint32_t mix(unsigned t, uint32_t b, uint32_t c, uint32_t d)
{
	if (t < 20)
		return ((b & c) | (~b & d)) + 0x5a827999U;
	if (t < 40)
		return (b ^ c ^ d) + 0x6ed9eba1U;
	if (t < 60)
		return ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdcU;
	return (b ^ c ^ d) + 0xca62c1d6U;
}

static void block_take(struct sha1 *s, const uint8_t *block)
{
	uint32_t w[80], v[5];

	memcpy(v, s->h, sizeof v);
	for (unsigned t = 0; t < 16; t++)
		w[t] = word_at(block + 4 * t);
	for (unsigned t = 16; t < 80; t++)
		w[t] = roll(w[t - 3] ^ w[t - 8] ^ w[t - 14] ^ w[t - 16], 1);
	for (unsigned t = 0; t < 80; t++) {
		uint32_t next =
			roll(v[0], 5) + mix(t, v[1], v[2], v[3]) + v[4] + w[t];

		v[4] = v[3];
		v[3] = v[2];
		v[2] = roll(v[1], 30);
		v[1] = v[0];
		v[0] = next;
	}
	for (unsigned i = 0; i < 5; i++)
		s->h[i] += v[i];
}

void sha1_init(struct sha1 *s)
{
	*s = (struct sha1){ .h = { 0x67452301U, 0xefcdab89U, 0x98badcfeU,
				   0x10325476U, 0xc3d2e1f0U } };
}

void sha1_update(struct sha1 *s, const void *bytes, size_t n)
{
	const uint8_t *p = bytes;
	size_t held = s->len % sizeof s->block;

	s->len += n;
	if (held > 0) {
		size_t more = sizeof s->block - held;

		more = more < n ? more : n;
		memcpy(s->block + held, p, more);
		p += more;
		n -= more;
		if (held + more < sizeof s->block)
			return;
		block_take(s, s->block);
	}
	for (; n >= sizeof s->block; n -= sizeof s->block) {
		block_take(s, p);
		p += sizeof s->block;
	}
	if (n > 0)
		memcpy(s->block, p, n);
}

void sha1_final(struct sha1 *s, uint8_t out[SHA1_BYTES])
{
	static const uint8_t pad[64] = { 0x80 };
	const uint64_t bits = s->len * 8;
	size_t held = s->len % sizeof s->block;
	uint8_t end[8];

	for (unsigned i = 0; i < 8; i++)
		end[i] = (uint8_t)(bits >> (56 - 8 * i));
	sha1_update(s, pad, held < 56 ? 56 - held : 120 - held);
	sha1_update(s, end, sizeof end);
	for (unsigned i = 0; i < SHA1_BYTES; i++)
		out[i] = (uint8_t)(s->h[i / 4] >> (24 - 8 * (i % 4)));
}
