/* copy.c -- copies bytes both ways, and passes on ends and resets. */
#include <errno.h>
#include <fcntl.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/hooks.h"
#include "relay/connection_private.h"
#include "relay/near.h"
#include "relay/relay.h"

#define ROUNDS_MAX 4 /* for one connection before the others get their turn */
/* A stream is worth a pipe after that many bytes: from then on its pages are
 * handed from socket to socket instead of being copied twice. */
#define LONG_BYTES (1U << 20)
#define PIPE_BYTES (256 << 10) /* a user's pipes may hold 64 MiB in all */
#define MOVE       (SPLICE_F_MOVE | SPLICE_F_NONBLOCK)
#define IDLE_MAX   16 /* events in turn that lead to nothing */
#define PAUSE_MS   50

enum pumped { PUMPED, PUMPED_RESET };

static bool is_later(void)
{
	return errno == EAGAIN || errno == EINTR;
}

void way_end(struct relay *r, struct way *w)
{
	if (!w->has_pipe)
		return;
	(void)close(w->pipe[0]);
	(void)close(w->pipe[1]);
	w->has_pipe = false;
	r->connections.pipes--;
}

/* Towards a near server the kernel would let a long stream's send buffer grow to
 * 4 MiB (tcp_wmem, tcp(7)).  So much waiting there speeds nothing up; and where the
 * host's congestion control paces, a timer has to send each 64 KiB of it
 * (docs/egress.md). */
static void near_put(int fd)
{
	struct tcp_info info = { 0 };
	socklen_t len = sizeof info, n = sizeof(int);
	int now = 0, wanted;

	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &info, &len) < 0 ||
	    len < offsetof(struct tcp_info, tcpi_min_rtt) +
			    sizeof info.tcpi_min_rtt ||
	    getsockopt(fd, SOL_SOCKET, SO_SNDBUF, &now, &n) < 0)
		return;
	wanted = near_find_bytes(info.tcpi_min_rtt, now);
	if (wanted > 0)
		(void)setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &wanted,
				 sizeof wanted);
}

static void pipe_take(struct relay *r, struct way *w)
{
	if (r->connections.pipes == PIPES_MAX ||
	    pipe2(w->pipe, O_CLOEXEC | O_NONBLOCK) < 0)
		return;
	(void)fcntl(w->pipe[1], F_SETPIPE_SZ, PIPE_BYTES);
	w->has_pipe = true;
	w->held = 0;
	r->connections.pipes++;
}

/* Give a stream what it gets once it is long. */
static void long_take(struct relay *r, struct way *w, int to)
{
	if (w->bytes < LONG_BYTES)
		return;
	if (w->is_outward && !w->is_long)
		near_put(to);
	w->is_long = true;
	if (!w->has_pipe)
		pipe_take(r, w);
}

static void way_close(struct relay *r, struct way *w, int to)
{
	w->is_ended = true;
	w->is_blocked = false;
	way_end(r, w);
	(void)shutdown(to, SHUT_WR);
}

/* Send what is there.  Bytes leave the kernel's buffer only after the receiver
 * has accepted them. */
static enum pumped way_copy(struct relay *r, struct way *w, int from, int to)
{
	ssize_t n = recv(from, r->buffer, sizeof r->buffer, MSG_PEEK);
	ssize_t sent;

	if (n < 0)
		return is_later() ? PUMPED : PUMPED_RESET;
	if (n == 0) {
		way_close(r, w, to);
		return PUMPED;
	}
	sent = send(to, r->buffer, (size_t)n, MSG_NOSIGNAL);
	if (sent < 0 && !is_later())
		return PUMPED_RESET;
	if (sent > 0) {
		(void)recv(from, NULL, (size_t)sent, MSG_TRUNC);
		w->bytes += (uint64_t)sent;
	}
	w->is_blocked = sent < n;
	return PUMPED;
}

/* Send the judged bytes from our own memory. */
static enum pumped kept_send(struct way *w, int to)
{
	ssize_t sent = send(to, w->kept, w->kept_len, MSG_NOSIGNAL);

	if (sent < 0 && !is_later())
		return PUMPED_RESET;
	if (sent > 0) {
		w->kept += sent;
		w->kept_len -= (size_t)sent;
		w->bytes += (uint64_t)sent;
	}
	w->is_blocked = w->kept_len > 0;
	return PUMPED;
}

/* Move what is there through the pipe of this direction, which must be empty
 * before more goes in.
 *
 * splice never passes an urgent byte of TCP: there is nothing, it says, or the
 * end, if the end came after that byte.  recv passes over it, so it has the last
 * word. */
