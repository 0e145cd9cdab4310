/* protocol.h -- what the supervisor and the relay say to each other.
 *
 * One SOCK_SEQPACKET socket.  The relay has its end as descriptor
 * RELAY_CONTROL_FD and needs no other; its arguments and environment are
 * ignored.  The order of a run:
 *
 *   supervisor                              relay
 *   RELAY_CONFIG, RELAY_RULES, RELAY_HOSTS,
 *   RELAY_OWN (each as often as it takes)
 *   RELAY_CONFINE                      -->  confines itself
 *                                      <--  RELAY_READY, or RELAY_FAILED
 *   RELAY_SOCKETS, with descriptors    -->  serves, from that moment on
 *                                      <--  records that are not final
 *   shutdown(SHUT_WR)                  -->  no connection is served any more
 *                                      <--  each final record, then RELAY_END
 *
 * The supervisor's end is the lifeline: at its end of file the relay writes the
 * final records and exits; where nobody reads them any more it exits at once.
 * Its last record is its end.
 *
 * Both sides are built together, so the structs go as they are.  An IPv4
 * address stands in the first four bytes of an address, the others are zero.
 * Ports are numbers as people write them.  Names are lower case, without a dot
 * at the end, ended by a NUL and zero behind it.
 */
#ifndef CUPEL_RELAY_PROTOCOL_H
#define CUPEL_RELAY_PROTOCOL_H

#include <stdint.h>

#define RELAY_CONTROL_FD 3

#define RELAY_NAME_BYTES      254 /* 253 and a NUL: RFC 1035, section 2.3.4 */
#define RELAY_RULES_MAX       256 /* of a run */
#define RELAY_NAMES_MAX       256 /* of rules, and those met under wildcards */
#define RELAY_HOSTS_MAX       256 /* of /etc/hosts, and only what rules name */
#define RELAY_OWN_MAX         128 /* addresses of the host's interfaces */
#define RELAY_SERVERS_MAX     3   /* as resolv.conf(5) has it */
#define RELAY_SOCKETS_MAX     160 /* listeners, resolver, recorders, pool */
#define RELAY_CONNECTIONS_MAX 2048
#define RELAY_BOOK_MAX        256 /* entries of the result */

/* One datagram is a head followed by items of one kind, at most that many bytes
 * in all.  RELAY_SOCKETS carries as many descriptors (SCM_RIGHTS) as it has
 * items, in the same order. */
#define RELAY_MESSAGE_BYTES 32768
#define RELAY_MESSAGE_FDS   64

enum relay_message_kind {
	RELAY_CONFIG = 1, /* one struct relay_config; the first message */
	RELAY_RULES,      /* struct relay_rule */
	RELAY_HOSTS,      /* struct relay_host */
	RELAY_OWN,        /* struct relay_address */
	RELAY_CONFINE,    /* no item */
	RELAY_SOCKETS,    /* struct relay_socket */
	RELAY_MESSAGE_MAX_
};

struct relay_message {
	uint32_t kind, count;
};

struct relay_address {
	uint16_t family; /* AF_INET or AF_INET6 */
	uint16_t port;   /* of a name server; else 0 */
	uint8_t bytes[16];
};

/* A time of zero means the relay's default. */
struct relay_config {
	uint32_t is_audit; /* every public address is allowed and recorded */
	uint32_t connections_max; /* at once; 1..RELAY_CONNECTIONS_MAX */
	uint32_t resolve_ms; /* for one name: all servers and tries together */
	uint32_t connect_ms; /* for one connection: all addresses together */
	uint32_t hello_ms;   /* until the ClientHello is complete */
	uint32_t servers_len;
	struct relay_address servers[RELAY_SERVERS_MAX];
};

enum relay_rule_kind {
	RELAY_RULE_NAME = 1, /* exactly that name */
	RELAY_RULE_SUFFIX,   /* matches one or more labels before the name */
	RELAY_RULE_CIDR4,
	RELAY_RULE_CIDR6,
	RELAY_RULE_MAX_
};

/* A special range (loopback, private, ...) is reached only under an address
 * rule that lies in that range, so 0.0.0.0/0 does not allow loopback.  An
 * address of the host itself is reached only under a rule for exactly that
 * address. */
