/* book.h -- what was reached and what was refused, counted.  Pure. */
#ifndef CUPEL_RELAY_BOOK_H
#define CUPEL_RELAY_BOOK_H

#include <stddef.h>

#include "relay/protocol.h"

struct book {
	size_t len;
	uint32_t omitted; /* count of what had no room or was displaced */
	struct relay_record entries[RELAY_BOOK_MAX];
};

enum book_news {
	BOOK_COUNTED, /* to an entry that was there */
	BOOK_NEW,
	BOOK_OMITTED,
};

/* book_note -- count `what` (kind, verdict, protocol, port, address, name; its
 * count, bytes and error) to the entry that it belongs to, or begin one.
 *
 * A full book gives up an entry that says less for one that says more: what was
 * allowed says most, what no rule speaks of says least.  The address stays that
 * of the first time.  *ret_entry is set unless BOOK_OMITTED is returned. */
enum book_news book_note(struct book *b, const struct relay_record *what,
			 struct relay_record **ret_entry);

#endif
