/* listener.h -- the sockets of the vessel's namespace on which it is waited for
 * connections, and those that become such when a name is met. */
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
	uint64_t paused_ns; /* nobody is let in until then; 0 = not paused */
	size_t len, pool_len;
	struct listener items[RELAY_SOCKETS_MAX];
	int pool[RELAY_SOCKETS_MAX];
};

/* listener_add -- fd listens on that port: serve who comes.  Takes fd on
 * success.  Returns 0, or -errno when it does not, or there are too many. */
int listener_add(struct relay *r, int fd, uint16_t port);

/* listener_put_pool -- keep an unbound socket.  Takes fd on success.
 * Returns 0, or -ENOSPC. */
int listener_put_pool(struct relay *r, int fd);

/* listener_open_name -- listen at the address that a name under a wildcard has
 * inside, on each port of its rules where nobody listens for it yet.
 * Returns 0, -ENOSPC when the pool has too few sockets, or -errno. */
int listener_open_name(struct relay *r, uint16_t name);

/* listener_has -- whether a connection to there comes to one of them. */
bool listener_has(const struct relay *r, const struct relay_address *a,
		  uint16_t port);

/* listener_run -- somebody came. */
void listener_run(struct relay *r, struct watch w, uint32_t events);

/* listener_run_due -- the pause is over. */
void listener_run_due(struct relay *r);

#endif
