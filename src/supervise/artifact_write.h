/* artifact_write.h -- one artifact onto the host, whole or not at all. */
#ifndef CUPEL_SUPERVISE_ARTIFACT_WRITE_H
#define CUPEL_SUPERVISE_ARTIFACT_WRITE_H

#include <stdint.h>

struct artifact;

/* artifact_write -- copy and hash what fd holds into the file dst.
 *
 * @fd		a regular file, read from its start
 * @dst		on the host; directories above it are made where they are
 *		missing; one that is a link is refused
 * @cap		most bytes
 * @ret		bytes and blake3 are set on success
 *
 * A temporary file beside dst takes dst's name when it is complete; whatever
 * had the name before is replaced, a link too, never written through.
 * Returns NULL, or the word for `skipped`: "too_large", "unreadable",
 * "write_failed". */
const char *artifact_write(int fd, const char *dst, uint64_t cap,
			   struct artifact *ret);

#endif
