/* control.h -- the socket to the supervisor: what comes, and what is told. */
#ifndef CUPEL_RELAY_CONTROL_H
#define CUPEL_RELAY_CONTROL_H

#include <stdint.h>

#include "relay/protocol.h"
#include "relay/watch.h"

/* control_read_policy -- the policy, up to RELAY_CONFINE.  Waits for it.
 * Returns 0; 1 when the supervisor wants no more of us; or -errno. */
int control_read_policy(struct relay *r);

/* control_run -- sockets of the vessel, or the end: then r->is_ending. */
void control_run(struct relay *r, struct watch w, uint32_t events);

/* control_send -- tell at once, or not at all: nobody waits for a reader. */
void control_send(struct relay *r, const struct relay_record *record);

/* control_note -- count it to the book; told when it is new there. */
void control_note(struct relay *r, const struct relay_record *what);

/* control_fail -- tell why there will be no relay. */
void control_fail(struct relay *r, enum relay_stage stage, int error);

/* control_end -- tell all that is in the book, and that this was all.  Waits for
 * the reader, but not for long. */
void control_end(struct relay *r);

#endif
