/* stream.h -- the command's output: counted, kept up to a cap, drained. */
#ifndef CUPEL_SUPERVISE_STREAM_H
#define CUPEL_SUPERVISE_STREAM_H

#include <stddef.h>
#include <stdint.h>

#include "supervise/outcome.h"

/* stream_take -- count bytes[0..n-1] and keep as many of them as cap allows.
 * Returns how many were within the cap. */
size_t stream_take(struct stream *s, uint64_t cap, const char *bytes, size_t n);

#endif
