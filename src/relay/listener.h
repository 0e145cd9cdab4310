/* listener.h -- the listening sockets in the vessel's network namespace, and
 * the pool of sockets that begin to listen when a new name is met. */
#ifndef CUPEL_RELAY_LISTENER_H
#define CUPEL_RELAY_LISTENER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "relay/protocol.h"
#include "relay/watch.h"

struct listener {
	int fd;
	uint16_t port;
	bool is_any; /* at every address */
	struct relay_address address;
};

struct listeners {
	uint64_t paused_ns; /* no accept before this time; 0 = not paused */
	size_t len, pool_len;
	struct listener items[RELAY_SOCKETS_MAX];
	int pool[RELAY_SOCKETS_MAX];
};

/* listener_add -- fd listens on that port: accept connections from it.  Takes
 * fd on success.  Returns 0, or -errno when fd does not listen or there are too
 * many. */
int listener_add(struct relay *r, int fd, uint16_t port);

/* listener_put_pool -- keep an unbound socket.  Takes fd on success.
 * Returns 0, or -ENOSPC. */
int listener_put_pool(struct relay *r, int fd);

/* listener_open_name -- for a name under a wildcard: listen at its inside
 * address, on each port of its rules that has no listener yet.  Returns 0,
 * -ENOSPC when the pool has too few sockets, or -errno. */
int listener_open_name(struct relay *r, uint16_t name);

/* listener_has -- whether a connection to that address and port would reach one
 * of them. */
bool listener_has(const struct relay *r, const struct relay_address *a,
		  uint16_t port);

/* listener_run -- accept new connections. */
void listener_run(struct relay *r, struct watch w, uint32_t events);

/* listener_run_due -- the pause is over. */
void listener_run_due(struct relay *r);

#endif
