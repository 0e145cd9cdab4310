/* message.h -- what the supervisor says, checked.  Pure. */
#ifndef CUPEL_RELAY_MESSAGE_H
#define CUPEL_RELAY_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "relay/rule.h"

/* message_read -- one message of those before RELAY_READY.  It is our own that
 * sends them, and is not believed for all that: a number or a name that cannot
 * be is an error, whoever made it.
 *
 * @p	zero before the first
 * Returns 0; 1 when it was RELAY_CONFINE; or -EINVAL. */
int message_read(struct policy *p, const uint8_t *bytes, size_t len);

#endif
