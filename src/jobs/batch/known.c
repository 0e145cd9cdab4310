/* known.c -- see known.h.  Open addressing: the keys are hashes themselves. */
#include "jobs/batch/known.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/blake3.h"

static struct batch_key key_final(const struct blake3 *b)
{
	struct batch_key key;

	blake3_final(b, key.bytes, sizeof key.bytes);
	return key;
}

struct batch_key batch_key_id(const char *id, size_t n)
{
	struct blake3 b;

	blake3_init(&b);
	blake3_update(&b, "id", 3);
	blake3_update(&b, id, n);
	return key_final(&b);
}

struct batch_key batch_key_answer(const char *id, size_t n, uint64_t number,
				  const char *hash)
{
	struct blake3 b;

	blake3_init(&b);
	if (id != NULL) {
		blake3_update(&b, "by id", 6);
		blake3_update(&b, hash, strlen(hash) + 1);
		blake3_update(&b, id, n);
	} else {
		blake3_update(&b, "by number", 10);
		blake3_update(&b, hash, strlen(hash) + 1);
		blake3_update(&b, &number, sizeof number);
	}
	return key_final(&b);
}

/* The slot of the key, or the free one that it would get; there is always a
 * free one. */
static size_t slot_find(const struct batch_known *k,
			const struct batch_key *key)
{
	uint64_t at;

	memcpy(&at, key->bytes + 8, sizeof at);
	at &= k->room - 1;
	while (k->keys[at][0] != BATCH_UNKNOWN &&
	       memcmp(k->keys[at] + 1, key->bytes + 1, BATCH_KEY_BYTES - 1) !=
		       0)
		at = (at + 1) & (k->room - 1);
	return (size_t)at;
}

enum batch_before batch_known_find(const struct batch_known *k,
				   const struct batch_key *key)
{
	return k->room > 0 ? (enum batch_before)k->keys[slot_find(k, key)][0]
			   : BATCH_UNKNOWN;
}

static int grow(struct batch_known *k)
{
	struct batch_known more = { .room = k->room > 0 ? k->room * 2 : 1024,
				    .len = k->len };

	more.keys = calloc(more.room, sizeof *more.keys);
	if (more.keys == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < k->room; i++) {
		struct batch_key key;

		memcpy(key.bytes, k->keys[i], sizeof key.bytes);
		if (key.bytes[0] != BATCH_UNKNOWN)
			memcpy(more.keys[slot_find(&more, &key)], key.bytes,
			       sizeof key.bytes);
	}
	free(k->keys);
	*k = more;
	return 0;
}

int batch_known_add(struct batch_known *k, const struct batch_key *key,
		    bool is_bad)
{
	bool is_new = batch_known_find(k, key) == BATCH_UNKNOWN;
	uint8_t *slot;

	if (is_new && k->len >= BATCH_KNOWN_MAX)
		return -E2BIG;
	if (is_new && k->len >= k->room / 4 * 3 && grow(k) < 0)
		return -ENOMEM;
	slot = k->keys[slot_find(k, key)];
	memcpy(slot, key->bytes, sizeof key->bytes);
	slot[0] = is_bad ? BATCH_KNOWN_BAD : BATCH_KNOWN;
	k->len += is_new;
	return is_new;
}

void batch_known_done(struct batch_known *k)
{
	free(k->keys);
	*k = (struct batch_known){ 0 };
}
