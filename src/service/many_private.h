/* many_private.h -- the contents of a batch, for the service's own files. */
#ifndef CUPEL_SERVICE_MANY_PRIVATE_H
#define CUPEL_SERVICE_MANY_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "service/flights.h"
#include "service/many_items.h"
#include "service/pool.h"

struct cupel_batch {
	int epoll_fd, wake_fd;
	int timer_fd; /* for what is left to do when no run has anything to say */
	uint64_t timed_ns; /* when it ends; 0 = it is not set */
	bool has_begun;    /* one was started in this step */
	struct many_items *items;
	struct many_item *in[POOL_PLACES_MAX]; /* what each place runs */
	int watched_fd[POOL_PLACES_MAX];       /* in the epoll; -1: none */
	bool is_ready[POOL_PLACES_MAX];        /* its descriptor was readable */
	struct pool pool;
	struct flights flights;
};

/* many_calls -- what the pool asks of a batch; the places' descriptors are in the
 * epoll, so it does not ask for those. */
extern const struct pool_calls many_calls;

/* many_item_fail -- an item that has no result has ended. */
void many_item_fail(struct cupel_batch *b, struct many_item *item,
		    const struct cupel_error *why);

#endif
