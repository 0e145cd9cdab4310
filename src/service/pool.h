/* pool.h -- runs many items, several at once: a bounded number of places, and
 * one loop that waits for all of them. */
#ifndef CUPEL_SERVICE_POOL_H
#define CUPEL_SERVICE_POOL_H

#include <stdbool.h>
#include <stddef.h>

struct cupel_error;
struct pollfd;

#define POOL_PLACES_MAX 256U
#define POOL_OWN_MAX    2U

/* What start may return besides -errno. */
enum pool_started {
	POOL_NOTHING, /* there is nothing to start, or not yet */
	POOL_AT_ONCE, /* an item began and is already done; the place is free */
	POOL_STARTED, /* an item now runs in the place */
};

/* What the pool asks of the job that it drives.  data belongs to the job, and
 * place is a number below places.  A -errno from any call ends the pool. */
struct pool_calls {
	/* Start the next item in a free place.  It is called again after
	 * POOL_AT_ONCE, and after any item has ended. */
	int (*start)(void *data, size_t place, struct cupel_error *err);
	/* A descriptor that is readable when step has work; -1: it has work
	 * now. */
	int (*fd)(const void *data, size_t place);
	/* The longest time to wait for that; -1: no limit.  May be NULL. */
	int (*left_ms)(const void *data, size_t place);
	/* Do what can be done, without blocking.  Returns 1 while the item goes
	 * on, and 0 when it has ended and the place is free. */
	int (*step)(void *data, size_t place, struct cupel_error *err);
	/* Called when free places have been filled: look at what has ended
	 * meanwhile.  Items that wait for that can be started afterwards.  May
	 * be NULL. */
	int (*settle)(void *data, struct cupel_error *err);
	/* What the job itself waits for besides its places: input, or room for
	 * output.  It fills in at most POOL_OWN_MAX entries of ret and returns
	 * their number.  As long as there is one, the pool goes on; settle does
	 * what is ready, without blocking.  May be NULL. */
	size_t (*own)(const void *data, struct pollfd *ret);
	/* The longest time to wait for all of that, after which settle is
	 * called; -1: no limit.  May be NULL. */
	int (*own_left_ms)(const void *data);
	/* The pool gives up: first every place is told to end, which does not
	 * block; then the pool waits for each to end. */
	void (*cancel)(void *data, size_t place);
	void (*end)(void *data, size_t place);
};

struct pool {
	const struct pool_calls *calls;
	void *data;
	size_t places, taken;
	bool is_taken[POOL_PLACES_MAX];
	int stop_fd;
};

/* pool_init -- all places are free.
 *
 * @calls	borrowed, as is data, until pool_end()
 * @places	how many at once, 1 to POOL_PLACES_MAX
 * @stop_fd	readable: give up; -1: never
 * Returns 0 or -EINVAL. */
int pool_init(struct pool *p, const struct pool_calls *calls, void *data,
	      size_t places, int stop_fd, struct cupel_error *err);

/* pool_turn -- step every place that is taken, fill the free ones and settle,
 * without waiting for anything.  For a caller that waits itself.
 *
 * Returns 0; -EINTR when it was stopped; the -errno of a call.  After a failure
 * only pool_end() may be called. */
int pool_turn(struct pool *p, struct cupel_error *err);

/* pool_end -- give up: cancel what runs, and wait for its end.  All places are
 * free then. */
void pool_end(struct pool *p);

/* pool_run -- all of these, and the waiting between turns: run until nothing
 * runs, nothing can be started, and the job waits for nothing of its own.
 *
 * The parameters are those of pool_init().
 * Returns 0; -EINTR when it was stopped; the -errno of a call.  Whatever it
 * returns, all places are free then. */
int pool_run(const struct pool_calls *calls, void *data, size_t places,
	     int stop_fd, struct cupel_error *err);

#endif
