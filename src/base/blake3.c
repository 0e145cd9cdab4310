/* blake3.c -- BLAKE3's tree and its three modes.  See blake3.h. */
#include "base/blake3.h"

#include <string.h>

#include "base/blake3_core.h"

#define BLOCK       64U
#define CHUNK       1024U
#define BATCH_BYTES ((size_t)BLAKE3_LANES * CHUNK)

/* The last node to compress when no more input comes.  Its output is a chaining
 * value or, for the root, any number of bytes. */
struct node {
	uint32_t cv[8];
	uint8_t block[BLOCK];
	struct blake3_input in;
};

static void init(struct blake3 *b, const uint32_t key[8], uint32_t flags)
{
	memset(b, 0, sizeof *b);
	memcpy(b->key, key, sizeof b->key);
	memcpy(b->cv, key, sizeof b->cv);
	b->flags = flags;
}

void blake3_init(struct blake3 *b)
{
	init(b, blake3_iv, 0);
}

void blake3_init_keyed(struct blake3 *b, const uint8_t key[BLAKE3_KEY_BYTES])
{
	uint32_t words[8];

	memcpy(words, key, sizeof words);
	init(b, words, BLAKE3_KEYED);
}

void blake3_init_derive(struct blake3 *b, const char *context)
{
	uint32_t words[8];

	init(b, blake3_iv, BLAKE3_CONTEXT);
	blake3_update(b, context, strlen(context));
	blake3_final(b, words, sizeof words);
	init(b, words, BLAKE3_MATERIAL);
}

static uint32_t start_flag(const struct blake3 *b)
{
	return b->blocks == 0 ? BLAKE3_CHUNK_START : 0;
}

static void parent_cv(const struct blake3 *b, const uint32_t pair[16],
		      uint32_t out[8])
{
	uint32_t all[16];
	struct blake3_input in = { .block = (const uint8_t *)pair,
				   .len = BLOCK,
				   .flags = b->flags | BLAKE3_PARENT };

	blake3_compress(b->key, &in, all);
	memcpy(out, all, 8 * sizeof *out);
}

/* Add a finished subtree of 2^level chunks, the last of them chunk number
 * `last`.  It joins its left sibling as long as there is one, which is while
 * the count of chunks is even at that level.  The caller knows that more input
 * follows. */
static void push_subtree(struct blake3 *b, uint32_t cv[8], uint64_t last,
			 unsigned level)
{
	for (uint64_t count = (last + 1) >> level; count % 2 == 0; count /= 2) {
		uint32_t pair[16];

		b->waiting--;
		memcpy(pair, b->stack[b->waiting], 8 * sizeof *pair);
		memcpy(pair + 8, cv, 8 * sizeof *pair);
		parent_cv(b, pair, cv);
	}
	memcpy(b->stack[b->waiting], cv, 8 * sizeof *cv);
	b->waiting++;
}

static void finish_block(struct blake3 *b, uint32_t end_flag)
{
	uint32_t all[16];
	struct blake3_input in = { .block = b->block,
				   .counter = b->chunk,
				   .len = BLOCK,
				   .flags = b->flags | start_flag(b) |
					    end_flag };

	blake3_compress(b->cv, &in, all);
	memcpy(b->cv, all, sizeof b->cv);
	b->blocks++;
	b->block_len = 0;
}

/* The current chunk is full and more input follows. */
static void finish_chunk(struct blake3 *b)
{
	finish_block(b, BLAKE3_CHUNK_END);
	push_subtree(b, b->cv, b->chunk, 0);
	memcpy(b->cv, b->key, sizeof b->cv);
	b->chunk++;
	b->blocks = 0;
}

