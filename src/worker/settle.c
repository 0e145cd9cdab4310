/* settle.c -- stores the answer and only then acknowledges the request, or puts
 * the request back for another worker. */
#include "worker/settle.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>

#include "base/jsonw.h"
#include "cli/cli.h"
#include "worker/child.h"
#include "worker/do.h"
#include "worker/link.h"
#include "worker/settings.h"
#include "worker/worker.h"

/* If a request that is put back cannot be stored again, the server gives it to
 * another worker after this time. */
#define GIVE_BACK_MS 2000
/* A request that failed by itself rests, twice as long each time. */
#define REST_MS  500
#define STORE_MS 500 /* between two attempts to store */
/* Room for what a message has besides its payload. */
#define MESSAGE_HEAD 4096

static bool is_stopping(const struct worker_delivery *d, int ms)
{
	struct pollfd p = { .fd = d->w->stop_fd, .events = POLLIN };

	return poll(&p, 1, ms) > 0;
}

/* --- storing ----------------------------------------------------------------- */

/* Try until the server has stored it.  The slot does nothing else meanwhile, so
 * memory is bounded by one answer for each slot.  WORKER_STORE_LATER: the
 * worker was told to stop, or has lost its connection for good. */
static enum worker_stored store(struct worker_delivery *d,
				const struct worker_message *m)
{
	bool complained = false;

	for (;;) {
		owned_buf struct buf why = { .cap_bytes = 256 };
		enum worker_stored r = worker_link_store(d->w->link, m, &why);
		const char *said = why.bytes != NULL ? why.bytes : "?";

		if (r != WORKER_STORED && r != WORKER_STORED_BEFORE &&
		    !complained) {
			cli_complain("%s: %s: not stored%s: %s",
				     d->w->link->shown, m->subject,
				     r == WORKER_STORE_LATER ? " yet" : "",
				     said);
			complained = true;
		}
		if (r != WORKER_STORE_LATER ||
		    natsConnection_IsClosed(d->w->link->nc))
			return r;
		worker_pulse_note(&d->pulse);
		if (is_stopping(d, STORE_MS))
			return WORKER_STORE_LATER;
	}
}

static void answer_text(struct worker_delivery *d, enum worker_end end,
			struct buf *out)
{
	const struct worker_answer a = {
		.q = &d->q,
		.end = end,
		.worker = d->w->name,
		.failures = d->failures,
		.duration_ms = worker_now_ms() - d->began_ms,
		.result = &d->result,
		.why = &d->why,
	};

	worker_answer_write(&a, out);
}

/* Write the answer.  One that does not fit its schema, or that no message can
 * carry, must not be sent.  Returns the end that the request then has. */
static enum worker_end answer_make(struct worker_delivery *d, struct buf *out)
{
	int64_t max = natsConnection_GetMaxPayload(d->w->link->nc);
	struct arena arena = { 0 };
	bool is_good;

	answer_text(d, WORKER_DONE, out);
	if (buf_has_failed(out) ||
	    (max > 0 && out->len + MESSAGE_HEAD > (size_t)max)) {
		(void)worker_why_set(&d->why, "answer_too_large",
				     "the answer has %zu bytes, and the server "
				     "takes at most %lld",
				     out->len, (long long)max);
		return WORKER_REFUSED;
	}
	is_good = worker_answer_check(d->slot->answers, out->bytes, out->len,
				      &arena, NULL, &d->why);
	arena_done(&arena);
	return is_good ? WORKER_DONE : WORKER_FAILED;
}

static enum worker_stored answer_put(struct worker_delivery *d,
				     const struct buf *text)
{
	char subject[WORKER_SUBJECT_BYTES];
	const struct worker_message m = { .subject = subject,
					  .id = d->q.key,
					  .bytes = text->bytes,
					  .len = text->len,
					  .is_only = true };
	enum worker_stored r;

	worker_subject(d->w->link, WORKER_ANSWERS, d->q.key, subject);
	r = buf_has_failed(text) ? WORKER_STORE_LATER : store(d, &m);
	if (r == WORKER_STORED_BEFORE)
		atomic_fetch_add(&d->w->metrics.repeated, 1);
	return r;
}

static void failed_text(const struct worker_delivery *d, bool with_request,
			struct buf *out)
{
	struct jsonw w = { .out = out };
	size_t n = (size_t)natsMsg_GetDataLength(d->msg);

	jsonw_object(&w, NULL);
	jsonw_text_or_null(&w, "id", d->q.id.len > 0 ? d->q.id.bytes : NULL);
	jsonw_text(&w, "hash", d->q.hash);
	jsonw_text(&w, "code", d->why.code);
	jsonw_text(&w, "message", d->why.text);
	jsonw_uint(&w, "failures", d->failures);
	jsonw_uint(&w, "deliveries", d->lost + 1);
	if (with_request)
		jsonw_bytes(&w, "request", n > 0 ? natsMsg_GetData(d->msg) : "",
			    n);
	else
		jsonw_null(&w, "request");
	jsonw_end_object(&w);
}

static enum worker_stored failed_store(struct worker_delivery *d,
				       const char *subject, bool with_request)
{
	owned_buf struct buf text = { 0 };
	struct worker_message m = { .subject = subject, .id = d->q.hash };

	failed_text(d, with_request, &text);
	m.bytes = text.bytes;
	m.len = text.len;
	return buf_has_failed(&text) ? WORKER_STORE_LATER : store(d, &m);
}

/* Store what is given up, with its reason, for the operator of the fleet.  The
 * request is in it if a message can carry that. */
