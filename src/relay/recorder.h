/* recorder.h -- what goes to where nobody listens: seen, and written down. */
#ifndef CUPEL_RELAY_RECORDER_H
#define CUPEL_RELAY_RECORDER_H

#include <stdint.h>

#include "relay/watch.h"

/* recorder_add -- a packet socket on the vessel's loopback interface, with its
 * filter.  Takes fd on success.  Returns 0 or -errno. */
int recorder_add(struct relay *r, int fd);

/* recorder_run -- packets came. */
void recorder_run(struct relay *r, struct watch w, uint32_t events);

/* recorder_lost -- how many it had no room for. */
uint32_t recorder_lost(struct relay *r);

#endif
