/* known.h -- remembers which ids were read and which lines have an answer, in
 * 16 bytes for each, whatever their length. */
#ifndef CUPEL_JOBS_BATCH_KNOWN_H
#define CUPEL_JOBS_BATCH_KNOWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* At most two for each line; 192 MiB with the unused part of the table. */
#define BATCH_KNOWN_MAX ((size_t)1 << 22)
#define BATCH_KEY_BYTES 16

/* What is known of a line. */
enum batch_before {
	BATCH_UNKNOWN,
	BATCH_KNOWN,
	BATCH_KNOWN_BAD, /* its run was not OK, or the line was wrong */
};

struct batch_known {
	/* the first byte is an enum batch_before: 0 is free */
	uint8_t (*keys)[BATCH_KEY_BYTES];
	size_t room, len;
};

struct batch_key {
	uint8_t bytes[BATCH_KEY_BYTES]; /* the key begins at the second */
};

/* batch_key_id -- the key of an id. */
struct batch_key batch_key_id(const char *id, size_t n);

/* batch_key_answer -- the key of an answer.
 *
 * @id		NULL: the line's number is used instead
 * @hash	of what the line asked for */
struct batch_key batch_key_answer(const char *id, size_t n, uint64_t number,
				  const char *hash);

enum batch_before batch_known_find(const struct batch_known *k,
				   const struct batch_key *key);

/* batch_known_add -- remember a key; if it is known already, the newer state
 * replaces the older one.
 *
 * Returns 1: it is new, 0: it was there, -E2BIG or -ENOMEM. */
int batch_known_add(struct batch_known *k, const struct batch_key *key,
		    bool is_bad);

void batch_known_done(struct batch_known *k);

#endif
