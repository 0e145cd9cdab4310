/* stream.c -- count everything, keep what the cap allows. */
#include "supervise/stream.h"

size_t stream_take(struct stream *s, uint64_t cap, const char *bytes, size_t n)
{
	uint64_t left = s->bytes < cap ? cap - s->bytes : 0;
	size_t within = n < left ? n : (size_t)left;

	s->bytes += n;
	s->truncated = s->truncated || within < n;
	if (within > 0)
		buf_add(&s->kept, bytes, within);
	return within;
}
