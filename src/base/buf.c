/* buf.c -- see buf.h. */
#include "base/buf.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BUF_FIRST_BYTES 256

static bool buf_grow(struct buf *b, size_t n)
{
	size_t room = b->room > 0 ? b->room : BUF_FIRST_BYTES;
	char *bytes;

	if (b->failed)
		return false;
	b->failed = true;
	if (n > SIZE_MAX / 4 || b->len > SIZE_MAX / 4)
		return false;
	if (b->cap_bytes > 0 && n > b->cap_bytes - b->len)
		return false;
	while (room < b->len + n + 1)
		room *= 2;
	if (room != b->room) {
		bytes = realloc(b->bytes, room);
		if (bytes == NULL)
			return false;
		b->bytes = bytes;
		b->room = room;
	}
	b->failed = false;
	return true;
}

/* Whether n bytes and a NUL fit without growing.  Nearly always true, because
 * JSON is written in bytes and words. */
static bool has_room(const struct buf *b, size_t n)
{
	return !b->failed && n < b->room - b->len &&
	       (b->cap_bytes == 0 || n <= b->cap_bytes - b->len);
}

void buf_add(struct buf *b, const void *bytes, size_t n)
{
	if (!has_room(b, n) && !buf_grow(b, n))
		return;
	if (n > 0)
		memcpy(b->bytes + b->len, bytes, n);
	b->len += n;
	b->bytes[b->len] = '\0';
}

void buf_text(struct buf *b, const char *text)
{
	buf_add(b, text, strlen(text));
}

void buf_char(struct buf *b, char c)
{
	if (!has_room(b, 1) && !buf_grow(b, 1))
		return;
	b->bytes[b->len++] = c;
	b->bytes[b->len] = '\0';
}

#define DIGITS_MAX 20 /* of a number of 64 bits */

void buf_uint(struct buf *b, uint64_t value)
{
	char digits[DIGITS_MAX];
	size_t at = sizeof digits;

	do {
		digits[--at] = (char)('0' + value % 10);
		value /= 10;
	} while (value > 0);
	buf_add(b, digits + at, sizeof digits - at);
}

/* What fits into the room that is there is written at once; only what does not
 * is written a second time. */
void buf_format(struct buf *b, const char *fmt, ...)
{
	size_t room = has_room(b, 0) ? b->room - b->len : 0;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vsnprintf(room > 0 ? b->bytes + b->len : NULL, room, fmt, ap);
	va_end(ap);
	if (n >= 0 && has_room(b, (size_t)n)) {
		b->len += (size_t)n;
		return;
	}
	if (room > 0)
		b->bytes[b->len] = '\0';
	if (n < 0 || !buf_grow(b, (size_t)n))
		return;
	va_start(ap, fmt);
	(void)vsnprintf(b->bytes + b->len, (size_t)n + 1, fmt, ap);
	va_end(ap);
	b->len += (size_t)n;
}

char *buf_reserve(struct buf *b, size_t n)
{
	if (!buf_grow(b, n))
		return NULL;
	/* A reader whose last read is empty leaves the NUL here. */
	b->bytes[b->len] = '\0';
	return b->bytes + b->len;
}

bool buf_has_failed(const struct buf *b)
{
	return b->failed;
}

char *buf_take(struct buf *b)
{
	char *out;

	if (!b->failed && b->bytes == NULL)
		buf_add(b, "", 0);
	out = b->failed ? NULL : b->bytes;
	if (out == NULL)
		free(b->bytes);
	b->bytes = NULL;
	b->len = b->room = 0;
	return out;
}

void buf_done(struct buf *b)
{
	free(b->bytes);
	*b = (struct buf){ .cap_bytes = b->cap_bytes };
}
