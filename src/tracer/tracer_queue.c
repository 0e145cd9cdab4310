/* tracer_queue.c -- records on their way to the supervisor. */
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "tracer/tracer.h"

int queue_open(struct queue *q)
{
	void *bytes = mmap(NULL, QUEUE_BYTES, PROT_READ | PROT_WRITE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (bytes == MAP_FAILED)
		return -errno;
	q->bytes = bytes;
	return 0;
}

bool queue_put(struct queue *q, const void *bytes, size_t n)
{
	size_t whole = sizeof n + n;

	if (whole > QUEUE_BYTES - q->to && q->from > 0) {
		memmove(q->bytes, q->bytes + q->from, q->to - q->from);
		q->to -= q->from;
		q->from = 0;
	}
	if (whole > QUEUE_BYTES - q->to)
		return false;
	memcpy(q->bytes + q->to, &n, sizeof n);
	memcpy(q->bytes + q->to + sizeof n, bytes, n);
	q->to += whole;
	return true;
}

int queue_send(struct queue *q)
{
	while (q->from < q->to) {
		size_t n;

		memcpy(&n, q->bytes + q->from, sizeof n);
		if (send(TRACER_CONTROL_FD, q->bytes + q->from + sizeof n, n,
			 MSG_DONTWAIT | MSG_NOSIGNAL) < 0) {
			if (errno == EINTR)
				continue;
			return errno == EAGAIN || errno == ENOBUFS ? 0 : -EPIPE;
		}
		q->from += sizeof n + n;
	}
	q->from = q->to = 0;
	return 0;
}

static uint16_t text_put(char *at, struct text text, size_t cap)
{
	size_t n = text.len < cap ? text.len : cap;

	if (n > 0)
		memcpy(at, text.bytes, n);
	return (uint16_t)n;
}

void record_put(struct tracer *t, struct trace_record *r, struct text path,
		struct text interpreter, struct text argv)
{
	char bytes[TRACE_RECORD_BYTES];
	size_t n = sizeof *r;

	if (is_full(t)) {
		t->end.omitted++;
		return;
	}
	r->path_len = text_put(bytes + n, path, TRACER_PATH_BYTES);
	n += r->path_len;
	r->interpreter_len =
		text_put(bytes + n, interpreter, TRACER_PATH_BYTES);
	n += r->interpreter_len;
	r->argv_len = text_put(bytes + n, argv,
			       TRACER_WORDS * (TRACER_WORD_BYTES + 1));
	n += r->argv_len;
	memcpy(bytes, r, sizeof *r);
	if (queue_put(&t->queue, bytes, n))
		t->told++;
	else
		t->end.omitted++;
}
