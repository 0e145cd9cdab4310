/* artifact_write.h -- writes an artifact to the host, whole or not at all. */
#ifndef CUPEL_SUPERVISE_ARTIFACT_WRITE_H
#define CUPEL_SUPERVISE_ARTIFACT_WRITE_H

#include <stdint.h>

struct artifact;

/* artifact_write -- copy what fd holds into the file dst, and hash it.
 *
 * @fd		a regular file, read from its start
 * @dst		on the host; missing directories above it are made; one that is
 *		a link is refused
 * @cap		most bytes
 * @ret		bytes and blake3 are set on success
 *
 * A temporary file beside dst takes the name of dst when it is complete.  It
 * replaces whatever had the name before; a link is replaced, too, and never
 * written through.
 * Returns NULL, or the word for `skipped`: "too_large", "unreadable",
 * "write_failed". */
const char *artifact_write(int fd, const char *dst, uint64_t cap,
			   struct artifact *ret);

#endif
