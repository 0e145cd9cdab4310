/* watch.h -- says which part of the relay each descriptor in the loop belongs
 * to. */
#ifndef CUPEL_RELAY_WATCH_H
#define CUPEL_RELAY_WATCH_H

#include <stdbool.h>
#include <stdint.h>

struct relay;

enum watch_kind {
	WATCH_CONTROL,
	WATCH_LISTENER,
	WATCH_DNS_UDP,
	WATCH_DNS_LISTENER,
	WATCH_DNS_PEER,
	WATCH_RECORDER,
	WATCH_QUERY,
	WATCH_INSIDE,   /* of a connection */
	WATCH_OUTSIDE,  /* its first socket outside */
	WATCH_OUTSIDE2, /* the second attempt, while it is connecting */
	WATCH_MAX_
};

/* The owner of a descriptor.  A place in a table gets a new turn each time it
 * is used, so an event for its earlier user is recognised and dropped. */
struct watch {
	uint16_t kind, turn, index;
};

/* watch_add -- report EPOLL* events of fd from now on, level-triggered.
 * Returns 0 or -errno. */
int watch_add(struct relay *r, int fd, struct watch w, uint32_t events);

/* watch_put -- report other events from now on; errors and hang-ups are always
 * reported. */
void watch_put(struct relay *r, int fd, struct watch w, uint32_t events);

/* watch_end -- report nothing from now on, not even errors.  Closing the
 * descriptor does the same. */
void watch_end(struct relay *r, int fd);

/* watch_run_all -- wait for events until r->next_ns (not at all when is_waiting
 * is false), handle each, then handle what is due by the clock.  Returns the
 * number of events or -errno. */
int watch_run_all(struct relay *r, bool is_waiting);

#endif
