/* place.h -- on which processors a vessel is built (decision 0017).
 *
 * Only for who does nothing else meanwhile: where several vessels are built, or
 * the supervisor computes, the processors have their work.
 *
 * The supervisor plans while init starts, and the command's process makes its
 * network namespace while init builds the root: that is worth nothing when the
 * scheduler queues a new process behind its parent, as those do that keep idle
 * processors asleep.  So they are told apart, until the command starts.
 *
 * No sched_setaffinity(2) here need succeed but the last, place_back(): the
 * command has the processors that its caller has.
 */
#ifndef CUPEL_LAUNCH_PLACE_H
#define CUPEL_LAUNCH_PLACE_H

#include <stdint.h>

#include "launch/native/sys.h"

#define CPUS_BYTES 128 /* a machine of more than 1024 is left to itself */

/* Where the caller may run: the kernel's mask, one bit a processor. */
struct cpus {
	uint32_t len; /* bytes of mask; 0 = nobody is placed */
	uint8_t mask[CPUS_BYTES];
};

/* place_read -- the processors of the calling thread; none when there is only
 * one, or more than fit. */
void place_read(struct sys *k, struct cpus *ret);

/* place_off -- process pid shall run anywhere but here. */
void place_off(struct sys *k, const struct cpus *c, long pid);

/* place_here -- process pid, placed off before, sleeps and will be woken by the
 * calling thread, which sleeps next: here, when there are only two, for on the
 * other its child is busy. */
void place_here(struct sys *k, const struct cpus *c, long pid);

/* place_back -- process pid, 0 for the calling thread, may run where the caller
 * may.  Returns 0, or -errno when it may not. */
long place_back(struct sys *k, const struct cpus *c, long pid);

#endif
