/* steady.c -- makes the steady clock the wall clock of this program.
 *
 * libnats measures by CLOCK_REALTIME, and waits by it: if the clock is set back
 * by an hour, the wait of half a second before the next attempt to connect
 * takes an hour.  Two functions of libc are replaced here, for the whole
 * program.  What needs the time of day calls time(2).  Sources:
 * clock_gettime(2), pthread_cond_clockwait(3). */
#include "worker/steady.h"

#include <sys/syscall.h>
#include <unistd.h>

int clock_gettime(clockid_t clock, struct timespec *ret)
{
	return (int)syscall(SYS_clock_gettime,
			    clock == CLOCK_REALTIME ? CLOCK_MONOTONIC : clock,
			    ret);
}

int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
			   const struct timespec *end)
{
	return pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, end);
}
