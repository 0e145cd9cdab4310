/* steady.h -- functions of libc that libnats is to find here. */
#ifndef CUPEL_WORKER_STEADY_H
#define CUPEL_WORKER_STEADY_H

#include <pthread.h>
#include <time.h>

#define STEADY __attribute__((visibility("default")))

STEADY int clock_gettime(clockid_t clock, struct timespec *ret);
STEADY int pthread_cond_timedwait(pthread_cond_t *cond, pthread_mutex_t *mutex,
				  const struct timespec *end);

#endif
