/* relay_rule.c -- which names, addresses and ports a rule matches. */
#include "relay/rule.h"

#include <arpa/inet.h>

#include "relay/address.h"
#include "relay/special.h"
#include "tap.h"

static struct policy policy;

static struct relay_address address(const char *text)
{
	struct relay_address a = { .family = AF_INET };

	if (strchr(text, ':') != NULL)
		a.family = AF_INET6;
	if (inet_pton(a.family, text, a.bytes) != 1)
		fprintf(stderr, "# no address: %s\n", text);
	return a;
}

static void rule_name(const char *name, uint16_t low, uint16_t high)
{
	struct relay_rule *r = &policy.rules[policy.rules_len++];

	*r = (struct relay_rule){ .kind = RELAY_RULE_NAME,
				  .low = low,
				  .high = high };
	if (name[0] == '*') {
		r->kind = RELAY_RULE_SUFFIX;
		name += 2;
	}
	memcpy(r->name, name, strlen(name));
}

static void rule_cidr(const char *text, uint16_t bits, uint16_t port)
{
	struct relay_address a = address(text);
	struct relay_rule *r = &policy.rules[policy.rules_len++];

	*r = (struct relay_rule){ .kind = a.family == AF_INET
						  ? RELAY_RULE_CIDR4
						  : RELAY_RULE_CIDR6,
				  .bits = bits,
				  .low = port,
				  .high = port };
	memcpy(r->address, a.bytes, sizeof a.bytes);
}

static void names_are_whole_labels(void)
{
	static const struct {
		const char *name;
		uint16_t port;
		bool is_allowed;
	} rows[] = {
		{ "registry.test", 443, true },
		{ "registry.test", 444, false },
		{ "registry.test", 0, true },
		{ "xregistry.test", 443, false },
		{ "a.registry.test", 443, false },
		{ "test", 443, false },
		{ "registry.tes", 443, false },
		{ "", 443, false },
		{ "deb.debian.test", 80, true },
		{ "a.b.c.debian.test", 80, true },
		{ "deb.debian.test", 81, false },
		{ "debian.test", 80, false },
		{ ".debian.test", 80, false },
		{ "xdebian.test", 80, false },
		{ "debian.test.evil.test", 80, false },
		{ "ports.test", 999, false },
		{ "ports.test", 1000, true },
		{ "ports.test", 1999, true },
		{ "ports.test", 2000, false },
		{ "xn--bcher-kva.test", 443, true },
		{ "b\303\274cher.test", 443, false },
		{ "bcher-kva.test", 443, false },
	};

	memset(&policy, 0, sizeof policy);
	rule_name("registry.test", 443, 443);
	rule_name("*.debian.test", 80, 80);
	rule_name("ports.test", 1000, 1999);
	rule_name("xn--bcher-kva.test", 443, 443);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		bool is = rule_find_name(&policy, rows[i].name, rows[i].port) !=
			  NULL;

		if (is != rows[i].is_allowed)
			fprintf(stderr, "# %s:%u\n", rows[i].name,
				(unsigned)rows[i].port);
		ok_int(is, rows[i].is_allowed);
	}
	ok(rule_has_wildcard(&policy, "x.debian.test"));
	ok(!rule_has_wildcard(&policy, "registry.test"));
	ok(!rule_has_wildcard(&policy, "debian.test"));
}

static void raw_and_exact_go_first(void)
{
	memset(&policy, 0, sizeof policy);
	rule_name("*.a.test", 443, 443);
	rule_name("x.a.test", 443, 443);
	ok_int(rule_find_name(&policy, "x.a.test", 443)->kind, RELAY_RULE_NAME);
	rule_name("*.a.test", 1, 65535);
	policy.rules[2].is_raw = 1;
	ok_int(rule_find_name(&policy, "x.a.test", 443)->is_raw, 1);
	ok_int(rule_find_name(&policy, "y.a.test", 443)->is_raw, 1);
}

