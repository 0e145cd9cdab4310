/* log.h -- run-log.jsonl: appended to, one whole line or none.
 *
 * A writer holds a lock (flock) on the file while it appends, so a last line
 * without a newline belongs to a writer that died.  It is removed if it is the
 * beginning of a record; otherwise it gets its newline. */
#ifndef CUPEL_JOBS_COMMON_LOG_H
#define CUPEL_JOBS_COMMON_LOG_H

#include <stddef.h>

struct cupel_error;

#define LOG_LINE_BYTES ((size_t)4 << 20) /* a longer line is not ours */

/* log_open -- open for appending, made (0600) when it is not there; its
 * directory too (0700), when only the last one is missing. base/outfile.h says
 * what is refused: links, hard links, anything that is no regular file, another
 * user's file.
 *
 * @stop_fd	readable: waiting for somebody else's lock ends with -EINTR;
 *		-1: never
 * Returns the descriptor, owned by the caller and readable too, or -errno. */
int log_open(const char *path, int stop_fd, struct cupel_error *err);

/* A log in a repository: FOLDER/NAME below root_fd. */
struct log_place {
	int root_fd;
	const char *folder, *name;
	const char *shown; /* its path, for messages */
};

/* log_open_in -- the same for a log whose place the caller has not named: the
 * folder, made (0700) when it is missing, is no link either. */
int log_open_in(const struct log_place *at, int stop_fd,
		struct cupel_error *err);

/* log_append -- line[0..n-1], newline included, by one write(2).  When the file
 * system takes only a part, that part is taken back; over RLIMIT_FSIZE nothing
 * is written and no signal comes.  Returns 0 or -errno; -EINTR: stop_fd became
 * readable, nothing was written. */
int log_append(int fd, int stop_fd, const char *line, size_t n,
	       struct cupel_error *err);

/* log_put_line -- append line[0..n-1] to a file to which nobody else appends
 * now; otherwise like log_append().  Returns 0 or -errno; -ESTALE: the
 * file has no name any more, so that nobody would find the line. */
int log_put_line(int fd, const char *line, size_t n);

#endif
