/* scope_message.c -- see scope.h: the D-Bus messages that a scope needs. */
#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "base/buf.h"
#include "launch/native/scope.h"

enum { CALL = 1, REPLY, ERROR, SIGNAL };
enum {
	PATH = 1,
	INTERFACE,
	MEMBER,
	ERROR_NAME,
	REPLY_SERIAL,
	DESTINATION,
	SENDER,
	SIGNATURE
};
enum { SERIAL_HELLO = 1, SERIAL_MATCH, SERIAL_START };

/* For the property PIDs: 0 is the caller, which the bus knows from the kernel.
 * Our own number depends on the PID namespace; in systemd's it may belong to
 * another process. */
#define WHO_ASKS 0

#define HEAD_BYTES 16 /* the header's fields follow it */
#define BUS        "org.freedesktop.DBus"
#define SYSTEMD    "org.freedesktop.systemd1"
#define MATCH                                                                  \
	"type='signal',sender='" SYSTEMD "',interface='" SYSTEMD               \
	".Manager',member='JobRemoved'"

/* --- writing -------------------------------------------------------------- */

static void put_align(struct buf *b, size_t from, size_t to)
{
	while ((b->len - from) % to != 0 && !buf_has_failed(b))
		buf_char(b, '\0');
}

static void put_u32(struct buf *b, uint32_t value)
{
	const char bytes[] = { (char)value, (char)(value >> 8),
			       (char)(value >> 16), (char)(value >> 24) };

	buf_add(b, bytes, sizeof bytes);
}

/* Leave room for a length that is known later. */
static size_t put_hole(struct buf *b)
{
	put_u32(b, 0);
	return b->len;
}

static void fill_hole(struct buf *b, size_t hole, size_t from)
{
	uint32_t n = (uint32_t)(b->len - from);

	if (buf_has_failed(b))
		return;
	for (size_t i = 0; i < 4; i++)
		b->bytes[hole - 4 + i] = (char)(n >> 8 * i);
}

static void put_text(struct buf *b, size_t from, const char *text)
{
	put_align(b, from, 4);
	put_u32(b, (uint32_t)strlen(text));
	buf_add(b, text, strlen(text) + 1);
}

static void put_signature(struct buf *b, const char *text)
{
	buf_char(b, (char)strlen(text));
	buf_add(b, text, strlen(text) + 1);
}

/* One field of the header; a signature has a type of its own. */
static void put_field(struct buf *b, size_t from, int code, const char *type,
		      const char *value)
{
	put_align(b, from, 8);
	buf_char(b, (char)code);
	put_signature(b, type);
	if (*type == 'g')
		put_signature(b, value);
	else
		put_text(b, from, value);
}

struct call {
	const char *to, *path, *interface, *member, *signature;
	uint32_t serial;
};

static void put_call(struct buf *b, const struct call *c,
		     const struct buf *body)
{
	const char head[] = { 'l', CALL, 0, 1 };
	size_t from = b->len;
	size_t hole;

	buf_add(b, head, sizeof head);
	put_u32(b, (uint32_t)body->len);
	put_u32(b, c->serial);
	hole = put_hole(b);
	put_field(b, from, PATH, "o", c->path);
	put_field(b, from, INTERFACE, "s", c->interface);
	put_field(b, from, MEMBER, "s", c->member);
	put_field(b, from, DESTINATION, "s", c->to);
	if (c->signature != NULL)
		put_field(b, from, SIGNATURE, "g", c->signature);
	fill_hole(b, hole, hole);
	put_align(b, from, 8);
	if (body->len > 0)
		buf_add(b, body->bytes, body->len);
	b->failed |= buf_has_failed(body);
}

static void put_property(struct buf *b, const char *name, const char *type)
{
	put_align(b, 0, 8);
	put_text(b, 0, name);
	put_signature(b, type);
}

/* ssa(sv)a(sa(sv)): name, mode, properties, and no other units. */
static void put_scope(struct buf *b, const char *unit)
{
	size_t hole, first;

	put_text(b, 0, unit);
	put_text(b, 0, "fail");
	put_align(b, 0, 4);
	hole = put_hole(b);
	put_align(b, 0, 8);
	first = b->len;
	put_property(b, "Description", "s");
	put_text(b, 0, "cupel");
	put_property(b, "PIDs", "au");
	put_align(b, 0, 4);
	put_u32(b, sizeof(uint32_t));
	put_u32(b, WHO_ASKS);
	put_property(b, "Delegate", "b");
	put_align(b, 0, 4);
	put_u32(b, 1);
	put_property(b, "CollectMode", "s");
	put_text(b, 0, "inactive-or-failed");
	fill_hole(b, hole, first);
	put_align(b, 0, 4);
	put_u32(b, 0);
	put_align(b, 0, 8);
}

