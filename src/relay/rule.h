/* rule.h -- the relay's policy and the decisions that follow from it.  Pure. */
#ifndef CUPEL_RELAY_RULE_H
#define CUPEL_RELAY_RULE_H

#include <stdbool.h>
#include <stddef.h>

#include "relay/protocol.h"

/* All that the supervisor sent before RELAY_CONFINE. */
struct policy {
	struct relay_config config;
	size_t rules_len, hosts_len, own_len;
	size_t names_len; /* numbers of rules' names are 1..names_len */
	struct relay_rule rules[RELAY_RULES_MAX];
	struct relay_host hosts[RELAY_HOSTS_MAX];
	struct relay_address own[RELAY_OWN_MAX];
};

/* Stands for any port. */
#define RULE_ANY_PORT 0

/* rule_has_name -- whether the rule is a name rule and matches this name, at
 * any port. */
bool rule_has_name(const struct relay_rule *r, const char *name);

/* rule_find_name -- a rule that allows the name at the port, or NULL.  Where
 * there are several, one that is raw is found before one that is not, an exact
 * one before one with a wildcard.
 *
 * @name	lower case, without a dot at the end */
const struct relay_rule *rule_find_name(const struct policy *p,
					const char *name, uint16_t port);

/* rule_has_wildcard -- whether the name matches a wildcard at any port, or
 * everything is allowed because the run is an audit. */
bool rule_has_wildcard(const struct policy *p, const char *name);

/* rule_judge_address -- whether an allowed name may lead there.
 *
 * @is_own	the kernel says that it is an address of this host
 * Returns RELAY_ALLOWED or RELAY_ADDRESS_RANGE. */
enum relay_verdict rule_judge_address(const struct policy *p,
				      const struct relay_address *a,
				      uint16_t port, bool is_own);

/* rule_judge_literal -- whether the address may be connected to as it is,
 * without a name: by an address rule alone.
 *
 * Returns RELAY_ALLOWED, RELAY_NO_RULE or RELAY_ADDRESS_RANGE. */
enum relay_verdict rule_judge_literal(const struct policy *p,
				      const struct relay_address *a,
				      uint16_t port, bool is_own);

/* name_is_host -- whether the text can be the name of a host: labels of 1 to 63
 * of a-z, 0-9, "-" and "_", 253 bytes in all.  The last label is not a number,
 * because addresses look like that (RFC 1123, section 2.1). */
bool name_is_host(const char *text);

#endif
