/* recorder.h -- sees and records packets to ports where nobody listens. */
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

/* recorder_run -- read the packets that came. */
void recorder_run(struct relay *r, struct watch w, uint32_t events);

/* recorder_lost -- at most how many packets found no room: while a recorder is
 * full, packets that its filter would leave out are also counted. */
uint32_t recorder_lost(struct relay *r);

#endif
