/* blake3_core.c -- BLAKE3's compression function.  See blake3_core.h. */
#include "base/blake3_core.h"

#include <string.h>

/* The C library asked the processor at its start.  The compiler's own way is a
 * constructor that asks again, which takes 60 us where a hypervisor answers. */
#if defined(__x86_64__) && __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define HAS_AVX2() CPU_FEATURE_ACTIVE(AVX2)
#elif defined(__x86_64__)
#define HAS_AVX2() __builtin_cpu_supports("avx2")
#endif

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "words are loaded as they lie: this needs a little-endian machine"
#endif

const uint32_t blake3_iv[8] = {
	0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
	0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19
};

/* Which word of the block each step of a round takes.  Each row is the permuted
 * row above it. */
#define SCHEDULE_0 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15
#define SCHEDULE_1 2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8
#define SCHEDULE_2 3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1
#define SCHEDULE_3 10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6
#define SCHEDULE_4 12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4
#define SCHEDULE_5 9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7
#define SCHEDULE_6 11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13

#define TURN(x, n) ((x) >> (n) | (x) << (32 - (n)))

#define MIX(s, a, b, c, d, x, y)                                               \
	do {                                                                   \
		s[a] = s[a] + s[b] + (x);                                      \
		s[d] = TURN(s[d] ^ s[a], 16);                                  \
		s[c] = s[c] + s[d];                                            \
		s[b] = TURN(s[b] ^ s[c], 12);                                  \
		s[a] = s[a] + s[b] + (y);                                      \
		s[d] = TURN(s[d] ^ s[a], 8);                                   \
		s[c] = s[c] + s[d];                                            \
		s[b] = TURN(s[b] ^ s[c], 7);                                   \
	} while (0)

#define ROUND_OF(s, m, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, ia, ib, ic, id, \
		 ie, ig)                                                       \
	do {                                                                   \
		MIX(s, 0, 4, 8, 12, m[i0], m[i1]);                             \
		MIX(s, 1, 5, 9, 13, m[i2], m[i3]);                             \
		MIX(s, 2, 6, 10, 14, m[i4], m[i5]);                            \
		MIX(s, 3, 7, 11, 15, m[i6], m[i7]);                            \
		MIX(s, 0, 5, 10, 15, m[i8], m[i9]);                            \
		MIX(s, 1, 6, 11, 12, m[ia], m[ib]);                            \
		MIX(s, 2, 7, 8, 13, m[ic], m[id]);                             \
		MIX(s, 3, 4, 9, 14, m[ie], m[ig]);                             \
	} while (0)
#define ROUND(s, m, schedule) ROUND_OF(s, m, schedule)

/* It works on words and on vectors of words. */
#define ROUNDS(s, m)                                                           \
	do {                                                                   \
		ROUND(s, m, SCHEDULE_0);                                       \
		ROUND(s, m, SCHEDULE_1);                                       \
		ROUND(s, m, SCHEDULE_2);                                       \
		ROUND(s, m, SCHEDULE_3);                                       \
		ROUND(s, m, SCHEDULE_4);                                       \
		ROUND(s, m, SCHEDULE_5);                                       \
		ROUND(s, m, SCHEDULE_6);                                       \
	} while (0)

void blake3_compress(const uint32_t cv[8], const struct blake3_input *in,
		     uint32_t out[16])
{
	uint32_t m[16];
	uint32_t s[16];

	memcpy(m, in->block, sizeof m);
	memcpy(s, cv, 8 * sizeof *s);
	memcpy(s + 8, blake3_iv, 4 * sizeof *s);
	s[12] = (uint32_t)in->counter;
	s[13] = (uint32_t)(in->counter >> 32);
	s[14] = in->len;
	s[15] = in->flags;
	ROUNDS(s, m);
	for (int i = 0; i < 8; i++) {
		uint32_t before = cv[i];

		out[i] = s[i] ^ s[i + 8];
		out[i + 8] = s[i + 8] ^ before;
	}
}

typedef uint32_t lanes __attribute__((vector_size(4 * BLAKE3_LANES)));

#define EACH_LANE(x)                                                           \
	{                                                                      \
		x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7)                 \
	}

static inline uint32_t word_at(const uint8_t *at)
{
	uint32_t w;

	memcpy(&w, at, sizeof w);
	return w;
}

/* Inlined into each of its two callers, which compile it for what the machine
 * is known to have. */
static inline __attribute__((always_inline)) void batch_body(
	const uint32_t key[8], const struct blake3_batch *batch,
	uint32_t out[BLAKE3_LANES][8])
{
	lanes cv[8];
	lanes low;
	lanes high;

	for (unsigned i = 0; i < BLAKE3_LANES; i++) {
		uint64_t counter = batch->counter + (uint64_t)i * batch->step;

		cv[i] = key[i] + (lanes){ 0 };
		low[i] = (uint32_t)counter;
		high[i] = (uint32_t)(counter >> 32);
	}
	for (size_t b = 0; b < batch->blocks; b++) {
		lanes m[16];
		lanes s[16];
		uint32_t flags =
			batch->flags | (b == 0 ? batch->first_flags : 0) |
			(b + 1 == batch->blocks ? batch->last_flags : 0);

#define WORD_OF(lane) word_at(batch->at[lane] + 64 * b + 4 * i)
		for (unsigned i = 0; i < 16; i++)
			m[i] = (lanes)EACH_LANE(WORD_OF);
#undef WORD_OF
		for (unsigned i = 0; i < 8; i++)
			s[i] = cv[i];
		for (unsigned i = 0; i < 4; i++)
			s[i + 8] = blake3_iv[i] + (lanes){ 0 };
		s[12] = low;
		s[13] = high;
		s[14] = 64 + (lanes){ 0 };
		s[15] = flags + (lanes){ 0 };
		ROUNDS(s, m);
		for (unsigned i = 0; i < 8; i++)
			cv[i] = s[i] ^ s[i + 8];
	}
	for (unsigned lane = 0; lane < BLAKE3_LANES; lane++)
		for (unsigned i = 0; i < 8; i++)
			out[lane][i] = cv[i][lane];
}

#ifdef __x86_64__
static __attribute__((target("avx2"))) void batch_avx2(
	const uint32_t key[8], const struct blake3_batch *batch,
	uint32_t out[BLAKE3_LANES][8])
{
	batch_body(key, batch, out);
}
#endif

void blake3_compress_batch_plain(const uint32_t key[8],
				 const struct blake3_batch *batch,
				 uint32_t out[BLAKE3_LANES][8])
{
	batch_body(key, batch, out);
}

void blake3_compress_batch(const uint32_t key[8],
			   const struct blake3_batch *batch,
			   uint32_t out[BLAKE3_LANES][8])
{
#ifdef __x86_64__
	if (HAS_AVX2()) {
		batch_avx2(key, batch, out);
		return;
	}
#endif
	blake3_compress_batch_plain(key, batch, out);
}
