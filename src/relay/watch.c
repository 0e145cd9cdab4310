/* watch.c -- see watch.h. */
#include "relay/watch.h"

#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>

#include "relay/control.h"
#include "relay/recorder.h"
#include "relay/relay.h"

#define EVENTS_MAX 64
#define MS_NS      1000000ULL

static uint64_t key_of(struct watch w)
{
	return (uint64_t)w.kind << 32 | (uint64_t)w.turn << 16 | w.index;
}

static struct watch watch_of(uint64_t key)
{
	return (struct watch){ .kind = (uint16_t)(key >> 32),
			       .turn = (uint16_t)(key >> 16),
			       .index = (uint16_t)key };
}

int watch_add(struct relay *r, int fd, struct watch w, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.u64 = key_of(w) };

	return epoll_ctl(r->epoll_fd, EPOLL_CTL_ADD, fd, &e) < 0 ? -errno : 0;
}

void watch_put(struct relay *r, int fd, struct watch w, uint32_t events)
{
	struct epoll_event e = { .events = events, .data.u64 = key_of(w) };

	if (epoll_ctl(r->epoll_fd, EPOLL_CTL_MOD, fd, &e) < 0 &&
	    errno == ENOENT)
		(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_ADD, fd, &e);
}

void watch_end(struct relay *r, int fd)
{
	(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_DEL, fd, NULL);
}

typedef void watch_runner(struct relay *r, struct watch w, uint32_t events);

static watch_runner *const runs[WATCH_MAX_] = {
	[WATCH_CONTROL] = control_run,
	[WATCH_LISTENER] = listener_run,
	[WATCH_DNS_UDP] = stub_run,
	[WATCH_DNS_LISTENER] = stub_run_listener,
	[WATCH_DNS_PEER] = stub_run_peer,
	[WATCH_RECORDER] = recorder_run,
	[WATCH_QUERY] = resolver_run,
	[WATCH_INSIDE] = connection_run,
	[WATCH_OUTSIDE] = connection_run,
	[WATCH_OUTSIDE2] = connection_run,
};

static uint64_t now_read(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static int wait_ms(const struct relay *r)
{
	uint64_t ms;

	if (r->next_ns == UINT64_MAX)
		return -1;
	if (r->next_ns <= r->now_ns)
		return 0;
	ms = (r->next_ns - r->now_ns + MS_NS - 1) / MS_NS;
	return ms > INT_MAX ? INT_MAX : (int)ms;
}

/* Each part sets again the time at which it wants to be woken. */
static void due_run(struct relay *r)
{
	if (r->now_ns < r->next_ns)
		return;
	r->next_ns = UINT64_MAX;
	listener_run_due(r);
	resolver_run_due(r);
	stub_run_due(r);
	connection_run_due(r);
}

int watch_run_all(struct relay *r, bool is_waiting)
{
	struct epoll_event events[EVENTS_MAX];
	int n;

	r->turns++;
	r->now_ns = now_read();
	n = epoll_pwait(r->epoll_fd, events, EVENTS_MAX,
			is_waiting ? wait_ms(r) : 0, NULL);
	if (n < 0 && errno != EINTR)
		return -errno;
	r->now_ns = now_read();
	for (int i = 0; i < n; i++) {
		struct watch w = watch_of(events[i].data.u64);

		if (w.kind < WATCH_MAX_)
			runs[w.kind](r, w, events[i].events);
	}
	due_run(r);
	return n < 0 ? 0 : n;
}
