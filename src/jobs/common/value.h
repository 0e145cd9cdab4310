/* value.h -- makes JSON values; text in them is borrowed. */
#ifndef CUPEL_JOBS_COMMON_VALUE_H
#define CUPEL_JOBS_COMMON_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "boundary/json.h"

/* value_text -- a string; null for NULL.  UTF-8, as long-lived as the value. */
struct json_value value_text(const char *s);

/* value_number -- a whole number; null without memory. */
struct json_value value_number(struct arena *arena, uint64_t n);

/* value_object, value_array -- an empty one with room for n.  Returns false
 * without memory. */
bool value_object(struct arena *arena, size_t n, struct json_value *ret);
bool value_array(struct arena *arena, size_t n, struct json_value *ret);

/* value_member -- one more member; value_item -- one more item.  The caller has
 * made room. */
void value_member(struct json_value *object, const char *name,
		  struct json_value value);
void value_item(struct json_value *array, struct json_value item);

#endif
