/* dns_question.c -- reads a question from inside and writes the reply.  See
 * dns.h. */
#include <errno.h>
#include <string.h>

#include "relay/dns.h"
#include "relay/dns_wire.h"
#include "relay/rule.h"

#define REPLY_TTL_S 60 /* a name keeps its inside address for the whole run */

static char byte_shown(uint8_t c)
{
	if (c >= 'A' && c <= 'Z')
		return (char)(c - 'A' + 'a');
	if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' ||
	    c == '_')
		return (char)c;
	return '?';
}

/* Read the name at *at, which a question never compresses; *at moves past
 * it. */
static int name_read(const uint8_t *bytes, size_t len, size_t *at, char *name)
{
	size_t out = 0;

	for (;;) {
		size_t n;

		if (*at >= len)
			return -EBADMSG;
		n = bytes[(*at)++];
		if (n == 0)
			break;
		if (n > DNS_LABEL_BYTES || n > len - *at ||
		    out + n + 1 > RELAY_NAME_BYTES - 1)
			return -EBADMSG;
		if (out > 0)
			name[out++] = '.';
		for (size_t i = 0; i < n; i++)
			name[out++] = byte_shown(bytes[(*at)++]);
	}
	memset(name + out, '\0', RELAY_NAME_BYTES - out);
	return 0;
}

int dns_question_read(const uint8_t *bytes, size_t len, struct dns_question *q)
{
	size_t at = DNS_HEAD_BYTES;

	if (len < DNS_HEAD_BYTES || (bytes[2] & DNS_IS_ANSWER) != 0)
		return -EBADMSG;
	memset(q, 0, sizeof *q);
	q->id = dns_u16(bytes);
	q->len = DNS_HEAD_BYTES;
	memcpy(q->bytes, bytes, DNS_HEAD_BYTES);
	if ((bytes[2] & DNS_OPCODE) != 0)
		return DNS_NOTIMP;
	if (dns_u16(bytes + 4) != 1 ||
	    name_read(bytes, len, &at, q->name) < 0 || len - at < 4)
		return DNS_FORMERR;
	q->type = dns_u16(bytes + at);
	q->is_host = dns_u16(bytes + at + 2) == DNS_CLASS_IN &&
		     name_is_host(q->name);
	q->len = at + 4;
	memcpy(q->bytes, bytes, q->len);
	return 0;
}

size_t dns_reply_write(const struct dns_question *q, enum dns_code code,
		       const uint8_t *address, uint8_t *out)
{
	/* The name is at offset 12; type A, class IN. */
	static const uint8_t record[] = { 0xc0, DNS_HEAD_BYTES, 0, DNS_A,
					  0,    DNS_CLASS_IN,   0, 0,
					  0,    REPLY_TTL_S,    0, 4 };
	bool has_question = q->len > DNS_HEAD_BYTES;
	bool has_address = code == DNS_NOERROR && address != NULL;
	size_t len = q->len;

	memcpy(out, q->bytes, len);
	out[2] = DNS_IS_ANSWER | (out[2] & (DNS_OPCODE | DNS_WANTS_RECURSION));
	out[3] = (uint8_t)(DNS_HAS_RECURSION | (unsigned)code);
	memset(out + 4, 0, DNS_HEAD_BYTES - 4);
	out[5] = has_question;
	out[7] = has_address;
	if (has_address) {
		memcpy(out + len, record, sizeof record);
		memcpy(out + len + sizeof record, address, 4);
		len += sizeof record + 4;
	}
	return len;
}
