/* notify.h -- who made the forbidden call, and which.
 *
 * Source: seccomp_unotify(2).
 */
#ifndef CUPEL_SUPERVISE_NOTIFY_H
#define CUPEL_SUPERVISE_NOTIFY_H

#include "supervise/outcome.h"

/* notify_read -- the next violation.
 *
 * Call only when epoll reports the listener readable.  Nothing is answered:
 * the caller stays in its call until it is killed.
 *
 * Returns 0, -ENOENT when the caller of the call is gone, or -errno. */
int notify_read(int listener_fd, struct violation *ret);

#endif
