/* control.h -- witnesses that differ in one argument alone.
 *
 * Must: compare what a call is given, exactly.
 * Must not: run anything. */
#ifndef CUPEL_JOBS_CONFIRM_CONTROL_H
#define CUPEL_JOBS_CONFIRM_CONTROL_H

#include "boundary/json.h"

/* control_is -- whether other has another value for that argument, or none
 * where witness has one, and otherwise the same arguments and the same
 * receiver.  It is also false if there is no memory to compare with.  Both are
 * as the schema of the synthesis has witnesses. */
bool control_is(const struct json_value *witness,
		const struct json_value *other, const char *argument);

/* control_find -- the next of the witnesses that control_is() for that one.
 *
 * @witnesses	array, as the schema of the synthesis has it
 * @at		where the search begins, from 0; set to the place after the one
 *		found
 * Returns NULL when there is no other, or no memory. */
const struct json_value *control_find(const struct json_value *witnesses,
				      const struct json_value *witness,
				      const char *argument, size_t *at);

#endif