void scope_write_request(struct buf *out, const char *unit)
{
	static const struct call hello = { BUS,  "/org/freedesktop/DBus",
					   BUS,  "Hello",
					   NULL, SERIAL_HELLO };
	static const struct call match = { BUS, "/org/freedesktop/DBus",
					   BUS, "AddMatch",
					   "s", SERIAL_MATCH };
	static const struct call start = { SYSTEMD,
					   "/org/freedesktop/systemd1",
					   SYSTEMD ".Manager",
					   "StartTransientUnit",
					   "ssa(sv)a(sa(sv))",
					   SERIAL_START };
	owned_buf struct buf none = { 0 };
	owned_buf struct buf rule = { 0 };
	owned_buf struct buf scope = { 0 };

	put_text(&rule, 0, MATCH);
	put_scope(&scope, unit);
	put_call(out, &hello, &none);
	put_call(out, &match, &rule);
	put_call(out, &start, &scope);
}

/* --- reading -------------------------------------------------------------- */

/* The bytes that are left.  A step beyond them is remembered as a failure. */
struct cursor {
	const unsigned char *bytes;
	size_t at, len;
	bool is_bad;
};

static void take_align(struct cursor *c, size_t to)
{
	c->at += (to - c->at % to) % to;
	c->is_bad |= c->at > c->len;
}

static uint32_t take_u32(struct cursor *c)
{
	const unsigned char *at;

	take_align(c, 4);
	if (c->is_bad || c->len - c->at < 4) {
		c->is_bad = true;
		return 0;
	}
	at = c->bytes + c->at;
	c->at += 4;
	return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 |
	       (uint32_t)at[3] << 24;
}

/* Take n bytes and the NUL after them. */
static const char *take_bytes(struct cursor *c, size_t n)
{
	const char *text;

	if (c->is_bad || n >= c->len - c->at || c->bytes[c->at + n] != '\0') {
		c->is_bad = true;
		return "";
	}
	text = (const char *)c->bytes + c->at;
	c->at += n + 1;
	return text;
}

static const char *take_text(struct cursor *c)
{
	return take_bytes(c, take_u32(c));
}

static unsigned take_byte(struct cursor *c)
{
	if (c->is_bad || c->at >= c->len) {
		c->is_bad = true;
		return 0;
	}
	return c->bytes[c->at++];
}

static const char *take_signature(struct cursor *c)
{
	return take_bytes(c, take_byte(c));
}

struct message {
	unsigned type;
	uint32_t reply_serial;
	const char *member, *signature;
};

static void take_field(struct cursor *c, struct message *m)
{
	unsigned code;
	const char *type;

	take_align(c, 8);
	code = take_byte(c);
	type = take_signature(c);
	if (strcmp(type, "u") == 0) {
		uint32_t value = take_u32(c);

		if (code == REPLY_SERIAL)
			m->reply_serial = value;
	} else if (strcmp(type, "g") == 0) {
		const char *text = take_signature(c);

		if (code == SIGNATURE)
			m->signature = text;
	} else if (strcmp(type, "s") == 0 || strcmp(type, "o") == 0) {
		const char *text = take_text(c);

		if (code == MEMBER)
			m->member = text;
	} else {
		c->is_bad = true;
	}
}

static uint32_t head_u32(const unsigned char *at)
{
	struct cursor c = { at, 0, 4, false };

	return take_u32(&c);
}

size_t scope_message_len(const unsigned char head[16])
{
	uint32_t body = head_u32(head + 4);
	uint32_t fields = head_u32(head + 12);
	size_t n;

	/* The bus is on this machine, so it has the same byte order. */
	if (head[0] != 'l' || head[3] != 1 || body > SCOPE_MESSAGE_BYTES ||
	    fields > SCOPE_MESSAGE_BYTES)
		return 0;
	n = HEAD_BYTES + (fields + 7) / 8 * 8 + (size_t)body;
	return n <= SCOPE_MESSAGE_BYTES ? n : 0;
}

/* u id, o job, s unit, s result */
static int job_read(struct cursor *c, const char *unit)
{
	const char *name, *result;

	(void)take_u32(c);
	(void)take_text(c);
	name = take_text(c);
	result = take_text(c);
	if (c->is_bad)
		return -EPROTO;
	if (strcmp(name, unit) != 0)
		return 0;
	return strcmp(result, "done") == 0 ? 1 : -EIO;
}

int scope_read_message(const unsigned char *bytes, size_t n, const char *unit)
{
	struct message m = { .member = "", .signature = "" };
	struct cursor c = { bytes, HEAD_BYTES, n, false };
	size_t end;

	if (n < HEAD_BYTES || scope_message_len(bytes) != n)
		return -EPROTO;
	m.type = bytes[1];
	end = HEAD_BYTES + head_u32(bytes + 12);
	while (!c.is_bad && c.at < end)
		take_field(&c, &m);
	take_align(&c, 8);
	if (c.is_bad || c.at != HEAD_BYTES + (end - HEAD_BYTES + 7) / 8 * 8)
		return -EPROTO;
	if (m.type == ERROR)
		return -EIO; /* whichever call it was: all three are needed */
	if (m.type != SIGNAL || strcmp(m.member, "JobRemoved") != 0 ||
	    strcmp(m.signature, "uoss") != 0)
		return 0;
	/* The body has an alignment of its own. */
	c = (struct cursor){ bytes + c.at, 0, n - c.at, false };
	return job_read(&c, unit);
}
