/* listener.c -- see listener.h. */
#include "relay/listener.h"

#include <errno.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "relay/address.h"
#include "relay/relay.h"

#define ACCEPTS_MAX 64  /* accepted before others are served */
#define PAUSE_MS    100 /* when the system has no descriptor or memory left */
#define BACKLOG     1024

static struct watch watch_of(size_t index)
{
	return (struct watch){ .kind = WATCH_LISTENER,
			       .index = (uint16_t)index };
}

static bool is_unspecified(const struct relay_address *a)
{
	static const uint8_t zeros[16];

	return address_is_in(a, a->family, zeros, address_bits(a->family));
}

int listener_add(struct relay *r, int fd, uint16_t port)
{
	struct listeners *ls = &r->listeners;
	struct listener l = { .fd = fd, .port = port };
	struct sockaddr_storage own;
	socklen_t len = sizeof own;
	int e;

	if (ls->len == RELAY_SOCKETS_MAX)
		return -ENOSPC;
	if (getsockname(fd, (struct sockaddr *)&own, &len) < 0)
		return -errno;
	e = sockaddr_read(&own, len, &l.address);
	if (e < 0)
		return e;
	if (l.address.port != port)
		return -EINVAL;
	l.is_any = is_unspecified(&l.address);
	e = watch_add(r, fd, watch_of(ls->len), EPOLLIN);
	if (e < 0)
		return e;
	ls->items[ls->len++] = l;
	return 0;
}

int listener_put_pool(struct relay *r, int fd)
{
	if (r->listeners.pool_len == RELAY_SOCKETS_MAX)
		return -ENOSPC;
	r->listeners.pool[r->listeners.pool_len++] = fd;
	return 0;
}

bool listener_has(const struct relay *r, const struct relay_address *a,
		  uint16_t port)
{
	for (size_t i = 0; i < r->listeners.len; i++) {
		const struct listener *l = &r->listeners.items[i];

		/* A listener on [::] also serves IPv4; one on 0.0.0.0 does not
		 * serve IPv6. */
		if (l->port == port &&
		    (address_is_same(&l->address, a) ||
		     (l->is_any &&
		      (l->address.family == AF_INET6 || a->family == AF_INET))))
			return true;
	}
	return false;
}

static int port_open(struct relay *r, const struct relay_address *a,
		     uint16_t port)
{
	struct sockaddr_storage own;
	socklen_t len = sockaddr_write(a, port, &own);
	int fd, e;

	if (r->listeners.pool_len == 0)
		return -ENOSPC;
	fd = r->listeners.pool[--r->listeners.pool_len];
	if (bind(fd, (const struct sockaddr *)&own, len) < 0 ||
	    listen(fd, BACKLOG) < 0)
		e = -errno;
	else
		e = listener_add(r, fd, port);
	if (e < 0)
		(void)close(fd);
	return e;
}

int listener_open_name(struct relay *r, uint16_t name)
{
	struct relay_address a = name_address(name);
	const char *text = r->names.items[name].text;

	for (size_t i = 0; i < r->policy.rules_len; i++) {
		const struct relay_rule *rule = &r->policy.rules[i];

		if (!rule_has_name(rule, text))
			continue;
		for (uint32_t port = rule->low; port <= rule->high; port++) {
			int e = listener_has(r, &a, (uint16_t)port)
					? 0
					: port_open(r, &a, (uint16_t)port);

			if (e < 0)
				return e;
		}
	}
	return 0;
}

/* Either every listener is watched again or none is. */
static void listeners_watch(struct relay *r, uint32_t events)
{
	for (size_t i = 0; i < r->listeners.len; i++)
		watch_put(r, r->listeners.items[i].fd, watch_of(i), events);
}

static void listeners_pause(struct relay *r)
{
	r->listeners.paused_ns = relay_in_ms(r, PAUSE_MS);
	relay_note_due(r, r->listeners.paused_ns);
	listeners_watch(r, 0);
}

void listener_run_due(struct relay *r)
{
	if (r->listeners.paused_ns == 0)
		return;
	if (r->now_ns < r->listeners.paused_ns) {
		relay_note_due(r, r->listeners.paused_ns);
		return;
	}
	r->listeners.paused_ns = 0;
	listeners_watch(r, EPOLLIN);
}

void listener_run(struct relay *r, struct watch w, uint32_t events)
{
	(void)events;
	if (w.index >= r->listeners.len)
		return;
	for (int i = 0; i < ACCEPTS_MAX; i++) {
		int fd = accept4(r->listeners.items[w.index].fd, NULL, NULL,
				 SOCK_NONBLOCK | SOCK_CLOEXEC);

		if (fd >= 0) {
			connection_open(r, fd);
			continue;
		}
		if (errno == EINTR || errno == ECONNABORTED)
			continue;
		if (errno != EAGAIN)
			listeners_pause(r);
		return;
	}
}
