/* service_pool.c -- the pool: bounded, one wait, and nothing left behind. */
#include "service/pool.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "tap.h"

#define ITEMS 20

/* An item is a pipe, which is readable when the item has work. */
struct item {
	bool is_silent; /* its pipe is never readable */
	bool is_quick;  /* done as it is started */
	int steps;      /* that it still takes */
	int failure;    /* -errno of its last step */
	size_t after;   /* 1 + the item that has to be settled first */
	int ends[2];
	bool is_started, is_over, is_settled, is_cancelled, is_ended;
};

struct work {
	struct item items[ITEMS];
	size_t len, started, running, most, over, settled, steps;
	size_t at[POOL_PLACES_MAX];
	size_t cancelled_when_ended; /* at the first end */
	int stop[2];
	size_t stop_at; /* stop_fd is readable once that many have started; 0: never */
	int left_ms;
};

static bool can_start(const struct work *w, const struct item *it)
{
	return !it->is_started &&
	       (it->after == 0 || w->items[it->after - 1].is_settled);
}

static int start(void *data, size_t place, struct cupel_error *err)
{
	struct work *w = data;
	size_t i = 0;
	struct item *it;

	(void)err;
	while (i < w->len && !can_start(w, &w->items[i]))
		i++;
	if (i == w->len)
		return POOL_NOTHING;
	it = &w->items[i];
	it->is_started = true;
	w->started++;
	if (it->is_quick) {
		it->is_over = it->is_settled = true;
		w->over++;
		return POOL_AT_ONCE;
	}
	ok_int(pipe(it->ends), 0);
	if (!it->is_silent)
		ok_int(write(it->ends[1], "x", 1), 1);
	w->at[place] = i;
	if (++w->running > w->most)
		w->most = w->running;
	if (w->started == w->stop_at)
		ok_int(write(w->stop[1], "x", 1), 1);
	return POOL_STARTED;
}

static int item_fd(const void *data, size_t place)
{
	const struct work *w = data;

	return w->items[w->at[place]].ends[0];
}

static int left_ms(const void *data, size_t place)
{
	const struct work *w = data;

	(void)place;
	return w->left_ms;
}

static int step(void *data, size_t place, struct cupel_error *err)
{
	struct work *w = data;
	struct item *it = &w->items[w->at[place]];

	w->steps++;
	if (it->steps-- > 0)
		return 1;
	if (it->failure < 0)
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUG,
				      -it->failure, "an item");
	it->is_over = true;
	w->over++;
	w->running--;
	return 0;
}

static int settle(void *data, struct cupel_error *err)
{
	struct work *w = data;

	(void)err;
	for (size_t i = 0; i < w->len; i++)
		if (w->items[i].is_over && !w->items[i].is_settled) {
			w->items[i].is_settled = true;
			w->settled++;
		}
	return 0;
}

static void cancel(void *data, size_t place)
{
	struct work *w = data;

	ok(!w->items[w->at[place]].is_over);
	w->items[w->at[place]].is_cancelled = true;
}

static void end(void *data, size_t place)
{
	struct work *w = data;
	struct item *it = &w->items[w->at[place]];

	bool is_first = w->cancelled_when_ended == 0;

	for (size_t i = 0; is_first && i < w->len; i++)
		w->cancelled_when_ended += w->items[i].is_cancelled;
	ok(it->is_cancelled && !it->is_ended);
	it->is_ended = true;
	w->running--;
}

static const struct pool_calls calls = {
	.start = start,
	.fd = item_fd,
	.left_ms = left_ms,
	.step = step,
	.settle = settle,
	.cancel = cancel,
	.end = end,
};

static struct work work_of(size_t len)
{
	struct work w = { .len = len, .left_ms = -1 };

	ok_int(pipe(w.stop), 0);
	for (size_t i = 0; i < ITEMS; i++)
		w.items[i].ends[0] = w.items[i].ends[1] = -1;
	return w;
}

static int run(struct work *w, size_t places)
{
	struct cupel_error err = { 0 };
	int e = pool_run(&calls, w, places, w->stop[0], &err);

	ok_int(err.sys, -e);
	for (size_t i = 0; i < ITEMS; i++) {
		cleanup_fd(&w->items[i].ends[0]);
		cleanup_fd(&w->items[i].ends[1]);
	}
	cleanup_fd(&w->stop[0]);
	cleanup_fd(&w->stop[1]);
	return e;
}

static void all_are_done_and_never_more_at_once_than_places(void)
{
	static const size_t places[] = { 1, 3, ITEMS, POOL_PLACES_MAX };

	for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
		struct work w = work_of(ITEMS);

		for (size_t k = 0; k < ITEMS; k++)
			w.items[k].steps = (int)(k % 3);
		ok_int(run(&w, places[i]), 0);
		ok_int(w.over, ITEMS);
		ok_int(w.settled, ITEMS);
		ok_int(w.running, 0);
		ok_int(w.most, places[i] < ITEMS ? places[i] : ITEMS);
		ok_int(w.cancelled_when_ended, 0);
	}
}

static void what_is_done_at_once_takes_no_place(void)
{
	struct work w = work_of(ITEMS);

	for (size_t i = 0; i < ITEMS; i++)
		w.items[i].is_quick = true;
	ok_int(run(&w, 1), 0);
	ok_int(w.over, ITEMS);
	ok_int(w.steps, 0);
}

