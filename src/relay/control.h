/* control.h -- the socket to the supervisor: its messages and our records. */
#ifndef CUPEL_RELAY_CONTROL_H
#define CUPEL_RELAY_CONTROL_H

#include <stdint.h>

#include "relay/protocol.h"
#include "relay/watch.h"

/* control_read_policy -- read the policy, up to RELAY_CONFINE; this waits.
 * Returns 0, 1 when the supervisor has closed its end, or -errno. */
int control_read_policy(struct relay *r);

/* control_run -- take the sockets of the vessel, or set r->is_ending at the
 * end. */
void control_run(struct relay *r, struct watch w, uint32_t events);

/* control_send -- send a record at once or drop it: the relay never waits for a
 * reader. */
void control_send(struct relay *r, const struct relay_record *record);

/* control_note -- enter it into the book and send a record when it is new
 * there. */
void control_note(struct relay *r, const struct relay_record *what);

/* control_fail -- tell the supervisor why there will be no relay. */
void control_fail(struct relay *r, enum relay_stage stage, int error);

/* control_end -- send every entry of the book and the end record.  Waits for
 * the reader, but only for a short time. */
void control_end(struct relay *r);

#endif
