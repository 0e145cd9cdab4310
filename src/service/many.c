/* many.c -- see many.h. */
#include "service/many.h"

#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/plural.h"
#include "service/flight.h"
#include "service/many_private.h"
#include "service/prepare.h"
#include "service/spec_handle.h"
#include "service/vessel.h"
#include "spec/line.h"
#include "supervise/clock.h"

/* Besides those that run, so many wait for each place where nothing else is asked
 * for: enough to start the next one at once. */
#define ITEMS_FOR_PLACE 4U

/* What epoll says of our own descriptor; places are below. */
#define WAKE  POOL_PLACES_MAX
#define TIMER (POOL_PLACES_MAX + 1)

static_assert(CUPEL_BATCH_PLACES_MAX == POOL_PLACES_MAX, "one limit");

/* --- a batch ----------------------------------------------------------------- */

static unsigned processors(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);

	if (n < 1)
		return 1;
	return n > (long)POOL_PLACES_MAX ? POOL_PLACES_MAX : (unsigned)n;
}

/* Callers built against an older header have a shorter struct. */
static int options_read(const struct cupel_batch_options *options,
			struct cupel_batch_options *ret,
			struct cupel_error *err)
{
	*ret = (struct cupel_batch_options){ .size = sizeof *ret };
	if (options != NULL && (options->size < sizeof options->size ||
				options->size > sizeof *ret))
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			"struct cupel_batch_options: size %zu is "
			"outside %zu..%zu",
			options->size, sizeof options->size, sizeof *ret);
	if (options != NULL)
		memcpy(ret, options, options->size);
	if (ret->places == 0)
		ret->places = processors();
	if (ret->items == 0)
		ret->items = (1 + ITEMS_FOR_PLACE) * ret->places;
	if (ret->places > POOL_PLACES_MAX)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL, "places: %u is outside 0..%u",
				  ret->places, POOL_PLACES_MAX);
	if (ret->items < ret->places || ret->items > CUPEL_BATCH_ITEMS_MAX)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL, "items: %u is outside %u..%u",
				  ret->items, ret->places,
				  CUPEL_BATCH_ITEMS_MAX);
	return 0;
}

static int descriptors_open(struct cupel_batch *b, struct cupel_error *err)
{
	struct epoll_event woken = { .events = EPOLLIN, .data.u64 = WAKE };
	struct epoll_event timed = { .events = EPOLLIN, .data.u64 = TIMER };

	b->epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	if (b->epoll_fd >= 0)
		b->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (b->wake_fd >= 0)
		b->timer_fd = timerfd_create(CLOCK_MONOTONIC,
					     TFD_CLOEXEC | TFD_NONBLOCK);
	if (b->timer_fd >= 0 &&
	    epoll_ctl(b->epoll_fd, EPOLL_CTL_ADD, b->wake_fd, &woken) == 0 &&
	    epoll_ctl(b->epoll_fd, EPOLL_CTL_ADD, b->timer_fd, &timed) == 0)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, errno,
			  "no descriptors for a batch: %s", strerror(errno));
}

int many_new(const struct cupel_batch_options *options,
	     struct cupel_batch **ret, struct cupel_error *err)
{
	struct cupel_batch_options o;
	struct cupel_batch *b;
	int r = options_read(options, &o, err);

	if (r < 0)
		return r;
	b = calloc(1, sizeof *b);
	if (b == NULL)
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM, "no memory for a batch");
	b->epoll_fd = b->wake_fd = b->timer_fd = -1;
	for (size_t i = 0; i < POOL_PLACES_MAX; i++)
		b->watched_fd[i] = -1;
	flights_init(&b->flights, o.places);
	b->items = many_items_new(o.items);
	r = b->items == NULL
		    ? cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				     ENOMEM, "no memory for a batch")
		    : pool_init(&b->pool, &many_calls, b, o.places, -1, err);
	if (r == 0)
		r = descriptors_open(b, err);
	if (r < 0)
		many_free(b);
	else
		*ret = b;
	return r;
}

/* --- in, on and out ---------------------------------------------------------- */

/* Make our descriptor readable.  Async-signal-safe. */
static void wake(const struct cupel_batch *b)
{
	const uint64_t one = 1;
	int saved = errno;

	(void)!write(b->wake_fd, &one, sizeof one);
	errno = saved;
}

int many_put(struct cupel_batch *b, const struct cupel_spec *spec,
	     const struct cupel_hooks *hooks, uint64_t id,
	     struct cupel_error *err)
{
	struct cupel_spec *own = NULL;
	struct cupel_hooks h;
	int r = vessel_hooks_read(hooks, &h, err);

	if (r == 0)
		r = spec_line_check(&spec->fields, err);
	if (r == 0)
		r = prepare_check(&spec->fields, err);
	if (r < 0)
		return r;
	if (many_items_has(b->items, id))
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EEXIST, "id %llu is in the batch already",
				  (unsigned long long)id);
	if (b->items->spare.len == 0)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				  EAGAIN,
				  "the batch is full: take the end of one of "
				  "its %zu spec%s first",
				  b->items->room, plural_s(b->items->room));
	r = spec_handle_copy(spec, &own, err);
	if (r < 0)
		return r;
	own->fields.is_of_many = true;
	h.is_alone = h.is_alone != 0 && b->flights.places == 1;
	many_items_add(b->items, id, own, &h);
	wake(b);
	return 0;
}

