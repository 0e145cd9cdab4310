/* lines.h -- reads lines from a descriptor, one after the other, in bounded
 * memory. */
#ifndef CUPEL_JOBS_BATCH_LINES_H
#define CUPEL_JOBS_BATCH_LINES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct cupel_error;

/* Zero is valid, with fd set. */
struct batch_lines {
	int fd;            /* borrowed */
	const char *shown; /* its name, for messages */
	struct buf held;
	size_t at;        /* in held: the first byte not yet taken */
	uint64_t number;  /* of the last line that was taken, from 1 */
	bool is_skipping; /* until the end of a line that is too long */
	bool is_over;     /* the descriptor has no more */
};

struct batch_text {
	const char *bytes; /* borrowed until the next fill */
	size_t len;
	uint64_t number;
	bool is_too_long; /* over SPEC_DOCUMENT_BYTES: there are no bytes */
};

/* batch_lines_next -- take the next line, without its newline; the last line
 * need not have one.  Returns whether there is a line.  If not, call fill,
 * unless all has been read. */
bool batch_lines_next(struct batch_lines *l, struct batch_text *ret);

/* batch_lines_has -- whether batch_lines_next() would give one. */
bool batch_lines_has(const struct batch_lines *l);

/* batch_lines_fill -- one read(2), which blocks if fd is not readable.  Call it
 * when there is no next line and is_over is not set.  Returns 0 or -errno. */
int batch_lines_fill(struct batch_lines *l, struct cupel_error *err);

void batch_lines_done(struct batch_lines *l);

#endif
