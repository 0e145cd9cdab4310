/* log.h -- run-log.jsonl: appended to, one whole line or none.
 *
 * Whoever appends holds a lock (flock) on the file for that moment, so a last
 * line without its newline is one that somebody died in: it is taken away when
 * it is the beginning of a record, and else ended. */
#ifndef CUPEL_JOBS_CONFIRM_LOG_H
#define CUPEL_JOBS_CONFIRM_LOG_H

#include <stddef.h>

struct cupel_error;

#define LOG_LINE_BYTES ((size_t)4 << 20) /* a longer line is none of ours */

/* log_open -- open for appending, made (0600) when it is not there; its
 * directory too (0700), when only the last one is missing.  Never through a
 * symbolic link at its end.
 * Returns the descriptor, owned by the caller and readable too, or -errno. */
int log_open(const char *path, struct cupel_error *err);

/* log_append -- line[0..n-1], newline included, by one write(2).  When the file
 * system takes only a part, that part is taken back; over RLIMIT_FSIZE nothing
 * is written and no signal comes.  Returns 0 or -errno. */
int log_append(int fd, const char *line, size_t n, struct cupel_error *err);

#endif
