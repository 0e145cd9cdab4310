/* dns_answer.c -- writes questions to name servers and reads their answers.
 * See dns.h. */
#include <errno.h>
#include <string.h>
#include <sys/socket.h>

#include "relay/dns.h"
#include "relay/dns_wire.h"
#include "relay/rule.h"

#define WIRE_NAME_BYTES 255 /* RFC 1035, section 2.3.4 */
#define ALIASES_MAX     16  /* in one name; more is a loop, or costs as much */
#define RECORDS_MAX     512 /* that are read of one answer */

/* A name in wire format, not compressed, in lower case. */
struct wire_name {
	size_t len;
	uint8_t bytes[WIRE_NAME_BYTES];
};

struct record {
	struct wire_name owner;
	uint16_t type, class, data_len;
	uint32_t ttl;
	size_t data; /* offset */
};

static uint8_t lower(uint8_t c)
{
	return c >= 'A' && c <= 'Z' ? (uint8_t)(c - 'A' + 'a') : c;
}

static void label_put(struct wire_name *name, const uint8_t *label, size_t n)
{
	name->bytes[name->len++] = (uint8_t)n;
	for (size_t i = 0; i < n; i++)
		name->bytes[name->len++] = lower(label[i]);
}

static size_t wire_build(const char *text, struct wire_name *ret)
{
	ret->len = 0;
	if (!name_is_host(text))
		return 0;
	while (*text != '\0') {
		size_t n = strcspn(text, ".");

		label_put(ret, (const uint8_t *)text, n);
		text += n + (text[n] == '.');
	}
	ret->bytes[ret->len++] = 0;
	return ret->len;
}

/* Read the name at *at and move *at past it.  A pointer may only lead to before
 * everything that was read of this name, so every chain ends. */
static int wire_read(const uint8_t *bytes, size_t len, size_t *at,
		     struct wire_name *ret)
{
	size_t here = *at, lowest = *at;
	bool has_jumped = false;

	ret->len = 0;
	for (;;) {
		size_t n;

		if (here >= len)
			return -EBADMSG;
		n = bytes[here++];
		if ((n & 0xc0) == 0xc0) {
			if (here >= len)
				return -EBADMSG;
			n = (n & 0x3f) << 8 | bytes[here++];
			if (!has_jumped)
				*at = here;
			has_jumped = true;
			if (n >= lowest)
				return -EBADMSG;
			here = lowest = n;
			continue;
		}
		if (n > DNS_LABEL_BYTES || n > len - here ||
		    ret->len + n + 2 > WIRE_NAME_BYTES + (n == 0))
			return -EBADMSG;
		label_put(ret, bytes + here, n);
		here += n;
		if (n == 0)
			break;
	}
	if (!has_jumped)
		*at = here;
	return 0;
}

static bool wire_is_same(const struct wire_name *a, const struct wire_name *b)
{
	return a->len == b->len && memcmp(a->bytes, b->bytes, a->len) == 0;
}

static int record_read(const uint8_t *bytes, size_t len, size_t *at,
		       struct record *ret)
{
	int r = wire_read(bytes, len, at, &ret->owner);

	if (r < 0 || len - *at < 10)
		return -EBADMSG;
	ret->type = dns_u16(bytes + *at);
	ret->class = dns_u16(bytes + *at + 2);
	ret->ttl = dns_u32(bytes + *at + 4);
	ret->data_len = dns_u16(bytes + *at + 8);
	*at += 10;
	if (ret->data_len > len - *at)
		return -EBADMSG;
	ret->data = *at;
	*at += ret->data_len;
	return 0;
}

static void address_put(struct dns_answer *a, uint16_t type,
			const uint8_t *data)
{
	struct relay_address *to;

	if (a->len == DNS_ADDRESSES_MAX)
		return;
	to = &a->addresses[a->len++];
	memset(to, 0, sizeof *to);
	to->family = type == DNS_A ? AF_INET : AF_INET6;
	memcpy(to->bytes, data, type == DNS_A ? 4 : 16);
}

