/* worker_steady.c -- setting the clock does not lengthen the waits of
 * libnats. */
#include "worker/steady.h"

#include <errno.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tap.h"

static int64_t ms_of(const struct timespec *t)
{
	return (int64_t)t->tv_sec * 1000 + t->tv_nsec / 1000000;
}

/* The kernel's own answer, whichever function of that name is linked. */
static int64_t kernel_ms(clockid_t clock)
{
	struct timespec t = { 0 };

	ok_int(syscall(SYS_clock_gettime, clock, &t), 0);
	return ms_of(&t);
}

static void the_wall_clock_is_the_steady_one(void)
{
	struct timespec t = { 0 };
	int64_t before = kernel_ms(CLOCK_MONOTONIC);

	ok_int(clock_gettime(CLOCK_REALTIME, &t), 0);
	ok(ms_of(&t) >= before && ms_of(&t) <= kernel_ms(CLOCK_MONOTONIC));
	ok(ms_of(&t) < kernel_ms(CLOCK_REALTIME) - 1000);
	ok_int(clock_gettime(CLOCK_MONOTONIC, &t), 0);
	ok(ms_of(&t) >= before && ms_of(&t) <= kernel_ms(CLOCK_MONOTONIC));
}

static void a_wait_ends_by_the_steady_clock(void)
{
	pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
	pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
	int64_t before = kernel_ms(CLOCK_MONOTONIC), waited;
	struct timespec end = { 0 };

	ok_int(clock_gettime(CLOCK_REALTIME, &end), 0);
	end.tv_nsec += 200000000;
	end.tv_sec += end.tv_nsec / 1000000000;
	end.tv_nsec %= 1000000000;
	(void)pthread_mutex_lock(&mutex);
	ok_int(pthread_cond_timedwait(&cond, &mutex, &end), ETIMEDOUT);
	(void)pthread_mutex_unlock(&mutex);
	waited = kernel_ms(CLOCK_MONOTONIC) - before;
	ok(waited >= 199 && waited < 60000);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(the_wall_clock_is_the_steady_one),
		CASE(a_wait_ends_by_the_steady_clock),
		TAP_END,
	});
}
