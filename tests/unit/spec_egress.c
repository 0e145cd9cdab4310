/* spec_egress.c -- rules of --egress: what is read, what is refused and why. */
#include "tap.h"

#include <errno.h>

#include "base/buf.h"
#include "base/error.h"
#include "spec/egress.h"
#include "spec/spec.h"

static struct cupel_error err;

static void reads_every_form_into_one(void)
{
	static const struct {
		const char *text, *want;
	} rows[] = {
		{ "registry.npmjs.org:443", "registry.npmjs.org:443" },
		{ "Registry.NPMJS.org:443", "registry.npmjs.org:443" },
		{ "a_b.example:1", "a_b.example:1" },
		{ "xn--bcher-kva.example:80", "xn--bcher-kva.example:80" },
		{ "*.Debian.ORG:80-81", "*.debian.org:80-81" },
		{ "*.a.b.example:443/raw", "*.a.b.example:443/raw" },
		{ "a.example:443/raw", "a.example:443/raw" },
		{ "a.example:*", "a.example:*" },
		{ "a.example:1-65535", "a.example:*" },
		{ "a.example:7-7", "a.example:7" },
		{ "203.0.113.0/24:5432", "203.0.113.0/24:5432" },
		{ "192.0.2.7:22", "192.0.2.7/32:22" },
		{ "192.0.2.7/32:*", "192.0.2.7/32:*" },
		{ "[2001:DB8::]/32:443", "[2001:db8::]/32:443" },
		{ "[2001:db8::1]:443", "[2001:db8::1]/128:443" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct buf out = { 0 };
		struct egress_rule rule;
		const char *why = egress_rule_read(rows[i].text, &rule);

		ok(why == NULL);
		if (why != NULL)
			fprintf(stderr, "# %s %s\n", rows[i].text, why);
		egress_rule_write(&rule, &out);
		ok_has(out.bytes, rows[i].want);
		ok_int((intmax_t)out.len, (intmax_t)strlen(rows[i].want));
		buf_done(&out);
	}
}

static const struct {
	const char *text, *want;
} bad[] = {
	{ "registry.npmjs.org", "has no port" },
	{ "https://a.example:443", "is a URL" },
	{ "a.example:", "needs a PORT" },
	{ "a.example:0", "needs a PORT" },
	{ "a.example:65536", "needs a PORT" },
	{ "a.example:080", "needs a PORT" },
	{ "a.example:+80", "needs a PORT" },
	{ "a.example: 80", "needs a PORT" },
	{ "a.example:80-", "needs a PORT" },
	{ "a.example:-80", "needs a PORT" },
	{ "a.example:80,81", "needs a PORT" },
	{ "a.example:99-1", "LOW port that is greater than its HIGH" },
	{ "a.example:https", "needs a PORT" },
	{ "a.example:443/rw", "only in /raw" },
	{ "a.example:443/raw/", "only in /raw" },
	{ "a.example:80/raw", "only on port 443" },
	{ "a.example:*/raw", "only on port 443" },
	{ "203.0.113.0/24:443/raw", "address rule" },
	{ ":443", "empty label" },
	{ "localhost:80", "one label" },
	{ "*:443", "every host" },
	{ "*.com:443", "one label" },
	{ "*.:443", "empty label" },
	{ "*a.example:443", "only *.DOMAIN" },
	{ "a.*.example:443", "only *.DOMAIN" },
	{ "a.example.:443", "dot at its end" },
	{ "a..example:443", "two dots" },
	{ ".a.example:443", "empty label" },
	{ "-a.example:443", "begins or ends with '-'" },
	{ "a-.example:443", "begins or ends with '-'" },
	{ "b\xc3\xbc"
	  "cher.example:443",
	  "xn-- form" },
	{ "a b.example:443", "not a host's name" },
	{ "user@a.example:443", "not a host's name" },
	{ "a.example/x:443", "is not an IPv4 address" },
	{ "256.0.0.1:80", "is not an IPv4 address" },
	{ "192.0.2.01/32:80", "is not an IPv4 address" },
	{ "192.2:80", "is not an IPv4 address" },
	{ "2130706433.x.1:80", "usual form" },
	{ "a.0x7f:80", "usual form" },
	{ "0x7f.0x1:80", "usual form" },
	{ "203.0.113.0/33:80", "1..32" },
	{ "203.0.113.0/:80", "1..32" },
	{ "203.0.113.0/08:80", "1..32" },
	{ "0.0.0.0/0:443", "every address" },
	{ "[::]/0:443", "every address" },
	{ "203.0.113.1/24:80", "bits set after its prefix" },
	{ "[2001:db8::1]/32:80", "bits set after its prefix" },
	{ "[::ffff:192.0.2.1]:80", "IPv4 address" },
	{ "2001:db8::1:80", "several ':'" },
	{ "[2001:db8::1]", "has no port" },
	{ "[2001:db8::1", "needs an IPv6 address in [brackets]" },
	{ "[2001:db8::1]x:80", "needs an IPv6 address in [brackets]" },
	{ "[192.0.2.1]:80", "no IPv6 address in its" },
	{ "[fe80::1%eth0]:80", "is not an IPv6 address" },
	{ "[]:80", "no IPv6 address in its" },
};

static void refuses_with_what_was_expected(void)
{
	struct egress_rule rule = { .kind = EGRESS_KIND_MAX_ };

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		const char *why = egress_rule_read(bad[i].text, &rule);

		if (why == NULL)
			fprintf(stderr, "# %s was taken\n", bad[i].text);
		ok_has(why != NULL ? why : "", bad[i].want);
	}
	ok_int(rule.kind, EGRESS_KIND_MAX_);
}

