/* recorder.h -- what goes to where nobody listens: seen, and written down. */
#ifndef CUPEL_RELAY_RECORDER_H
#define CUPEL_RELAY_RECORDER_H

#include <stddef.h>
#include <stdint.h>

#include "relay/watch.h"

#define RECORDERS_MAX 4 /* TCP and UDP, over IPv4 and IPv6 */

struct recorder {
	int fd;
	uint16_t family, protocol;
};

struct recorders {
	size_t len;
	struct recorder items[RECORDERS_MAX];
};

/* recorder_add -- a raw socket of TCP or UDP in the vessel's network, with its
 * filter: the kernel gives it a copy of what arrives there.  Takes fd on
 * success.  Returns 0 or -errno. */
int recorder_add(struct relay *r, int fd);

/* recorder_run -- packets came. */
void recorder_run(struct relay *r, struct watch w, uint32_t events);

/* recorder_lost -- how many there was no room for, at most: while a recorder is
 * full, what its filter would have left out counts as well. */
uint32_t recorder_lost(struct relay *r);

#endif
