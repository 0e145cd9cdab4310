/* query.c -- one question to one name server after the other. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#include "relay/address.h"
#include "relay/relay.h"
#include "relay/resolver_private.h"

#define TRY_MS    2000 /* one server, one try */
#define TRIES_MAX 4    /* over all servers; with two servers, two tries each */

static struct watch watch_of(const struct relay *r, const struct query *q)
{
	return (struct watch){ .kind = WATCH_QUERY,
			       .turn = q->turn,
			       .index = (uint16_t)(q - r->resolver.queries) };
}

static const struct relay_address *server_of(const struct relay *r,
					     const struct query *q)
{
	const struct relay_config *c = &r->policy.config;

	return &c->servers[q->tries % c->servers_len];
}

static struct dns_query question_of(const struct relay *r,
				    const struct query *q)
{
	return (struct dns_query){ .id = q->id,
				   .type = q->type,
				   .name = r->names.items[q->name].text };
}

static void socket_close(struct relay *r, struct query *q)
{
	if (q->fd >= 0)
		(void)close(q->fd);
	q->fd = -1;
	if (q->is_tcp)
		r->resolver.streams[q->stream].is_taken = false;
	q->is_tcp = false;
}

void query_close(struct relay *r, struct query *q)
{
	socket_close(r, q);
	q->is_open = false;
}

static int stream_take(struct relay *r, struct query *q)
{
	for (uint8_t i = 0; i < RESOLVER_STREAMS_MAX; i++) {
		struct query_stream *s = &r->resolver.streams[i];

		if (s->is_taken)
			continue;
		s->is_taken = true;
		s->sent = s->got = 0;
		q->stream = i;
		q->is_tcp = true;
		return 0;
	}
	return -EAGAIN;
}

/* A socket that is connected, or connecting, to the server. */
static int socket_open(struct relay *r, struct query *q, int type)
{
	const struct relay_address *server = server_of(r, q);
	struct sockaddr_storage to;
	socklen_t len = sockaddr_write(server, server->port, &to);

	q->turn = ++r->resolver.turn;
	q->ends_ns = relay_in_ms(r, TRY_MS);
	relay_note_due(r, q->ends_ns);
	if (getrandom(&q->id, sizeof q->id, 0) != (ssize_t)sizeof q->id)
		return -EIO;
	q->fd = socket(server->family, type | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (q->fd < 0)
		return -errno;
	if (connect(q->fd, (const struct sockaddr *)&to, len) < 0 &&
	    errno != EINPROGRESS)
		return -errno;
	return watch_add(r, q->fd, watch_of(r, q),
			 type == SOCK_DGRAM ? EPOLLIN : EPOLLOUT);
}

static int datagram_send(struct relay *r, struct query *q)
{
	uint8_t bytes[DNS_QUESTION_BYTES];
	struct dns_query question;
	size_t len;
	int e = socket_open(r, q, SOCK_DGRAM);

	if (e < 0)
		return e;
	question = question_of(r, q);
	len = dns_query_write(&question, bytes);
	return send(q->fd, bytes, len, MSG_NOSIGNAL) == (ssize_t)len ? 0 : -EIO;
}

/* Try after try until one is under way; false when there are no more. */
static bool is_tried(struct relay *r, struct query *q)
{
	for (; q->tries < TRIES_MAX; q->tries++) {
		if (datagram_send(r, q) == 0)
			return true;
		socket_close(r, q);
	}
	return false;
}

int query_open(struct relay *r, uint16_t name, uint16_t type)
{
	for (size_t i = 0; i < RESOLVER_QUERIES_MAX; i++) {
		struct query *q = &r->resolver.queries[i];

		if (q->is_open)
			continue;
		*q = (struct query){
			.is_open = true, .name = name, .type = type, .fd = -1
		};
		if (r->policy.config.servers_len > 0 && is_tried(r, q))
			return 0;
		query_close(r, q);
		return -EIO;
	}
	return -EAGAIN;
}

void query_fail(struct relay *r, struct query *q)
{
	uint16_t name = q->name, type = q->type;

	socket_close(r, q);
	q->tries++;
	if (is_tried(r, q))
		return;
	query_close(r, q);
	name_note_failure(r, name, type);
}

/* Take an answer of the server that was asked, or go on to the next server. */
static void answer_note(struct relay *r, struct query *q,
			const struct dns_answer *a)
{
	uint16_t name = q->name, type = q->type;

	if (a->code == DNS_SERVFAIL) {
		query_fail(r, q);
		return;
	}
	query_close(r, q);
	name_note_answer(r, name, type, a);
}

/* The answer was cut: ask the same server once more, over TCP. */
static void stream_open(struct relay *r, struct query *q)
{
	struct query_stream *s;
	struct dns_query question;
	size_t len;

	socket_close(r, q);
	if (stream_take(r, q) < 0 || socket_open(r, q, SOCK_STREAM) < 0) {
		query_fail(r, q);
		return;
	}
	s = &r->resolver.streams[q->stream];
	question = question_of(r, q);
	len = dns_query_write(&question, s->bytes + 2);
	s->bytes[0] = (uint8_t)(len >> 8);
	s->bytes[1] = (uint8_t)len;
}

static void datagram_run(struct relay *r, struct query *q)
{
	struct dns_query question = question_of(r, q);
	struct dns_answer a;
	uint8_t bytes[4096]; /* some servers add more than was asked */
	ssize_t n = recv(q->fd, bytes, sizeof bytes, MSG_TRUNC);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n < 0) {
		query_fail(r, q);
		return;
	}
	/* A message that does not answer this question does not end the
	 * waiting. */
	if ((size_t)n > sizeof bytes ||
	    dns_answer_read(bytes, (size_t)n, &question, &a) < 0)
		return;
	if (a.is_cut)
		stream_open(r, q);
	else
		answer_note(r, q, &a);
}

