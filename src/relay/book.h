/* book.h -- what was reached and what was refused, counted.  Pure. */
#ifndef CUPEL_RELAY_BOOK_H
#define CUPEL_RELAY_BOOK_H

#include <stddef.h>

#include "relay/protocol.h"

struct book {
	size_t len;
	uint32_t omitted; /* entries that found no room or were displaced */
	struct relay_record entries[RELAY_BOOK_MAX];
};

enum book_news {
	BOOK_COUNTED, /* added to an existing entry */
	BOOK_NEW,
	BOOK_OMITTED,
};

/* book_note -- count `what` (kind, verdict, protocol, port, address, name; its
 * count, bytes and error) to the entry that it belongs to, or begin one.
 *
 * A full book gives up an entry that says less for one that says more: an
 * allowed connection says most, a refusal because there was no rule says least.
 * The address stays that of the first time. *ret_entry is set unless
 * BOOK_OMITTED is returned. */
enum book_news book_note(struct book *b, const struct relay_record *what,
			 struct relay_record **ret_entry);

#endif
