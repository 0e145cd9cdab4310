/* egress_book.h -- what was reached and refused, as the relay reported it.
 * */
#ifndef CUPEL_SUPERVISE_EGRESS_BOOK_H
#define CUPEL_SUPERVISE_EGRESS_BOOK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "relay/protocol.h"

#define EGRESS_ENTRIES_MAX 256 /* of a result */
#define EGRESS_NAMES_MAX   256 /* that one run may ask for */

enum egress_reason {
	EGRESS_REACHED, /* allowed, and there was a connection */
	EGRESS_NO_RULE,
	EGRESS_ADDRESS_RANGE,
	EGRESS_RESOLVE_FAILED,
	EGRESS_CONNECT_FAILED,
	EGRESS_SNI_MISMATCH,
	EGRESS_LIMIT,
	EGRESS_REASON_MAX_
};

struct egress_entry {
	char host[RELAY_NAME_BYTES]; /* hostile bytes; "" = none was named */
	uint16_t family;             /* AF_INET, AF_INET6; 0 = no address */
	uint8_t address[16]; /* network order, the first 4 with AF_INET: what
			      * was connected to, or asked for */
	uint16_t port;       /* 0 = a question for a name */
	bool is_allowed;
	bool is_udp;
	enum egress_reason reason;
	uint64_t connections;         /* attempts, if they were refused */
	uint64_t bytes_in, bytes_out; /* to the command, from it */
	uint64_t first_ms;            /* since the command was let go */
};

/* The name that an inside address stands for. */
struct egress_synthetic {
	uint8_t address[4];
	char host[RELAY_NAME_BYTES];
};

/* Zero is valid: nothing was reported. */
struct egress_book {
	bool is_on; /* a relay stood */
	struct egress_entry *entries;
	size_t len, room;
	/* Connections and attempts whose entry had no room; an entry that was
	 * displaced counts with all of its own. */
	uint64_t omitted;
	struct egress_synthetic *names;
	size_t names_len, names_room;
};

/* egress_book_add -- count entry.  It is added to the entry with the same host
 * (or address, if there is no host), port, verdict and reason, or becomes a new
 * one.  At EGRESS_ENTRIES_MAX, what was reached replaces the last entry that
 * was refused, or else one that failed; everything else is counted in
 * omitted. */
void egress_book_add(struct egress_book *book,
		     const struct egress_entry *entry);

/* egress_book_note_name -- note the name that address stands for inside.  The
 * first name counts, and at most EGRESS_NAMES_MAX are kept. */
void egress_book_note_name(struct egress_book *book, const uint8_t address[4],
			   const char *host);

/* egress_book_find_name -- the host that address stands for, or NULL. */
const char *egress_book_find_name(const struct egress_book *book,
				  const uint8_t address[4]);

void egress_book_done(struct egress_book *book);

#endif
