/* hello_phase.c -- reads the first bytes of a connection, judges them, and
 * keeps them until they have been sent.
 *
 * They must not be judged in the kernel's buffer: sendfile(2) and vmsplice(2)
 * put pages of the vessel there, and the vessel can change those between our
 * look and the sending. */
#include <errno.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "relay/connection_private.h"
#include "relay/hello.h"
#include "relay/relay.h"

#define HELLO_MS 15000

/* The memory that belongs to this connection. */
static uint8_t *memory_of(struct relay *r, const struct connection *c)
{
	return r->connections.hellos[c - r->connections.items];
}

void hello_start(struct relay *r, struct connection *c)
{
	uint32_t ms = r->policy.config.hello_ms;

	c->phase = PHASE_HELLO;
	c->have = 0;
	c->ends_ns = relay_in_ms(r, ms > 0 ? ms : HELLO_MS);
	relay_note_due(r, c->ends_ns);
	watch_put(r, c->inside, connection_watch(r, c, WATCH_INSIDE),
		  EPOLLIN | EPOLLRDHUP);
}

/* It is complete: the connection goes on with the judged bytes, or is
 * refused. */
static void hello_end(struct relay *r, struct connection *c, const char *name)
{
	watch_put(r, c->inside, connection_watch(r, c, WATCH_INSIDE), 0);
	if (strcmp(name, r->names.items[c->name].text) != 0) {
		connection_refuse(r, c, RELAY_SNI_MISMATCH);
		return;
	}
	c->out.kept = memory_of(r, c);
	c->out.kept_len = c->have;
	dial_name(r, c);
}

/* There is room for more, because a full buffer without a complete ClientHello
 * was refused before. */
void hello_run(struct relay *r, struct connection *c, uint32_t events)
{
	char name[RELAY_NAME_BYTES] = "";
	uint8_t *bytes = memory_of(r, c);
	ssize_t n =
		recv(c->inside, bytes + c->have, HELLO_BYTES_MAX - c->have, 0);
	int e;

	if (n < 0 && (errno == EAGAIN || errno == EINTR) &&
	    (events & (EPOLLHUP | EPOLLERR)) == 0)
		return;
	if (n <= 0) {
		connection_refuse(r, c, RELAY_SNI_MISMATCH);
		return;
	}
	c->have += (size_t)n;
	e = hello_read(bytes, c->have, name);
	if (e == 0)
		hello_end(r, c, name);
	else if (e != -EAGAIN)
		connection_refuse(r, c, RELAY_SNI_MISMATCH);
}
