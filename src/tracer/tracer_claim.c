/* tracer_claim.c -- a connect(2) that the kernel carries out itself: was it
 * made on the socket that the tracer looked at?
 *
 * The credentials that the peer of a local socket sees must be the caller's, so
 * the call cannot be made here.  The kernel looks its descriptor up once more,
 * and whoever shares the descriptors may have put a socket of the internet in
 * its place.  We know that nobody did so in three cases: nobody shares the
 * descriptors; the call failed in a way in which an internet socket's call does
 * not fail; or the socket that we looked at is connected afterwards and no
 * other call was under way on it.  The last holds because each call connects
 * one socket: if two calls swap sockets, at least one finds its own socket
 * unchanged.  Every other call is counted as uncertain. */
#include <errno.h>
#include <sys/stat.h>

#include "tracer/tracer.h"

static bool is_connected(int fd)
{
	struct sockaddr_storage peer;
	socklen_t n = sizeof peer;

	return getpeername(fd, (void *)&peer, &n) == 0;
}

/* Two calls on one socket are both in doubt: the socket does not say which of
 * them connected it. */
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

/* The connect(2) of an internet socket does not fail with these. */
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
	socket_close(c->socket_fd);
	c->socket_fd = -1;
}
