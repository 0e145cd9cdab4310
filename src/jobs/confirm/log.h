/* log.h -- run-log.jsonl: appended to, one whole line or none. */
#ifndef CUPEL_JOBS_CONFIRM_LOG_H
#define CUPEL_JOBS_CONFIRM_LOG_H

#include <stddef.h>

struct cupel_error;

/* log_open -- open for appending, made (0600) when it is not there; its
 * directory too (0700), when only the last one is missing.  Never through a
 * symbolic link at its end.  A last line that lacks its newline (a torn write
 * of a machine that went down) is closed first.
 * Returns the descriptor, owned by the caller, or -errno. */
int log_open(const char *path, struct cupel_error *err);

/* log_append -- line[0..n-1], newline included, by one write(2).  When the file
 * system takes only a part, that part is taken back.  Returns 0 or -errno. */
int log_append(int fd, const char *line, size_t n, struct cupel_error *err);

#endif