static void a_host_has_labels_and_is_no_number(void)
{
	static const char *const good[] = {
		"a", "a.b", "a-b.c_d.test", "1.test", "xn--a.x1", "0x7f.1a"
	};
	static const char *const bad[] = { "",           ".",        "a.",
					   ".a",         "a..b",     "A.test",
					   "a b",        "a/b",      "127.1",
					   "2130706433", "1.2.3.4",  "a.test.9",
					   "a\n",        "a\303\274" };
	char text[300];

	for (size_t i = 0; i < sizeof good / sizeof *good; i++)
		ok(name_is_host(good[i]));
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
		ok(!name_is_host(bad[i]));
	memset(text, 'a', sizeof text);
	text[63] = '\0';
	ok(name_is_host(text));
	text[63] = 'a';
	text[64] = '\0';
	ok(!name_is_host(text));
	memset(text, 'a', sizeof text);
	for (size_t i = 63; i < sizeof text; i += 64)
		text[i] = '.';
	text[253] = '\0';
	ok(name_is_host(text));
	text[253] = 'a';
	text[254] = '\0';
	ok(!name_is_host(text));
}

/* The first and the last address of each range, and the addresses next to
 * it. */
static const struct {
	const char *inside, *last, *before, *after;
} edges[] = {
	{ "0.0.0.0", "0.255.255.255", NULL, "1.0.0.0" },
	{ "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0" },
	{ "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0" },
	{ "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0" },
	{ "168.63.129.16", "168.63.129.16", "168.63.129.15", "168.63.129.17" },
	{ "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0" },
	{ "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0" },
	{ "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0" },
	{ "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0" },
	{ "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0" },
	{ "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0" },
	{ "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0" },
	{ "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0" },
	{ "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0" },
	{ "224.0.0.0", "255.255.255.255", "223.255.255.255", NULL },
	{ "::", "1fff:ffff::", NULL, "2000::" },
	{ "2001::", "2001:1ff:ffff::", "2000:ffff::", "2001:200::" },
	{ "2001:db8::", "2001:db8:ffff::", "2001:db7:ffff::", "2001:db9::" },
	{ "2002::", "2002:ffff::", "2001:ffff::", "2003::" },
	{ "3fff::", "3fff:fff:ffff::", "3ffe:ffff::", "3fff:1000::" },
	{ "4000::", "ffff:ffff::", "3fff:ffff::", NULL },
	{ "64:ff9b::7f00:1", "64:ff9b::a00:1", NULL, "64:ff9b::101:101" },
	{ "64:ff9b:1::", "64:ff9b:1:ffff::", NULL, NULL },
	{ "::ffff:1.1.1.1", "::1.1.1.1", NULL, NULL },
	{ "2a00::5efe:1.1.1.1", "2a00::200:5efe:1.1.1.1", NULL,
	  "2a00::1:5efe:1.1.1.1" },
	{ "fe80::1", "fec0::1", NULL, NULL },
	{ "fc00::1", "fdff::1", NULL, NULL },
	{ "ff02::1", "::1", NULL, NULL },
};

static void special_ranges_have_edges(void)
{
	for (size_t i = 0; i < sizeof edges / sizeof *edges; i++) {
		const char *text[4] = { edges[i].inside, edges[i].last,
					edges[i].before, edges[i].after };

		for (size_t j = 0; j < 4; j++) {
			struct relay_address a;

			if (text[j] == NULL)
				continue;
			a = address(text[j]);
			if ((special_find(&a) != NULL) != (j < 2))
				fprintf(stderr, "# %s\n", text[j]);
			ok_int(special_find(&a) != NULL, j < 2);
		}
	}
}

static void special_ranges_say_who_says_so(void)
{
	struct relay_address a = address("169.254.169.254");

	ok_has(special_find(&a)->name, "metadata");
	a = address("10.1.2.3");
	ok_has(special_find(&a)->source, "RFC 1918");
}

static int judge(const char *text, uint16_t port, bool is_own)
{
	struct relay_address a = address(text);

	return (int)rule_judge_address(&policy, &a, port, is_own);
}

static int literal(const char *text, uint16_t port)
{
	struct relay_address a = address(text);

	return (int)rule_judge_literal(&policy, &a, port, false);
}

