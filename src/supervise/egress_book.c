/* egress_book.c -- see egress_book.h. */
#include "supervise/egress_book.h"

#include <stdlib.h>
#include <string.h>

#include "base/grow.h"

static bool is_same(const struct egress_entry *a, const struct egress_entry *b)
{
	if (a->port != b->port || a->is_allowed != b->is_allowed ||
	    a->reason != b->reason || a->is_udp != b->is_udp ||
	    strcmp(a->host, b->host) != 0)
		return false;
	return a->host[0] != '\0' ||
	       (a->family == b->family &&
		memcmp(a->address, b->address, sizeof a->address) == 0);
}

static struct egress_entry *find(struct egress_book *book,
				 const struct egress_entry *entry)
{
	for (size_t i = 0; i < book->len; i++)
		if (is_same(&book->entries[i], entry))
			return &book->entries[i];
	return NULL;
}

static void merge(struct egress_entry *into, const struct egress_entry *from)
{
	into->connections += from->connections;
	into->bytes_in += from->bytes_in;
	into->bytes_out += from->bytes_out;
	if (from->first_ms < into->first_ms)
		into->first_ms = from->first_ms;
	if (into->family == 0) {
		into->family = from->family;
		memcpy(into->address, from->address, sizeof into->address);
	}
}

/* A connection that was made says most; a refusal because no rule matched says
 * least. */
static int worth(const struct egress_entry *e)
{
	if (!e->is_allowed)
		return 0;
	return e->reason == EGRESS_REACHED ? 2 : 1;
}

static struct egress_entry *last_find(struct egress_book *book, int of_worth)
{
	for (size_t i = book->len; i > 0; i--)
		if (worth(&book->entries[i - 1]) == of_worth)
			return &book->entries[i - 1];
	return NULL;
}

/* Find the entry to displace, which is then counted as omitted: the last one of
 * those that say least.  NULL when none says less than entry. */
static struct egress_entry *displace(struct egress_book *book,
				     const struct egress_entry *entry)
{
	int least = 0;

	while (least < worth(entry)) {
		struct egress_entry *e = last_find(book, least++);

		if (e == NULL)
			continue;
		book->omitted += e->connections;
		return e;
	}
	return NULL;
}

static struct egress_entry *place_find(struct egress_book *book,
				       const struct egress_entry *entry)
{
	void *entries = book->entries;

	if (book->len == EGRESS_ENTRIES_MAX)
		return displace(book, entry);
	if (!array_grow(&entries, book->len, &book->room,
			sizeof *book->entries))
		return NULL;
	book->entries = entries;
	return &book->entries[book->len++];
}

void egress_book_add(struct egress_book *book, const struct egress_entry *entry)
{
	struct egress_entry *e = find(book, entry);

	if (e != NULL) {
		merge(e, entry);
		return;
	}
	e = place_find(book, entry);
	if (e == NULL)
		book->omitted += entry->connections;
	else
		*e = *entry;
}

void egress_book_note_name(struct egress_book *book, const uint8_t address[4],
			   const char *host)
{
	void *names = book->names;
	struct egress_synthetic *s;

	if (egress_book_find_name(book, address) != NULL ||
	    book->names_len == EGRESS_NAMES_MAX ||
	    !array_grow(&names, book->names_len, &book->names_room,
			sizeof *book->names))
		return;
	book->names = names;
	s = &book->names[book->names_len++];
	*s = (struct egress_synthetic){ 0 };
	memcpy(s->address, address, sizeof s->address);
	memcpy(s->host, host, strnlen(host, sizeof s->host - 1));
}

const char *egress_book_find_name(const struct egress_book *book,
				  const uint8_t address[4])
{
	for (size_t i = 0; i < book->names_len; i++)
		if (memcmp(book->names[i].address, address, 4) == 0)
			return book->names[i].host;
	return NULL;
}

void egress_book_done(struct egress_book *book)
{
	free(book->entries);
	free(book->names);
	*book = (struct egress_book){ 0 };
}
