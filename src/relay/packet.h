/* packet.h -- what the head of a packet says of where it goes.  Pure. */
#ifndef CUPEL_RELAY_PACKET_H
#define CUPEL_RELAY_PACKET_H

#include <stdbool.h>
#include <stddef.h>

#include "relay/protocol.h"

#define PACKET_BYTES 128 /* longest IPv4 head, and ports behind it */

struct packet {
	struct relay_address to;
	uint16_t port;
	uint16_t protocol; /* IPPROTO_TCP or IPPROTO_UDP */
};

/* packet_read -- what a raw socket received: of IPv4 from its head on, of IPv6
 * from the transport's on.
 *
 * @p	protocol is the socket's; to is where an IPv6 packet was going, and zero
 *	of an IPv4 one, whose head says it; port is filled in
 *
 * Returns whether it begins something: a TCP connection (SYN without ACK), or it
 * is a UDP datagram.  Later fragments and all else are false. */
bool packet_read(const uint8_t *bytes, size_t len, struct packet *p);

#endif