int many_fd(const struct cupel_batch *b)
{
	return b->epoll_fd;
}

/* One that waits has ended when it is cancelled. */
static void cancels_pass(struct cupel_batch *b)
{
	const struct cupel_error why = { CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
					 ECANCELED,
					 "cancelled before it was started" };
	size_t n = b->items->waiting.len;

	for (size_t i = 0; i < b->flights.places; i++) {
		int signal =
			b->in[i] == NULL ? -1 : many_item_cancelled(b->in[i]);

		if (signal >= 0)
			flight_cancel(flights_run(&b->flights, i), signal);
	}
	for (; n > 0; n--) {
		struct many_item *item = many_queue_take(&b->items->waiting);

		if (many_item_cancelled(item) >= 0)
			many_item_fail(b, item, &why);
		else
			many_queue_put(&b->items->waiting, item);
	}
}

static void events_take(struct cupel_batch *b)
{
	struct epoll_event events[TIMER + 1];
	int n = epoll_wait(b->epoll_fd, events, TIMER + 1, 0);
	uint64_t count;

	for (int i = 0; i < n; i++)
		if (events[i].data.u64 == WAKE)
			(void)!read(b->wake_fd, &count, sizeof count);
		else if (events[i].data.u64 == TIMER)
			(void)!read(b->timer_fd, &count, sizeof count);
		else
			b->is_ready[events[i].data.u64] = true;
}

/* A caller that waits for our descriptor is woken when an idle template is to be
 * ended.  If the timer is refused, that is done at the next step. */
static void timer_arm(struct cupel_batch *b)
{
	int left_ms = flights_left_ms(&b->flights);
	uint64_t now_ns = clock_now_ns(), at_ns;
	struct itimerspec at = { 0 };

	if (left_ms < 0)
		return; /* one that is set still costs a step, and no more */
	at_ns = clock_after_ms(now_ns, (uint64_t)left_ms);
	if (b->timed_ns > now_ns && b->timed_ns <= at_ns)
		return;
	b->timed_ns = at_ns;
	at.it_value.tv_sec = (time_t)(at_ns / NS_PER_S);
	at.it_value.tv_nsec = (long)(at_ns % NS_PER_S);
	(void)timerfd_settime(b->timer_fd, TFD_TIMER_ABSTIME, &at, NULL);
}

int many_step(struct cupel_batch *b, struct cupel_error *err)
{
	int r;

	events_take(b);
	if (many_items_has_cancels(b->items))
		cancels_pass(b);
	b->has_begun = false;
	r = pool_turn(&b->pool, err);
	if (r < 0)
		return r;
	timer_arm(b);
	if (b->items->waiting.len > 0 && b->pool.taken < b->flights.places)
		wake(b);
	return b->items->waiting.len > 0 || b->pool.taken > 0;
}

int many_wait(struct cupel_batch *b, struct cupel_error *err)
{
	struct pollfd p = { .fd = b->epoll_fd, .events = POLLIN };
	int r = 1;

	while (r > 0 && b->items->ended.len == 0) {
		r = many_step(b, err);
		if (r > 0 && b->items->ended.len == 0)
			(void)poll(&p, 1, -1);
	}
	return r < 0 ? r : b->items->ended.len > 0;
}

/* What every header has had of the struct. */
#define END_LEAST                                                              \
	(offsetof(struct cupel_batch_end, error) + sizeof(struct cupel_error))

int many_take(struct cupel_batch *b, struct cupel_batch_end *ret,
	      struct cupel_error *err)
{
	struct cupel_batch_end e = { .size = ret->size };
	struct many_item *item;

	if (ret->size < END_LEAST || ret->size > sizeof e)
		return cupel_fail(
			err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER, EINVAL,
			"struct cupel_batch_end: size %zu is outside %zu..%zu",
			ret->size, END_LEAST, sizeof e);
	item = many_queue_take(&b->items->ended);
	if (item == NULL)
		return 0;
	e.id = atomic_load(&item->id);
	e.status = item->status;
	e.rc = item->rc;
	e.result = item->result;
	e.result_len = item->result_len;
	e.error = item->error;
	many_items_drop(b->items, item);
	memcpy(ret, &e, e.size); /* of an older header's it is the beginning */
	return 1;
}

void many_cancel(struct cupel_batch *b, const uint64_t *id, int signal)
{
	if (many_items_cancel(b->items, id, signal))
		wake(b);
}

uint64_t many_remade(const struct cupel_batch *b, const char **ret_why)
{
	const char *why;
	uint64_t n = flights_remade(&b->flights, &why);

	if (ret_why != NULL)
		*ret_why = why;
	return n;
}

void many_free(struct cupel_batch *b)
{
	if (b == NULL)
		return;
	pool_end(&b->pool);
	flights_done(&b->flights);
	many_items_free(b->items);
	cleanup_fd(&b->timer_fd);
	cleanup_fd(&b->wake_fd);
	cleanup_fd(&b->epoll_fd);
	free(b);
}
