/* watch.h -- which descriptor is whose in the one loop. */
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
	WATCH_OUTSIDE2, /* its second, while it is being connected */
	WATCH_MAX_
};

/* Whose a descriptor is.  The turn tells a place in a table from the same place
 * when it is used again: what was reported for the one before is dropped. */
struct watch {
	uint16_t kind, turn, index;
};

/* watch_add -- report EPOLL* events of fd from now on, while they last.
 * Returns 0 or -errno. */
int watch_add(struct relay *r, int fd, struct watch w, uint32_t events);

/* watch_put -- others from now on; errors and hang-ups are always reported. */
void watch_put(struct relay *r, int fd, struct watch w, uint32_t events);

/* watch_end -- none, not even those.  Closing does the same. */
void watch_end(struct relay *r, int fd);

/* watch_run_all -- wait for events, until r->next_ns at most and not at all with
 * is_waiting false, and have each of them seen to; then what is due by the
 * clock.  Returns how many, or -errno. */
int watch_run_all(struct relay *r, bool is_waiting);

#endif
