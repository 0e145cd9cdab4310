/* dns.h -- DNS messages (RFC 1035): questions from inside, answers to them;
 * questions to the host's name servers, answers from them.  Pure.
 *
 * Both directions are read as if an enemy wrote them, and only here. */
#ifndef CUPEL_RELAY_DNS_H
#define CUPEL_RELAY_DNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "relay/protocol.h"

#define DNS_UDP_BYTES      512            /* RFC 1035, section 4.2.1 */
#define DNS_TCP_BYTES      16384          /* of an answer over TCP */
#define DNS_QUESTION_BYTES (12 + 255 + 4) /* head, longest name, type, class */
#define DNS_ADDRESSES_MAX  16             /* of a name; more are left out */

enum dns_type { DNS_A = 1, DNS_CNAME = 5, DNS_AAAA = 28 };
enum dns_code {
	DNS_NOERROR = 0,
	DNS_FORMERR = 1,
	DNS_SERVFAIL = 2,
	DNS_NXDOMAIN = 3,
	DNS_NOTIMP = 4,
};

/* A question from inside. */
struct dns_question {
	uint16_t id, type;
	bool is_host; /* name_is_host, of class IN */
	/* In lower case.  A name that no host can have is kept only for people
	 * to read; each byte that a host's name cannot have is "?". */
	char name[RELAY_NAME_BYTES];
	/* The head and question, which the answer repeats. */
	size_t len;
	uint8_t bytes[DNS_QUESTION_BYTES];
};

/* dns_question_read -- one message from inside.
 *
 * Returns 0; a positive enum dns_code when that code is the whole answer
 * (q->bytes and q->len are set, the name is not); or -EBADMSG when the message
 * must be dropped because it is too short for a head or is itself an answer. */
int dns_question_read(const uint8_t *bytes, size_t len, struct dns_question *q);

/* dns_reply_write -- the answer to a question: the code, and with
 * DNS_NOERROR an address (network order) if there is one.
 *
 * @out	at least DNS_UDP_BYTES
 * Returns the length. */
size_t dns_reply_write(const struct dns_question *q, enum dns_code code,
		       const uint8_t *address, uint8_t *out);

/* What is asked outside. */
struct dns_query {
	uint16_t id, type; /* DNS_A or DNS_AAAA */
	const char *name;  /* name_is_host */
};

/* dns_query_write -- the message. @out has DNS_QUESTION_BYTES; returns the
 * length, which is 0 if it is not the name of a host. */
size_t dns_query_write(const struct dns_query *q, uint8_t *out);

/* What a name server said. */
struct dns_answer {
	enum dns_code code; /* any other code is DNS_SERVFAIL */
	bool is_cut;        /* ask again over TCP */
	uint32_t ttl_s;     /* shortest of all records; 0 if there are none */
	size_t len;
	struct relay_address addresses[DNS_ADDRESSES_MAX];
};

/* dns_answer_read -- the answer to q: its id and question must be those of q,
 * and aliases are followed within the message.
 *
 * Returns 0, or -EBADMSG if it is broken or not an answer to this question. */
int dns_answer_read(const uint8_t *bytes, size_t len, const struct dns_query *q,
		    struct dns_answer *ret);

#endif
