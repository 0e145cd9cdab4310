/* feed.c -- feeds the command's stdin from a descriptor of the caller. */
#include "supervise/feed.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"

/* The SIGPIPE of a failed write goes to the writing thread, so that thread can
 * block it and take it.  One that was pending before stays pending. */
long feed_write(int fd, const char *bytes, size_t n)
{
	const struct timespec now = { 0 };
	sigset_t pipe_set, before, pending;
	long r;

	(void)sigemptyset(&pipe_set);
	(void)sigaddset(&pipe_set, SIGPIPE);
	(void)sigpending(&pending);
	(void)pthread_sigmask(SIG_BLOCK, &pipe_set, &before);
	r = write(fd, bytes, n);
	if (r < 0)
		r = -errno;
	if (r == -EPIPE && !sigismember(&pending, SIGPIPE))
		while (sigtimedwait(&pipe_set, NULL, &now) < 0 &&
		       errno == EINTR)
			;
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	return r;
}

static void feed_end(struct feed *f)
{
	if (f->pipe_fd >= 0)
		(void)epoll_ctl(f->epoll_fd, EPOLL_CTL_DEL, f->pipe_fd, NULL);
	cleanup_fd(&f->pipe_fd);
	if (f->is_waiting)
		(void)epoll_ctl(f->epoll_fd, EPOLL_CTL_DEL, f->source_fd, NULL);
	f->is_waiting = false;
	f->source_fd = -1;
}

/* Wait for the pipe, or for the source. */
static void feed_await(struct feed *f, bool want_pipe)
{
	struct epoll_event pipe_event = {
		.events = want_pipe ? EPOLLOUT : 0, /* errors come anyway */
		.data.u64 = f->pipe_id,
	};
	struct epoll_event source_event = {
		.events = want_pipe ? 0 : EPOLLIN,
		.data.u64 = f->source_id,
	};

	(void)epoll_ctl(f->epoll_fd, EPOLL_CTL_MOD, f->pipe_fd, &pipe_event);
	if (f->is_plain)
		return;
	/* A source at its end reports EPOLLHUP even when no events are wanted,
	 * so it is taken out of the epoll set. */
	if (want_pipe && f->is_waiting)
		(void)epoll_ctl(f->epoll_fd, EPOLL_CTL_DEL, f->source_fd, NULL);
	else if (!want_pipe && !f->is_waiting &&
		 epoll_ctl(f->epoll_fd, EPOLL_CTL_ADD, f->source_fd,
			   &source_event) < 0)
		feed_end(f);
	f->is_waiting = !want_pipe && f->pipe_fd >= 0;
}

int feed_init(struct feed *f, int epoll_fd, int source_fd, int pipe_fd,
	      uint64_t source_id, uint64_t pipe_id)
{
	struct epoll_event out = { .events = EPOLLOUT, .data.u64 = pipe_id };
	struct epoll_event in = { .events = EPOLLIN, .data.u64 = source_id };

	*f = (struct feed){ .epoll_fd = epoll_fd,
			    .source_fd = source_fd,
			    .pipe_fd = pipe_fd,
			    .source_id = source_id,
			    .pipe_id = pipe_id };
	if (source_fd < 0 || pipe_fd < 0) {
		cleanup_fd(&f->pipe_fd);
		f->source_fd = -1;
		return 0;
	}
	f->bytes = malloc(FEED_BYTES);
	if (f->bytes == NULL)
		return -ENOMEM;
	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, source_fd, &in) == 0)
		f->is_waiting = true;
	else if (errno == EPERM)
		f->is_plain = true;
	else
		return -errno;
	if (!f->is_plain)
		out.events = 0;
	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, pipe_fd, &out) < 0)
		return -errno;
	return 0;
}

/* Never waits for a pipe or terminal that another reader emptied meanwhile. */
static long feed_read(struct feed *f)
{
	struct iovec v = { .iov_base = f->bytes, .iov_len = FEED_BYTES };
	long n = -1;

	if (!f->is_plain) {
		n = preadv2(f->source_fd, &v, 1, -1, RWF_NOWAIT);
		if (n >= 0 || (errno != EOPNOTSUPP && errno != ENOSYS))
			return n < 0 ? -errno : n;
	}
	n = read(f->source_fd, f->bytes, FEED_BYTES);
	return n < 0 ? -errno : n;
}

/* Read if nothing is held, and write what is.  Returns whether all of it was
 * written. */
static bool feed_turn(struct feed *f)
{
	long n;

	if (f->at == f->len) {
		n = feed_read(f);
		if (n == -EAGAIN || n == -EINTR)
			return false;
		if (n <= 0) {
			feed_end(f);
			return false;
		}
		f->at = 0;
		f->len = (size_t)n;
	}
	n = feed_write(f->pipe_fd, f->bytes + f->at, f->len - f->at);
	if (n < 0 && n != -EAGAIN && n != -EINTR) {
		feed_end(f);
		return false;
	}
	if (n > 0)
		f->at += (size_t)n;
	return f->at == f->len;
}

void feed_run(struct feed *f, bool is_broken)
{
	if (f->pipe_fd >= 0 && is_broken)
		feed_end(f);
	/* Close the pipe together with the last bytes of a short file, so that
	 * a command which reads to the end wakes only once. */
	if (f->pipe_fd >= 0 && feed_turn(f) && f->is_plain)
		(void)feed_turn(f);
	if (f->pipe_fd >= 0)
		feed_await(f, f->is_plain || f->at < f->len);
}

void feed_done(struct feed *f)
{
	if (f->epoll_fd >= 0)
		feed_end(f);
	free(f->bytes);
	f->bytes = NULL;
}
