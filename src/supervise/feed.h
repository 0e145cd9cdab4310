/* feed.h -- copies the caller's descriptor to the command's stdin.
 *
 * A regular file is always ready; a pipe, socket or terminal is waited for.
 * At most one side is waited for at a time: the source while nothing is held,
 * the pipe while something is.
 * */
#ifndef CUPEL_SUPERVISE_FEED_H
#define CUPEL_SUPERVISE_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FEED_BYTES 65536 /* a pipe's usual capacity */

struct feed {
	int epoll_fd;                /* borrowed */
	int source_fd;               /* borrowed; -1 = none or at its end */
	int pipe_fd;                 /* owned; -1 = closed */
	uint64_t source_id, pipe_id; /* epoll data of either side */
	bool is_plain;               /* the source cannot be waited for */
	bool is_waiting;             /* the source is in the epoll set */
	char *bytes;
	size_t at, len;
};

/* feed_init -- start feeding; takes pipe_fd over.
 *
 * @source_fd	-1: stdin is empty, the pipe is closed at once
 * Returns 0 or -errno. */
int feed_init(struct feed *f, int epoll_fd, int source_fd, int pipe_fd,
	      uint64_t source_id, uint64_t pipe_id);

/* feed_run -- move what can be moved without blocking.  Closes the pipe at the
 * source's end, or when the command stops reading.
 *
 * @is_broken	epoll reported EPOLLERR for the pipe: no reader is left */
void feed_run(struct feed *f, bool is_broken);

void feed_done(struct feed *f);

/* feed_write -- write(2) to a pipe without ever letting SIGPIPE reach the
 * process.  Returns bytes or -errno. */
long feed_write(int fd, const char *bytes, size_t n);

#endif
