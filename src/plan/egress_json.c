/* egress_json.c -- scoped egress in the JSON of a plan. */
#include <arpa/inet.h>
#include <stdio.h>

#include "base/jsonw.h"
#include "plan/egress.h"

static const char *const kinds[] = {
	[RELAY_SOCKET_TCP] = "tcp",
	[RELAY_SOCKET_DNS_UDP] = "dns_udp",
	[RELAY_SOCKET_DNS_TCP] = "dns_tcp",
	[RELAY_SOCKET_RECORDER_TCP] = "recorder_tcp",
	[RELAY_SOCKET_RECORDER_UDP] = "recorder_udp",
	[RELAY_SOCKET_POOL] = "pool",
};
_Static_assert(sizeof kinds / sizeof *kinds == RELAY_SOCKET_MAX_,
	       "a word for every socket");

#define ADDRESS_TEXT (INET6_ADDRSTRLEN + 16)

/* "198.18.1.1:443", "[::]:53", "198.18.1.1" without a port. */
static void address_text(const struct relay_address *a, char text[ADDRESS_TEXT])
{
	bool is_six = a->family == AF_INET6;
	char at[INET6_ADDRSTRLEN] = "";

	(void)inet_ntop(a->family, a->bytes, at, sizeof at);
	if (a->port == 0)
		(void)snprintf(text, ADDRESS_TEXT, "%s", at);
	else
		(void)snprintf(text, ADDRESS_TEXT, is_six ? "[%s]:%u" : "%s:%u",
			       at, a->port);
}

static void write_addresses(struct jsonw *w, const char *key,
			    const struct relay_address list[], size_t n)
{
	char text[ADDRESS_TEXT];

	jsonw_array(w, key);
	for (size_t i = 0; i < n; i++) {
		address_text(&list[i], text);
		jsonw_text(w, NULL, text);
	}
	jsonw_end_array(w);
}

static void write_names(struct jsonw *w, const struct egress_plan *e)
{
	jsonw_array(w, "names");
	for (size_t i = 0; i < e->names_len; i++) {
		struct relay_address a = { .family = AF_INET };
		uint32_t inside = htonl(RELAY_SYNTHETIC + (uint32_t)i + 1);
		char text[ADDRESS_TEXT];

		for (size_t k = 0; k < sizeof inside; k++)
			a.bytes[k] = ((const uint8_t *)&inside)[k];
		address_text(&a, text);
		jsonw_object(w, NULL);
		jsonw_text(w, "host", e->names[i]);
		jsonw_text(w, "inside", text);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

static void write_sockets(struct jsonw *w, const struct egress_plan *e)
{
	char text[ADDRESS_TEXT];
	size_t pool = 0;

	jsonw_array(w, "sockets");
	for (size_t i = 0; i < e->sockets_len; i++) {
		const struct egress_socket *s = &e->sockets[i];

		if (s->socket.kind == RELAY_SOCKET_POOL) {
			pool++;
			continue;
		}
		jsonw_object(w, NULL);
		jsonw_text(w, "kind", kinds[s->socket.kind]);
		address_text(&s->at, text);
		jsonw_text(w, "at", text);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
	jsonw_uint(w, "pool", pool);
}

static void write_hosts(struct jsonw *w, const struct egress_plan *e)
{
	char text[ADDRESS_TEXT];

	jsonw_array(w, "hosts");
	for (size_t i = 0; i < e->hosts_len; i++) {
		address_text(&e->hosts[i].address, text);
		jsonw_object(w, NULL);
		jsonw_text(w, "host", e->hosts[i].name);
		jsonw_text(w, "address", text);
		jsonw_end_object(w);
	}
	jsonw_end_array(w);
}

void egress_plan_write(const struct egress_plan *e, struct jsonw *w)
{
	jsonw_object(w, "egress");
	jsonw_bool(w, "audit", e->config.is_audit != 0);
	jsonw_array(w, "rules");
	for (size_t i = 0; i < e->texts_len; i++)
		jsonw_text(w, NULL, e->texts[i]);
	jsonw_end_array(w);
	jsonw_array(w, "any_port");
	for (size_t i = 0; i < e->any_ports_len; i++)
		jsonw_uint(w, NULL, e->any_ports[i]);
	jsonw_end_array(w);
	write_names(w, e);
	write_sockets(w, e);
	write_addresses(w, "name_servers", e->config.servers,
			e->config.servers_len);
	write_hosts(w, e);
	write_addresses(w, "own_addresses", e->own, e->own_len);
	jsonw_uint(w, "connections_max", e->config.connections_max);
	jsonw_end_object(w);
}
