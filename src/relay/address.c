/* address.c -- see address.h. */
#include "relay/address.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>

unsigned address_bits(uint16_t family)
{
	return family == AF_INET ? 32 : 128;
}

bool address_is_in(const struct relay_address *a, uint16_t family,
		   const uint8_t *prefix, unsigned bits)
{
	unsigned whole = bits / 8, rest = bits % 8;
	uint8_t mask = (uint8_t)(0xff00U >> rest);

	if (a->family != family || bits > address_bits(family))
		return false;
	return memcmp(a->bytes, prefix, whole) == 0 &&
	       (rest == 0 || ((a->bytes[whole] ^ prefix[whole]) & mask) == 0);
}

bool address_is_same(const struct relay_address *a,
		     const struct relay_address *b)
{
	return address_is_in(a, b->family, b->bytes, address_bits(b->family));
}

bool address_is_vessel(const struct relay_address *a)
{
	static const uint8_t loopback4[16] = { 127 },
			     loopback6[16] = { [15] = 1 };
	static const uint8_t own[16] = { 198, 18, 0, 1 };

	return address_is_in(a, AF_INET, loopback4, 8) ||
	       address_is_in(a, AF_INET6, loopback6, 128) ||
	       address_is_in(a, AF_INET, own, 32);
}

void address_unmap(struct relay_address *a)
{
	static const uint8_t mapped[16] = { [10] = 0xff, [11] = 0xff };

	if (!address_is_in(a, AF_INET6, mapped, 96))
		return;
	a->family = AF_INET;
	memmove(a->bytes, a->bytes + 12, 4);
	memset(a->bytes + 4, 0, 12);
}

int sockaddr_read(const struct sockaddr_storage *from, socklen_t len,
		  struct relay_address *ret)
{
	struct relay_address a = { .family = from->ss_family };
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;

	if (a.family == AF_INET && len >= sizeof v4) {
		memcpy(&v4, from, sizeof v4);
		memcpy(a.bytes, &v4.sin_addr, sizeof v4.sin_addr);
		a.port = ntohs(v4.sin_port);
	} else if (a.family == AF_INET6 && len >= sizeof v6) {
		memcpy(&v6, from, sizeof v6);
		memcpy(a.bytes, &v6.sin6_addr, sizeof v6.sin6_addr);
		a.port = ntohs(v6.sin6_port);
		address_unmap(&a);
	} else {
		return -EAFNOSUPPORT;
	}
	*ret = a;
	return 0;
}

socklen_t sockaddr_write(const struct relay_address *a, uint16_t port,
			 struct sockaddr_storage *ret)
{
	struct sockaddr_in v4 = { .sin_family = AF_INET,
				  .sin_port = htons(port) };
	struct sockaddr_in6 v6 = { .sin6_family = AF_INET6,
				   .sin6_port = htons(port) };

	memset(ret, 0, sizeof *ret);
	if (a->family == AF_INET) {
		memcpy(&v4.sin_addr, a->bytes, sizeof v4.sin_addr);
		memcpy(ret, &v4, sizeof v4);
		return sizeof v4;
	}
	memcpy(&v6.sin6_addr, a->bytes, sizeof v6.sin6_addr);
	memcpy(ret, &v6, sizeof v6);
	return sizeof v6;
}
