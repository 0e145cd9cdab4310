/* pool.h -- many things to do, some of them at once: a bounded number of places,
 * one loop that waits for all of them. */
#ifndef CUPEL_SERVICE_POOL_H
#define CUPEL_SERVICE_POOL_H

#include <stddef.h>

struct cupel_error;
struct pollfd;

#define POOL_PLACES_MAX 256U
#define POOL_OWN_MAX    2U

/* What start may return besides -errno. */
enum pool_started {
	POOL_NOTHING, /* there is nothing, or nothing can begin yet */
	POOL_AT_ONCE, /* something began and was done; the place is free */
	POOL_STARTED, /* something runs in the place now */
};

/* What the pool asks of the job that it drives.  data is the job's, place is a
 * number below places.  A -errno from one ends the pool. */
struct pool_calls {
	/* The next item, into a free place.  It is asked again after
	 * POOL_AT_ONCE, and after anything has ended. */
	int (*start)(void *data, size_t place, struct cupel_error *err);
	/* Readable when step has work; -1: it has work now. */
	int (*fd)(const void *data, size_t place);
	/* How long to wait for that at most; -1: for ever.  May be NULL. */
	int (*left_ms)(const void *data, size_t place);
	/* Does what can be done, never blocks.  Returns 1 while it goes on, 0:
	 * it has ended, and the place is free. */
	int (*step)(void *data, size_t place, struct cupel_error *err);
	/* Free places have been filled: look at what has ended meanwhile.  What
	 * waits for that can be started then.  May be NULL. */
	int (*settle)(void *data, struct cupel_error *err);
	/* What the job itself waits for besides its places: input, or room for
	 * output.  It fills in at most POOL_OWN_MAX of ret and returns how many.
	 * While there is one, the pool goes on; settle does what is ready, and
	 * never blocks.  May be NULL. */
	size_t (*own)(const void *data, struct pollfd *ret);
	/* The pool gives up: first every place is told to end, which does not
	 * block, then each is seen to have ended. */
	void (*cancel)(void *data, size_t place);
	void (*end)(void *data, size_t place);
};

/* pool_run -- until nothing runs, nothing can be started and the job waits for
 * nothing of its own.
 *
 * @places	at once, 1 to POOL_PLACES_MAX
 * @stop_fd	readable: give up; -1: never
 * Returns 0; -EINTR when it was stopped; the -errno of a call.  No place is
 * taken then, whatever it returns. */
int pool_run(const struct pool_calls *calls, void *data, size_t places,
	     int stop_fd, struct cupel_error *err);

#endif