static void what_waits_for_another_is_started_behind_it(void)
{
	struct work w = work_of(4);

	w.items[0].after = 2; /* the second; the last is first */
	w.items[1].after = 3;
	w.items[2].after = 4;
	ok_int(run(&w, 4), 0);
	ok_int(w.over, 4);
	ok_int(w.most, 1);
}

static void nothing_to_do_is_done(void)
{
	struct work w = work_of(0);

	ok_int(run(&w, 2), 0);
	ok_int(w.steps, 0);
}

static void stopped_it_tells_all_before_it_waits_for_one(void)
{
	struct work w = work_of(ITEMS);

	for (size_t i = 0; i < ITEMS; i++)
		w.items[i].is_silent = true;
	w.stop_at = 5;
	ok_int(run(&w, 5), -EINTR);
	ok_int(w.started, 5);
	ok_int(w.over, 0);
	ok_int(w.cancelled_when_ended, 5);
	ok_int(w.running, 0);
}

static void stopped_before_it_begins_nothing(void)
{
	struct work w = work_of(ITEMS);

	for (size_t i = 0; i < ITEMS; i++)
		w.items[i].is_quick = true;
	ok_int(write(w.stop[1], "x", 1), 1);
	ok_int(run(&w, 5), -EINTR);
	ok_int(w.started, 0);
}

static void a_failure_ends_what_runs(void)
{
	struct work w = work_of(ITEMS);

	for (size_t i = 0; i < ITEMS; i++)
		w.items[i].is_silent = i != 2;
	w.items[2].failure = -EIO;
	w.items[0].steps = w.items[1].steps = w.items[3].steps = 1000;
	ok_int(run(&w, 4), -EIO);
	ok_int(w.started, 4);
	ok_int(w.cancelled_when_ended, 4);
	ok_int(w.running, 0);
}

static void a_deadline_wakes_it_though_nothing_speaks(void)
{
	struct work w = work_of(3);

	for (size_t i = 0; i < 3; i++)
		w.items[i].is_silent = true;
	w.left_ms = 1;
	ok_int(run(&w, 3), 0);
	ok_int(w.over, 3);
}

static void more_places_than_there_can_be_are_refused(void)
{
	struct work none = work_of(1), many = work_of(1);

	ok_int(run(&none, 0), -EINVAL);
	ok_int(run(&many, POOL_PLACES_MAX + 1), -EINVAL);
	ok_int(none.started + many.started, 0);
}

/* Input that comes while nothing runs: a byte for each item, then an end. */
struct input {
	int ends[2];
	size_t settled;
	bool is_over;
};

static int nothing_start(void *data, size_t place, struct cupel_error *err)
{
	(void)data, (void)place, (void)err;
	return POOL_NOTHING;
}

static size_t input_own(const void *data, struct pollfd *ret)
{
	const struct input *in = data;

	if (in->is_over)
		return 0;
	ret[0] = (struct pollfd){ .fd = in->ends[0], .events = POLLIN };
	return 1;
}

static int input_settle(void *data, struct cupel_error *err)
{
	struct input *in = data;
	char byte;

	(void)err;
	if (read(in->ends[0], &byte, 1) == 1)
		in->settled++;
	else
		in->is_over = true;
	return 0;
}

static void it_goes_on_while_the_job_waits_for_something_of_its_own(void)
{
	static const struct pool_calls own = { .start = nothing_start,
					       .own = input_own,
					       .settle = input_settle };
	struct cupel_error err = { 0 };
	struct input in = { 0 };

	ok_int(pipe(in.ends), 0);
	ok_int(write(in.ends[1], "abc", 3), 3);
	close(in.ends[1]);
	ok_int(pool_run(&own, &in, 2, -1, &err), 0);
	ok_int(in.settled, 3);
	ok(in.is_over);
	close(in.ends[0]);
}

/* A job that waits for a time and for nothing else. */
static int early_left_ms(const void *data)
{
	const struct input *in = data;

	return in->settled < 3 ? 1 : -1;
}

static int early_settle(void *data, struct cupel_error *err)
{
	struct input *in = data;

	(void)err;
	in->settled++;
	in->is_over = in->settled == 3;
	return 0;
}

static void a_deadline_of_the_jobs_own_wakes_it(void)
{
	static const struct pool_calls own = { .start = nothing_start,
					       .own = input_own,
					       .own_left_ms = early_left_ms,
					       .settle = early_settle };
	struct cupel_error err = { 0 };
	struct input in = { 0 };

	ok_int(pipe(in.ends), 0);
	ok_int(pool_run(&own, &in, 2, -1, &err), 0);
	ok_int(in.settled, 3);
	close(in.ends[0]);
	close(in.ends[1]);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(all_are_done_and_never_more_at_once_than_places),
		CASE(what_is_done_at_once_takes_no_place),
		CASE(what_waits_for_another_is_started_behind_it),
		CASE(nothing_to_do_is_done),
		CASE(stopped_it_tells_all_before_it_waits_for_one),
		CASE(stopped_before_it_begins_nothing),
		CASE(a_failure_ends_what_runs),
		CASE(a_deadline_wakes_it_though_nothing_speaks),
		CASE(it_goes_on_while_the_job_waits_for_something_of_its_own),
		CASE(a_deadline_of_the_jobs_own_wakes_it),
		CASE(more_places_than_there_can_be_are_refused), TAP_END });
}
