/* egress_record.c -- checks a record of the relay and turns it into an entry of
 * the result.  Pure. */
#include <assert.h>
#include <netinet/in.h>
#include <string.h>

#include "supervise/clock.h"
#include "supervise/egress.h"

static bool address_is_sound(const struct relay_address *a)
{
	return a->family == 0 || a->family == AF_INET || a->family == AF_INET6;
}

bool egress_record_is_sound(const struct relay_record *rec)
{
	if (rec->kind == 0 || rec->kind >= RELAY_RECORD_MAX_ ||
	    rec->is_final > 1 || rec->error < 0 || rec->error > 4095 ||
	    memchr(rec->name, 0, sizeof rec->name) == NULL ||
	    !address_is_sound(&rec->address))
		return false;
	switch (rec->kind) {
	case RELAY_NAMED:
		return rec->address.family == AF_INET && rec->name[0] != '\0';
	case RELAY_NAME:
	case RELAY_CONNECTION:
	case RELAY_ATTEMPT:
		return rec->verdict > 0 && rec->verdict < RELAY_VERDICT_MAX_;
	default:
		return true;
	}
}

/* A connection that was allowed but failed is not refused. */
static const struct {
	enum egress_reason reason;
	bool is_allowed;
} verdicts[] = {
	[RELAY_ALLOWED] = { EGRESS_REACHED, true },
	[RELAY_NO_RULE] = { EGRESS_NO_RULE, false },
	[RELAY_ADDRESS_RANGE] = { EGRESS_ADDRESS_RANGE, false },
	[RELAY_RESOLVE_FAILED] = { EGRESS_RESOLVE_FAILED, true },
	[RELAY_CONNECT_FAILED] = { EGRESS_CONNECT_FAILED, true },
	[RELAY_SNI_MISMATCH] = { EGRESS_SNI_MISMATCH, false },
	[RELAY_LIMIT] = { EGRESS_LIMIT, false },
};
static_assert(sizeof verdicts / sizeof *verdicts == RELAY_VERDICT_MAX_,
	      "a row for every verdict");
static_assert(sizeof((struct egress_entry *)0)->host == RELAY_NAME_BYTES,
	      "a name fits exactly");

bool egress_entry_fill(const struct relay_record *rec, uint64_t begun_ns,
		       struct egress_entry *ret)
{
	if (rec->kind == RELAY_NAME && rec->verdict == RELAY_ALLOWED)
		return false;
	*ret = (struct egress_entry){
		.family = rec->address.family,
		.port = rec->kind == RELAY_NAME ? 0 : rec->port,
		.is_allowed = verdicts[rec->verdict].is_allowed,
		.is_udp = rec->protocol == IPPROTO_UDP,
		.reason = verdicts[rec->verdict].reason,
		.connections = rec->count,
		.bytes_in = rec->bytes_in,
		.bytes_out = rec->bytes_out,
	};
	memcpy(ret->address, rec->address.bytes, sizeof ret->address);
	memcpy(ret->host, rec->name, sizeof ret->host);
	if (rec->first_ns > begun_ns)
		ret->first_ms = (rec->first_ns - begun_ns) / NS_PER_MS;
	return true;
}
