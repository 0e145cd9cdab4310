/* egress.h -- what scoped egress needs, as decided: rules, names, sockets. */
#ifndef CUPEL_PLAN_EGRESS_H
#define CUPEL_PLAN_EGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "relay/protocol.h"

struct build;
struct cupel_error;
struct egress_plan;
struct jsonw;

#define EGRESS_LISTENERS_MAX 64 /* RELAY_SOCKET_TCP of a run */
#define EGRESS_POOL_SOCKETS  32 /* for names under wildcards */
#define EGRESS_SOCKETS_MAX   (EGRESS_LISTENERS_MAX + EGRESS_POOL_SOCKETS + 6)

_Static_assert(EGRESS_SOCKETS_MAX <= RELAY_SOCKETS_MAX,
	       "the relay has room for every socket of a plan");

/* A socket that init makes in the vessel's network namespace and hands out.
 *
 * RELAY_SOCKET_TCP, DNS_UDP and DNS_TCP are bound to `at`, and those that are
 * streams listen; at.port is socket.port, or 53.  AF_INET6 with an address of
 * zeros means every address, of IPv4 too (IPV6_V6ONLY off).  In a kernel
 * without IPv6 it means 0.0.0.0, and the other AF_INET6 sockets are left out.
 * RECORDER_* and POOL are not bound: `at` has their family. */
struct egress_socket {
	struct relay_socket socket;
	struct relay_address at;
};

/* All zero when the network is not scoped; lives in the plan's arena. */
struct egress_plan {
	bool is_wanted;
	struct relay_config config; /* is_audit, name servers, limits */
	struct relay_rule *rules;   /* one for each port or range */
	size_t rules_len;
	const char **names; /* names[n] is 198.18.1.(n + 1) inside */
	size_t names_len;
	struct relay_host
		*hosts; /* those of the host's /etc/hosts that rules name */
	size_t hosts_len;
	struct relay_address *own; /* the addresses of the host itself */
	size_t own_len;
	/* Listeners first.  In any case one DNS_UDP, one DNS_TCP, and for both
	 * families a RECORDER_TCP and a RECORDER_UDP. */
	struct egress_socket *sockets;
	size_t sockets_len;
	/* The ports that "*" stands for, if a rule has it; else none. */
	const uint16_t *any_ports;
	size_t any_ports_len;
	const char **texts; /* the rules as they are shown, sorted */
	size_t texts_len;
};

/* build_egress -- fill plan->egress.  Refuses rules that need more listeners or
 * names than there may be, with the cause caller. */
int build_egress(struct build *b, struct cupel_error *err);

/* egress_plan_write -- write the member "egress" of a plan's JSON. */
void egress_plan_write(const struct egress_plan *e, struct jsonw *w);

#endif
