/* filter_cache.h -- keeps compiled filters of outside files between runs.
 *
 * One file for each in $XDG_CACHE_HOME/cupel/filters, or in
 * ~/.cache/cupel/filters, named by a hash of everything that the result depends
 * on.  Directory (0700) and file (0600) must belong to the caller, or they are
 * not used.
 *
 * An entry carries a MAC under a key made from this boot's id.  A cache that
 * was filled elsewhere and restored here (a CI system's, by a pull request) is
 * not believed, because nobody there can know the id.  No check made by this
 * user can help against somebody who can write as this user on this machine.
 *
 * Nothing here fails a run: any trouble is a miss, or an entry that is not
 * written. */
#ifndef CUPEL_SERVICE_FILTER_CACHE_H
#define CUPEL_SERVICE_FILTER_CACHE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/blake3.h"
#include "plan/filter.h"

#define FILTER_CACHE_ENTRIES 128 /* with more it is emptied before the next */

/* filter_cache_key -- a hash of the text, the kernel and machine it is compiled
 * for, and the versions of the compiler and the floor. */
void filter_cache_key(const struct filter_source *source,
		      uint8_t ret[BLAKE3_BYTES]);

/* filter_cache_find -- the entry without its name; what it points to is in the
 * arena.  False when there is none that can be believed; an entry that cannot
 * be is removed. */
bool filter_cache_find(const uint8_t key[BLAKE3_BYTES], struct arena *arena,
		       struct filter *ret);

/* filter_cache_add -- keep f.  It is written to a new file and renamed, so
 * readers see all of it or nothing. */
void filter_cache_add(const uint8_t key[BLAKE3_BYTES], const struct filter *f);

#endif
