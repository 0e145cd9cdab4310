/* book.c -- see book.h. */
#include "relay/book.h"

#include <stdbool.h>
#include <string.h>

#include "relay/address.h"

/* How much an entry says. */
static const uint8_t worth[RELAY_VERDICT_MAX_] = {
	[RELAY_NO_RULE] = 1,        [RELAY_LIMIT] = 2,
	[RELAY_ADDRESS_RANGE] = 3,  [RELAY_SNI_MISMATCH] = 3,
	[RELAY_RESOLVE_FAILED] = 4, [RELAY_CONNECT_FAILED] = 4,
	[RELAY_ALLOWED] = 5,
};

static bool is_same(const struct relay_record *a, const struct relay_record *b)
{
	if (a->kind != b->kind || a->verdict != b->verdict ||
	    a->port != b->port || a->protocol != b->protocol ||
	    strcmp(a->name, b->name) != 0)
		return false;
	return a->name[0] != '\0' || address_is_same(&a->address, &b->address);
}

static uint32_t sum(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

/* The place for a new entry, or NULL.  An entry that gets no place, or loses
 * its place, is still counted in full in `omitted`. */
static struct relay_record *room_find(struct book *b,
				      const struct relay_record *what)
{
	struct relay_record *least = NULL;

	if (b->len < RELAY_BOOK_MAX)
		return &b->entries[b->len++];
	for (size_t i = 0; i < b->len; i++)
		if (least == NULL ||
		    worth[b->entries[i].verdict] <= worth[least->verdict])
			least = &b->entries[i];
	if (worth[least->verdict] >= worth[what->verdict]) {
		b->omitted = sum(b->omitted, what->count);
		return NULL;
	}
	b->omitted = sum(b->omitted, least->count);
	return least;
}

enum book_news book_note(struct book *b, const struct relay_record *what,
			 struct relay_record **ret_entry)
{
	struct relay_record *e;

	for (size_t i = 0; i < b->len; i++) {
		e = &b->entries[i];
		if (!is_same(e, what))
			continue;
		e->count = sum(e->count, what->count);
		e->bytes_in += what->bytes_in;
		e->bytes_out += what->bytes_out;
		e->error = what->error != 0 ? what->error : e->error;
		*ret_entry = e;
		return BOOK_COUNTED;
	}
	e = room_find(b, what);
	if (e == NULL)
		return BOOK_OMITTED;
	*e = *what;
	*ret_entry = e;
	return BOOK_NEW;
}
