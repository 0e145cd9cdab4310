/* resolver.c -- see resolver.h. */
#include "relay/resolver.h"

#include <errno.h>
#include <string.h>

#include "relay/connection.h"
#include "relay/relay.h"
#include "relay/resolver_private.h"

#define RESOLVE_MS   8000 /* all tries for one name together */
#define TTL_MIN_S    1U
#define TTL_MAX_S    300U /* so that a server that moves is found again */
#define TTL_NONE_S   5U   /* for "no such name" */
#define TTL_FAILED_S 1U
#define SECOND_MS    50 /* wait for the other kind: RFC 8305, section 3 */

static const uint16_t types[] = { DNS_A, DNS_AAAA };
#define TYPES (sizeof types / sizeof *types)

static uint8_t bit_of(uint16_t type)
{
	return type == DNS_A ? 1 : 2;
}

static void addresses_put(struct name *n, const struct relay_address *from,
			  size_t len)
{
	for (size_t i = 0; i < len && n->len < DNS_ADDRESSES_MAX; i++)
		n->addresses[n->len++] = from[i];
}

/* The host's own /etc/hosts goes before what name servers say. */
static bool is_in_hosts(struct relay *r, struct name *n)
{
	n->len = 0;
	for (size_t i = 0; i < r->policy.hosts_len; i++)
		if (strcmp(r->policy.hosts[i].name, n->text) == 0)
			addresses_put(n, &r->policy.hosts[i].address, 1);
	return n->len > 0;
}

/* Every question is answered or has failed. */
static void name_end(struct relay *r, uint16_t number)
{
	static const uint32_t ttl_s[] = {
		[NAME_NONE] = TTL_NONE_S, [NAME_FAILED] = TTL_FAILED_S
	};
	struct name *n = &r->names.items[number];

	if (n->len > 0) {
		n->state = NAME_KNOWN;
		n->ends_ns = relay_in_ms(r, n->ttl_s * 1000);
	} else {
		n->state = n->is_answered ? NAME_NONE : NAME_FAILED;
		n->ends_ns = relay_in_ms(r, ttl_s[n->state] * 1000);
	}
	stub_note_name(r, number);
	connection_note_name(r, number);
}

/* Send the questions that are not sent yet, as far as there is room. */
static void name_send(struct relay *r, uint16_t number)
{
	struct name *n = &r->names.items[number];

	for (size_t i = 0; i < TYPES; i++) {
		uint8_t bit = bit_of(types[i]);
		int e;

		if ((n->unsent & bit) == 0)
			continue;
		e = query_open(r, number, types[i]);
		if (e == -EAGAIN)
			return;
		n->unsent &= (uint8_t)~bit;
		if (e == 0)
			n->asked |= bit;
	}
}

static void queries_end(struct relay *r, uint16_t number)
{
	for (size_t i = 0; i < RESOLVER_QUERIES_MAX; i++) {
		struct query *q = &r->resolver.queries[i];

		if (q->is_open && q->name == number)
			query_close(r, q);
	}
	r->names.items[number].unsent = r->names.items[number].asked = 0;
}

enum name_state resolver_ask(struct relay *r, uint16_t number)
{
	struct name *n = &r->names.items[number];
	uint32_t ms = r->policy.config.resolve_ms;

	if (n->state == NAME_ASKED ||
	    (n->state != NAME_UNKNOWN && r->now_ns < n->ends_ns))
		return n->state;
	if (is_in_hosts(r, n)) {
		n->ends_ns = UINT64_MAX;
		return n->state = NAME_KNOWN;
	}
	n->unsent = bit_of(DNS_A) | bit_of(DNS_AAAA);
	n->asked = 0;
	n->is_answered = false;
	n->ttl_s = TTL_MAX_S;
	n->ends_ns = relay_in_ms(r, ms > 0 ? ms : RESOLVE_MS);
	n->state = NAME_ASKED;
	relay_note_due(r, n->ends_ns);
	name_send(r, number);
	if ((n->unsent | n->asked) == 0) { /* there is no server to ask */
		n->state = NAME_FAILED;
		n->ends_ns = relay_in_ms(r, TTL_FAILED_S * 1000);
	}
	return n->state;
}

/* A question has ended: there is room for another, and the name may be known
 * now. */
static void name_step(struct relay *r, uint16_t number, uint16_t type)
{
	r->names.items[number].asked &= (uint8_t)~bit_of(type);
	for (uint16_t i = 1; i <= r->names.len; i++) {
		struct name *n = &r->names.items[i];

		if (n->state != NAME_ASKED)
			continue;
		name_send(r, i);
		if ((n->unsent | n->asked) == 0)
			name_end(r, i);
	}
}

void name_note_answer(struct relay *r, uint16_t number, uint16_t type,
		      const struct dns_answer *a)
{
	struct name *n = &r->names.items[number];
	uint32_t ttl_s = a->ttl_s < TTL_MIN_S ? TTL_MIN_S : a->ttl_s;

	/* A missing IPv6 address says nothing about IPv4. */
	if (type == DNS_A || a->code == DNS_NXDOMAIN)
		n->is_answered = true;
	addresses_put(n, a->addresses, a->len);
	if (a->len > 0 && ttl_s < n->ttl_s)
		n->ttl_s = ttl_s;
	if (a->len > 0 && type == DNS_A) {
		uint64_t soon = relay_in_ms(r, SECOND_MS);

		n->ends_ns = soon < n->ends_ns ? soon : n->ends_ns;
		relay_note_due(r, n->ends_ns);
	}
	name_step(r, number, type);
}

void name_note_failure(struct relay *r, uint16_t number, uint16_t type)
{
	name_step(r, number, type);
}

void resolver_run_due(struct relay *r)
{
	for (size_t i = 0; i < RESOLVER_QUERIES_MAX; i++) {
		struct query *q = &r->resolver.queries[i];

		if (q->is_open && q->ends_ns <= r->now_ns)
			query_fail(r, q);
		if (q->is_open)
			relay_note_due(r, q->ends_ns);
	}
	for (uint16_t i = 1; i <= r->names.len; i++) {
		struct name *n = &r->names.items[i];

		if (n->state != NAME_ASKED)
			continue;
		if (n->ends_ns <= r->now_ns) {
			queries_end(r, i);
			name_end(r, i);
		} else {
			relay_note_due(r, n->ends_ns);
		}
	}
}
