/* name.h -- the names of a run, and where each leads.  Pure. */
#ifndef CUPEL_RELAY_NAME_H
#define CUPEL_RELAY_NAME_H

#include <stdbool.h>
#include <stddef.h>

#include "relay/dns.h"
#include "relay/rule.h"

enum name_state {
	NAME_UNKNOWN, /* not asked for yet */
	NAME_ASKED,
	NAME_KNOWN,  /* has addresses */
	NAME_NONE,   /* there is no such name, or it has no address */
	NAME_FAILED, /* nobody could say */
};

struct name {
	uint8_t state;
	uint8_t unsent, asked; /* bits of the open questions, see resolver.c */
	bool is_answered;      /* a name server answered */
	uint32_t ttl_s;        /* of what is known so far */
	uint64_t ends_ns;      /* expiry of the answer, or of the question */
	size_t len;
	struct relay_address addresses[DNS_ADDRESSES_MAX];
	char text[RELAY_NAME_BYTES];
};

/* By their numbers, 1..len; 0 is none. */
struct names {
	size_t len;
	struct name items[RELAY_NAMES_MAX + 1];
};

/* names_init -- the names of rules, under the numbers that they have there. */
void names_init(struct names *n, const struct policy *p);

/* names_find -- its number, or 0. */
uint16_t names_find(const struct names *n, const char *text);

/* names_add -- a new name; its number, or 0 when there are too many. */
uint16_t names_add(struct names *n, const char *text);

/* names_take -- remove the name that was added last. */
void names_take(struct names *n);

/* names_find_address -- the number of the name that has this inside address, or
 * 0.  Returns -1 for an address that is none of ours, 198.18.0.0/15. */
int names_find_address(const struct names *n, const struct relay_address *a);

/* name_address -- the inside address of name n. */
struct relay_address name_address(uint16_t n);

#endif