/* Eight whole chunks at once, and the seven parents above them. */
static void add_batch(struct blake3 *b, const uint8_t *bytes)
{
	uint32_t cvs[2][BLAKE3_LANES][8];
	struct blake3_batch batch = { .blocks = CHUNK / BLOCK,
				      .counter = b->chunk,
				      .step = 1,
				      .flags = b->flags,
				      .first_flags = BLAKE3_CHUNK_START,
				      .last_flags = BLAKE3_CHUNK_END };
	unsigned from = 0;

	for (size_t i = 0; i < BLAKE3_LANES; i++)
		batch.at[i] = bytes + i * CHUNK;
	blake3_compress_batch(b->key, &batch, cvs[from]);
	batch = (struct blake3_batch){ .blocks = 1,
				       .flags = b->flags | BLAKE3_PARENT };
	for (size_t n = BLAKE3_LANES / 2; n > 0; n /= 2) {
		for (size_t i = 0; i < BLAKE3_LANES; i++)
			batch.at[i] = (const uint8_t *)cvs[from][2 * (i % n)];
		blake3_compress_batch(b->key, &batch, cvs[1 - from]);
		from = 1 - from;
	}
	b->chunk += BLAKE3_LANES;
	push_subtree(b, cvs[from][0], b->chunk - 1, 3);
}

void blake3_update(struct blake3 *b, const void *bytes, size_t n)
{
	const uint8_t *at = bytes;

	while (n > 0) {
		size_t take = BLOCK - b->block_len;

		if (b->block_len == BLOCK && b->blocks == CHUNK / BLOCK - 1)
			finish_chunk(b);
		else if (b->block_len == BLOCK)
			finish_block(b, 0);
		if (b->block_len == 0 && b->blocks == 0 &&
		    b->chunk % BLAKE3_LANES == 0 && n > BATCH_BYTES) {
			add_batch(b, at);
			at += BATCH_BYTES;
			n -= BATCH_BYTES;
			continue;
		}
		take = BLOCK - b->block_len;
		if (take > n)
			take = n;
		memcpy(b->block + b->block_len, at, take);
		b->block_len = (uint8_t)(b->block_len + take);
		at += take;
		n -= take;
	}
}

static void node_init(struct node *node, const struct blake3 *b)
{
	memset(node, 0, sizeof *node);
	memcpy(node->cv, b->cv, sizeof node->cv);
	memcpy(node->block, b->block, b->block_len);
	node->in = (struct blake3_input){ .block = node->block,
					  .counter = b->chunk,
					  .len = b->block_len,
					  .flags = b->flags | start_flag(b) |
						   BLAKE3_CHUNK_END };
}

/* Make node the parent of the subtree waiting at the given place, on the left,
 * and of itself. */
static void node_rise(struct node *node, const struct blake3 *b,
		      const uint32_t left[8])
{
	uint32_t all[16];

	blake3_compress(node->cv, &node->in, all);
	memcpy(node->block, left, BLOCK / 2);
	memcpy(node->block + BLOCK / 2, all, BLOCK / 2);
	memcpy(node->cv, b->key, sizeof node->cv);
	node->in.counter = 0;
	node->in.len = BLOCK;
	node->in.flags = b->flags | BLAKE3_PARENT;
}

void blake3_final(const struct blake3 *b, void *out, size_t n)
{
	struct node node;
	uint8_t *to = out;

	node_init(&node, b);
	for (unsigned i = b->waiting; i > 0; i--)
		node_rise(&node, b, b->stack[i - 1]);
	node.in.flags |= BLAKE3_ROOT;
	node.in.counter = 0;
	while (n > 0) {
		uint32_t all[16];
		size_t take = n < sizeof all ? n : sizeof all;

		blake3_compress(node.cv, &node.in, all);
		memcpy(to, all, take);
		node.in.counter++;
		to += take;
		n -= take;
	}
}

void blake3_hex(const uint8_t digest[BLAKE3_BYTES], char out[BLAKE3_TEXT_BYTES])
{
	static const char prefix[7] = { 'b', 'l', 'a', 'k', 'e', '3', ':' };
	static const char hex[] = "0123456789abcdef";
	char *to = out + sizeof prefix;

	memcpy(out, prefix, sizeof prefix);
	for (size_t i = 0; i < BLAKE3_BYTES; i++) {
		*to++ = hex[digest[i] >> 4];
		*to++ = hex[digest[i] & 15];
	}
	*to = '\0';
}

void blake3_hex_text(const void *bytes, size_t n, char out[BLAKE3_TEXT_BYTES])
{
	struct blake3 b;
	uint8_t digest[BLAKE3_BYTES];

	blake3_init(&b);
	blake3_update(&b, bytes, n);
	blake3_final(&b, digest, sizeof digest);
	blake3_hex(digest, out);
}
