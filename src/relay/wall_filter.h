/* wall_filter.h -- the calls that the relay can still make. */
#ifndef CUPEL_RELAY_WALL_FILTER_H
#define CUPEL_RELAY_WALL_FILTER_H

/* filter_raise -- from now on every other call ends the process.
 * Returns 0 or -errno. */
int filter_raise(void);

#endif
