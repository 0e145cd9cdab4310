/* dns_wire.h -- how DNS messages are laid out: RFC 1035, section 4.1. */
#ifndef CUPEL_RELAY_DNS_WIRE_H
#define CUPEL_RELAY_DNS_WIRE_H

#include <stdint.h>

#define DNS_HEAD_BYTES      12
#define DNS_LABEL_BYTES     63
#define DNS_CLASS_IN        1
#define DNS_IS_ANSWER       0x80 /* of the third byte */
#define DNS_OPCODE          0x78
#define DNS_IS_CUT          0x02
#define DNS_WANTS_RECURSION 0x01
#define DNS_HAS_RECURSION   0x80 /* of the fourth */
#define DNS_CODE            0x0f

/* dns_u16, dns_u32 -- numbers in network order. */
static inline uint16_t dns_u16(const uint8_t *at)
{
	return (uint16_t)((unsigned)at[0] << 8 | at[1]);
}

static inline uint32_t dns_u32(const uint8_t *at)
{
	return (uint32_t)dns_u16(at) << 16 | dns_u16(at + 2);
}

#endif
