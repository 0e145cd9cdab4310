/* pulse.h -- tells the server that a request is being done, while its slot may
 * be waiting for something. */
#ifndef CUPEL_WORKER_PULSE_H
#define CUPEL_WORKER_PULSE_H

#include <nats/nats.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* The longest time for which a slot works without calling worker_pulse_note():
 * it may remove 200000 files, or store an answer on a slow server.  After that
 * it is taken to hang, and another worker gets its request. */
#define WORKER_PULSE_MS 120000U

struct worker_pulse {
	natsConnection *nc;
	const char *subject; /* where the server listens for this delivery */
	uint64_t every_ms;
	_Atomic uint64_t until_ms;
	pthread_t thread;
	int end_fd;
	bool is_running;
};

/* worker_pulse_start -- begin to tell the server, from a thread of its own.
 *
 * @subject	has to stay until the end
 * @ack_wait_ms	after this time the server gives the request to another
 * Returns 0 or -errno. */
int worker_pulse_start(struct worker_pulse *p, natsConnection *nc,
		       const char *subject, uint64_t ack_wait_ms);

/* worker_pulse_note -- the slot still works: go on for WORKER_PULSE_MS. */
void worker_pulse_note(struct worker_pulse *p);

/* worker_pulse_end -- stop telling the server.  It may be called twice, and
 * without a start. */
void worker_pulse_end(struct worker_pulse *p);

#endif