/* Send the rest of the question; false when it cannot be sent. */
static bool stream_send(struct relay *r, struct query *q)
{
	struct query_stream *s = &r->resolver.streams[q->stream];
	size_t len = 2 + ((size_t)s->bytes[0] << 8 | s->bytes[1]);
	ssize_t n =
		send(q->fd, s->bytes + s->sent, len - s->sent, MSG_NOSIGNAL);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	s->sent += (size_t)n;
	if (s->sent == len) {
		s->sent = sizeof s->bytes; /* it now holds the answer */
		watch_put(r, q->fd, watch_of(r, q), EPOLLIN);
	}
	return true;
}

static void stream_run(struct relay *r, struct query *q)
{
	struct query_stream *s = &r->resolver.streams[q->stream];
	struct dns_query question = question_of(r, q);
	struct dns_answer a;
	size_t want =
		s->got < 2 ? 2 : 2 + ((size_t)s->bytes[0] << 8 | s->bytes[1]);
	ssize_t n;

	if (s->sent < sizeof s->bytes) {
		if (!stream_send(r, q))
			query_fail(r, q);
		return;
	}
	n = want > sizeof s->bytes
		    ? 0
		    : recv(q->fd, s->bytes + s->got, want - s->got, 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		query_fail(r, q);
		return;
	}
	s->got += (size_t)n;
	if (s->got < 2 || s->got < want || want == 2)
		return;
	if (dns_answer_read(s->bytes + 2, want - 2, &question, &a) < 0 ||
	    a.is_cut)
		query_fail(r, q);
	else
		answer_note(r, q, &a);
}

void resolver_run(struct relay *r, struct watch w, uint32_t events)
{
	struct query *q;

	(void)events;
	if (w.index >= RESOLVER_QUERIES_MAX)
		return;
	q = &r->resolver.queries[w.index];
	if (!q->is_open || q->turn != w.turn)
		return;
	if (q->is_tcp)
		stream_run(r, q);
	else
		datagram_run(r, q);
}
