/* source.h -- reads the flagged file as it is now. */
#ifndef CUPEL_JOBS_CONFIRM_SOURCE_H
#define CUPEL_JOBS_CONFIRM_SOURCE_H

#include "base/blake3.h"
#include "base/buf.h"

#define SOURCE_BYTES ((size_t)2 << 20) /* of one flagged file */

/* The reason when no file has that name; records use it too. */
#define SOURCE_NOT_FOUND "file-not-found"

/* source_name -- a flag's file as a path below repo: "./a//b" and
 * "/the/repo/a/b" become "a/b".  Freed with free(3); NULL without memory. */
char *source_name(const char *repo, const char *file);

/* source_read -- read the whole file, and make its hash.
 *
 * @file	by source_name()
 * Returns NULL, or why that failed (SOURCE_NOT_FOUND, another BENEATH code,
 * "too_large", "unreadable"). */
const char *source_read(int repo_fd, const char *file, struct buf *out,
			char ret_blake3[BLAKE3_TEXT_BYTES]);

#endif
