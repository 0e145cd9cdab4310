/* egress.h -- reads a rule of --egress: which hosts and ports may be
 * reached. */
#ifndef CUPEL_SPEC_EGRESS_H
#define CUPEL_SPEC_EGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct arena;
struct buf;
struct cupel_error;
struct spec;
struct spec_list;

#define EGRESS_RULES_MAX 256
#define EGRESS_NAME_MAX  253 /* RFC 1035, 2.3.4, without the final dot */
#define EGRESS_NAME_SIZE (EGRESS_NAME_MAX + 1)

enum egress_kind {
	EGRESS_NAME,   /* that host and no other */
	EGRESS_SUFFIX, /* the hosts below a domain, never the domain itself */
	EGRESS_CIDR4,
	EGRESS_CIDR6,
	EGRESS_KIND_MAX_
};

struct egress_rule {
	enum egress_kind kind;
	bool raw;            /* port 443 without checking the ClientHello */
	uint8_t bits;        /* CIDR: length of the prefix */
	uint16_t low, high;  /* ports */
	uint8_t address[16]; /* CIDR: network order, the first 4 with CIDR4 */
	char name[EGRESS_NAME_SIZE]; /* in lower case; SUFFIX: the domain */
};

/* egress_rule_read -- read "HOST:PORT", "*.DOMAIN:PORT" or "ADDRESS/BITS:PORT"
 * (IPv6 in brackets).  PORT is a number, LOW-HIGH or "*"; "/raw" may follow a
 * port 443 of a host.
 *
 * Returns NULL, or what was expected, as the end of a sentence that begins with
 * the rule; *ret is then unchanged. */
const char *egress_rule_read(const char *text, struct egress_rule *ret);

/* egress_rule_write -- the rule as text; every spelling of a rule gives the
 * same text. */
void egress_rule_write(const struct egress_rule *rule, struct buf *out);

/* egress_texts -- the rules of a list, all of them readable, as
 * egress_rule_write writes them, sorted and each once.  They live in the arena.
 * Returns NULL when out of memory. */
const char **egress_texts(struct arena *arena, const struct spec_list *list,
			  size_t *ret_len);

/* egress_check -- check each rule, and that --network scoped has at least one;
 * part of spec_check. */
int egress_check(const struct spec *s, struct cupel_error *err);

/* egress_name_read -- read text[0..n-1] as the name of a host, in lower case.
 * It has at least two labels of letters, digits, '-' and '_'.
 * Returns NULL or what was expected, as above. */
const char *egress_name_read(const char *text, size_t n,
			     char ret[EGRESS_NAME_SIZE]);

#endif
