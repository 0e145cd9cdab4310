/* many_pool.c -- the runs of a batch: what they wait for, and their ends. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/error.h"
#include "service/flight.h"
#include "service/many_private.h"
#include "service/spec_handle.h"

/* --- what is watched -------------------------------------------------------- */

/* Watch the run in a place for one more event.  A copy that is made again from
 * the beginning has another descriptor, perhaps of the same number, of which epoll
 * does not know: it says ENOENT. */
static int place_watch(struct cupel_batch *b, size_t place)
{
	struct epoll_event e = { .events = EPOLLIN | EPOLLONESHOT,
				 .data.u64 = place };
	int fd = flight_fd(flights_run(&b->flights, place));
	int r = epoll_ctl(b->epoll_fd, EPOLL_CTL_MOD, fd, &e);

	if (r < 0 && errno == ENOENT)
		r = epoll_ctl(b->epoll_fd, EPOLL_CTL_ADD, fd, &e);
	if (r < 0)
		return -errno;
	b->watched_fd[place] = fd;
	return 0;
}

static void place_unwatch(struct cupel_batch *b, size_t place)
{
	if (b->watched_fd[place] >= 0)
		(void)epoll_ctl(b->epoll_fd, EPOLL_CTL_DEL,
				b->watched_fd[place], NULL);
	b->watched_fd[place] = -1;
	b->is_ready[place] = false;
}

/* --- ends ------------------------------------------------------------------- */

void many_item_fail(struct cupel_batch *b, struct many_item *item,
		    const struct cupel_error *why)
{
	item->status = CUPEL_INTERNAL_ERROR;
	item->rc = (int)item->spec->fields.error_rc;
	item->error = *why;
	many_items_end(b->items, item);
}

/* The run has ended, and has a result unless there was no memory for it. */
static void place_end(struct cupel_batch *b, size_t place,
		      const struct cupel_error *why)
{
	struct cupel_run *run = flights_run(&b->flights, place);
	struct many_item *item = b->in[place];

	b->in[place] = NULL;
	place_unwatch(b, place);
	item->status = flight_status(run);
	item->rc = flight_rc(run);
	item->result = flight_take(run, &item->result_len);
	flights_leave(&b->flights, place);
	if (item->result == NULL)
		many_item_fail(b, item, why);
	else
		many_items_end(b->items, item);
}

/* Nobody would hear of its end: it is no run. */
static void place_give_up(struct cupel_batch *b, size_t place, int sys)
{
	struct cupel_run *run = flights_run(&b->flights, place);
	struct cupel_error ignored = { 0 }, why = { 0 };
	size_t n;

	flight_cancel(run, 0);
	(void)flight_step(run, true, &ignored);
	free(flight_take(run, &n));
	(void)cupel_fail(&why, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, sys,
			 "epoll: a run cannot be watched: %s", strerror(sys));
	place_end(b, place, &why);
}

/* --- what the pool asks ----------------------------------------------------- */

static int start(void *data, size_t place, struct cupel_error *err)
{
	struct cupel_batch *b = data;
	struct cupel_error why = { 0 };
	struct many_item *item;
	int r;

	(void)err;
	if (b->has_begun) /* a step takes no longer than one start */
		return POOL_NOTHING;
	item = many_queue_take(&b->items->waiting);
	if (item == NULL)
		return POOL_NOTHING;
	b->has_begun = true;
	r = flights_start(&b->flights, place, item->spec, &item->hooks, &why);
	if (r < 0) {
		many_item_fail(b, item, &why);
		return POOL_AT_ONCE;
	}
	b->in[place] = item;
	if (flight_fd(flights_run(&b->flights, place)) < 0) {
		place_end(b, place, &why);
		return POOL_AT_ONCE;
	}
	r = place_watch(b, place);
	if (r < 0)
		place_give_up(b, place, -r);
	return r < 0 ? POOL_AT_ONCE : POOL_STARTED;
}

static int step(void *data, size_t place, struct cupel_error *err)
{
	struct cupel_batch *b = data;
	struct cupel_error why = { 0 };
	int r;

	(void)err;
	if (!b->is_ready[place])
		return 1;
	b->is_ready[place] = false;
	if (flight_step(flights_run(&b->flights, place), false, &why) <= 0) {
		place_end(b, place, &why);
		return 0;
	}
	r = place_watch(b, place);
	if (r < 0)
		place_give_up(b, place, -r);
	return r < 0 ? 0 : 1;
}

static int settle(void *data, struct cupel_error *err)
{
	struct cupel_batch *b = data;

	(void)err;
	flights_settle(&b->flights);
	return 0;
}

static void cancel(void *data, size_t place)
{
	struct cupel_batch *b = data;

	flight_cancel(flights_run(&b->flights, place), 0);
}

static void end(void *data, size_t place)
{
	struct cupel_batch *b = data;
	struct cupel_error why = { 0 };

	(void)flight_step(flights_run(&b->flights, place), true, &why);
	place_end(b, place, &why);
}

const struct pool_calls many_calls = { .start = start,
				       .step = step,
				       .settle = settle,
				       .cancel = cancel,
				       .end = end };
