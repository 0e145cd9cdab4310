/* packet.h -- reads from a packet's head where it was going.  Pure. */
#ifndef CUPEL_RELAY_PACKET_H
#define CUPEL_RELAY_PACKET_H

#include <stdbool.h>
#include <stddef.h>

#include "relay/protocol.h"

#define PACKET_BYTES 128 /* longest IPv4 head, and the ports after it */

struct packet {
	struct relay_address to;
	uint16_t port;
	uint16_t protocol; /* IPPROTO_TCP or IPPROTO_UDP */
};

/* packet_read -- read what a raw socket received.  An IPv4 packet begins with
 * its own head, an IPv6 packet with the transport's head.
 *
 * @p	protocol is the socket's; `to` is the destination of an IPv6 packet and
 *	zero for IPv4, whose head says it; the port is filled in
 *
 * Returns true for the start of a TCP connection (SYN without ACK) and for a
 * UDP datagram; false for later fragments and everything else. */
bool packet_read(const uint8_t *bytes, size_t len, struct packet *p);

#endif
