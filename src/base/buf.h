/* buf.h -- a growable byte buffer that is born with a maximum.
 *
 * Failure is sticky: after the first append that does not fit (the cap, or
 * memory), nothing more is appended and buf_has_failed() is true, so a writer
 * checks once at the end. */
#ifndef CUPEL_BASE_BUF_H
#define CUPEL_BASE_BUF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct buf {
	char *bytes; /* NUL after len when not NULL; may hold NULs before */
	size_t len, room;
	size_t cap_bytes; /* most bytes to hold; 0 = no cap */
	bool failed;
};

#define owned_buf __attribute__((cleanup(buf_done)))

void buf_add(struct buf *b, const void *bytes, size_t n);
void buf_text(struct buf *b, const char *text);
void buf_char(struct buf *b, char c);
void buf_uint(struct buf *b, uint64_t value); /* in decimal */
void buf_format(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* buf_reserve -- room for n more bytes at bytes + len, for read(2); the caller
 * then raises len.  Returns NULL on failure (sticky too). */
char *buf_reserve(struct buf *b, size_t n);

bool buf_has_failed(const struct buf *b);

/* buf_take -- the NUL-terminated bytes, to be freed with free(3); the buffer
 * is empty afterwards.  NULL if it had failed. */
char *buf_take(struct buf *b);

void buf_done(struct buf *b);

#endif
