/* rule.c -- see rule.h. */
#include "relay/rule.h"

#include <string.h>
#include <sys/socket.h>

#include "relay/address.h"
#include "relay/special.h"

static bool has_port(const struct relay_rule *r, uint16_t port)
{
	return port == RULE_ANY_PORT || (port >= r->low && port <= r->high);
}

bool rule_has_name(const struct relay_rule *r, const char *name)
{
	size_t len = strlen(name), end = strlen(r->name);

	switch (r->kind) {
	case RELAY_RULE_NAME:
		return strcmp(r->name, name) == 0;
	case RELAY_RULE_SUFFIX: /* "*.": a label, a dot, and the domain */
		return len > end + 1 && name[len - end - 1] == '.' &&
		       strcmp(name + len - end, r->name) == 0;
	default:
		return false;
	}
}

const struct relay_rule *rule_find_name(const struct policy *p,
					const char *name, uint16_t port)
{
	const struct relay_rule *best = NULL;

	for (size_t i = 0; i < p->rules_len; i++) {
		const struct relay_rule *r = &p->rules[i];

		if (!has_port(r, port) || !rule_has_name(r, name))
			continue;
		if (best == NULL || r->is_raw > best->is_raw ||
		    (r->is_raw == best->is_raw && r->kind < best->kind))
			best = r;
	}
	return best;
}

bool rule_has_wildcard(const struct policy *p, const char *name)
{
	for (size_t i = 0; i < p->rules_len; i++)
		if (p->rules[i].kind == RELAY_RULE_SUFFIX &&
		    rule_has_name(&p->rules[i], name))
			return true;
	return p->config.is_audit != 0;
}

/* The narrowest address rule for it, or NULL. */
static const struct relay_rule *address_find(const struct policy *p,
					     const struct relay_address *a,
					     uint16_t port)
{
	static const uint16_t family[RELAY_RULE_MAX_] = {
		[RELAY_RULE_CIDR4] = AF_INET,
		[RELAY_RULE_CIDR6] = AF_INET6,
	};
	const struct relay_rule *best = NULL;

	for (size_t i = 0; i < p->rules_len; i++) {
		const struct relay_rule *r = &p->rules[i];

		if (r->kind < RELAY_RULE_MAX_ && family[r->kind] != 0 &&
		    has_port(r, port) &&
		    address_is_in(a, family[r->kind], r->address, r->bits) &&
		    (best == NULL || r->bits > best->bits))
			best = r;
	}
	return best;
}

static bool is_listed(const struct policy *p, const struct relay_address *a)
{
	for (size_t i = 0; i < p->own_len; i++)
		if (address_is_same(a, &p->own[i]))
			return true;
	return false;
}

/* How many bits a rule must have to allow the address: all for one of this
 * host, those of its special range, or 0 for a public one. */
static unsigned bits_wanted(const struct policy *p,
			    const struct relay_address *a, bool is_own)
{
	const struct special *s = special_find(a);

	if (is_own || is_listed(p, a))
		return address_bits(a->family);
	return s != NULL ? s->bits : 0;
}

enum relay_verdict rule_judge_address(const struct policy *p,
				      const struct relay_address *a,
				      uint16_t port, bool is_own)
{
	const struct relay_rule *r = address_find(p, a, port);
	unsigned wanted = bits_wanted(p, a, is_own);

	if (wanted == 0 || (r != NULL && r->bits >= wanted))
		return RELAY_ALLOWED;
	return RELAY_ADDRESS_RANGE;
}

enum relay_verdict rule_judge_literal(const struct policy *p,
				      const struct relay_address *a,
				      uint16_t port, bool is_own)
{
	if (!p->config.is_audit && address_find(p, a, port) == NULL)
		return RELAY_NO_RULE;
	return rule_judge_address(p, a, port, is_own);
}

static bool is_label_byte(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
	       c == '_';
}

bool name_is_host(const char *text)
{
	size_t label = 0, digits = 0, len = 0;

	for (; text[len] != '\0'; len++) {
		char c = text[len];

		if (len == RELAY_NAME_BYTES - 1)
			return false;
		if (c == '.' ? label == 0 : !is_label_byte(c) || label == 63)
			return false;
		label = c == '.' ? 0 : label + 1;
		digits = c == '.' ? 0 : digits + (c >= '0' && c <= '9');
	}
	return label > 0 && digits < label;
}
