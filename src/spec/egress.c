/* egress.c -- see egress.h. */
#include "spec/egress.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "spec/spec.h"

#define LABEL_MAX 63 /* RFC 1035, 2.3.4 */
#define PORT_MAX  65535
#define PORT_TLS  443

static bool is_letter_or_digit(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool is_digits(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (text[i] < '0' || text[i] > '9')
			return false;
	return n > 0;
}

/* --- names ------------------------------------------------------------------ */

static const char *label_check(const char *label, size_t n)
{
	if (n == 0)
		return "has an empty label; write the name without two dots in "
		       "a row and without a dot at its end";
	if (n > LABEL_MAX)
		return "has a label longer than 63 bytes";
	if (label[0] == '-' || label[n - 1] == '-')
		return "has a label that begins or ends with '-'";
	for (size_t i = 0; i < n; i++) {
		if ((unsigned char)label[i] >= 0x80)
			return "is not ASCII; write an international name in "
			       "its xn-- form";
		if (label[i] == '*')
			return "has a '*' inside; only *.DOMAIN is allowed";
		if (!is_letter_or_digit(label[i]) && label[i] != '-' &&
		    label[i] != '_')
			return "is not a host's name: it may contain letters, "
			       "digits, '-', '_' and dots";
	}
	return NULL;
}

const char *egress_name_read(const char *text, size_t n,
			     char ret[EGRESS_NAME_SIZE])
{
	char name[EGRESS_NAME_SIZE] = "";
	size_t at = 0, labels = 0, last = 0;

	if (n > EGRESS_NAME_MAX)
		return "is longer than the 253 bytes that a name can have";
	for (size_t i = 0; i < n; i++)
		name[i] = small(text[i]);
	for (; at <= n; labels++) {
		const char *dot = memchr(name + at, '.', n - at);
		size_t len = dot != NULL ? (size_t)(dot - name) - at : n - at;
		const char *why = label_check(name + at, len);

		if (why != NULL)
			return why;
		last = at;
		at += len + 1;
	}
	if (is_digits(name + last, n - last) ||
	    (name[last] == '0' && name[last + 1] == 'x'))
		return "is neither a host's name nor an address in its usual "
		       "form, such as 192.0.2.7/32";
	if (labels < 2)
		return "is a name of one label; write the whole name, such as "
		       "host.example";
	memcpy(ret, name, sizeof name);
	return NULL;
}

static const char *suffix_read(const char *host, size_t n,
			       struct egress_rule *rule)
{
	if (n == 1)
		return "would match every host; name the hosts, or find them "
		       "with --egress-audit";
	if (host[1] != '.')
		return "has a '*' inside; only *.DOMAIN is allowed";
	rule->kind = EGRESS_SUFFIX;
	return egress_name_read(host + 2, n - 2, rule->name);
}

/* --- addresses -------------------------------------------------------------- */

static bool has_host_bits(const struct egress_rule *rule, unsigned size)
{
	for (unsigned bit = rule->bits; bit < size; bit++)
		if (rule->address[bit / 8] & 0x80 >> bit % 8)
			return true;
	return false;
}

static bool bits_read(const char *text, size_t n, unsigned size, uint8_t *ret)
{
	unsigned value = 0;

	if (!is_digits(text, n) || n > 3 || (n > 1 && text[0] == '0'))
		return false;
	for (size_t i = 0; i < n; i++)
		value = value * 10 + (unsigned)(text[i] - '0');
	if (value > size)
		return false;
	*ret = (uint8_t)value;
	return true;
}

/* ::ffff:0:0/96, RFC 4291, 2.5.5.2: another spelling of an IPv4 address. */
static bool is_mapped(const uint8_t address[16])
{
	static const uint8_t prefix[12] = { [10] = 0xff, [11] = 0xff };

	return memcmp(address, prefix, sizeof prefix) == 0;
}

/* host[0..n-1] is the address and bits[0..bits_len-1] what follows the '/'.  If
 * bits is NULL, the rule is for that one address. */
static const char *cidr_read(const char *host, size_t n, const char *bits,
			     size_t bits_len, struct egress_rule *rule)
{
	bool is_six = memchr(host, ':', n) != NULL;
	unsigned size = is_six ? 128 : 32;
	char text[INET6_ADDRSTRLEN] = "";

	if (n >= sizeof text)
		return "is not an address";
	memcpy(text, host, n);
	if (inet_pton(is_six ? AF_INET6 : AF_INET, text, rule->address) != 1)
		return is_six ? "is not an IPv6 address"
			      : "is not an IPv4 address: expected four numbers "
				"of 0..255 without leading zeros";
	rule->kind = is_six ? EGRESS_CIDR6 : EGRESS_CIDR4;
	rule->bits = (uint8_t)size;
	if (bits != NULL && !bits_read(bits, bits_len, size, &rule->bits))
		return is_six ? "needs BITS of 1..128 after the '/'"
			      : "needs BITS of 1..32 after the '/'";
	if (rule->bits == 0)
		return "would match every address; give a prefix of 1 bit or "
		       "more";
	if (is_six && is_mapped(rule->address))
		return "is an IPv4 address in IPv6 form; write it in IPv4 form";
	if (has_host_bits(rule, size))
		return "has bits set after its prefix; set them to 0";
	return NULL;
}

/* --- ports ------------------------------------------------------------------ */

static bool port_read(const char *text, size_t n, uint16_t *ret)
{
	unsigned value = 0;

	if (!is_digits(text, n) || n > 5 || text[0] == '0')
		return false;
	for (size_t i = 0; i < n; i++)
		value = value * 10 + (unsigned)(text[i] - '0');
	if (value > PORT_MAX)
		return false;
	*ret = (uint16_t)value;
	return true;
}

static const char *ports_read(const char *text, size_t n,
			      struct egress_rule *rule)
{
	const char *dash = memchr(text, '-', n);
	size_t len = dash != NULL ? (size_t)(dash - text) : n;

	rule->low = 1;
	rule->high = PORT_MAX;
	if (n == 1 && text[0] == '*')
		return NULL;
	if (!port_read(text, len, &rule->low) ||
	    (dash != NULL && !port_read(dash + 1, n - len - 1, &rule->high)))
		return "needs a PORT that is a number of 1..65535, LOW-HIGH or "
		       "*";
	if (dash == NULL)
		rule->high = rule->low;
	return rule->low <= rule->high
		       ? NULL
		       : "has a LOW port that is greater than its HIGH";
}

static const char *raw_read(struct egress_rule *rule)
{
	if (rule->kind != EGRESS_NAME && rule->kind != EGRESS_SUFFIX)
		return "does not need /raw: under an address rule no "
		       "ClientHello is checked";
	if (rule->low != PORT_TLS || rule->high != PORT_TLS)
		return "does not need /raw: only on port 443 is a ClientHello "
		       "checked";
	rule->raw = true;
	return NULL;
}

/* --- a rule ----------------------------------------------------------------- */

/* Read the host before the colon; *ret_n is its length in text. */
static const char *host_read(const char *text, struct egress_rule *rule,
			     size_t *ret_n)
{
	const char *close = text[0] == '[' ? strchr(text, ']') : NULL;
	size_t end = close != NULL ? (size_t)(close - text) + 1 : 0;
	size_t n = end + strcspn(text + end, ":");
	const char *slash = memchr(text + end, '/', n - end);
	size_t len = slash != NULL ? (size_t)(slash - text) : n;

	*ret_n = n;
	if (text[0] == '[' && (close == NULL || len != end))
		return "needs an IPv6 address in [brackets], with /BITS after "
		       "them";
	if (close != NULL && memchr(text, ':', end) == NULL)
		return "has no IPv6 address in its [brackets]";
	if (close != NULL)
		return cidr_read(text + 1, end - 2,
				 slash != NULL ? slash + 1 : NULL,
				 slash != NULL ? n - len - 1 : 0, rule);
	if (strchr(text + n + (text[n] == ':'), ':') != NULL)
		return "has several ':'; write an IPv6 address in [brackets]";
	if (slash != NULL)
		return cidr_read(text, len, slash + 1, n - len - 1, rule);
	if (strspn(text, "0123456789.") == n && n > 0)
		return cidr_read(text, n, NULL, 0, rule);
	if (text[0] == '*')
		return suffix_read(text, n, rule);
	rule->kind = EGRESS_NAME;
	return egress_name_read(text, n, rule->name);
}

const char *egress_rule_read(const char *text, struct egress_rule *ret)
{
	struct egress_rule rule = { 0 };
	const char *why, *slash;
	size_t n = 0, len;

	if (strchr(text, ':') == NULL)
		return "has no port; expected HOST:PORT, *.DOMAIN:PORT or "
		       "ADDRESS/BITS:PORT";
	if (strstr(text, "://") != NULL)
		return "is a URL; write the host and the port, such as "
		       "host.example:443";
	why = host_read(text, &rule, &n);
	if (why != NULL)
		return why;
	if (text[n] != ':')
		return "has no port; write it after a ':'";
	text += n + 1;
	slash = strchr(text, '/');
	len = slash != NULL ? (size_t)(slash - text) : strlen(text);
	why = ports_read(text, len, &rule);
	if (why == NULL && slash != NULL)
		why = strcmp(slash, "/raw") == 0
			      ? raw_read(&rule)
			      : "may end only in /raw after the port";
	if (why == NULL)
		*ret = rule;
	return why;
}

static void address_write(const struct egress_rule *rule, struct buf *out)
{
	bool is_six = rule->kind == EGRESS_CIDR6;
	char text[INET6_ADDRSTRLEN] = "";

	(void)inet_ntop(is_six ? AF_INET6 : AF_INET, rule->address, text,
			sizeof text);
	buf_format(out, "%s%s%s/%u", is_six ? "[" : "", text, is_six ? "]" : "",
		   rule->bits);
}

void egress_rule_write(const struct egress_rule *rule, struct buf *out)
{
	if (rule->kind == EGRESS_CIDR4 || rule->kind == EGRESS_CIDR6)
		address_write(rule, out);
	else
		buf_format(out, "%s%s", rule->kind == EGRESS_SUFFIX ? "*." : "",
			   rule->name);
	if (rule->low == 1 && rule->high == PORT_MAX)
		buf_text(out, ":*");
	else if (rule->low == rule->high)
		buf_format(out, ":%u", rule->low);
	else
		buf_format(out, ":%u-%u", rule->low, rule->high);
	if (rule->raw)
		buf_text(out, "/raw");
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static const char *text_make(struct arena *arena,
			     const struct egress_rule *rule)
{
	owned_buf struct buf text = { 0 };

	egress_rule_write(rule, &text);
	return buf_has_failed(&text) ? NULL
				     : arena_copy(arena, text.bytes, text.len);
}

const char **egress_texts(struct arena *arena, const struct spec_list *list,
			  size_t *ret_len)
{
	const char **texts = arena_array(arena, list->len + 1, sizeof *texts);
	struct egress_rule rule;
	size_t n = 0, kept = 0;

	for (size_t i = 0; texts != NULL && i < list->len; i++) {
		if (egress_rule_read(list->items[i], &rule) != NULL)
			continue;
		texts[n] = text_make(arena, &rule);
		if (texts[n++] == NULL)
			return NULL;
	}
	if (texts == NULL)
		return NULL;
	qsort(texts, n, sizeof *texts, compare_texts);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || strcmp(texts[i], texts[i - 1]) != 0)
			texts[kept++] = texts[i];
	*ret_len = kept;
	return texts;
}
