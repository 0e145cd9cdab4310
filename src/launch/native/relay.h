/* relay.h -- starts the relay of scoped egress and tells it what to allow. */
#ifndef CUPEL_LAUNCH_RELAY_H
#define CUPEL_LAUNCH_RELAY_H

#include "launch/native/helper.h"
#include "launch/native/sys.h"

struct cupel_error;
struct egress_plan;

/* relay_start -- start the relay and send it all that it must know before it
 * confines itself.  It answers to the reader of ret->control_fd, and waits
 * there for its sockets (relay/protocol.h).
 *
 * Returns 0 with *ret the caller's, or -errno with *err filled and nothing left
 * behind. */
int relay_start(struct sys *k, const struct egress_plan *plan,
		struct helper *ret, struct cupel_error *err);

#endif
