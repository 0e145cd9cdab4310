/* message.h -- checks the supervisor's messages.  Pure. */
#ifndef CUPEL_RELAY_MESSAGE_H
#define CUPEL_RELAY_MESSAGE_H

#include <stddef.h>
#include <stdint.h>

#include "relay/rule.h"

/* message_read -- read one message of those before RELAY_READY.  They come from
 * our own supervisor but are checked all the same: an impossible number or name
 * is an error, whoever sent it.
 *
 * @p	zero before the first
 * Returns 0; 1 when it was RELAY_CONFINE; or -EINVAL. */
int message_read(struct policy *p, const uint8_t *bytes, size_t len);

#endif
