/* tracer_claim.c -- a connect(2) that goes on by itself, and whether it was made
 * on the socket that was looked at.
 *
 * The credentials that the peer of a local socket sees must be the caller's, so
 * the call cannot be made here.  The kernel looks its descriptor up once more,
 * and whoever shares the descriptors may have put a socket of the internet in its
 * place.  That it did not is known when nobody shares them; when the call failed
 * as no such socket's does; and when the socket that was looked at has become a
 * connected one and no other call was under way on it: each call connects one
 * socket, so of calls that change places one is left that finds its own as it
 * was.  All else is counted. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tracer/tracer.h"

static bool is_connected(int fd)
{
	struct sockaddr_storage peer;
	socklen_t n = sizeof peer;

	return getpeername(fd, (void *)&peer, &n) == 0;
}

/* Both of two calls on one socket are in doubt: it says nothing of which. */
static void contest(struct tracer *t, struct task *task)
{
	for (size_t i = 0; i < t->tasks_len; i++) {
		struct task *other = &t->tasks[i];

		if (other == task || other->claim_of.socket_fd < 0 ||
		    other->claim_of.ino != task->claim_of.ino)
			continue;
		other->claim_of.is_contested = true;
		task->claim_of.is_contested = true;
	}
}

void claim_begin(struct tracer *t, struct task *task, int *socket_fd)
{
	struct claim *c = &task->claim_of;
	struct stat st;

	c->is_shared = t->has_shared || !is_alone(t, task->tid);
	c->is_contested = fstat(*socket_fd, &st) < 0;
	if (!c->is_contested)
		c->ino = st.st_ino;
	c->was_connected = is_connected(*socket_fd);
	c->socket_fd = *socket_fd;
	*socket_fd = -1;
	contest(t, task);
}

/* connect(2) of no internet socket fails so. */
static bool is_of_files(long result)
{
	return result == -ENOENT || result == -ENOTDIR || result == -EPROTOTYPE;
}

static bool is_proven(const struct claim *c, long result)
{
	return !c->is_shared || is_of_files(result) ||
	       (result == 0 && !c->is_contested && !c->was_connected &&
		is_connected(c->socket_fd));
}

void claim_end(struct tracer *t, struct task *task, long result)
{
	struct claim *c = &task->claim_of;

	if (c->socket_fd < 0)
		return;
	if (!is_proven(c, result))
		t->end.refused++;
	(void)close(c->socket_fd);
	c->socket_fd = -1;
}
