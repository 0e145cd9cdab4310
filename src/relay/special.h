/* special.h -- addresses that no public host has. */
#ifndef CUPEL_RELAY_SPECIAL_H
#define CUPEL_RELAY_SPECIAL_H

#include "relay/address.h"

/* A range and the source that says what it is for. */
struct special {
	uint16_t family, bits;
	uint8_t prefix[16];
	const char *name, *source;
};

/* special_find -- the narrowest special range that has the address, or NULL: it
 * is public.
 *
 * A NAT64 address (64:ff9b::/96, RFC 6052) is judged by the IPv4 address in it;
 * a mapped one must have been unmapped (address_unmap) and is special if not.
 * The ranges are those of IANA's registries of special-purpose addresses
 * (RFC 6890) that are not "globally reachable", multicast, all of IPv6 that is
 * not 2000::/3, and addresses at which clouds serve an instance's secrets. */
const struct special *special_find(const struct relay_address *a);

#endif