static enum pumped way_move(struct relay *r, struct way *w, int from, int to,
			    bool is_first)
{
	ssize_t n = (ssize_t)w->held;

	if (w->held == 0)
		n = splice(from, NULL, w->pipe[1], NULL, LONG_BYTES, MOVE);
	if ((n == 0 || (n < 0 && is_later() && is_first)) &&
	    !test_wall_is_down(TEST_WALL_RELAY_URGENT))
		return way_copy(r, w, from, to);
	if (n <= 0)
		return n == 0 || is_later() ? PUMPED : PUMPED_RESET;
	w->held = (size_t)n;
	n = splice(w->pipe[0], NULL, to, NULL, w->held, MOVE);
	if (n < 0 && !is_later())
		return PUMPED_RESET;
	if (n > 0) {
		w->held -= (size_t)n;
		w->bytes += (uint64_t)n;
	}
	w->is_blocked = w->held > 0;
	return PUMPED;
}

static enum pumped way_pump(struct relay *r, struct way *w, int from, int to)
{
	enum pumped e = PUMPED;

	for (int i = 0; i < ROUNDS_MAX && e == PUMPED && !w->is_ended; i++) {
		long_take(r, w, to);
		errno = 0;
		if (w->kept_len > 0)
			e = kept_send(w, to);
		else
			e = w->has_pipe ? way_move(r, w, from, to, i == 0)
					: way_copy(r, w, from, to);
		if (w->is_blocked || is_later())
			break;
	}
	return e;
}

/* The events to watch on a side: input when it can be passed on, room when
 * something waits to be sent. */
static uint32_t events_of(const struct way *from, const struct way *to)
{
	uint32_t events = 0;

	if (!from->is_ended && !from->is_blocked)
		events |= EPOLLIN;
	if (to->is_blocked)
		events |= EPOLLOUT;
	return events;
}

static void sides_watch(struct relay *r, struct connection *c)
{
	watch_put(r, c->inside, connection_watch(r, c, WATCH_INSIDE),
		  events_of(&c->out, &c->in));
	watch_put(r, c->outside[0], connection_watch(r, c, WATCH_OUTSIDE),
		  events_of(&c->in, &c->out));
}

static bool is_changed(const struct way *a, const struct way *b)
{
	return a->is_blocked != b->is_blocked || a->is_ended != b->is_ended;
}

/* Whether anything was passed on. */
static bool has_moved(const struct way *a, const struct way *b)
{
	return is_changed(a, b) || a->bytes != b->bytes || a->held != b->held;
}

/* Some events may come too early.  If they lead to nothing again and again, look
 * at the connection only now and then: no peer makes the relay work for
 * nothing. */
static void idle_note(struct relay *r, struct connection *c, bool is_idle)
{
	c->idle = is_idle ? c->idle + 1 : 0;
	if (c->idle < IDLE_MAX || test_wall_is_down(TEST_WALL_RELAY_PAUSE))
		return;
	c->idle--;
	watch_end(r, c->inside);
	watch_end(r, c->outside[0]);
	c->next_ns = relay_in_ms(r, PAUSE_MS);
	relay_note_due(r, c->next_ns);
}

void copy_resume(struct relay *r, struct connection *c)
{
	c->next_ns = UINT64_MAX;
	sides_watch(r, c);
}

void copy_start(struct relay *r, struct connection *c)
{
	c->phase = PHASE_COPY;
	c->error = 0;
	c->out.is_outward = true;
	connection_note(r, c, RELAY_ALLOWED, 1);
	if (c->out.kept_len > 0 &&
	    kept_send(&c->out, c->outside[0]) == PUMPED_RESET) {
		connection_reset(r, c);
		return;
	}
	sides_watch(r, c);
}

/* The side has failed: pass on what it sent before, then the failure. */
static bool is_over(struct relay *r, struct way *said, int from, int to)
{
	return said->is_ended || said->is_blocked ||
	       way_pump(r, said, from, to) == PUMPED_RESET || said->is_blocked;
}

void copy_run(struct relay *r, struct connection *c, enum watch_kind from,
	      uint32_t events)
{
	bool is_inside = from == WATCH_INSIDE;
	int here = is_inside ? c->inside : c->outside[0];
	int there = is_inside ? c->outside[0] : c->inside;
	struct way *said = is_inside ? &c->out : &c->in;
	struct way *told = is_inside ? &c->in : &c->out;
	struct way before[2] = { c->out, c->in };
	bool is_reset = false;

	if ((events & EPOLLERR) != 0)
		is_reset = is_over(r, said, here, there);
	else if ((events & (EPOLLIN | EPOLLHUP)) != 0)
		is_reset = way_pump(r, said, here, there) == PUMPED_RESET;
	if ((events & EPOLLOUT) != 0 && !is_reset)
		is_reset = way_pump(r, told, there, here) == PUMPED_RESET;
	if (is_reset) {
		connection_reset(r, c);
		return;
	}
	if (c->out.is_ended && c->in.is_ended) {
		connection_close(r, c);
		return;
	}
	if (is_changed(&before[0], &c->out) || is_changed(&before[1], &c->in))
		sides_watch(r, c);
	/* Both directions are closed but the rest cannot be passed on yet;
	 * without this, epoll would report it again and again. */
	if ((events & EPOLLHUP) != 0 && said->is_blocked)
		watch_end(r, here);
	idle_note(r, c,
		  !has_moved(&before[0], &c->out) &&
			  !has_moved(&before[1], &c->in));
}
