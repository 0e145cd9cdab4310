/* place.h -- chooses the processors on which a vessel is built
 * (docs/vessel.md).
 *
 * Only for a caller that does nothing else meanwhile: where several vessels are
 * built, or the supervisor computes, the processors have their work.
 *
 * The supervisor plans while init starts, and the command's process makes its
 * network namespace while init builds the root.  That gains nothing when the
 * scheduler queues a new process behind its parent, as those do that keep idle
 * processors asleep.  So parent and child are put on different processors until
 * the command starts.
 *
 * Every sched_setaffinity(2) here may fail but the last, place_back(): the
 * command must have the processors that its caller has.
 */
#ifndef CUPEL_LAUNCH_PLACE_H
#define CUPEL_LAUNCH_PLACE_H

#include <stdint.h>

#include "launch/native/sys.h"

#define CPUS_BYTES 128 /* a machine with more than 1024 is left alone */

/* The processors that the caller may use: the kernel's mask, one bit each. */
struct cpus {
	uint32_t len; /* bytes of mask; 0 = no process is placed */
	uint8_t mask[CPUS_BYTES];
};

/* place_read -- the processors of the calling thread; none when there is only
 * one, or more than fit. */
void place_read(struct sys *k, struct cpus *ret);

/* place_off -- let process pid run on any processor but this one. */
void place_off(struct sys *k, const struct cpus *c, long pid);

/* place_here -- when there are only two processors, move process pid to this
 * one.  It was placed off before, sleeps, and will be woken by the calling
 * thread, which sleeps next; on the other processor its child is busy. */
void place_here(struct sys *k, const struct cpus *c, long pid);

/* place_back -- let process pid, 0 for the calling thread, run where the caller
 * may run.  Returns 0, or -errno when it may not. */
long place_back(struct sys *k, const struct cpus *c, long pid);

#endif
