/* deliver.c -- does one request, from its delivery to its end. */
#include "worker/deliver.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/folder.h"
#include "base/plural.h"
#include "worker/do.h"
#include "worker/link.h"
#include "worker/place.h"
#include "worker/settle.h"
#include "worker/worker.h"

static void keep_alive(void *ctx)
{
	struct worker_delivery *d = ctx;

	worker_pulse_note(&d->pulse);
}

/* A count that another worker has written, or the requester: what is not a
 * number counts as the most. */
static unsigned count_read(natsMsg *msg, const char *header, unsigned max)
{
	const char *text = NULL;
	unsigned n = 0;

	if (natsMsgHeader_Get(msg, header, &text) != NATS_OK)
		return 0;
	for (; *text >= '0' && *text <= '9' && n < max; text++)
		n = 10 * n + (unsigned)(*text - '0');
	return *text != '\0' || n > max ? max : n;
}

static void head_read(struct worker_delivery *d)
{
	jsMsgMetaData *meta = NULL;
	uint64_t before = 0;

	d->failures =
		count_read(d->msg, WORKER_FAILURES_HEADER, WORKER_FAILURES_MAX);
	d->lost = count_read(d->msg, WORKER_LOST_HEADER, WORKER_DELIVERIES_MAX);
	if (natsMsg_GetMetaData(&meta, d->msg) == NATS_OK) {
		before = meta->NumDelivered > 0 ? meta->NumDelivered - 1 : 0;
		d->seq = meta->Sequence.Stream;
	}
	jsMsgMetaData_Destroy(meta);
	d->lost += before < WORKER_DELIVERIES_MAX ? (unsigned)before
						  : WORKER_DELIVERIES_MAX;
	atomic_fetch_add(&d->w->metrics.delivered, 1);
	if (before > 0)
		atomic_fetch_add(&d->w->metrics.redelivered, 1);
}

static enum worker_end place_do(struct worker_delivery *d)
{
	char name[32], path[4200];
	struct worker_job job = { .w = d->w,
				  .q = &d->q,
				  .tick = keep_alive,
				  .tick_ctx = d,
				  .place = path };
	owned_fd int fd = -1;
	enum worker_end end;

	(void)snprintf(name, sizeof name, "slot-%u", d->slot->number);
	(void)snprintf(path, sizeof path, "%s/%s", d->w->work_path, name);
	fd = worker_place_make(d->w->work_fd, name);
	if (fd < 0) {
		(void)worker_why_set(&d->why, "crash", "%s: %s", path,
				     strerror(-fd));
		return WORKER_GIVEN_BACK;
	}
	job.place_fd = fd;
	end = worker_do(&job, &d->result, &d->why);
	(void)folder_end(d->w->work_fd, name, NULL, NULL);
	return end;
}

static enum worker_end do_it(struct worker_delivery *d)
{
	if (worker_request_read(natsMsg_GetData(d->msg),
				(size_t)natsMsg_GetDataLength(d->msg), &d->q,
				&d->why) < 0)
		return WORKER_REFUSED;
	if (d->failures >= WORKER_FAILURES_MAX ||
	    d->lost >= WORKER_DELIVERIES_MAX) {
		(void)worker_why_set(&d->why, "lost_too_often",
				     "delivered %u time%s without an end, and "
				     "failed %u time%s",
				     d->lost, plural_s(d->lost), d->failures,
				     plural_s(d->failures));
		return WORKER_FAILED;
	}
	return place_do(d);
}

enum worker_end worker_deliver(struct worker_slot *s, natsMsg *msg)
{
	struct worker_delivery d = { .slot = s,
				     .w = s->w,
				     .msg = msg,
				     .result = { .cap_bytes =
							 WORKER_ANSWER_BYTES },
				     .began_ms = worker_now_ms() };
	enum worker_end end = WORKER_GIVEN_BACK;
	int r;

	atomic_fetch_add(&s->w->metrics.running, 1);
	head_read(&d);
	r = worker_pulse_start(&d.pulse, s->w->link->nc, natsMsg_GetReply(msg),
			       s->w->ack_wait_ms);
	if (r == 0)
		end = do_it(&d);
	else
		(void)worker_why_set(&d.why, "crash",
				     "a thread cannot be started: %s",
				     strerror(-r));
	end = worker_settle(&d, end);
	worker_pulse_end(&d.pulse);
	worker_metrics_note(&s->w->metrics, d.q.kind, end,
			    worker_now_ms() - d.began_ms);
	worker_request_done(&d.q);
	buf_done(&d.result);
	atomic_fetch_sub(&s->w->metrics.running, 1);
	return end;
}
