/* packet.c -- see packet.h. */
#include "relay/packet.h"

#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>

#define TCP_FLAGS   13 /* RFC 9293, section 3.1 */
#define TCP_SYN_ACK 0x12
#define TCP_SYN     0x02
#define V4_FRAGMENT 0x1fff
#define V6_HEAD     40

/* Where the transport's head begins, or 0. */
static size_t v4_read(const uint8_t *bytes, size_t len, struct packet *p)
{
	size_t head = (size_t)(bytes[0] & 0x0f) * 4;

	if (len < 20 || head < 20 ||
	    (((unsigned)bytes[6] << 8 | bytes[7]) & V4_FRAGMENT) != 0)
		return 0;
	p->protocol = bytes[9];
	p->to.family = AF_INET;
	memcpy(p->to.bytes, bytes + 16, 4);
	return head;
}

static size_t v6_read(const uint8_t *bytes, size_t len, struct packet *p)
{
	if (len < V6_HEAD)
		return 0;
	p->protocol = bytes[6];
	p->to.family = AF_INET6;
	memcpy(p->to.bytes, bytes + 24, 16);
	return V6_HEAD;
}

bool packet_read(const uint8_t *bytes, size_t len, struct packet *ret)
{
	struct packet p = { 0 };
	unsigned version = len > 0 ? bytes[0] >> 4 : 0;
	size_t at = version == 4   ? v4_read(bytes, len, &p)
		    : version == 6 ? v6_read(bytes, len, &p)
				   : 0;

	if (at == 0 || len < at + 4 ||
	    (p.protocol != IPPROTO_TCP && p.protocol != IPPROTO_UDP))
		return false;
	if (p.protocol == IPPROTO_TCP &&
	    (len <= at + TCP_FLAGS ||
	     (bytes[at + TCP_FLAGS] & TCP_SYN_ACK) != TCP_SYN))
		return false;
	p.port = (uint16_t)((unsigned)bytes[at + 2] << 8 | bytes[at + 3]);
	*ret = p;
	return true;
}
