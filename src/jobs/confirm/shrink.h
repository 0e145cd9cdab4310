/* shrink.h -- smaller witnesses of the same shape.  Pure. */
#ifndef CUPEL_JOBS_CONFIRM_SHRINK_H
#define CUPEL_JOBS_CONFIRM_SHRINK_H

#include <stddef.h>

#include "boundary/json.h"

/* shrink_candidate -- the index-th witness that is a little smaller: one value
 * of one argument is nearer to 0, "" or [], and the rest is unchanged.  Types
 * stay the same, and an argument that is "fixed" is left alone.  In a tagged
 * value of cupel-witness(5) the tag stays and the value gets smaller.
 *
 * @arena	receives the candidate; parts of witness are shared
 * @ret		set to the candidate, or to NULL: index is past the last one
 * Returns 0 or -ENOMEM. */
int shrink_candidate(const struct json_value *witness, size_t index,
		     struct arena *arena, const struct json_value **ret);

#endif
