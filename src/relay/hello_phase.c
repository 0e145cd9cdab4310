/* hello_phase.c -- the first bytes of a connection are looked at, not taken. */
#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "relay/connection_private.h"
#include "relay/hello.h"
#include "relay/relay.h"

#define HELLO_MS 15000

static_assert(HELLO_BYTES_MAX < RELAY_BUFFER_BYTES, "read at once");

/* Be woken only when there is more than that. */
static void mark_put(int fd, size_t have)
{
	int more = (int)have + 1;

	(void)setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &more, sizeof more);
}

void hello_start(struct relay *r, struct connection *c)
{
	uint32_t ms = r->policy.config.hello_ms;

	c->phase = PHASE_HELLO;
	c->ends_ns = relay_in_ms(r, ms > 0 ? ms : HELLO_MS);
	relay_note_due(r, c->ends_ns);
	watch_put(r, c->inside, connection_watch(r, c, WATCH_INSIDE),
		  EPOLLIN | EPOLLRDHUP);
}

/* The whole of it: the name goes on, or is refused. */
static void hello_end(struct relay *r, struct connection *c, const char *name)
{
	mark_put(c->inside, 0);
	watch_put(r, c->inside, connection_watch(r, c, WATCH_INSIDE), 0);
	if (strcmp(name, r->names.items[c->name].text) == 0)
		dial_name(r, c);
	else
		connection_refuse(r, c, RELAY_SNI_MISMATCH);
}

void hello_run(struct relay *r, struct connection *c, uint32_t events)
{
	char name[RELAY_NAME_BYTES] = "";
	ssize_t n = recv(c->inside, r->buffer, HELLO_BYTES_MAX, MSG_PEEK);
	int e;

	if (n < 0 && (errno == EAGAIN || errno == EINTR) &&
	    (events & (EPOLLHUP | EPOLLERR)) == 0)
		return;
	e = n <= 0 ? -EBADMSG : hello_read(r->buffer, (size_t)n, name);
	if (e == 0) {
		hello_end(r, c, name);
	} else if (e == -EAGAIN &&
		   (events & (EPOLLRDHUP | EPOLLHUP | EPOLLERR)) == 0) {
		mark_put(c->inside, (size_t)n);
	} else {
		connection_refuse(r, c, RELAY_SNI_MISMATCH);
	}
}
