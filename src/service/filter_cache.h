/* filter_cache.h -- compiled filters of outside files, kept between runs.
 *
 * One file for each in $XDG_CACHE_HOME/cupel/filters, or in
 * ~/.cache/cupel/filters, named by a hash of all that the result depends on.
 * Directory 0700 and file 0600 are the caller's own, or they are not used.
 *
 * An entry carries a MAC under a key made from this boot's id: a cache that
 * was filled elsewhere and restored here (a CI system's, by a pull request)
 * is not believed, since nobody there can know the id.  Whoever can write as
 * this user on this machine is out of reach of any check made by this user.
 *
 * Nothing here fails a run: trouble is a miss, or an entry not written. */
#ifndef CUPEL_SERVICE_FILTER_CACHE_H
#define CUPEL_SERVICE_FILTER_CACHE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/blake3.h"
#include "plan/filter.h"

#define FILTER_CACHE_ENTRIES 128 /* more: it is emptied before the next */

/* filter_cache_key -- over the text, what it is compiled for, and the version
 * of compiler and floor. */
void filter_cache_key(const struct filter_source *source,
		      uint8_t ret[BLAKE3_BYTES]);

/* filter_cache_find -- the entry, but for its name, with what it points to in
 * the arena.  False when there is none that can be believed; such a one is
 * removed. */
bool filter_cache_find(const uint8_t key[BLAKE3_BYTES], struct arena *arena,
		       struct filter *ret);

/* filter_cache_add -- keep f.  By a new file and a rename: readers see all of
 * it or nothing. */
void filter_cache_add(const uint8_t key[BLAKE3_BYTES], const struct filter *f);

#endif
