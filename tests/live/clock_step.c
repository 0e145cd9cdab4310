/* clock_step.c -- preloaded into a program: its wall clock is set while it runs.
 *
 * The file that CLOCK_STEP names has a number of seconds in it, as eight bytes in the
 * machine's order.  The program's wall clock differs from the kernel's by that much:
 * when it asks for the time, and when it waits until a time, even if the number
 * changes during the wait, as with a real clock.  Sources: clock_gettime(2),
 * pthread_cond_timedwait(3). */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

/* How soon a wait sees that the clock was set. */
#define LOOK_NS 20000000LL
#define S_NS    1000000000LL

static const volatile int64_t *step;

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("CLOCK_STEP");
	int fd = path != NULL ? open(path, O_RDONLY | O_CLOEXEC) : -1;
	void *at = MAP_FAILED;

	if (fd >= 0) {
		at = mmap(NULL, sizeof *step, PROT_READ, MAP_SHARED, fd, 0);
		(void)close(fd);
	}
	if (at == MAP_FAILED)
		_exit(99); /* without the file a test would show nothing */
	step = at;
}

/* By the system call, because clock_gettime() may be the program's own. */
static int clock_read(clockid_t clock, struct timespec *ret)
{
	int r = (int)syscall(SYS_clock_gettime, clock, ret);

	if (r == 0 && clock == CLOCK_REALTIME)
		ret->tv_sec += *step;
	return r;
}

int clock_gettime(clockid_t clock, struct timespec *ret)
{
	return clock_read(clock, ret);
}

int gettimeofday(struct timeval *restrict ret, void *restrict zone)
{
	struct timespec t = { 0 };

	(void)zone;
	if (clock_read(CLOCK_REALTIME, &t) < 0)
		return -1;
	ret->tv_sec = t.tv_sec;
	ret->tv_usec = t.tv_nsec / 1000;
	return 0;
}

time_t time(time_t *ret)
{
	struct timespec t = { 0 };

	(void)clock_read(CLOCK_REALTIME, &t);
	if (ret != NULL)
		*ret = t.tv_sec;
	return t.tv_sec;
}

static int64_t ns_of(const struct timespec *t)
{
	return (int64_t)t->tv_sec * S_NS + t->tv_nsec;
}

int pthread_cond_timedwait(pthread_cond_t *restrict cond,
			   pthread_mutex_t *restrict mutex,
			   const struct timespec *restrict end)
{
	for (;;) {
		struct timespec t = { 0 };
		int64_t left;
		int r;

		(void)clock_read(CLOCK_REALTIME, &t);
		left = ns_of(end) - ns_of(&t);
		if (left <= 0)
			return ETIMEDOUT;
		left = left < LOOK_NS ? left : LOOK_NS;
		(void)clock_read(CLOCK_MONOTONIC, &t);
		left += ns_of(&t);
		t.tv_sec = (time_t)(left / S_NS);
		t.tv_nsec = (long)(left % S_NS);
		r = pthread_cond_clockwait(cond, mutex, CLOCK_MONOTONIC, &t);
		if (r != ETIMEDOUT)
			return r;
	}
}