static enum worker_stored failed_put(struct worker_delivery *d)
{
	char subject[WORKER_SUBJECT_BYTES];
	int64_t max = natsConnection_GetMaxPayload(d->w->link->nc);
	size_t n = (size_t)natsMsg_GetDataLength(d->msg);
	/* A byte may take six: leave out a request that might not fit. */
	bool with_request = max > 0 && 6 * n + MESSAGE_HEAD < (size_t)max;
	enum worker_stored r;

	worker_subject(d->w->link, WORKER_FAILED_ONES, d->q.key, subject);
	r = failed_store(d, subject, with_request);
	return r == WORKER_STORE_NEVER && with_request
		       ? failed_store(d, subject, false)
		       : r;
}

/* --- the same request once more ---------------------------------------------- */

static struct worker_message copy_of(const struct worker_delivery *d,
				     const char *id)
{
	return (struct worker_message){
		.subject = natsMsg_GetSubject(d->msg),
		.id = id,
		.bytes = natsMsg_GetData(d->msg),
		.len = (size_t)natsMsg_GetDataLength(d->msg),
		.failures = d->failures,
		.lost = d->lost,
	};
}

/* After a rest, and with one more failure. */
static enum worker_stored again_put(struct worker_delivery *d)
{
	char id[WORKER_KEY_BYTES + 16];
	struct worker_message m = copy_of(d, id);

	m.failures = d->failures + 1;
	(void)snprintf(id, sizeof id, "%s.%u", d->q.key, m.failures);
	(void)is_stopping(d, REST_MS << d->failures);
	return store(d, &m);
}

/* Put the request back as if it had not been delivered.  The server counts
 * deliveries and never forgets one, so the request is stored again.  The id of
 * the copy is the message's place in the stream, so there is one copy however
 * often the message comes back.  Returns whether the server has it. */
static bool back_put(struct worker_delivery *d)
{
	char id[WORKER_KEY_BYTES + 32];
	struct worker_message m = copy_of(d, id);
	owned_buf struct buf why = { .cap_bytes = 256 };
	enum worker_stored r;

	(void)snprintf(id, sizeof id, "%s.back.%llu", d->q.key,
		       (unsigned long long)d->seq);
	r = worker_link_store(d->w->link, &m, &why);
	return r == WORKER_STORED || r == WORKER_STORED_BEFORE;
}

/* --- the end of a delivery ------------------------------------------------------ */

static void ack(struct worker_delivery *d)
{
	/* If it is lost, the request comes again and finds its answer stored. */
	if (natsMsg_AckSync(d->msg, NULL, NULL) != NATS_OK)
		atomic_fetch_add(&d->w->metrics.unconfirmed, 1);
	worker_pulse_end(&d->pulse);
}

static enum worker_end give_back(struct worker_delivery *d, enum worker_end end)
{
	if (end == WORKER_GIVEN_BACK)
		cli_complain("request %.64s: given back: %s", d->q.key,
			     d->why.text);
	if (back_put(d)) {
		ack(d);
		return end;
	}
	worker_pulse_end(&d->pulse);
	/* If this is also lost, the server gives the request to another worker
	 * after the ack wait. */
	(void)(end == WORKER_STOPPED
		       ? natsMsg_Nak(d->msg, NULL)
		       : natsMsg_NakWithDelay(d->msg, GIVE_BACK_MS, NULL));
	return end;
}

static enum worker_end finish(struct worker_delivery *d, enum worker_end end,
			      enum worker_stored r)
{
	if (r == WORKER_STORED || r == WORKER_STORED_BEFORE) {
		ack(d);
		return end;
	}
	if (r == WORKER_STORE_LATER && is_stopping(d, 0))
		return give_back(d, WORKER_STOPPED);
	(void)worker_why_set(&d->why, "crash", "its outcome was not stored");
	return give_back(d, WORKER_GIVEN_BACK);
}

/* Answer with nothing but the reason, which always fits. */
static enum worker_end reason_settle(struct worker_delivery *d,
				     enum worker_end end)
{
	owned_buf struct buf text = { .cap_bytes = WORKER_ANSWER_BYTES };
	enum worker_stored r = failed_put(d);

	if (d->q.id.len == 0 ||
	    (r != WORKER_STORED && r != WORKER_STORED_BEFORE))
		return finish(d, end, r);
	answer_text(d, end, &text);
	return finish(d, end, answer_put(d, &text));
}

static enum worker_end failure_settle(struct worker_delivery *d)
{
	if (d->failures + 1 < WORKER_FAILURES_MAX &&
	    d->lost < WORKER_DELIVERIES_MAX) {
		enum worker_stored r = again_put(d);

		if (r != WORKER_STORE_NEVER)
			return finish(d, WORKER_FAILED, r);
	}
	return reason_settle(d, WORKER_FAILED);
}

static enum worker_end result_settle(struct worker_delivery *d)
{
	owned_buf struct buf text = { .cap_bytes = WORKER_ANSWER_BYTES };
	enum worker_end end = answer_make(d, &text);
	enum worker_stored r;

	if (end == WORKER_FAILED)
		return failure_settle(d);
	if (end == WORKER_REFUSED)
		return reason_settle(d, end);
	r = answer_put(d, &text);
	if (r != WORKER_STORE_NEVER)
		return finish(d, end, r);
	(void)worker_why_set(&d->why, "answer_too_large",
			     "the answer has %zu bytes, more than the stream "
			     "of answers takes",
			     text.len);
	return reason_settle(d, WORKER_REFUSED);
}

enum worker_end worker_settle(struct worker_delivery *d, enum worker_end end)
{
	switch (end) {
	case WORKER_DONE:
		return result_settle(d);
	case WORKER_FAILED:
		return failure_settle(d);
	case WORKER_REFUSED:
		return reason_settle(d, end);
	case WORKER_GIVEN_BACK:
	case WORKER_STOPPED:
	case WORKER_END_MAX_:
		break;
	}
	return give_back(d, end);
}
