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

/* What is known of a line. */
enum batch_before {
	BATCH_UNKNOWN,
	BATCH_KNOWN,
	BATCH_KNOWN_BAD, /* its run was not OK, or it asked for none */
};

struct batch_known {
	/* the first byte is an enum batch_before: 0 is free */
	uint8_t (*keys)[BATCH_KEY_BYTES];
	size_t room, len;
};

struct batch_key {
	uint8_t bytes[BATCH_KEY_BYTES]; /* the first one is not part of it */
};

/* batch_key_id -- what an id is known by. */
struct batch_key batch_key_id(const char *id, size_t n);

/* batch_key_answer -- what an answer is known by.
 *
 * @id		NULL: the line's number stands for it
 * @hash	of what was asked for */
struct batch_key batch_key_answer(const char *id, size_t n, uint64_t number,
				  const char *hash);

enum batch_before batch_known_find(const struct batch_known *k,
				   const struct batch_key *key);

/* batch_known_add -- what is said last of a key is what is known of it.
 *
 * Returns 1: it is new, 0: it was there, -E2BIG or -ENOMEM. */
int batch_known_add(struct batch_known *k, const struct batch_key *key,
		    bool is_bad);

void batch_known_done(struct batch_known *k);

#endif
