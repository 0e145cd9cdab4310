/* pass.h -- passes a command's output on to the caller's descriptor.
 *
 * Nothing here blocks before the run has ended.  Bytes wait in a queue as long
 * as the cap of the output, and are written when the descriptor accepts them.
 * So a slow reader neither stops the clock nor uses unlimited memory. */
#ifndef CUPEL_CLI_PASS_H
#define CUPEL_CLI_PASS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"

/* Zero is not valid: use pass_init. */
struct pass {
	int fd;          /* borrowed; -1: bytes are dropped */
	bool is_escaped; /* control characters are shown, not sent */
	bool is_pipe;    /* not a regular file: may block */
	bool is_broken;  /* the reader is gone; bytes are dropped */
	int error;       /* -errno of a failed write, except EPIPE */
	size_t done;     /* bytes of queue that have been written */
	struct buf queue;
	char held[4]; /* start of a sequence that is still incomplete */
	size_t held_len;
};

/* pass_init -- pass bytes to fd.
 *
 * @is_raw	never escape; otherwise a terminal gets escapes */
void pass_init(struct pass *p, int fd, bool is_raw);

/* pass_add -- take n bytes and send what can be sent without waiting. */
void pass_add(struct pass *p, const char *bytes, size_t n);

/* pass_has_bytes -- whether poll(2) should ask for POLLOUT on p->fd. */
bool pass_has_bytes(const struct pass *p);

/* pass_step -- send what can be sent without waiting. */
void pass_step(struct pass *p);

/* pass_flush -- send everything, waiting for the reader. */
void pass_flush(struct pass *p);

void pass_done(struct pass *p);

/* pass_escape -- append bytes[0..n-1] to out, with control characters (C0
 * except \n, \t and \r, DEL, C1) and bytes that are not UTF-8 as \xNN.
 *
 * @is_last	no more bytes follow
 *
 * Returns how many bytes were taken: fewer than n, by at most 3, when a
 * sequence at the end is incomplete and is_last is false. */
size_t pass_escape(const char *bytes, size_t n, bool is_last, struct buf *out);

#endif
