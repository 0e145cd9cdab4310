/* artifact_write.h -- writes an artifact to the host, whole or not at all. */
#ifndef CUPEL_SUPERVISE_ARTIFACT_WRITE_H
#define CUPEL_SUPERVISE_ARTIFACT_WRITE_H

#include <stdint.h>

struct artifact;
struct artifact_list;

/* artifact_write -- copy what fd holds into the file dst, and hash it.
 *
 * @fd		a regular file, read from its start
 * @dst		on the host; missing directories above it are made; one that is
 *		a link is refused
 * @cap		most bytes
 * @done	what was written before, in this run
 * @ret		bytes, blake3, dev and ino are set on success
 *
 * A temporary file beside dst takes the name of dst when it is complete.  It
 * replaces whatever had the name before; a link is replaced, too, and never
 * written through.  It never replaces what is in done: of two with one target,
 * however it is spelt, the first is there.
 * Returns NULL, or the word for `skipped`: "not_utf8" (no JSON could say the
 * name of dst), "same_target", "too_large", "unreadable", "write_failed". */
const char *artifact_write(int fd, const char *dst, uint64_t cap,
			   const struct artifact_list *done,
			   struct artifact *ret);

#endif