/* Read all records of one owner: its addresses, or its alias.  Returns 1 for an
 * alias, and *name becomes the name it stands for. */
static int owner_read(const uint8_t *bytes, size_t len, size_t at,
		      uint16_t type, struct wire_name *name,
		      struct dns_answer *a)
{
	size_t count = dns_u16(bytes + 6);
	struct wire_name target;
	bool is_alias = false;

	for (size_t i = 0; i < count; i++) {
		struct record r;

		if (record_read(bytes, len, &at, &r) < 0)
			return -EBADMSG;
		if (r.class != DNS_CLASS_IN || !wire_is_same(&r.owner, name))
			continue;
		if (r.type == type) {
			if (r.data_len != (type == DNS_A ? 4 : 16))
				return -EBADMSG;
			address_put(a, type, bytes + r.data);
		} else if (r.type == DNS_CNAME && !is_alias) {
			size_t data = r.data;

			if (wire_read(bytes, len, &data, &target) < 0 ||
			    data != r.data + r.data_len)
				return -EBADMSG;
			is_alias = true;
		} else {
			continue;
		}
		a->ttl_s = r.ttl < a->ttl_s ? r.ttl : a->ttl_s;
	}
	if (a->len == 0 && is_alias)
		*name = target;
	return a->len == 0 && is_alias;
}

static enum dns_code code_of(unsigned code)
{
	return code == DNS_NOERROR || code == DNS_NXDOMAIN ? (enum dns_code)code
							   : DNS_SERVFAIL;
}

/* Check that the message answers q: its id, one question, and the same one. *at
 * moves past the question. */
static bool is_answer_to(const uint8_t *bytes, size_t len,
			 const struct dns_query *q, size_t *at)
{
	struct wire_name asked, name;

	*at = DNS_HEAD_BYTES;
	return len >= DNS_HEAD_BYTES && dns_u16(bytes) == q->id &&
	       (bytes[2] & DNS_IS_ANSWER) != 0 &&
	       (bytes[2] & DNS_OPCODE) == 0 && dns_u16(bytes + 4) == 1 &&
	       wire_build(q->name, &asked) > 0 &&
	       wire_read(bytes, len, at, &name) == 0 &&
	       wire_is_same(&asked, &name) && len - *at >= 4 &&
	       dns_u16(bytes + *at) == q->type &&
	       dns_u16(bytes + *at + 2) == DNS_CLASS_IN;
}

int dns_answer_read(const uint8_t *bytes, size_t len, const struct dns_query *q,
		    struct dns_answer *ret)
{
	struct dns_answer a = { .ttl_s = UINT32_MAX };
	struct wire_name name;
	size_t at;
	int r = 1;

	if (!is_answer_to(bytes, len, q, &at) ||
	    dns_u16(bytes + 6) > RECORDS_MAX)
		return -EBADMSG;
	at += 4;
	a.code = code_of(bytes[3] & DNS_CODE);
	a.is_cut = (bytes[2] & DNS_IS_CUT) != 0;
	(void)wire_build(q->name, &name);
	if (a.code == DNS_NOERROR && !a.is_cut)
		for (int i = 0; i <= ALIASES_MAX && r > 0; i++)
			r = owner_read(bytes, len, at, q->type, &name, &a);
	if (r < 0)
		return r;
	if (a.len == 0)
		a.ttl_s = 0;
	*ret = a;
	return 0;
}

size_t dns_query_write(const struct dns_query *q, uint8_t *out)
{
	struct wire_name name;
	uint8_t *at = out + DNS_HEAD_BYTES;

	if (wire_build(q->name, &name) == 0)
		return 0;
	memset(out, 0, DNS_HEAD_BYTES);
	out[0] = (uint8_t)(q->id >> 8);
	out[1] = (uint8_t)q->id;
	out[2] = DNS_WANTS_RECURSION;
	out[5] = 1;
	memcpy(at, name.bytes, name.len);
	at += name.len;
	at[0] = 0;
	at[1] = (uint8_t)q->type;
	at[2] = 0;
	at[3] = DNS_CLASS_IN;
	return (size_t)(at + 4 - out);
}
