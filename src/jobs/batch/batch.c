/* batch.c -- see batch.h. */
#include "jobs/batch/batch.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "jobs/batch/asked.h"
#include "jobs/batch/known.h"
#include "jobs/batch/lines.h"
#include "jobs/batch/outbox.h"
#include "jobs/batch/results.h"
#include "service/flight.h"
#include "service/flights.h"

/* A place of the pool, and the line that its run belongs to. */
struct place {
	struct batch_asked asked;
	uint64_t order;
};

struct batch {
	const struct batch_request *req;
	struct batch_counts *counts;
	struct batch_lines lines;
	struct batch_known known;
	struct batch_outbox outbox;
	unsigned running;
	struct place places[BATCH_JOBS_MAX];
	struct flights flights;
};

/* --- answers -------------------------------------------------------------------- */

static int answer_error(struct batch *b, const struct batch_asked *a,
			uint64_t order, const struct cupel_error *why,
			struct cupel_error *err)
{
	owned_buf struct buf line = { 0 };

	if (why->cause == CUPEL_CAUSE_CALLER)
		b->counts->wrong++;
	else
		b->counts->failed++; /* the line may be a good one */
	batch_answer_error(a, why, &line);
	return batch_outbox_put(&b->outbox, order, &line, err);
}

static struct cupel_run *run_of(const struct batch *b, const struct place *p)
{
	return flights_run(&b->flights, (size_t)(p - b->places));
}

static void place_clear(struct batch *b, struct place *p)
{
	flights_leave(&b->flights, (size_t)(p - b->places));
	batch_asked_done(&p->asked);
	*p = (struct place){ 0 };
}

/* The run has ended.  It has a result itself, unless there was no memory for
 * that. */
static int answer_run(struct batch *b, struct place *p,
		      const struct cupel_error *why, struct cupel_error *err)
{
	const struct cupel_run *run = run_of(b, p);
	owned_buf struct buf line = { 0 };

	if (run->json == NULL)
		return answer_error(b, &p->asked, p->order, why, err);
	if (flight_status(run) == CUPEL_OK)
		b->counts->ok++;
	else
		b->counts->failed++;
	batch_answer_result(&p->asked, run->json, run->json_len, &line);
	return batch_outbox_put(&b->outbox, p->order, &line, err);
}

/* --- lines ---------------------------------------------------------------------- */

static bool is_blank(const struct batch_text *t)
{
	for (size_t i = 0; i < t->len; i++)
		if (strchr(" \t\r", t->bytes[i]) == NULL || t->bytes[i] == '\0')
			return false;
	return !t->is_too_long;
}

/* An id belongs to the first line that has it.  Returns 0 or -errno: then *why
 * is the line's answer, and only its number names the line. */
static int id_claim(struct batch *b, struct batch_asked *a,
		    struct cupel_error *why)
{
	struct batch_key key;
	int r;

	if (a->id_len == 0)
		return 0;
	key = batch_key_id(a->id, a->id_len);
	r = batch_known_add(&b->known, &key, false);
	if (r == 1)
		return 0;
	if (r == 0)
		r = cupel_fail(
			why, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EEXIST,
			"line: id '%s': an earlier line has the same", a->id);
	else
		r = cupel_fail(why, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY, -r,
			       "line: id: more than can be remembered; run the "
			       "batch in parts with --shard");
	a->id_len = 0;
	return r;
}

static int run_begin(struct batch *b, struct place *p, struct cupel_error *err)
{
	const struct cupel_hooks hooks = { .size = sizeof hooks,
					   .stdin_fd = -1,
					   .is_alone = b->req->jobs == 1 };

	return flights_start(&b->flights, (size_t)(p - b->places),
			     p->asked.spec, &hooks, err);
}

/* Start the run, or answer.  Returns like a pool's start function. */
static int line_begin(struct batch *b, struct place *p, int read_r,
		      struct cupel_error *why, struct cupel_error *err)
{
	int r = read_r;

	p->order = batch_outbox_begin(&b->outbox);
	if (r == 0)
		r = run_begin(b, p, why);
	if (r < 0)
		r = answer_error(b, &p->asked, p->order, why, err);
	else if (flight_fd(run_of(b, p)) < 0)
		r = answer_run(b, p, why, err);
	else
		return POOL_STARTED;
	return r < 0 ? r : POOL_AT_ONCE;
}

static int line_take(struct batch *b, struct place *p,
		     const struct batch_text *text, struct cupel_error *err)
{
	struct cupel_error why = { 0 };
	enum batch_before before;
	struct batch_key key;
	int r, claim;

	if (is_blank(text) ||
	    (text->number - 1) % b->req->shard_of != b->req->shard_at - 1)
		return POOL_AT_ONCE;
	b->counts->lines++;
	r = batch_asked_read(text, b->req->base, b->req->options, &p->asked,
			     &why);
	claim = id_claim(b, &p->asked, &why);
	key = batch_asked_key(&p->asked);
	before = b->req->resume ? batch_known_find(&b->known, &key)
				: BATCH_UNKNOWN;
	if (before != BATCH_UNKNOWN) {
		b->counts->known++;
		b->counts->known_bad += before == BATCH_KNOWN_BAD;
		r = POOL_AT_ONCE;
	} else {
		r = line_begin(b, p, claim < 0 ? claim : r, &why, err);
	}
	if (r == POOL_STARTED)
		b->running++;
	else
		place_clear(b, p);
	return r;
}

