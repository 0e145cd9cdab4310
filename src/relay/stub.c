/* stub.c -- decides the answer to a question.  See stub.h. */
#include "relay/stub.h"

#include <errno.h>
#include <string.h>
#include <sys/epoll.h>

#include "relay/control.h"
#include "relay/relay.h"
#include "relay/stub_private.h"

int stub_add(struct relay *r, int fd, bool is_tcp)
{
	struct stub *s = &r->stub;
	struct watch w = { .kind = is_tcp ? WATCH_DNS_LISTENER : WATCH_DNS_UDP,
			   .index = (uint16_t)s->sockets_len };
	int e;

	if (s->sockets_len == STUB_SOCKETS_MAX)
		return -ENOSPC;
	e = watch_add(r, fd, w, EPOLLIN);
	if (e < 0)
		return e;
	s->sockets[s->sockets_len++] =
		(struct stub_socket){ .fd = fd, .is_tcp = is_tcp };
	return 0;
}

static void answer(struct relay *r, const struct dns_question *q,
		   const struct stub_way *way, enum dns_code code,
		   const struct relay_address *a)
{
	uint8_t bytes[DNS_UDP_BYTES];
	size_t len =
		dns_reply_write(q, code, a != NULL ? a->bytes : NULL, bytes);

	if (way->is_tcp)
		stream_answer(r, way, bytes, len);
	else
		datagram_answer(r, way, bytes, len);
}

/* at: the forbidden address that the name leads to, or NULL. */
static void refusal_note(struct relay *r, const struct dns_question *q,
			 enum relay_verdict verdict,
			 const struct relay_address *at)
{
	struct relay_record what = { .kind = RELAY_NAME,
				     .verdict = (uint16_t)verdict,
				     .count = 1 };

	if (at != NULL)
		what.address = *at;
	memcpy(what.name, q->name, sizeof what.name);
	if (what.name[0] == '\0')
		what.name[0] = '.';
	control_note(r, &what);
}

static void refuse(struct relay *r, const struct dns_question *q,
		   const struct stub_way *way, enum relay_verdict verdict,
		   enum dns_code code)
{
	refusal_note(r, q, verdict, NULL);
	answer(r, q, way, code, NULL);
}

/* Whether the name has an address that may be connected to at some port. */
static bool has_way(const struct relay *r, const struct name *n)
{
	for (size_t i = 0; i < n->len; i++)
		if (rule_judge_address(&r->policy, &n->addresses[i],
				       RULE_ANY_PORT, false) == RELAY_ALLOWED)
			return true;
	return false;
}

/* None of its addresses is allowed.  Report the first, so that a rule can name
 * it. */
static void range_refuse(struct relay *r, const struct name *n,
			 const struct dns_question *q,
			 const struct stub_way *way)
{
	refusal_note(r, q, RELAY_ADDRESS_RANGE, &n->addresses[0]);
	answer(r, q, way, DNS_NXDOMAIN, NULL);
}

/* The name of a rule has been resolved, or could not be. */
static void known_answer(struct relay *r, uint16_t number,
			 const struct dns_question *q,
			 const struct stub_way *way)
{
	const struct name *n = &r->names.items[number];
	struct relay_address a = name_address(number);

	if (n->state == NAME_NONE)
		refuse(r, q, way, RELAY_RESOLVE_FAILED, DNS_NXDOMAIN);
	else if (n->state != NAME_KNOWN)
		refuse(r, q, way, RELAY_RESOLVE_FAILED, DNS_SERVFAIL);
	else if (has_way(r, n))
		answer(r, q, way, DNS_NOERROR, &a);
	else
		range_refuse(r, n, q, way);
}

static void waiting_put(struct relay *r, uint16_t number,
			const struct dns_question *q,
			const struct stub_way *way)
{
	for (size_t i = 0; i < STUB_WAITING_MAX; i++) {
		struct stub_waiting *w = &r->stub.waiting[i];

		if (w->is_used)
			continue;
		*w = (struct stub_waiting){ .is_used = true,
					    .name = number,
					    .way = *way,
					    .question = *q };
		return;
	}
	answer(r, q, way, DNS_SERVFAIL, NULL);
}

void stub_note_name(struct relay *r, uint16_t name)
{
	for (size_t i = 0; i < STUB_WAITING_MAX; i++) {
		struct stub_waiting *w = &r->stub.waiting[i];

		if (!w->is_used || w->name != name)
			continue;
		w->is_used = false;
		known_answer(r, name, &w->question, &w->way);
	}
}

/* Give a name under a wildcard an inside address and listeners. */
static uint16_t name_open(struct relay *r, const char *text)
{
	uint16_t number = names_add(&r->names, text);
	struct relay_record named = { .kind = RELAY_NAMED };

	if (number == 0)
		return 0;
	if (listener_open_name(r, number) < 0) {
		names_take(&r->names);
		return 0;
	}
	named.address = name_address(number);
	memcpy(named.name, r->names.items[number].text, sizeof named.name);
	control_send(r, &named);
	return number;
}

/* Answer for a name that is allowed. */
static void allowed_answer(struct relay *r, uint16_t number,
			   const struct dns_question *q,
			   const struct stub_way *way)
{
	struct relay_address a = name_address(number);

	if (number > r->policy.names_len)
		answer(r, q, way, DNS_NOERROR, &a);
	else if (resolver_ask(r, number) == NAME_ASKED)
		waiting_put(r, number, q, way);
	else
		known_answer(r, number, q, way);
}

void stub_ask(struct relay *r, const uint8_t *bytes, size_t len,
	      const struct stub_way *way)
{
	struct dns_question q;
	int e = dns_question_read(bytes, len, &q);
	uint16_t number;

	if (e < 0)
		return;
	if (e > 0) {
		answer(r, &q, way, (enum dns_code)e, NULL);
		return;
	}
	number = q.is_host ? names_find(&r->names, q.name) : 0;
	if (number == 0 &&
	    (!q.is_host || !rule_has_wildcard(&r->policy, q.name))) {
		refuse(r, &q, way, RELAY_NO_RULE, DNS_NXDOMAIN);
		return;
	}
	if (q.type != DNS_A) { /* it has no record of that type */
		answer(r, &q, way, DNS_NOERROR, NULL);
		return;
	}
	if (number == 0)
		number = name_open(r, q.name);
	if (number == 0)
		refuse(r, &q, way, RELAY_LIMIT, DNS_SERVFAIL);
	else
		allowed_answer(r, number, &q, way);
}