static void a_range_is_reached_by_a_rule_that_lies_in_it(void)
{
	memset(&policy, 0, sizeof policy);
	rule_cidr("0.0.0.0", 0, 443);
	rule_cidr("10.2.0.0", 16, 443);
	rule_cidr("169.254.0.0", 16, 443);
	rule_cidr("::", 0, 443);
	rule_cidr("fd00:1::", 32, 443);
	ok_int(judge("93.184.216.34", 80, false), RELAY_ALLOWED);
	ok_int(judge("10.2.3.4", 443, false), RELAY_ALLOWED);
	ok_int(judge("10.2.3.4", 80, false), RELAY_ADDRESS_RANGE);
	ok_int(judge("10.3.3.4", 443, false), RELAY_ADDRESS_RANGE);
	ok_int(judge("127.0.0.1", 443, false), RELAY_ADDRESS_RANGE);
	ok_int(judge("169.254.1.1", 443, false), RELAY_ALLOWED);
	ok_int(judge("169.254.169.254", 443, false), RELAY_ADDRESS_RANGE);
	ok_int(judge("fd00:1::1", 443, false), RELAY_ALLOWED);
	ok_int(judge("fd00:2::1", 443, false), RELAY_ADDRESS_RANGE);
	ok_int(judge("::1", 443, false), RELAY_ADDRESS_RANGE);
	ok_int(judge("64:ff9b::a02:304", 443, false), RELAY_ADDRESS_RANGE);
}

static void the_host_itself_is_reached_by_its_whole_address(void)
{
	memset(&policy, 0, sizeof policy);
	policy.own[policy.own_len++] = address("93.184.216.34");
	rule_cidr("93.184.216.0", 24, 443);
	rule_cidr("10.2.0.0", 16, 443);
	ok_int(judge("93.184.216.34", 443, false), RELAY_ADDRESS_RANGE);
	ok_int(judge("93.184.216.35", 443, false), RELAY_ALLOWED);
	ok_int(judge("93.184.216.35", 443, true), RELAY_ADDRESS_RANGE);
	ok_int(judge("10.2.3.4", 443, true), RELAY_ADDRESS_RANGE);
	rule_cidr("93.184.216.34", 32, 443);
	rule_cidr("10.2.3.4", 32, 443);
	ok_int(judge("93.184.216.34", 443, true), RELAY_ALLOWED);
	ok_int(judge("10.2.3.4", 443, true), RELAY_ALLOWED);
}

static void literals_want_an_address_rule(void)
{
	memset(&policy, 0, sizeof policy);
	rule_name("a.test", 443, 443);
	ok_int(literal("93.184.216.34", 443), RELAY_NO_RULE);
	rule_cidr("93.184.0.0", 16, 443);
	ok_int(literal("93.184.216.34", 443), RELAY_ALLOWED);
	ok_int(literal("93.184.216.34", 80), RELAY_NO_RULE);
	ok_int(literal("93.185.0.1", 443), RELAY_NO_RULE);
	policy.config.is_audit = 1;
	ok_int(literal("93.185.0.1", 443), RELAY_ALLOWED);
	ok_int(literal("10.0.0.1", 443), RELAY_ADDRESS_RANGE);
	ok(rule_has_wildcard(&policy, "whatever.test"));
}

static void a_mapped_address_is_an_ipv4_address(void)
{
	struct relay_address a = address("::ffff:127.0.0.1"), b;

	address_unmap(&a);
	b = address("127.0.0.1");
	ok(address_is_same(&a, &b));
	a = address("::fffe:127.0.0.1");
	address_unmap(&a);
	ok_int(a.family, AF_INET6);
	ok(!address_is_in(&b, AF_INET6, b.bytes, 8));
	ok(!address_is_in(&b, AF_INET, b.bytes, 33));
	ok(address_is_in(&b, AF_INET, (const uint8_t[16]){ 126 }, 7));
	ok(!address_is_in(&b, AF_INET, (const uint8_t[16]){ 126 }, 8));
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(names_are_whole_labels), CASE(raw_and_exact_go_first),
		CASE(a_host_has_labels_and_is_no_number),
		CASE(special_ranges_have_edges),
		CASE(special_ranges_say_who_says_so),
		CASE(a_range_is_reached_by_a_rule_that_lies_in_it),
		CASE(the_host_itself_is_reached_by_its_whole_address),
		CASE(literals_want_an_address_rule),
		CASE(a_mapped_address_is_an_ipv4_address), TAP_END });
}
