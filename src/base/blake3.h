/* blake3.h -- the BLAKE3 hash, in one portable implementation.
 *
 * It names artifacts, specs, policies and cached inputs, so it must give the
 * same bytes on every machine (src/docs/boundary.md).  Source: the
 * BLAKE3 paper, sections 2.1 to 2.6. */
#ifndef CUPEL_BASE_BLAKE3_H
#define CUPEL_BASE_BLAKE3_H

#include <stddef.h>
#include <stdint.h>

#define BLAKE3_BYTES      32
#define BLAKE3_KEY_BYTES  32
#define BLAKE3_TEXT_BYTES 72 /* "blake3:", 64 hexadecimal digits, NUL */

/* 2^64 bytes are 2^54 chunks; one subtree of each size can be waiting. */
#define BLAKE3_STACK 54

/* The state of a hash.  Plain data: a copy is a hash of its own. */
struct blake3 {
	uint32_t key[8];
	uint32_t flags;
	uint32_t cv[8];    /* of the chunk under way */
	uint64_t chunk;    /* its number */
	uint8_t block[64]; /* its block under way */
	uint8_t block_len;
	uint8_t blocks;  /* of this chunk, compressed already */
	uint8_t waiting; /* subtrees on the stack */
	uint32_t stack[BLAKE3_STACK][8];
};

/* blake3_init -- plain hash; _keyed: a MAC; _derive: a key derived from what is
 * hashed, for the purpose that context names (a fixed text of the program). */
void blake3_init(struct blake3 *b);
void blake3_init_keyed(struct blake3 *b, const uint8_t key[BLAKE3_KEY_BYTES]);
void blake3_init_derive(struct blake3 *b, const char *context);

void blake3_update(struct blake3 *b, const void *bytes, size_t n);

/* blake3_final -- the first n bytes of the output, any n.  The hash can go on
 * afterwards: it is not changed. */
void blake3_final(const struct blake3 *b, void *out, size_t n);

/* blake3_hex -- a digest as "blake3:<64 hexadecimal digits>". */
void blake3_hex(const uint8_t digest[BLAKE3_BYTES],
		char out[BLAKE3_TEXT_BYTES]);

/* blake3_hex_text -- the same of the hash of bytes[0..n-1]. */
void blake3_hex_text(const void *bytes, size_t n, char out[BLAKE3_TEXT_BYTES]);

#endif
