/* slot.c -- the threads, and how each takes requests. */
#include "worker/slot.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "boundary/schema.h"
#include "cli/cli.h"
#include "worker/deliver.h"
#include "worker/do.h"
#include "worker/link.h"
#include "worker/settings.h"
#include "worker/worker.h"

/* How long a slot waits for a request; after that it looks whether to drain. */
#define FETCH_MS 1000
/* How long a slot rests after a request that failed because of this worker:
 * twice as long each time. */
#define REST_FIRST_MS 500
#define REST_MAX_MS   60000

struct worker_slots {
	struct worker *w;
	int gone_fd;
	unsigned len;
	struct worker_slot *slots;
};

/* Wait, but no longer than until a drain begins. */
static void rest(const struct worker *w, int ms)
{
	struct pollfd p = { .fd = w->drain_fd, .events = POLLIN };

	(void)poll(&p, 1, ms);
}

static bool is_draining(const struct worker *w)
{
	struct pollfd p = { .fd = w->drain_fd, .events = POLLIN };

	return poll(&p, 1, 0) > 0;
}

/* Returns how a delivery ended, or WORKER_END_MAX_ if there was no delivery. */
static enum worker_end take_one(struct worker_slot *s)
{
	natsMsgList list = { 0 };
	natsStatus r = natsSubscription_Fetch(&list, s->sub, 1, FETCH_MS, NULL);
	enum worker_end end = WORKER_END_MAX_;

	if (r == NATS_OK && list.Count > 0) {
		end = worker_deliver(s, list.Msgs[0]);
		s->complained = false;
	} else if (r != NATS_TIMEOUT && r != NATS_OK) {
		if (!s->complained && s->number == 0 &&
		    !natsConnection_IsReconnecting(s->w->link->nc))
			cli_complain("%s: requests cannot be fetched: %s",
				     s->w->link->shown, natsStatus_GetText(r));
		s->complained = true;
		rest(s->w, FETCH_MS);
	}
	natsMsgList_Destroy(&list);
	return end;
}

static void *slot_run(void *ctx)
{
	struct worker_slot *s = ctx;
	const uint64_t one = 1;
	int rest_ms = REST_FIRST_MS;

	/* The connection is closed if the server refused it when it was made
	 * again; nobody tries again then. */
	while (!is_draining(s->w) && !natsConnection_IsClosed(s->w->link->nc)) {
		enum worker_end end = take_one(s);

		if (end == WORKER_GIVEN_BACK) {
			rest(s->w, rest_ms);
			rest_ms = rest_ms * 2 < REST_MAX_MS ? rest_ms * 2
							    : REST_MAX_MS;
		} else if (end != WORKER_END_MAX_) {
			rest_ms = REST_FIRST_MS;
		}
	}
	(void)!write(s->gone_fd, &one, sizeof one);
	nats_ReleaseThreadMemory();
	return NULL;
}

static natsStatus slot_subscribe(struct worker_slot *s)
{
	char stream[WORKER_SUBJECT_BYTES];
	jsSubOptions o;
	natsStatus r = jsSubOptions_Init(&o);

	worker_stream_name(s->w->link, WORKER_REQUESTS, stream);
	o.Stream = stream;
	o.Consumer = WORKER_CONSUMER;
	return r == NATS_OK ? js_PullSubscribe(&s->sub, s->w->link->js, "",
					       WORKER_CONSUMER, NULL, &o, NULL)
			    : r;
}

static int slot_start(struct worker_slot *s, struct cupel_error *err)
{
	natsStatus r = slot_subscribe(s);
	int e;

	if (r != NATS_OK)
		return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_HOST,
				  EIO, "%s: cannot subscribe to requests: %s",
				  s->w->link->shown, natsStatus_GetText(r));
	s->answers = worker_answer_schema();
	e = s->answers == NULL ? ENOMEM
			       : pthread_create(&s->thread, NULL, slot_run, s);
	if (e != 0)
		return cupel_fail(
			err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_BUSY, e,
			"--jobs: the thread of slot %u cannot be started: %s",
			s->number, strerror(e));
	s->is_running = true;
	return 0;
}

struct worker_slots *worker_slots_start(struct worker *w, int gone_fd,
					struct cupel_error *err)
{
	struct worker_slots *ret = calloc(1, sizeof *ret);
	const uint64_t one = 1;

	if (ret != NULL)
		ret->slots = calloc(w->jobs, sizeof *ret->slots);
	if (ret == NULL || ret->slots == NULL) {
		free(ret);
		(void)cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_BUSY,
				 ENOMEM, "--jobs: no memory for the slots");
		return NULL;
	}
	ret->w = w;
	ret->len = w->jobs;
	for (unsigned i = 0; i < w->jobs; i++) {
		struct worker_slot *s = &ret->slots[i];

		s->w = w;
		s->number = i;
		s->gone_fd = gone_fd;
		if (slot_start(s, err) == 0)
			continue;
		(void)!write(w->drain_fd, &one, sizeof one);
		worker_slots_join(ret);
		return NULL;
	}
	return ret;
}

void worker_slots_join(struct worker_slots *s)
{
	for (unsigned i = 0; i < s->len; i++) {
		if (s->slots[i].is_running)
			(void)pthread_join(s->slots[i].thread, NULL);
		natsSubscription_Destroy(s->slots[i].sub);
		schema_set_free(s->slots[i].answers);
	}
	free(s->slots);
	free(s);
}
