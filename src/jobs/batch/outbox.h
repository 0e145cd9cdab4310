/* outbox.h -- sends answers: in order if that is asked for, always whole lines,
 * and without waiting for the reader. */
#ifndef CUPEL_JOBS_BATCH_OUTBOX_H
#define CUPEL_JOBS_BATCH_OUTBOX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct cupel_error;

/* Once this much waits for a reader or for an earlier answer, no new run is
 * started. */
#define BATCH_OUTBOX_BYTES ((size_t)8 << 20)
#define BATCH_WINDOW       1024U

struct batch_slot {
	char *line; /* owned; NULL: not there yet */
	size_t len;
};

/* Zero is valid, with fd and the two flags set. */
struct batch_outbox {
	int fd;            /* borrowed */
	const char *shown; /* its name, for messages */
	bool is_log;       /* a file that is appended to, by whole lines */
	bool is_ordered;
	bool is_regular;       /* set by the outbox: it never blocks */
	struct buf queue;      /* for a reader */
	size_t sent;           /* of the queue */
	uint64_t begun, ended; /* ordered: given out; written or queued */
	uint64_t written;      /* answers that were written or queued */
	size_t held_bytes;     /* in slots */
	struct batch_slot slots[BATCH_WINDOW];
};

void batch_outbox_init(struct batch_outbox *o);

/* batch_outbox_has_room -- whether one more answer may be requested. */
bool batch_outbox_has_room(const struct batch_outbox *o);

/* batch_outbox_begin -- reserve the place, in the order, of a future answer. */
uint64_t batch_outbox_begin(struct batch_outbox *o);

/* batch_outbox_put -- put an answer in its place: a line with its newline,
 * which is taken over.  Returns 0 or -errno. */
int batch_outbox_put(struct batch_outbox *o, uint64_t place, struct buf *line,
		     struct cupel_error *err);

/* batch_outbox_is_waiting -- whether there is something to send when fd takes
 * it. */
bool batch_outbox_is_waiting(const struct batch_outbox *o);

/* batch_outbox_check_reader -- returns -EPIPE if the other end of a pipe, a socket
 * or a terminal has been closed, so that nobody will read what comes; otherwise
 * 0. */
int batch_outbox_check_reader(const struct batch_outbox *o,
			      struct cupel_error *err);

/* batch_outbox_send -- send what fd takes without waiting.  Returns 0 or
 * -errno. */
int batch_outbox_send(struct batch_outbox *o, struct cupel_error *err);

/* batch_outbox_end -- after a stop, send all that is there, as long as the
 * reader takes some of it each second. */
void batch_outbox_end(struct batch_outbox *o);

void batch_outbox_done(struct batch_outbox *o);

#endif
