/* connection.c -- see connection.h. */
#include "relay/connection.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "relay/address.h"
#include "relay/connection_private.h"
#include "relay/control.h"
#include "relay/relay.h"

#define TLS_PORT 443

struct watch connection_watch(const struct relay *r, const struct connection *c,
			      enum watch_kind kind)
{
	return (struct watch){ .kind = (uint16_t)kind,
			       .turn = c->turn,
			       .index = (uint16_t)(c - r->connections.items) };
}

void connection_note(struct relay *r, const struct connection *c,
		     enum relay_verdict verdict, uint32_t count)
{
	struct relay_record what = { .kind = RELAY_CONNECTION,
				     .verdict = (uint16_t)verdict,
				     .protocol = IPPROTO_TCP,
				     .port = c->port,
				     .count = count,
				     .bytes_in = c->in.bytes,
				     .bytes_out = c->out.bytes,
				     .address = c->tried[0] };

	if (verdict == RELAY_CONNECT_FAILED)
		what.error = c->error;
	if (c->name != 0)
		memcpy(what.name, r->names.items[c->name].text,
		       sizeof what.name);
	else if (what.address.family == 0)
		what.address = c->asked;
	what.address.port = 0;
	control_note(r, &what);
}

/* Close it so that the peer sees a reset instead of an orderly end. */
static void reset_close(int *fd)
{
	struct linger none = { .l_onoff = 1 };

	if (*fd < 0)
		return;
	(void)setsockopt(*fd, SOL_SOCKET, SO_LINGER, &none, sizeof none);
	(void)close(*fd);
	*fd = -1;
}

static void place_free(struct relay *r, struct connection *c)
{
	struct connections *cs = &r->connections;

	way_end(r, &c->in);
	way_end(r, &c->out);
	c->phase = PHASE_FREE;
	cs->live--;
	cs->free[cs->free_len++] = (uint16_t)(c - cs->items);
}

void connection_reset(struct relay *r, struct connection *c)
{
	if (c->phase == PHASE_COPY)
		connection_note(r, c, RELAY_ALLOWED, 0);
	reset_close(&c->inside);
	reset_close(&c->outside[0]);
	reset_close(&c->outside[1]);
	place_free(r, c);
}

void connection_refuse(struct relay *r, struct connection *c,
		       enum relay_verdict verdict)
{
	connection_note(r, c, verdict, 1);
	connection_reset(r, c);
}

void connection_close(struct relay *r, struct connection *c)
{
	connection_note(r, c, RELAY_ALLOWED, 0);
	(void)close(c->inside);
	(void)close(c->outside[0]);
	c->inside = c->outside[0] = -1;
	place_free(r, c);
}

void connection_init(struct connections *cs, size_t max,
		     uint8_t (*hellos)[HELLO_BYTES_MAX])
{
	cs->hellos = hellos;
	cs->max = cs->free_len = max;
	for (size_t i = 0; i < max; i++)
		cs->free[i] = (uint16_t)(max - 1 - i);
}

static struct connection *place_find(struct relay *r)
{
	struct connections *cs = &r->connections;
	size_t i;

	if (cs->free_len == 0)
		return NULL;
	i = cs->free[--cs->free_len];
	cs->high = i + 1 > cs->high ? i + 1 : cs->high;
	cs->live++;
	return &cs->items[i];
}

/* The destination that the vessel meant: on our side it is the local address of
 * the accepted socket. */
static int asked_read(struct relay *r, struct connection *c)
{
	struct sockaddr_storage here;
	socklen_t len = sizeof here;
	int e, name;

	if (getsockname(c->inside, (struct sockaddr *)&here, &len) < 0)
		return -errno;
	e = sockaddr_read(&here, len, &c->asked);
	if (e < 0)
		return e;
	c->port = c->asked.port;
	c->asked.port = 0;
	name = names_find_address(&r->names, &c->asked);
	c->name = name > 0 ? (uint16_t)name : 0;
	return name == 0 ? RELAY_NO_RULE : RELAY_ALLOWED;
}

/* Whether the ClientHello must carry the name that the vessel asked for. */
static bool wants_hello(const struct relay_rule *rule, uint16_t port)
{
	return rule != NULL && port == TLS_PORT && !rule->is_raw;
}

static void name_start(struct relay *r, struct connection *c)
{
	const char *text = r->names.items[c->name].text;
	const struct relay_rule *rule =
		rule_find_name(&r->policy, text, c->port);

	if (rule == NULL && !r->policy.config.is_audit)
		connection_refuse(r, c, RELAY_NO_RULE);
	else if (wants_hello(rule, c->port) && !r->policy.config.is_audit)
		hello_start(r, c);
	else
		dial_name(r, c);
}