/* --- what the pool asks ----------------------------------------------------------- */

static bool is_over(const struct batch *b)
{
	return b->counts->failed > 0 && !b->req->keep_going;
}

static int start(void *data, size_t place, struct cupel_error *err)
{
	struct batch *b = data;
	struct batch_text text;

	if (is_over(b) || !batch_outbox_has_room(&b->outbox) ||
	    !batch_lines_next(&b->lines, &text))
		return POOL_NOTHING;
	return line_take(b, &b->places[place], &text, err);
}

static int place_fd(const void *data, size_t place)
{
	const struct batch *b = data;

	return flight_fd(flights_run(&b->flights, place));
}

static int step(void *data, size_t place, struct cupel_error *err)
{
	struct batch *b = data;
	struct place *p = &b->places[place];
	struct cupel_error why = { 0 };
	int r = flight_step(flights_run(&b->flights, place), false, &why);

	if (r > 0)
		return 1;
	r = answer_run(b, p, &why, err);
	place_clear(b, p);
	b->running--;
	return r;
}

/* Whether another line could be started, but none has been read. */
static bool wants_lines(const struct batch *b)
{
	return !b->lines.is_over && !is_over(b) && b->running < b->req->jobs &&
	       batch_outbox_has_room(&b->outbox) && !batch_lines_has(&b->lines);
}

static size_t own(const void *data, struct pollfd *ret)
{
	const struct batch *b = data;
	size_t n = 0;

	if (wants_lines(b))
		ret[n++] =
			(struct pollfd){ .fd = b->lines.fd, .events = POLLIN };
	/* without any events poll still tells that the reader has gone */
	if (batch_outbox_is_waiting(&b->outbox))
		ret[n++] = (struct pollfd){ .fd = b->outbox.fd,
					    .events = POLLOUT };
	else if (b->running > 0)
		ret[n++] = (struct pollfd){ .fd = b->outbox.fd };
	return n;
}

static int settle(void *data, struct cupel_error *err)
{
	struct batch *b = data;
	struct pollfd in = { .fd = b->lines.fd, .events = POLLIN };
	int r = batch_outbox_send(&b->outbox, err);

	flights_settle(&b->flights);
	/* when nothing runs any more, all that there was to read may have been
	 * read */
	if (r == 0 && b->running > 0)
		r = batch_outbox_check_reader(&b->outbox, err);
	if (r < 0 || !wants_lines(b) || poll(&in, 1, 0) <= 0)
		return r;
	return batch_lines_fill(&b->lines, err);
}

static int own_left_ms(const void *data)
{
	const struct batch *b = data;

	return flights_left_ms(&b->flights);
}

static void cancel(void *data, size_t place)
{
	struct batch *b = data;
	struct cupel_run *run = flights_run(&b->flights, place);

	if (run != NULL)
		flight_cancel(run, 0);
}

static void end(void *data, size_t place)
{
	struct batch *b = data;
	struct cupel_run *run = flights_run(&b->flights, place);
	struct cupel_error ignored = { 0 };

	if (run == NULL)
		return; /* it has ended; its answer could not be written */
	(void)flight_step(run, true, &ignored);
	place_clear(b, &b->places[place]);
}

/* --- all of it -------------------------------------------------------------------- */

static int drive(struct batch *b, struct cupel_error *err)
{
	static const struct pool_calls calls = { .start = start,
						 .fd = place_fd,
						 .step = step,
						 .settle = settle,
						 .own = own,
						 .own_left_ms = own_left_ms,
						 .cancel = cancel,
						 .end = end };
	const char *why;
	int r;

	batch_outbox_init(&b->outbox);
	flights_init(&b->flights, b->req->jobs);
	r = pool_run(&calls, b, b->req->jobs, b->req->stop_fd, err);
	if (r < 0)
		batch_outbox_end(&b->outbox);
	b->counts->remade = flights_remade(&b->flights, &why);
	(void)snprintf(b->counts->remade_why, sizeof b->counts->remade_why,
		       "%s", why);
	flights_done(&b->flights);
	b->counts->written = b->outbox.written;
	b->counts->is_cut = r == 0 && is_over(b) &&
			    (!b->lines.is_over || batch_lines_has(&b->lines));
	return r;
}

int batch_run(const struct batch_request *req, struct batch_counts *ret,
	      struct cupel_error *err)
{
	struct batch *b = calloc(1, sizeof *b);
	owned_fd int results = -1;
	int r = 0;

	if (b == NULL)
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM, "no memory for a batch");
	b->req = req;
	b->counts = ret;
	b->lines.fd = req->specs_fd;
	b->lines.shown = req->specs_shown;
	b->outbox.fd = req->results_fd;
	b->outbox.shown = req->results != NULL ? req->results : "stdout";
	b->outbox.is_log = req->results != NULL;
	b->outbox.is_ordered = req->is_ordered;
	if (req->results != NULL) {
		r = results = batch_results_open(req->results, req->resume,
						 req->stop_fd, &b->known, err);
		b->outbox.fd = results;
	}
	if (r >= 0)
		r = drive(b, err);
	batch_lines_done(&b->lines);
	batch_known_done(&b->known);
	batch_outbox_done(&b->outbox);
	free(b);
	return r;
}
