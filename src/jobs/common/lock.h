/* lock.h -- flock(2) with a deadline.  We hold such a lock only for
 * milliseconds; only an attacker holds it longer. */
#ifndef CUPEL_JOBS_COMMON_LOCK_H
#define CUPEL_JOBS_COMMON_LOCK_H

/* lock_take -- lock what fd is open on.  flock(2) has no deadline, so it is
 * asked again every few milliseconds.
 *
 * @how		LOCK_EX or LOCK_SH
 * @wait_ms	how long to try
 * @stop_fd	readable: give up; -1: never
 * Returns 0; -EBUSY: somebody else has held it all the time; -EINTR: stopped;
 * another -errno of flock(2): a file system without locks. */
int lock_take(int fd, int how, int wait_ms, int stop_fd);

#endif
