/* special.c -- the ranges that a name may not lead to. */
#include "relay/special.h"

#include <stddef.h>
#include <string.h>

#define V4(bits, a, b, c, d, name, source)                                     \
	{                                                                      \
		AF_INET, (bits), { (a), (b), (c), (d) }, (name), (source)      \
	}
#define V6(bits, name, source, ...)                                            \
	{                                                                      \
		AF_INET6, (bits), { __VA_ARGS__ }, (name), (source)            \
	}

/* Narrow ranges stand before those that contain them, because the first that
 * fits counts. */
static const struct special ranges[] = {
	V4(32, 169, 254, 169, 254, "instance metadata",
	   "Amazon EC2 and others"),
	V4(32, 169, 254, 170, 2, "task credentials", "Amazon ECS"),
	V4(32, 100, 100, 100, 200, "instance metadata", "Alibaba Cloud"),
	V4(32, 168, 63, 129, 16, "instance metadata", "Microsoft Azure"),
	V4(32, 192, 0, 0, 192, "instance metadata", "Oracle Cloud"),
	V4(8, 0, 0, 0, 0, "this network", "RFC 791, section 3.2"),
	V4(8, 10, 0, 0, 0, "private use", "RFC 1918"),
	V4(10, 100, 64, 0, 0, "shared address space", "RFC 6598"),
	V4(8, 127, 0, 0, 0, "loopback", "RFC 1122, section 3.2.1.3"),
	V4(16, 169, 254, 0, 0, "link local", "RFC 3927"),
	V4(12, 172, 16, 0, 0, "private use", "RFC 1918"),
	V4(24, 192, 0, 0, 0, "IETF protocol assignments", "RFC 6890"),
	V4(24, 192, 0, 2, 0, "documentation (TEST-NET-1)", "RFC 5737"),
	V4(24, 192, 88, 99, 0, "6to4 relay anycast", "RFC 7526"),
	V4(16, 192, 168, 0, 0, "private use", "RFC 1918"),
	V4(15, 198, 18, 0, 0, "benchmarking", "RFC 2544"),
	V4(24, 198, 51, 100, 0, "documentation (TEST-NET-2)", "RFC 5737"),
	V4(24, 203, 0, 113, 0, "documentation (TEST-NET-3)", "RFC 5737"),
	V4(4, 224, 0, 0, 0, "multicast", "RFC 5771"),
	V4(32, 255, 255, 255, 255, "limited broadcast", "RFC 919"),
	V4(4, 240, 0, 0, 0, "reserved", "RFC 1112, section 4"),

	V6(128, "instance metadata", "Amazon EC2", 0xfd, 0, 0x0e,
	   0xc2, [14] = 0x02, [15] = 0x54),
	V6(128, "instance metadata", "Google Cloud", 0xfd, 0x20, 0,
	   0xce, [14] = 0x02, [15] = 0x54),
	V6(128, "unspecified", "RFC 4291", 0),
	V6(128, "loopback", "RFC 4291", [15] = 1),
	V6(96, "IPv4-mapped", "RFC 4291", [10] = 0xff, [11] = 0xff),
	V6(96, "IPv4-compatible", "RFC 4291, section 2.5.5.1", 0),
	V6(48, "local-use translation", "RFC 8215", 0, 0x64, 0xff, 0x9b, 0, 1),
	V6(64, "discard only", "RFC 6666", 1),
	V6(64, "dummy prefix", "RFC 9780", 1, [7] = 1),
	V6(32, "Teredo", "RFC 4380", 0x20, 0x01),
	V6(48, "benchmarking", "RFC 5180", 0x20, 0x01, 0, 2),
	V6(28, "ORCHID", "RFC 4843", 0x20, 0x01, 0, 0x10),
	V6(28, "ORCHIDv2", "RFC 7343", 0x20, 0x01, 0, 0x20),
	V6(23, "IETF protocol assignments", "RFC 2928", 0x20, 0x01),
	V6(32, "documentation", "RFC 3849", 0x20, 0x01, 0x0d, 0xb8),
	V6(16, "6to4", "RFC 3056", 0x20, 0x02),
	V6(20, "documentation", "RFC 9637", 0x3f, 0xff),
	V6(16, "segment routing", "RFC 9602", 0x5f),
	V6(7, "unique local", "RFC 4193", 0xfc),
	V6(10, "link local", "RFC 4291", 0xfe, 0x80),
	V6(10, "site local", "RFC 3879", 0xfe, 0xc0),
	V6(8, "multicast", "RFC 4291", 0xff),
	V6(3, "not global unicast", "RFC 4291", 0),
	V6(2, "not global unicast", "RFC 4291", 0x40),
	V6(1, "not global unicast", "RFC 4291", 0x80),
};

/* An ISATAP tunnel's interface identifier, which holds an IPv4 address:
 * ::0:5efe:1.2.3.4 behind any prefix.  A rule must name the whole address. */
static const struct special isatap = { .family = AF_INET6,
				       .bits = 128,
				       .name = "ISATAP",
				       .source = "RFC 5214, section 6.1" };

static const struct special translated = { .family = AF_INET6,
					   .bits = 128,
					   .name = "special IPv4 in NAT64",
					   .source = "RFC 6052" };

static bool is_isatap(const struct relay_address *a)
{
	return a->family == AF_INET6 && (a->bytes[8] & ~2U) == 0 &&
	       a->bytes[9] == 0 && a->bytes[10] == 0x5e && a->bytes[11] == 0xfe;
}

const struct special *special_find(const struct relay_address *a)
{
	static const uint8_t nat64[16] = { 0, 0x64, 0xff, 0x9b };
	struct relay_address inner = { .family = AF_INET };

	if (address_is_in(a, AF_INET6, nat64, 96)) {
		memcpy(inner.bytes, a->bytes + 12, 4);
		return special_find(&inner) != NULL ? &translated : NULL;
	}
	for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
		if (address_is_in(a, ranges[i].family, ranges[i].prefix,
				  ranges[i].bits))
			return &ranges[i];
	return is_isatap(a) ? &isatap : NULL;
}
