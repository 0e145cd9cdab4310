/* scope.h -- a transient scope from systemd, over the user's or the system's
 * D-Bus.
 *
 * One method call and the signal that tells how it ended.  We speak the
 * protocol ourselves: libsystemd is not available as a static library, and
 * a helper process would cost more than all the rest (docs/memory.md).
 *
 * Source: D-Bus Specification 0.43 (message format, EXTERNAL);
 * org.freedesktop.systemd1(5): StartTransientUnit, JobRemoved; PIDs: systemd,
 * src/core/dbus-scope.c.
 */
#ifndef CUPEL_LAUNCH_SCOPE_H
#define CUPEL_LAUNCH_SCOPE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "launch/native/sys.h"

struct buf;

/* scope_enter -- have this process moved into a scope of its own, delegated.
 *
 * @bus		path of the bus's socket, which must be the caller's own or
 *		root's
 * @most_ms	the time limit for all of it
 * Returns 0, or -errno: nothing was changed, or (-ETIMEDOUT) it took too
 * long. */
int scope_enter(struct sys *k, const char *bus, unsigned most_ms);

/* --- its messages --------------------------------------------------------- */

#define SCOPE_MESSAGE_BYTES 65536 /* the most; ours have some 300 */

/* scope_write_request -- write the three calls: Hello, the subscription to
 * signals about jobs, and the scope for the caller.  out->failed is sticky. */
void scope_write_request(struct buf *out, const char *unit);

/* scope_read_message -- find out what one message means to us.
 *
 * @bytes	one whole message of n bytes
 * Returns 1: the unit's job is done; 0: nothing of interest; -EPROTO: it is no
 * message; -EIO: the request was refused, or the job failed. */
int scope_read_message(const unsigned char *bytes, size_t n, const char *unit);

/* scope_message_len -- the length of the message that begins with these 16
 * bytes; 0: it is none that we take. */
size_t scope_message_len(const unsigned char head[16]);

#endif
