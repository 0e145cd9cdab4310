/* known.h -- which ids were read and which lines have their answer: 16 bytes for
 * each, whatever their length. */
#ifndef CUPEL_JOBS_BATCH_KNOWN_H
#define CUPEL_JOBS_BATCH_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Two for each line at most; 192 MiB with the table's room. */
#define BATCH_KNOWN_MAX ((size_t)1 << 22)
#define BATCH_KEY_BYTES 16

struct batch_known {
	uint8_t (*keys)[BATCH_KEY_BYTES]; /* all zero: free */
	size_t room, len;
};

struct batch_key {
	uint8_t bytes[BATCH_KEY_BYTES];
};

/* batch_key_id -- what an id is known by. */
struct batch_key batch_key_id(const char *id, size_t n);

/* batch_key_answer -- what an answer is known by.
 *
 * @id		NULL: the line's number stands for it
 * @hash	of what was asked for */
struct batch_key batch_key_answer(const char *id, size_t n, uint64_t number,
				  const char *hash);

bool batch_known_has(const struct batch_known *k, const struct batch_key *key);

/* batch_known_add -- Returns 1: it is new, 0: it was there, -E2BIG or -ENOMEM. */
int batch_known_add(struct batch_known *k, const struct batch_key *key);

void batch_known_done(struct batch_known *k);

#endif
