/* egress_check.c -- whether the rules and the network fit together. */
#include <errno.h>

#include "spec/egress.h"
#include "spec/put.h"

#define PORT_DNS 53

static int check_rule(const char *text, struct cupel_error *err)
{
	struct egress_rule rule;
	const char *why = egress_rule_read(text, &rule);

	if (why == NULL && rule.low == PORT_DNS && rule.high == PORT_DNS)
		why = "names port 53 (DNS): cupel resolves names itself, and "
		      "the vessel reaches no other DNS server";
	return why == NULL ? 0
			   : spec_refuse(err, EINVAL, "--egress: '%.200s' %s",
					 text, why);
}

/* A profile's rules may be unused, because the caller may choose --network
 * none. */
int egress_check(const struct spec *s, struct cupel_error *err)
{
	bool is_scoped = s->network == NETWORK_SCOPED;

	if (!is_scoped && (s->egress.len > s->egress.lowest || s->egress_audit))
		return spec_refuse(err, EINVAL, "%s: needs --network scoped",
				   s->egress_audit ? "--egress-audit"
						   : "--egress");
	if (is_scoped && s->egress.len == 0 && !s->egress_audit)
		return spec_refuse(err, EINVAL,
				   "--network: scoped needs the hosts that may "
				   "be reached: give --egress HOST:PORT, or "
				   "find them with --egress-audit");
	if (s->egress.len > EGRESS_RULES_MAX)
		return spec_refuse(
			err, E2BIG,
			"--egress: %zu rules, more than the %d allowed",
			s->egress.len, EGRESS_RULES_MAX);
	for (size_t i = 0; i < s->egress.len; i++) {
		int r = check_rule(s->egress.items[i], err);

		if (r < 0)
			return r;
	}
	return 0;
}
