/* stub.h -- the resolver that the vessel sees.
 *
 * A name that a rule spells out is answered once it is known to have an address
 * that may be connected to.  A name under a wildcard is answered at once with
 * an inside address and resolved only when something connects to it.  So a
 * question alone never leaves the host, except for names that the rules spell
 * out. */
#ifndef CUPEL_RELAY_STUB_H
#define CUPEL_RELAY_STUB_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>

#include "relay/dns.h"
#include "relay/watch.h"

#define STUB_SOCKETS_MAX 4   /* datagram and listening sockets */
#define STUB_WAITING_MAX 128 /* questions whose name is being resolved */
#define STUB_PEERS_MAX   16  /* connections at once */

/* Where an answer goes. */
struct stub_way {
	bool is_tcp;
	uint16_t index, turn; /* number of the socket or the peer */
	socklen_t to_len;
	struct sockaddr_in6 to;    /* or sockaddr_in */
	struct relay_address from; /* that was asked: it is what answers */
};

struct stub_waiting {
	bool is_used;
	uint16_t name;
	struct stub_way way;
	struct dns_question question;
};

struct stub_peer {
	int fd;
	bool is_used;
	uint16_t turn;
	size_t have;
	uint64_t ends_ns;
	uint8_t bytes[2 + DNS_UDP_BYTES];
};

struct stub_socket {
	int fd;
	bool is_tcp;
};

struct stub {
	size_t sockets_len;
	struct stub_socket sockets[STUB_SOCKETS_MAX];
	struct stub_waiting waiting[STUB_WAITING_MAX];
	struct stub_peer peers[STUB_PEERS_MAX];
};

/* stub_add -- a socket bound to port 53; a listening one when is_tcp.  Takes fd
 * on success.  Returns 0 or -errno. */
int stub_add(struct relay *r, int fd, bool is_tcp);

/* stub_note_name -- resolver_ask was answered. */
void stub_note_name(struct relay *r, uint16_t name);

/* stub_run, stub_run_listener, stub_run_peer -- handle a datagram, a new TCP
 * client, and a TCP client's question. */
void stub_run(struct relay *r, struct watch w, uint32_t events);
void stub_run_listener(struct relay *r, struct watch w, uint32_t events);
void stub_run_peer(struct relay *r, struct watch w, uint32_t events);

/* stub_run_due -- close TCP clients that ask nothing. */
void stub_run_due(struct relay *r);

#endif
