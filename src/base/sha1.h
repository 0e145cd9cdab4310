/* sha1.h -- the hash by which git names its objects.
 *
 * It is broken as a hash against attacks: use it only to say the name that git
 * gives, never to check anything.  Source: FIPS 180-4, sections 5 and 6.1. */
#ifndef CUPEL_BASE_SHA1_H
#define CUPEL_BASE_SHA1_H

#include <stddef.h>
#include <stdint.h>

#define SHA1_BYTES      20
#define SHA1_TEXT_BYTES 41 /* 40 hexadecimal digits, NUL */

/* The state of a hash.  Plain data. */
struct sha1 {
	uint32_t h[5];
	uint64_t len; /* bytes so far */
	uint8_t block[64];
};

void sha1_init(struct sha1 *s);
void sha1_update(struct sha1 *s, const void *bytes, size_t n);

/* sha1_final -- the digest; the state is used up. */
void sha1_final(struct sha1 *s, uint8_t out[SHA1_BYTES]);

#endif