static void literal_start(struct relay *r, struct connection *c)
{
	enum relay_verdict v = rule_judge_literal(
		&r->policy, &c->asked, c->port, dial_is_own(&c->asked));

	if (v == RELAY_NO_RULE && address_is_vessel(&c->asked)) {
		connection_reset(r, c);
		return;
	}
	if (v != RELAY_ALLOWED) {
		connection_refuse(r, c, v);
		return;
	}
	c->candidates[0] = c->asked;
	c->candidates_len = 1;
	dial_start(r, c);
}

/* There are too many connections, so this one is refused and only the book says
 * so. */
static void surplus_refuse(struct relay *r, int fd)
{
	struct connection c = { .inside = fd, .outside = { -1, -1 } };

	if (asked_read(r, &c) >= 0)
		connection_note(r, &c, RELAY_LIMIT, 1);
	reset_close(&c.inside);
}

void connection_open(struct relay *r, int fd)
{
	struct connection *c = place_find(r);
	uint16_t turn;
	int on = 1, v;

	if (c == NULL) {
		surplus_refuse(r, fd);
		return;
	}
	turn = (uint16_t)(c->turn + 1);
	*c = (struct connection){ .phase = PHASE_NAME,
				  .turn = turn,
				  .inside = fd,
				  .outside = { -1, -1 },
				  .ends_ns = UINT64_MAX,
				  .next_ns = UINT64_MAX };
	v = asked_read(r, c);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	if (v < 0 ||
	    watch_add(r, fd, connection_watch(r, c, WATCH_INSIDE), 0) < 0)
		connection_reset(r, c);
	else if (v != RELAY_ALLOWED)
		connection_refuse(r, c, RELAY_NO_RULE);
	else if (c->name != 0)
		name_start(r, c);
	else
		literal_start(r, c);
}

void connection_note_name(struct relay *r, uint16_t name)
{
	for (size_t i = 0; i < r->connections.high; i++) {
		struct connection *c = &r->connections.items[i];

		if (c->phase == PHASE_NAME && c->name == name)
			dial_known(r, c);
	}
}

/* Nobody waits for an event here, so this is a reset by the vessel. */
static void abandon(struct relay *r, struct connection *c)
{
	c->error = ECANCELED;
	connection_refuse(r, c, RELAY_CONNECT_FAILED);
}

void connection_run(struct relay *r, struct watch w, uint32_t events)
{
	struct connection *c;

	if (w.index >= r->connections.high)
		return;
	c = &r->connections.items[w.index];
	if (c->phase == PHASE_FREE || c->turn != w.turn)
		return;
	if (c->phase == PHASE_COPY)
		copy_run(r, c, (enum watch_kind)w.kind, events);
	else if (w.kind != WATCH_INSIDE)
		dial_run(r, c, w.kind == WATCH_OUTSIDE2);
	else if (c->phase == PHASE_HELLO)
		hello_run(r, c, events);
	else
		abandon(r, c);
}

static void due_step(struct relay *r, struct connection *c)
{
	static const uint8_t verdict[] = {
		[PHASE_HELLO] = RELAY_SNI_MISMATCH,
		[PHASE_NAME] = RELAY_RESOLVE_FAILED,
		[PHASE_CONNECT] = RELAY_CONNECT_FAILED,
	};

	if (c->ends_ns <= r->now_ns) {
		c->error = ETIMEDOUT;
		connection_refuse(r, c, (enum relay_verdict)verdict[c->phase]);
		return;
	}
	if (c->next_ns <= r->now_ns)
		(c->phase == PHASE_COPY ? copy_resume : dial_next)(r, c);
	if (c->phase == PHASE_FREE)
		return;
	relay_note_due(r, c->ends_ns);
	relay_note_due(r, c->next_ns);
}

void connection_run_due(struct relay *r)
{
	for (size_t i = 0; i < r->connections.high; i++) {
		struct connection *c = &r->connections.items[i];

		if (c->phase != PHASE_FREE)
			due_step(r, c);
	}
}

void connection_end_all(struct relay *r)
{
	for (size_t i = 0; i < r->connections.high; i++) {
		struct connection *c = &r->connections.items[i];

		if (c->phase == PHASE_FREE)
			continue;
		if (c->phase == PHASE_COPY)
			connection_reset(r, c);
		else
			abandon(r, c);
	}
}
