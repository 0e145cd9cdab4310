/* pulse.c -- a thread for each delivery that is being done. */
#include "worker/pulse.h"

#include <errno.h>
#include <poll.h>
#include <sys/eventfd.h>

#include "base/cleanup.h"
#include "worker/child.h"

static void *pulse_run(void *ctx)
{
	struct worker_pulse *p = ctx;
	struct pollfd end = { .fd = p->end_fd, .events = POLLIN };

	/* There are three messages in each ack wait, so that one may be
	 * lost. */
	while (poll(&end, 1, (int)p->every_ms) <= 0)
		if (worker_now_ms() < atomic_load(&p->until_ms))
			(void)natsConnection_PublishString(p->nc, p->subject,
							   "+WPI");
	nats_ReleaseThreadMemory();
	return NULL;
}

int worker_pulse_start(struct worker_pulse *p, natsConnection *nc,
		       const char *subject, uint64_t ack_wait_ms)
{
	int r;

	p->nc = nc;
	p->subject = subject;
	p->every_ms = ack_wait_ms / 3;
	p->end_fd = eventfd(0, EFD_CLOEXEC);
	if (p->end_fd < 0)
		return -errno;
	worker_pulse_note(p);
	r = pthread_create(&p->thread, NULL, pulse_run, p);
	if (r != 0)
		cleanup_fd(&p->end_fd);
	p->is_running = r == 0;
	return -r;
}

void worker_pulse_note(struct worker_pulse *p)
{
	atomic_store(&p->until_ms, worker_now_ms() + WORKER_PULSE_MS);
}

void worker_pulse_end(struct worker_pulse *p)
{
	const uint64_t one = 1;

	if (!p->is_running)
		return;
	(void)!write(p->end_fd, &one, sizeof one);
	(void)pthread_join(p->thread, NULL);
	cleanup_fd(&p->end_fd);
	p->is_running = false;
}