struct relay_rule {
	uint16_t kind;
	uint16_t bits;      /* of the CIDRs */
	uint16_t is_raw;    /* port 443 needs no ClientHello */
	uint16_t host;      /* RELAY_RULE_NAME: its number; else 0 */
	uint16_t low, high; /* ports, 1..65535 */
	uint8_t address[16];
	char name[RELAY_NAME_BYTES];
};

/* Inside, each name has an address of this range: 198.18.1.0 plus its number.
 * The plan numbers the names of rules 1, 2, ... without a gap, one number for a
 * name however many rules it has.  The relay gives the numbers after those to
 * names under wildcards, up to RELAY_NAMES_MAX. */
#define RELAY_SYNTHETIC UINT32_C(0xc6120100)

/* A line of the host's /etc/hosts, for one of its names. */
struct relay_host {
	struct relay_address address;
	char name[RELAY_NAME_BYTES];
};

/* All are sockets of the vessel's network namespace. */
enum relay_socket_kind {
	RELAY_SOCKET_TCP = 1, /* listens on port, at whatever address */
	RELAY_SOCKET_DNS_UDP, /* bound to port 53 */
	RELAY_SOCKET_DNS_TCP, /* listens on port 53 */
	/* raw sockets with their filter, one of each for IPv4 and for IPv6 */
	RELAY_SOCKET_RECORDER_TCP,
	RELAY_SOCKET_RECORDER_UDP,
	RELAY_SOCKET_POOL, /* AF_INET stream socket, not bound */
	RELAY_SOCKET_MAX_
};

/* For a name under a wildcard, each port of its rules takes one socket from the
 * pool, unless a RELAY_SOCKET_TCP listens on that port at every address. */
struct relay_socket {
	uint16_t kind;
	uint16_t port; /* of RELAY_SOCKET_TCP; else 0 */
};

enum relay_record_kind {
	RELAY_READY = 1, /* confined */
	RELAY_FAILED, /* error, stage; the relay exits: it never lacks a wall */
	RELAY_NAMED,  /* name is known inside by address from now on */
	RELAY_NAME,   /* a question for a name */
	RELAY_CONNECTION, /* a connection that was accepted */
	RELAY_ATTEMPT,    /* a packet to a port where nobody listens */
	RELAY_END,        /* count: of all that found no room in the book;
			     lost: packets that no recorder had room for,
			     at most; turns: how often it woke up */
	RELAY_RECORD_MAX_
};

/* All but the first are refusals, except that an allowed connection which could
 * not be made is RELAY_CONNECT_FAILED or RELAY_RESOLVE_FAILED. */
enum relay_verdict {
	RELAY_ALLOWED = 1,
	RELAY_NO_RULE,
	RELAY_ADDRESS_RANGE, /* a special range, or the host itself */
	RELAY_RESOLVE_FAILED,
	RELAY_CONNECT_FAILED,
	RELAY_SNI_MISMATCH, /* another name, none, or no ClientHello */
	RELAY_LIMIT,        /* connections, names, the pool */
	RELAY_VERDICT_MAX_
};

enum relay_stage { /* of RELAY_FAILED */
		   RELAY_STAGE_CONFIG = 1,
		   RELAY_STAGE_LIMITS,
		   RELAY_STAGE_LANDLOCK,
		   RELAY_STAGE_SECCOMP,
		   RELAY_STAGE_SOCKETS,
		   RELAY_STAGE_MAX_
};

/* RELAY_NAME, RELAY_CONNECTION and RELAY_ATTEMPT are entries of the book: one
 * for each kind, host (the name, else the address), port and verdict.  Each is
 * sent twice: when it is new, with is_final 0, so that a trace can say what a
 * packet was; and at the end, with is_final 1 and its totals.  Only the final
 * ones make the result. */
struct relay_record {
	uint16_t kind, verdict;
	uint16_t is_final;
	uint16_t protocol; /* IPPROTO_TCP, IPPROTO_UDP; of a name 0 */
	uint16_t port;     /* of a name 0 */
	uint16_t stage;    /* enum relay_stage */
	int32_t error;     /* errno, the last one; 0 = none */
	uint32_t count;    /* connections, packets, questions */
	uint32_t lost;
	uint64_t bytes_in;  /* to the vessel */
	uint64_t bytes_out; /* from it */
	uint64_t first_ns;  /* CLOCK_MONOTONIC */
	uint64_t turns;
	struct relay_address
		address;             /* outside; of an attempt what was asked */
	char name[RELAY_NAME_BYTES]; /* "" where no name was known */
};

#endif
