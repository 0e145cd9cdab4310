/* address.h -- addresses, prefixes, and how the kernel writes them. */
#ifndef CUPEL_RELAY_ADDRESS_H
#define CUPEL_RELAY_ADDRESS_H

#include <stdbool.h>
#include <sys/socket.h>

#include "relay/protocol.h"

/* address_bits -- how many bits an address of that family has. */
unsigned address_bits(uint16_t family);

/* address_is_in -- whether the first `bits` bits of a are those of prefix. */
bool address_is_in(const struct relay_address *a, uint16_t family,
		   const uint8_t *prefix, unsigned bits);

/* address_is_same -- whether both are one address, whatever their ports. */
bool address_is_same(const struct relay_address *a,
		     const struct relay_address *b);

/* address_is_vessel -- whether a vessel uses this address for itself, so that
 * traffic to it never leaves the vessel. */
bool address_is_vessel(const struct relay_address *a);

/* sockaddr_read -- from a sockaddr, its port included; ::ffff:1.2.3.4 (RFC 4291,
 * section 2.5.5.2) is read as the IPv4 address that it stands for.
 * Returns 0, or -EAFNOSUPPORT for another family. */
int sockaddr_read(const struct sockaddr_storage *from, socklen_t len,
		  struct relay_address *ret);

/* sockaddr_write -- write the address as a sockaddr with the given port;
 * returns its length. */
socklen_t sockaddr_write(const struct relay_address *a, uint16_t port,
			 struct sockaddr_storage *ret);

/* address_unmap -- turn an IPv4 address that is written in IPv6 form back into
 * IPv4; leave any other address alone. */
void address_unmap(struct relay_address *a);

#endif
