/* lock.c -- see lock.h. */
#include "jobs/common/lock.h"

#include <errno.h>
#include <poll.h>
#include <sys/file.h>

#define STEP_MS 5

int lock_take(int fd, int how, int wait_ms, int stop_fd)
{
	struct pollfd stop = { .fd = stop_fd, .events = POLLIN };

	for (int ms = 0; flock(fd, how | LOCK_NB) < 0; ms += STEP_MS) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (ms >= wait_ms)
			return -EBUSY;
		if (poll(&stop, 1, STEP_MS) > 0)
			return -EINTR;
	}
	return 0;
}
