/* near.h -- how large the send buffer towards a near server may be.  Pure. */
#ifndef CUPEL_RELAY_NEAR_H
#define CUPEL_RELAY_NEAR_H

#include <stdint.h>

/* What is asked for towards a near server.  It is the default of
 * net.core.wmem_max before Linux 6.18, so every kernel grants it to everybody, and
 * each doubles it, socket(7). */
#define NEAR_BYTES 212992

/* near_find_bytes -- the send buffer to ask for (SO_SNDBUF), or 0 to leave it
 * to the kernel.
 *
 * @p	rtt_us is the least round trip so far, now_bytes what SO_SNDBUF reads
 *
 * A buffer is never made larger, and a server that is farther away keeps the
 * kernel's choice (docs/egress.md). */
int near_find_bytes(uint32_t rtt_us, int now_bytes);

#endif
