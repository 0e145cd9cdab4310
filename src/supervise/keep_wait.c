/* keep_wait.c -- how long keeping may take: the clock, whoever cancels it, and the
 * disk, for which nobody can be made to wait no longer than that.  See keep.h. */
#include <poll.h>
#include <stdint.h>
#include <unistd.h>

#include "base/hooks.h"
#include "supervise/clock.h"
#include "supervise/keep.h"

#define LOOK_MS_MAX 1000000 /* of one poll(2); less than INT_MAX */

static bool is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };

	return fd >= 0 && poll(&p, 1, 0) > 0;
}

const char *keep_why_over(const struct keep *k)
{
	if (test_wall_is_down(TEST_WALL_KEEP_END))
		return NULL;
	if (k->is_cancelled || is_readable(k->cancel_fd))
		return "cancelled";
	return clock_now_ns() >= k->deadline_ns ? "too_slow" : NULL;
}

/* Milliseconds until the deadline, rounded up. */
static int left_ms(const struct keep *k)
{
	uint64_t now = clock_now_ns();
	uint64_t ms = now >= k->deadline_ns
			      ? 0
			      : (k->deadline_ns - now) / NS_PER_MS + 1;

	return ms > LOOK_MS_MAX ? LOOK_MS_MAX : (int)ms;
}

static const char *sync_await(const struct keep *k, int heard)
{
	char failed = 1; /* what it says when nothing is said */

	while (!is_readable(heard)) {
		struct pollfd p[] = {
			{ .fd = heard, .events = POLLIN },
			{ .fd = k->cancel_fd, .events = POLLIN },
		};
		const char *why = keep_why_over(k);

		if (why != NULL)
			return why;
		(void)poll(p, sizeof p / sizeof *p, left_ms(k));
	}
	return read(heard, &failed, 1) == 1 && failed == 0 ? NULL
							   : "write_failed";
}

const char *keep_sync(const struct keep *k, enum sync_what what, int fd)
{
	struct helper h = HELPER_NONE;
	const char *why = "write_failed";

	if (sync_begin(fd, what, &h) == 0)
		why = sync_await(k, h.control_fd);
	helper_close(&h);
	return why;
}
