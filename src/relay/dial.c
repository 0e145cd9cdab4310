/* dial.c -- from a name to a connected socket: RFC 8305, Happy Eyeballs. */
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "relay/address.h"
#include "relay/connection_private.h"
#include "relay/relay.h"

#define CONNECT_MS 15000
#define BESIDE_MS  250 /* RFC 8305, section 5 */
/* A connection can take up to 10 MiB of kernel memory, so from this number on
 * new ones get small buffers. */
#define WIDE_MAX     32
#define NARROW_BYTES 65536

bool dial_is_own(const struct relay_address *a)
{
	struct sockaddr_storage to, from;
	struct relay_address source;
	socklen_t len = sockaddr_write(a, 9, &to), own = sizeof from;
	int fd =
		socket(a->family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	bool is_own = fd >= 0 &&
		      connect(fd, (const struct sockaddr *)&to, len) == 0 &&
		      getsockname(fd, (struct sockaddr *)&from, &own) == 0 &&
		      sockaddr_read(&from, own, &source) == 0 &&
		      address_is_same(a, &source);

	/* Without a descriptor we cannot find out, so assume that it is. */
	is_own = is_own || (fd < 0 && errno != EAFNOSUPPORT);
	if (fd >= 0)
		(void)close(fd);
	return is_own;
}

static void option_put(int fd, int level, int option, int value)
{
	(void)setsockopt(fd, level, option, &value, sizeof value);
}

/* A server that vanished is noticed after two minutes.  One that is there but
 * silent may stay silent as long as the vessel likes. */
static void options_put(const struct relay *r, const struct connection *c,
			int fd)
{
	option_put(fd, IPPROTO_TCP, TCP_NODELAY, 1);
	option_put(fd, SOL_SOCKET, SO_KEEPALIVE, 1);
	option_put(fd, IPPROTO_TCP, TCP_KEEPIDLE, 60);
	option_put(fd, IPPROTO_TCP, TCP_KEEPINTVL, 15);
	option_put(fd, IPPROTO_TCP, TCP_KEEPCNT, 4);
	if (r->connections.live <= WIDE_MAX)
		return;
	option_put(fd, SOL_SOCKET, SO_RCVBUF, NARROW_BYTES);
	option_put(fd, SOL_SOCKET, SO_SNDBUF, NARROW_BYTES);
	option_put(c->inside, SOL_SOCKET, SO_RCVBUF, NARROW_BYTES);
	option_put(c->inside, SOL_SOCKET, SO_SNDBUF, NARROW_BYTES);
}

static void attempt_close(struct connection *c, int i)
{
	if (c->outside[i] >= 0)
		(void)close(c->outside[i]);
	c->outside[i] = -1;
}

/* Begin a connection to that address as attempt i.  Returns 0 or -errno. */
static int attempt_open(struct relay *r, struct connection *c, int i,
			const struct relay_address *a)
{
	struct sockaddr_storage to;
	socklen_t len = sockaddr_write(a, c->port, &to);
	enum watch_kind kind = i == 0 ? WATCH_OUTSIDE : WATCH_OUTSIDE2;
	int fd = socket(a->family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
			0);

	if (fd < 0)
		return -errno;
	c->outside[i] = fd;
	c->tried[i] = *a;
	options_put(r, c, fd);
	if (connect(fd, (const struct sockaddr *)&to, len) < 0 &&
	    errno != EINPROGRESS)
		return -errno;
	return watch_add(r, fd, connection_watch(r, c, kind), EPOLLOUT);
}

static bool is_trying(const struct connection *c)
{
	return c->outside[0] >= 0 || c->outside[1] >= 0;
}

static void failure_note(struct relay *r, struct connection *c)
{
	connection_refuse(r, c,
			  c->error == 0 && c->is_refused
				  ? RELAY_ADDRESS_RANGE
				  : RELAY_CONNECT_FAILED);
}

void dial_next(struct relay *r, struct connection *c)
{
	int i = c->outside[0] >= 0;

	c->next_ns = UINT64_MAX;
	while (c->candidate < c->candidates_len && c->outside[i] < 0) {
		const struct relay_address *a = &c->candidates[c->candidate++];
		int e;

		if (rule_judge_address(&r->policy, a, c->port,
				       dial_is_own(a)) != RELAY_ALLOWED) {
			c->is_refused = true;
			if (!is_trying(c))
				c->tried[i] = *a;
			continue;
		}
		e = attempt_open(r, c, i, a);
		if (e < 0) {
			c->error = -e;
			attempt_close(c, i);
		}
	}
	if (!is_trying(c)) {
		failure_note(r, c);
	} else if (c->candidate < c->candidates_len &&
		   (c->outside[0] < 0 || c->outside[1] < 0)) {
		c->next_ns = relay_in_ms(r, BESIDE_MS);
		relay_note_due(r, c->next_ns);
	}
}

void dial_start(struct relay *r, struct connection *c)
{
	uint32_t ms = r->policy.config.connect_ms;

	c->phase = PHASE_CONNECT;
	c->ends_ns = relay_in_ms(r, ms > 0 ? ms : CONNECT_MS);
	relay_note_due(r, c->ends_ns);
	dial_next(r, c);
}

/* IPv6 first, then the two kinds in turn: RFC 8305, section 4. */
static void candidates_put(struct connection *c, const struct name *n)
{
	size_t at[2] = { 0, 0 };
	static const uint16_t family[2] = { AF_INET6, AF_INET };

	c->candidates_len = c->candidate = 0;
	for (unsigned turn = 0; c->candidates_len < n->len; turn++) {
		size_t *i = &at[turn % 2];

		while (*i < n->len &&
		       n->addresses[*i].family != family[turn % 2])
			(*i)++;
		if (*i < n->len)
			c->candidates[c->candidates_len++] =
				n->addresses[(*i)++];
	}
}

void dial_known(struct relay *r, struct connection *c)
{
	const struct name *n = &r->names.items[c->name];

	if (n->state != NAME_KNOWN) {
		connection_refuse(r, c, RELAY_RESOLVE_FAILED);
		return;
	}
	candidates_put(c, n);
	dial_start(r, c);
}

void dial_name(struct relay *r, struct connection *c)
{
	c->phase = PHASE_NAME;
	c->ends_ns = UINT64_MAX; /* the resolver has a clock of its own */
	if (resolver_ask(r, c->name) != NAME_ASKED)
		dial_known(r, c);
}

void dial_run(struct relay *r, struct connection *c, int attempt)
{
	int error = 0, other = !attempt;
	socklen_t len = sizeof error;

	if (c->phase != PHASE_CONNECT || c->outside[attempt] < 0)
		return;
	if (getsockopt(c->outside[attempt], SOL_SOCKET, SO_ERROR, &error,
		       &len) < 0)
		error = errno;
	if (error != 0) {
		c->error = error;
		attempt_close(c, attempt);
		dial_next(r, c);
		return;
	}
	attempt_close(c, other);
	c->outside[0] = c->outside[attempt];
	c->tried[0] = c->tried[attempt];
	if (attempt != 0)
		c->outside[1] = -1;
	c->ends_ns = c->next_ns = UINT64_MAX;
	copy_start(r, c);
}