static void names_have_their_lengths(void)
{
	char text[400], label[65];
	struct egress_rule rule;

	memset(label, 'a', sizeof label - 1);
	label[64] = '\0';
	(void)snprintf(text, sizeof text, "%.63s.example:1", label);
	ok(egress_rule_read(text, &rule) == NULL);
	(void)snprintf(text, sizeof text, "%.64s.example:1", label);
	ok_has(egress_rule_read(text, &rule), "63 bytes");
	(void)snprintf(text, sizeof text, "%.63s.%.63s.%.63s.%.61s:1", label,
		       label, label, label);
	ok(egress_rule_read(text, &rule) == NULL);
	ok_int((intmax_t)strlen(rule.name), 253);
	(void)snprintf(text, sizeof text, "%.63s.%.63s.%.63s.%.62s:1", label,
		       label, label, label);
	ok_has(egress_rule_read(text, &rule), "253 bytes");
}

/* Returns what spec_check says of a document. */
static int check(const char *json)
{
	struct spec s = { 0 };
	int r;

	err = (struct cupel_error){ 0 };
	ok_int(spec_init(&s, &err), 0);
	r = spec_read_json(&s, json, strlen(json), "F", &err);
	if (r == 0)
		r = spec_check(&s, &err);
	spec_done(&s);
	return r;
}

static void scoped_and_rules_need_each_other(void)
{
	ok_int(check("{\"network\":\"scoped\"}"), -EINVAL);
	ok_has(err.what, "--network: scoped needs the hosts");
	ok_int(check("{\"network\":\"scoped\",\"egress\":[]}"), -EINVAL);
	ok_int(check("{\"egress\":[\"a.example:1\"]}"), -EINVAL);
	ok_has(err.what, "--egress: needs --network scoped");
	ok_int(check("{\"network\":\"loopback\",\"egress_audit\":true}"),
	       -EINVAL);
	ok_has(err.what, "--egress-audit: needs --network scoped");
	ok_int(check("{\"network\":\"scoped\",\"egress_audit\":true}"), 0);
	ok_int(check("{\"network\":\"scoped\",\"egress\":[\"a.example:1\"]}"),
	       0);
	ok_int(check("{\"network\":\"scoped\",\"egress\":[\"a.example\"]}"),
	       -EINVAL);
	ok_has(err.what, "--egress: 'a.example' has no port");
	ok_int(check("{\"network\":\"scoped\","
		     "\"egress\":[\"a.example:53\"]}"),
	       -EINVAL);
	ok_has(err.what, "port 53");
	/* the rules of a profile may be unused, but may not be removed */
	ok_int(check("{\"profile\":\"npm-install\",\"network\":\"none\"}"), 0);
	ok_int(check("{\"profile\":\"npm-install\",\"egress\":[]}"), -EINVAL);
}

static void hold(const char *json, const char *options[], const char *want)
{
	struct buf out = { 0 };
	struct spec s = { 0 };

	ok_int(spec_init(&s, &err), 0);
	for (size_t i = 0; options != NULL && options[i] != NULL; i += 2)
		ok_int(spec_set(&s, options[i], options[i + 1], &err), 0);
	ok_int(spec_read_json(&s, json, strlen(json), "F", &err), 0);
	for (size_t i = 0; i < s.egress.len; i++)
		buf_format(&out, "%s ", s.egress.items[i]);
	ok_has(out.bytes != NULL ? out.bytes : "", want);
	ok_int((intmax_t)out.len, (intmax_t)strlen(want));
	buf_done(&out);
	spec_done(&s);
}

static void what_is_said_takes_the_place_of_a_profiles_rules(void)
{
	const char *option[] = { "egress", "o.example:1", NULL };
	const char *both[] = { "egress", "o.example:1", "profile",
			       "npm-install", NULL };

	hold("{\"profile\":\"npm-install\"}", NULL, "registry.npmjs.org:443 ");
	hold("{\"profile\":\"npm-install\",\"egress\":[\"s.example:1\"]}", NULL,
	     "s.example:1 ");
	hold("{\"egress\":[\"s.example:1\"],\"profile\":\"npm-install\"}", NULL,
	     "s.example:1 ");
	hold("{\"profile\":\"npm-install\"}", option, "o.example:1 ");
	hold("{}", both, "o.example:1 ");
	hold("{\"egress\":[\"s.example:1\"]}", option,
	     "s.example:1 o.example:1 ");
	hold("{\"profile\":\"npm-install\",\"egress\":[]}", NULL, "");
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(reads_every_form_into_one),
		CASE(refuses_with_what_was_expected),
		CASE(names_have_their_lengths),
		CASE(scoped_and_rules_need_each_other),
		CASE(what_is_said_takes_the_place_of_a_profiles_rules),
		TAP_END,
	});
}
