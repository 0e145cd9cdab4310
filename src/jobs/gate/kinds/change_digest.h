/* change_digest.h -- what lockfiles have of the content of packages, compared. */
#ifndef CUPEL_JOBS_GATE_KINDS_CHANGE_DIGEST_H
#define CUPEL_JOBS_GATE_KINDS_CHANGE_DIGEST_H

#include <stdbool.h>

#include "jobs/gate/kinds/change_side.h"

/* digest_weak_find -- the name of the package's digest, "none" if it has none, if it is
 * weaker than it has to be: than its weakest one in the same file of the base, or than
 * that file's best, at most a commit or SHA-256, if the package is new in it.  In a
 * file that is new, formats that always have digests want one of these.  NULL: it is strong enough.
 *
 * @base	the packages of the base, sorted */
const char *digest_weak_find(const struct facts *base, const struct fact *f);

/* digest_differs -- whether both say what is fetched, and not the same. */
bool digest_differs(const struct fact *a, const struct fact *b);

#endif
