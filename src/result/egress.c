/* egress.c -- writes what was reached and what was refused, as JSON. */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include "base/jsonw.h"
#include "plan/plan.h"
#include "result/happened.h"
#include "spec/egress.h"
#include "supervise/outcome.h"

static const char *const reasons[] = {
	[EGRESS_REACHED] = NULL,
	[EGRESS_NO_RULE] = "no_rule",
	[EGRESS_ADDRESS_RANGE] = "address_range",
	[EGRESS_RESOLVE_FAILED] = "resolve_failed",
	[EGRESS_CONNECT_FAILED] = "connect_failed",
	[EGRESS_SNI_MISMATCH] = "sni_mismatch",
	[EGRESS_LIMIT] = "limit",
};
_Static_assert(sizeof reasons / sizeof *reasons == EGRESS_REASON_MAX_,
	       "a word for every reason");

void address_write(struct jsonw *w, const char *key, uint16_t family,
		   const uint8_t address[16])
{
	char text[INET6_ADDRSTRLEN];

	if ((family == AF_INET || family == AF_INET6) &&
	    inet_ntop(family, address, text, sizeof text) != NULL)
		jsonw_text(w, key, text);
	else
		jsonw_null(w, key);
}

static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '_';
}

void host_write(struct jsonw *w, const char *key, const char *host)
{
	char text[EGRESS_NAME_SIZE];
	size_t n = host != NULL ? strnlen(host, EGRESS_NAME_MAX) : 0;

	for (size_t i = 0; i < n; i++)
		text[i] = host[i];
	for (size_t i = 0; i < n; i++)
		if (!is_of_name(text[i]))
			text[i] = '?';
	if (n > 0)
		jsonw_bytes(w, key, text, n);
	else
		jsonw_null(w, key);
}

/* A question for a name has no port, and a refusal may have no address. */
static void write_entry(struct jsonw *w, const struct egress_entry *e)
{
	unsigned reason =
		e->reason < EGRESS_REASON_MAX_ ? e->reason : EGRESS_LIMIT;

	jsonw_object(w, NULL);
	host_write(w, "host", e->host);
	address_write(w, "address", e->family, e->address);
	if (e->port != 0)
		jsonw_uint(w, "port", e->port);
	else
		jsonw_null(w, "port");
	jsonw_text(w, "protocol",
		   e->is_udp      ? "udp"
		   : e->port == 0 ? "name"
				  : "tcp");
	jsonw_text(w, "verdict", e->is_allowed ? "allowed" : "refused");
	jsonw_text_or_null(w, "reason", reasons[reason]);
	jsonw_uint(w, "connections", e->connections);
	jsonw_uint(w, "bytes_in", e->bytes_in);
	jsonw_uint(w, "bytes_out", e->bytes_out);
	jsonw_uint(w, "first_ms", e->first_ms);
	jsonw_end_object(w);
}

void egress_write(struct jsonw *w, const struct plan *plan,
		  const struct outcome *o)
{
	if (plan == NULL || !plan->egress.is_wanted) {
		jsonw_null(w, "egress");
		jsonw_uint(w, "egress_omitted", 0);
		return;
	}
	jsonw_array(w, "egress");
	for (size_t i = 0; o != NULL && i < o->egress.len; i++)
		write_entry(w, &o->egress.entries[i]);
	jsonw_end_array(w);
	jsonw_uint(w, "egress_omitted", o != NULL ? o->egress.omitted : 0);
}
