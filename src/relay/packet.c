/* packet.c -- see packet.h. */
#include "relay/packet.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define TCP_FLAGS   13 /* RFC 9293, section 3.1 */
#define TCP_SYN_ACK 0x12
#define TCP_SYN     0x02
#define V4_HEAD     20 /* RFC 791, section 3.1 */
#define V4_FRAGMENT 0x1fff

/* The length of the IPv4 head, or 0 if it is not one. */
static size_t head_read(const uint8_t *bytes, size_t len, struct packet *p)
{
	size_t head = len >= V4_HEAD ? (size_t)(bytes[0] & 0x0f) * 4 : 0;

	if (head < V4_HEAD || bytes[0] >> 4 != 4 || bytes[9] != p->protocol ||
	    (((unsigned)bytes[6] << 8 | bytes[7]) & V4_FRAGMENT) != 0)
		return 0;
	p->to = (struct relay_address){ .family = AF_INET };
	memcpy(p->to.bytes, bytes + 16, 4);
	return head;
}

bool packet_read(const uint8_t *bytes, size_t len, struct packet *p)
{
	size_t at = 0;

	if (p->to.family != AF_INET6) {
		at = head_read(bytes, len, p);
		if (at == 0)
			return false;
	}
	if (len < at + 4)
		return false;
	if (p->protocol == IPPROTO_TCP &&
	    (len <= at + TCP_FLAGS ||
	     (bytes[at + TCP_FLAGS] & TCP_SYN_ACK) != TCP_SYN))
		return false;
	p->port = (uint16_t)((unsigned)bytes[at + 2] << 8 | bytes[at + 3]);
	return true;
}
