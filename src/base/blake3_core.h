/* blake3_core.h -- the compression function, alone and on eight inputs at
 * once.  Only blake3.c includes it. */
#ifndef CUPEL_BASE_BLAKE3_CORE_H
#define CUPEL_BASE_BLAKE3_CORE_H

#include <stddef.h>
#include <stdint.h>

enum blake3_flag {
	BLAKE3_CHUNK_START = 1,
	BLAKE3_CHUNK_END = 2,
	BLAKE3_PARENT = 4,
	BLAKE3_ROOT = 8,
	BLAKE3_KEYED = 16,
	BLAKE3_CONTEXT = 32,
	BLAKE3_MATERIAL = 64
};

extern const uint32_t blake3_iv[8];

/* What is compressed besides the chaining value. */
struct blake3_input {
	const uint8_t *block; /* 64 bytes */
	uint64_t counter;
	uint32_t len, flags;
};

/* blake3_compress -- all sixteen words; the first eight are the next chaining
 * value.  out may be cv. */
void blake3_compress(const uint32_t cv[8], const struct blake3_input *in,
		     uint32_t out[16]);

#define BLAKE3_LANES 8

/* Eight inputs of the same shape: whole chunks, or one parent block each. */
struct blake3_batch {
	const uint8_t *at[BLAKE3_LANES];
	size_t blocks;    /* of 64 bytes, in each */
	uint64_t counter; /* of the first */
	unsigned step;    /* counter of the next one: 1 for chunks, else 0 */
	uint32_t flags, first_flags, last_flags;
};

/* blake3_compress_batch -- out[i] is the chaining value of input i; _plain
 * keeps to what every machine of the architecture has. */
void blake3_compress_batch(const uint32_t key[8],
			   const struct blake3_batch *batch,
			   uint32_t out[BLAKE3_LANES][8]);

void blake3_compress_batch_plain(const uint32_t key[8],
				 const struct blake3_batch *batch,
				 uint32_t out[BLAKE3_LANES][8]);

#endif
