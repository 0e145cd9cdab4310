/* cache.h -- answers of probes, kept between gathers.
 *
 * One file for each in $XDG_CACHE_HOME/cupel/gather, or in
 * ~/.cache/cupel/gather, named by the hash of all that the answer depends on,
 * so that two repositories with the same inputs share it.  Directory 0700 and
 * files 0600 are the caller's own, or they are not used.
 *
 * An entry carries a MAC under a key made at random once for this user: one
 * that was planted, or made elsewhere and restored here, is not believed.
 * What is found is still hostile bytes: the caller puts it through the
 * boundary like a fresh answer.
 *
 * Nothing here fails a gather: trouble is a miss, or an entry not written. */
#ifndef CUPEL_JOBS_GATHER_CACHE_H
#define CUPEL_JOBS_GATHER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/blake3.h"

struct buf;
struct gather_probe;
struct probe_inputs;

#define CACHE_ENTRY_BYTES ((size_t)4 << 20)     /* an answer is at most 2 MiB */
#define CACHE_BYTES       ((uint64_t)256 << 20) /* of all entries */
#define CACHE_ENTRIES     4096U

/* The outcome of looking for an entry, or of adding one. */
enum cache_result {
	CACHE_HIT,
	CACHE_MISS,
	CACHE_PUT,
	CACHE_INVALID,   /* broken; removed */
	CACHE_POISONED,  /* not made by this user; removed */
	CACHE_SYMLINK,   /* not followed */
	CACHE_TOO_LARGE, /* over CACHE_ENTRY_BYTES; removed, or not written */
	CACHE_OFF,       /* there is no directory that can be used */
};

struct cache {
	int dir_fd; /* -1: none */
	uint8_t secret[BLAKE3_KEY_BYTES];
	bool has_added;
};

/* Everything an answer depends on besides its declared inputs. */
struct cache_source {
	const struct probe_inputs *in; /* and its probe */
	/* blake3_hex of the program that answers, with its schema */
	const char *identity;
	bool with_node_modules; /* other caps */
	const struct gather_probe *const *required;
	size_t required_len;
};

/* cache_open -- find or make directory and key; dir_fd stays -1 where that
 * cannot be done safely. */
void cache_open(struct cache *ret);

/* cache_key -- hash the probe's name, version and schema version, the sorted
 * names and hashes of its inputs, and everything else that it was given:
 * cupel-probes(5), "CACHE". */
void cache_key(const struct cache_source *source, uint8_t ret[BLAKE3_BYTES]);

/* cache_find -- CACHE_HIT with the answer appended to out, or why not. */
enum cache_result cache_find(const struct cache *c,
			     const uint8_t key[BLAKE3_BYTES], struct buf *out);

/* cache_drop -- remove an entry whose content is not an answer. */
void cache_drop(const struct cache *c, const uint8_t key[BLAKE3_BYTES]);

/* cache_add -- keep bytes[0..n-1], by a new file and a rename, so that readers
 * see all of it or nothing.  CACHE_PUT, or why not. */
enum cache_result cache_add(struct cache *c, const uint8_t key[BLAKE3_BYTES],
			    const char *bytes, size_t n);

/* cache_close -- when something was added, remove the oldest entries until the
 * rest is within the caps.  Returns whether any were removed. */
bool cache_close(struct cache *c);

#endif
