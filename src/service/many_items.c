/* many_items.c -- see many_items.h. */
#include "service/many_items.h"

#include <assert.h>
#include <stdlib.h>

#include "service/spec_handle.h"

static_assert(ATOMIC_LLONG_LOCK_FREE == 2 && ATOMIC_BOOL_LOCK_FREE == 2,
	      "a signal handler may touch nothing that has a lock");

void many_queue_put(struct many_queue *q, struct many_item *item)
{
	item->next = NULL;
	if (q->last != NULL)
		q->last->next = item;
	else
		q->first = item;
	q->last = item;
	q->len++;
}

struct many_item *many_queue_take(struct many_queue *q)
{
	struct many_item *item = q->first;

	if (item == NULL)
		return NULL;
	q->first = item->next;
	if (q->first == NULL)
		q->last = NULL;
	q->len--;
	return item;
}

struct many_items *many_items_new(size_t room)
{
	struct many_items *all =
		calloc(1, sizeof *all + room * sizeof *all->list);

	if (all == NULL)
		return NULL;
	all->room = room;
	for (size_t i = 0; i < room; i++)
		many_queue_put(&all->spare, &all->list[i]);
	return all;
}

void many_items_free(struct many_items *all)
{
	for (size_t i = 0; all != NULL && i < all->room; i++) {
		spec_handle_drop(all->list[i].spec);
		free(all->list[i].result);
	}
	free(all);
}

/* The turn of the item in this slot if it has that id; 0 if not.  The id belongs
 * to the turn only if the turn is the same before and after. */
static uint64_t turn_of(const struct many_item *item, const uint64_t *id)
{
	uint64_t turn = atomic_load(&item->turn);

	if (id != NULL &&
	    (atomic_load(&item->id) != *id || atomic_load(&item->turn) != turn))
		return 0;
	return turn;
}

bool many_items_has(const struct many_items *all, uint64_t id)
{
	for (size_t i = 0; i < all->room; i++)
		if (turn_of(&all->list[i], &id) != 0)
			return true;
	return false;
}

void many_items_add(struct many_items *all, uint64_t id,
		    struct cupel_spec *spec, const struct cupel_hooks *hooks)
{
	struct many_item *item = many_queue_take(&all->spare);

	item->spec = spec;
	item->hooks = *hooks;
	item->told = 0;
	atomic_store(&item->id, id);
	atomic_store(&item->turn, ++all->turn);
	many_queue_put(&all->waiting, item);
}

void many_items_end(struct many_items *all, struct many_item *item)
{
	spec_handle_drop(item->spec);
	item->spec = NULL;
	many_queue_put(&all->ended, item);
}

void many_items_drop(struct many_items *all, struct many_item *item)
{
	atomic_store(&item->turn, 0);
	item->result = NULL;
	item->error = (struct cupel_error){ 0 };
	many_queue_put(&all->spare, item);
}

/* --- cancelling ------------------------------------------------------------ */

/* The first call asks for the signal, each later one for the end. */
static uint64_t bits_next(uint64_t before, uint64_t turn, int signal)
{
	bool is_first = before >> MANY_BITS != turn;

	return is_first && signal > 0 && signal <= 64 ? (uint64_t)signal : 0;
}

static void item_cancel(struct many_item *item, uint64_t turn, int signal)
{
	uint64_t before = atomic_load(&item->cancel);

	/* a newer item in this slot is not ours to cancel */
	while (before >> MANY_BITS <= turn &&
	       !atomic_compare_exchange_weak(
		       &item->cancel, &before,
		       turn << MANY_BITS | bits_next(before, turn, signal)))
		;
}

bool many_items_cancel(struct many_items *all, const uint64_t *id, int signal)
{
	bool has_any = false;

	for (size_t i = 0; i < all->room; i++) {
		uint64_t turn = turn_of(&all->list[i], id);

		if (turn == 0)
			continue;
		item_cancel(&all->list[i], turn, signal);
		has_any = true;
	}
	if (has_any)
		atomic_store(&all->has_cancels, true);
	return has_any;
}

bool many_items_has_cancels(struct many_items *all)
{
	return atomic_exchange(&all->has_cancels, false);
}

int many_item_cancelled(struct many_item *item)
{
	uint64_t asked = atomic_load(&item->cancel);

	if (asked == item->told ||
	    asked >> MANY_BITS != atomic_load(&item->turn))
		return -1;
	item->told = asked;
	return (int)(asked & MANY_SIGNAL);
}
