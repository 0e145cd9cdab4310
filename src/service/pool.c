/* pool.c -- see pool.h. */
#include "service/pool.h"

#include <errno.h>
#include <poll.h>

#include "base/error.h"

static int stopped(struct cupel_error *err)
{
	return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, EINTR,
			      "stopped");
}

static int stop_look(const struct pool *p, struct cupel_error *err)
{
	struct pollfd stop = { .fd = p->stop_fd, .events = POLLIN };

	return p->stop_fd >= 0 && poll(&stop, 1, 0) > 0 ? stopped(err) : 0;
}

/* Returns what start returned last. */
static int place_fill(struct pool *p, size_t place, struct cupel_error *err)
{
	int r = POOL_AT_ONCE;

	while (r == POOL_AT_ONCE) {
		r = stop_look(p, err);
		if (r == 0)
			r = p->calls->start(p->data, place, err);
	}
	if (r == POOL_STARTED) {
		p->is_taken[place] = true;
		p->taken++;
	}
	return r;
}

static int places_fill(struct pool *p, struct cupel_error *err)
{
	for (size_t i = 0; i < p->places; i++) {
		int r = p->is_taken[i] ? POOL_STARTED : place_fill(p, i, err);

		if (r <= POOL_NOTHING)
			return r;
	}
	return 0;
}

static size_t own_list(const struct pool *p, struct pollfd *ret)
{
	return p->calls->own != NULL ? p->calls->own(p->data, ret) : 0;
}

static bool has_work(const struct pool *p)
{
	struct pollfd own[POOL_OWN_MAX];

	return p->taken > 0 || own_list(p, own) > 0;
}

/* The only place where a job waits. */
static int wait_any(const struct pool *p, struct cupel_error *err)
{
	struct pollfd fds[POOL_PLACES_MAX + POOL_OWN_MAX + 1];
	nfds_t n = 1 + own_list(p, fds + 1);
	int wait_ms = p->calls->own_left_ms != NULL
			      ? p->calls->own_left_ms(p->data)
			      : -1;

	fds[0] = (struct pollfd){ .fd = p->stop_fd, .events = POLLIN };
	for (size_t i = 0; i < p->places; i++) {
		int fd, left_ms = -1;

		if (!p->is_taken[i])
			continue;
		fd = p->calls->fd(p->data, i);
		if (p->calls->left_ms != NULL)
			left_ms = p->calls->left_ms(p->data, i);
		if (fd < 0)
			left_ms = 0;
		if (left_ms >= 0 && (wait_ms < 0 || left_ms < wait_ms))
			wait_ms = left_ms;
		fds[n++] = (struct pollfd){ .fd = fd, .events = POLLIN };
	}
	(void)poll(fds, n, wait_ms);
	return stop_look(p, err);
}

static int places_step(struct pool *p, struct cupel_error *err)
{
	for (size_t i = 0; i < p->places; i++) {
		int r = p->is_taken[i] ? p->calls->step(p->data, i, err) : 1;

		if (r < 0)
			return r;
		if (r == 0) {
			p->is_taken[i] = false;
			p->taken--;
		}
	}
	return 0;
}

int pool_turn(struct pool *p, struct cupel_error *err)
{
	int e = places_step(p, err);

	if (e == 0)
		e = places_fill(p, err);
	if (e == 0 && p->calls->settle != NULL) {
		e = p->calls->settle(p->data, err);
		if (e == 0)
			e = places_fill(p, err);
	}
	return e;
}

void pool_end(struct pool *p)
{
	for (size_t i = 0; i < p->places; i++)
		if (p->is_taken[i])
			p->calls->cancel(p->data, i);
	for (size_t i = 0; i < p->places; i++)
		if (p->is_taken[i])
			p->calls->end(p->data, i);
	for (size_t i = 0; i < p->places; i++)
		p->is_taken[i] = false;
	p->taken = 0;
}

int pool_init(struct pool *p, const struct pool_calls *calls, void *data,
	      size_t places, int stop_fd, struct cupel_error *err)
{
	if (places < 1 || places > POOL_PLACES_MAX)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINVAL, "%zu places are outside 1..%u",
				  places, POOL_PLACES_MAX);
	*p = (struct pool){ .calls = calls,
			    .data = data,
			    .places = places,
			    .stop_fd = stop_fd };
	return 0;
}

int pool_run(const struct pool_calls *calls, void *data, size_t places,
	     int stop_fd, struct cupel_error *err)
{
	struct pool p;
	int e = pool_init(&p, calls, data, places, stop_fd, err);

	if (e < 0)
		return e;
	e = places_fill(&p, err);
	while (e == 0 && has_work(&p)) {
		e = wait_any(&p, err);
		if (e == 0)
			e = pool_turn(&p, err);
	}
	if (e < 0)
		pool_end(&p);
	return e;
}
