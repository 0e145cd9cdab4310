/* outbox.c -- see outbox.h. */
#include "jobs/batch/outbox.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "jobs/common/log.h"

/* A pipe that polls writable takes this much without blocking (pipe(7)). */
#define CHUNK      4096U
#define GIVE_UP_MS 1000

void batch_outbox_init(struct batch_outbox *o)
{
	struct stat st;

	o->is_regular = fstat(o->fd, &st) == 0 && S_ISREG(st.st_mode);
}

bool batch_outbox_has_room(const struct batch_outbox *o)
{
	if (o->is_ordered && o->begun - o->ended >= BATCH_WINDOW)
		return false;
	return o->queue.len - o->sent + o->held_bytes < BATCH_OUTBOX_BYTES;
}

uint64_t batch_outbox_begin(struct batch_outbox *o)
{
	return o->begun++;
}

static int fail(const struct batch_outbox *o, int e, struct cupel_error *err)
{
	/* RLIMIT_FSIZE is as full as a full disk */
	enum cupel_cause cause =
		e == -EFBIG ? CUPEL_CAUSE_BUSY : cupel_cause_of(-e);

	return cupel_fail(err, CUPEL_STAGE_JOB, cause, -e,
			  "%s: cannot be written: %s", o->shown, strerror(-e));
}

static int line_queue(struct batch_outbox *o, const char *line, size_t n,
		      struct cupel_error *err)
{
	int e = 0;

	if (o->is_log)
		e = log_put_line(o->fd, line, n);
	else
		buf_add(&o->queue, line, n);
	if (buf_has_failed(&o->queue))
		e = -ENOMEM;
	o->written += e == 0;
	return e < 0 ? fail(o, e, err) : 0;
}

static int slots_queue(struct batch_outbox *o, struct cupel_error *err)
{
	int e = 0;

	while (e == 0 && o->ended < o->begun) {
		struct batch_slot *s = &o->slots[o->ended % BATCH_WINDOW];

		if (s->line == NULL)
			break;
		e = line_queue(o, s->line, s->len, err);
		o->held_bytes -= s->len;
		free(s->line);
		*s = (struct batch_slot){ 0 };
		o->ended++;
	}
	return e;
}

int batch_outbox_put(struct batch_outbox *o, uint64_t place, struct buf *line,
		     struct cupel_error *err)
{
	struct batch_slot *s = &o->slots[place % BATCH_WINDOW];
	int e;

	if (buf_has_failed(line) || line->len == 0)
		return fail(o, -ENOMEM, err);
	if (!o->is_ordered) {
		e = line_queue(o, line->bytes, line->len, err);
		buf_done(line);
		return e;
	}
	s->len = line->len;
	s->line = buf_take(line);
	o->held_bytes += s->len;
	return slots_queue(o, err);
}

bool batch_outbox_is_waiting(const struct batch_outbox *o)
{
	return o->sent < o->queue.len;
}

/* Write once, when fd takes some within wait_ms.  Returns how much it took. */
static ssize_t some_send(struct batch_outbox *o, int wait_ms)
{
	struct pollfd p = { .fd = o->fd, .events = POLLOUT };
	size_t n = o->queue.len - o->sent;
	ssize_t done;

	if (!o->is_regular && poll(&p, 1, wait_ms) <= 0)
		return 0;
	if (!o->is_regular && n > CHUNK)
		n = CHUNK;
	done = write(o->fd, o->queue.bytes + o->sent, n);
	if (done < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : -errno;
	o->sent += (size_t)done;
	if (o->sent == o->queue.len)
		o->queue.len = o->sent = 0;
	return done;
}

int batch_outbox_check_reader(const struct batch_outbox *o,
			      struct cupel_error *err)
{
	struct pollfd p = { .fd = o->fd };

	if (o->is_regular || poll(&p, 1, 0) <= 0 ||
	    (p.revents & (POLLERR | POLLHUP)) == 0)
		return 0;
	return fail(o, -EPIPE, err);
}

/* Remove what was sent, so that a queue that is never empty does not grow. */
static void queue_shift(struct batch_outbox *o)
{
	if (o->sent < BATCH_OUTBOX_BYTES)
		return;
	o->queue.len -= o->sent;
	memmove(o->queue.bytes, o->queue.bytes + o->sent, o->queue.len);
	o->sent = 0;
}

int batch_outbox_send(struct batch_outbox *o, struct cupel_error *err)
{
	ssize_t n = 1;

	while (n > 0 && batch_outbox_is_waiting(o))
		n = some_send(o, 0);
	queue_shift(o);
	return n < 0 ? fail(o, (int)n, err) : 0;
}

void batch_outbox_end(struct batch_outbox *o)
{
	struct cupel_error ignored = { 0 };

	/* send in order up to the first gap: what follows it would be out of
	 * order */
	(void)slots_queue(o, &ignored);
	while (batch_outbox_is_waiting(o) && some_send(o, GIVE_UP_MS) > 0)
		;
}

void batch_outbox_done(struct batch_outbox *o)
{
	for (size_t i = 0; i < BATCH_WINDOW; i++)
		free(o->slots[i].line);
	buf_done(&o->queue);
}
