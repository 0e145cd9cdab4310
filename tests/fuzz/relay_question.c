/* relay_question.c -- fuzz: bytes as a question to the vessel's resolver.
 *
 * What must hold: what is read as a host's name can be asked for outside, and
 * reads back the same; the answer fits into a datagram, and is no question. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mask.h"
#include "relay/dns.h"
#include "relay/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void asked_outside(const struct dns_question *q)
{
	struct dns_query out = { .id = q->id, .type = DNS_A, .name = q->name };
	uint8_t wire[DNS_QUESTION_BYTES];
	struct dns_question back;
	size_t len = dns_query_write(&out, wire);

	must(len > 0 && len <= sizeof wire);
	must(dns_question_read(wire, len, &back) == 0);
	must(strcmp(back.name, q->name) == 0);
}

static void try_message(const uint8_t *bytes, size_t n)
{
	static const uint8_t address[4] = { 198, 18, 1, 1 };
	uint8_t out[DNS_UDP_BYTES];
	struct dns_question q, back;
	int e = dns_question_read(bytes, n, &q);

	must(e == 0 || e == -EBADMSG || e == DNS_FORMERR || e == DNS_NOTIMP);
	if (e < 0)
		return;
	must(q.len <= n && q.len <= sizeof q.bytes);
	must(dns_question_read(out,
			       dns_reply_write(&q, DNS_NOERROR, address, out),
			       &back) == -EBADMSG);
	if (e == 0)
		must(memchr(q.name, '\0', sizeof q.name) != NULL);
	if (e == 0 && q.is_host) {
		must(name_is_host(q.name));
		asked_outside(&q);
	}
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	uint8_t *message = mask_take(bytes, n);

	try_message(message, n);
	free(message);
	return 0;
}
