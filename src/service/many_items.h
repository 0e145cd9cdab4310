/* many_items.h -- the specs of a batch of cupel.h, from the time when they are put
 * in until their ends are taken: a bounded number, each in a slot. */
#ifndef CUPEL_SERVICE_MANY_ITEMS_H
#define CUPEL_SERVICE_MANY_ITEMS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cupel.h"

/* The low bits of a cancel: the signal, or 0 to kill. */
#define MANY_BITS   7
#define MANY_SIGNAL ((UINT64_C(1) << MANY_BITS) - 1)

struct many_item {
	/* Read by many_items_cancel() in any thread or signal handler.  turn is
	 * 0 while the slot is free, and never the same twice, so that a late
	 * cancel cannot meet another item; id is valid while turn is not 0. */
	_Atomic uint64_t turn;
	_Atomic uint64_t id;
	_Atomic uint64_t
		cancel; /* turn << MANY_BITS, and bits that are asked */

	uint64_t told; /* the value of cancel that was passed on */
	struct many_item *next;
	struct cupel_spec *spec; /* owned; NULL when it has ended */
	struct cupel_hooks hooks;
	/* when it has ended: */
	enum cupel_status status;
	int rc;
	char *result; /* owned; NULL: error says why */
	size_t result_len;
	struct cupel_error error;
};

/* First in, first out. */
struct many_queue {
	struct many_item *first, *last;
	size_t len;
};

struct many_items {
	uint64_t turn; /* of the last that was added */
	/* Something was cancelled since many_items_has_cancels(). */
	atomic_bool has_cancels;
	struct many_queue spare, waiting, ended;
	size_t room;
	struct many_item list[];
};

/* many_items_new -- room for so many items; NULL without memory. */
struct many_items *many_items_new(size_t room);

/* many_items_free -- with everything in it.  NULL is fine. */
void many_items_free(struct many_items *all);

/* many_items_has -- whether an item has this id. */
bool many_items_has(const struct many_items *all, uint64_t id);

/* many_items_add -- put an item at the end of those that wait; there must be a
 * free slot.
 *
 * @spec	taken over
 * @hooks	of our size; copied */
void many_items_add(struct many_items *all, uint64_t id,
		    struct cupel_spec *spec, const struct cupel_hooks *hooks);

/* many_items_end -- an item that is in no queue has ended; its status and the
 * rest have been set. */
void many_items_end(struct many_items *all, struct many_item *item);

/* many_items_drop -- an item that is in no queue, and whose result was taken: its
 * slot is free. */
void many_items_drop(struct many_items *all, struct many_item *item);

/* many_items_cancel -- note that an item is to be cancelled, or with a NULL id
 * every item.  From any thread and from signal handlers.  Returns whether there
 * was one. */
bool many_items_cancel(struct many_items *all, const uint64_t *id, int signal);

/* many_items_has_cancels -- whether many_items_cancel() noted anything since the
 * last call. */
bool many_items_has_cancels(struct many_items *all);

/* many_item_cancelled -- what has to be passed on now: a signal, 0 to kill, or
 * -1: nothing new. */
int many_item_cancelled(struct many_item *item);

void many_queue_put(struct many_queue *q, struct many_item *item);

/* many_queue_take -- the first one; NULL: it is empty. */
struct many_item *many_queue_take(struct many_queue *q);

#endif
