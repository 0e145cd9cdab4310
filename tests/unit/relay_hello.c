/* relay_hello.c -- the name in a ClientHello, and packets' heads. */
#include "relay/hello.h"

#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>

#include "relay/packet.h"
#include "tap.h"

struct text {
	uint8_t bytes[HELLO_BYTES_MAX + 4096];
	size_t len;
};

static void put(struct text *t, const void *bytes, size_t n)
{
	memcpy(t->bytes + t->len, bytes, n);
	t->len += n;
}

static void put_number(struct text *t, size_t value, size_t bytes)
{
	while (bytes-- > 0)
		t->bytes[t->len++] = (uint8_t)(value >> 8 * bytes);
}

/* An extension server_name with one name. */
static void put_name(struct text *t, const char *name)
{
	size_t n = strlen(name);

	put_number(t, 0, 2);
	put_number(t, n + 5, 2);
	put_number(t, n + 3, 2);
	put_number(t, 0, 1);
	put_number(t, n, 2);
	put(t, name, n);
}

/* A handshake message with these extensions, NULL for none at all. */
static struct text hello_of(const struct text *extensions)
{
	static const uint8_t zeros[34];
	struct text t = { .len = 0 };
	size_t n = extensions == NULL ? 0 : extensions->len + 2;

	put_number(&t, 1, 1);
	put_number(&t, 34 + 1 + 4 + 2 + n, 3);
	put(&t, zeros, 34);
	put_number(&t, 0, 1);       /* session */
	put_number(&t, 0x21301, 4); /* one cipher */
	put_number(&t, 0x100, 2);   /* one compression */
	if (extensions != NULL) {
		put_number(&t, extensions->len, 2);
		put(&t, extensions->bytes, extensions->len);
	}
	return t;
}

/* Split into records of at most this many bytes. */
static struct text records_of(const struct text *message, size_t each)
{
	struct text t = { .len = 0 };

	for (size_t at = 0; at < message->len; at += each) {
		size_t n = message->len - at < each ? message->len - at : each;

		put(&t, "\x16\x03\x01", 3);
		put_number(&t, n, 2);
		put(&t, message->bytes + at, n);
	}
	return t;
}

static int read_exactly(const struct text *t, size_t len, char *name)
{
	uint8_t *copy = malloc(len > 0 ? len : 1);
	int r;

	memcpy(copy, t->bytes, len);
	r = hello_read(copy, len, name);
	free(copy);
	return r;
}

static struct text hello_named(const char *name, size_t each)
{
	struct text extensions = { .len = 0 }, message;

	put(&extensions, "\0\x0b\0\x02\x01\0", 6); /* another one before it */
	put_name(&extensions, name);
	message = hello_of(&extensions);
	return records_of(&message, each);
}

static void finds_the_name(void)
{
	char name[RELAY_NAME_BYTES] = "";
	struct text t = hello_named("Registry.Example.TEST", 16384);

	ok_int(read_exactly(&t, t.len, name), 0);
	ok(strcmp(name, "registry.example.test") == 0);
}

static void waits_for_the_whole(void)
{
	char name[RELAY_NAME_BYTES] = "";
	static const size_t each[] = { 16384, 20, 1 };

	for (size_t i = 0; i < 3; i++) {
		struct text t = hello_named("a.test", each[i]);

		for (size_t n = 0; n < t.len; n++)
			ok_int(read_exactly(&t, n, name), -EAGAIN);
		ok_int(read_exactly(&t, t.len, name), 0);
		ok(strcmp(name, "a.test") == 0);
	}
}

static void a_name_must_be_a_hosts(void)
{
	static const char *const bad[] = { "",         "1.2.3.4", "a.test.",
					   "a b.test", "::1",     "a..test" };
	char name[RELAY_NAME_BYTES] = "";

	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		struct text t = hello_named(bad[i], 16384);

		ok_int(read_exactly(&t, t.len, name), -ENOENT);
	}
}

static void none_is_none(void)
{
	char name[RELAY_NAME_BYTES] = "";
	struct text none = { .len = 0 };
	struct text message = hello_of(NULL), t = records_of(&message, 16384);

	ok_int(read_exactly(&t, t.len, name), -ENOENT);
	message = hello_of(&none);
	t = records_of(&message, 16384);
	ok_int(read_exactly(&t, t.len, name), -ENOENT);
}

static void two_names_are_refused(void)
{
	char name[RELAY_NAME_BYTES] = "";
	struct text extensions = { .len = 0 }, message, t;

	put_name(&extensions, "a.test");
	put_name(&extensions, "b.test");
	message = hello_of(&extensions);
	t = records_of(&message, 16384);
	ok_int(read_exactly(&t, t.len, name), -EBADMSG);
	/* and two in one list */
	extensions.len = 0;
	put_number(&extensions, 0, 2);
	put_number(&extensions, 10, 2);
	put_number(&extensions, 8, 2);
	put(&extensions,
	    "\0\0\x01"
	    "a\0\0\x01"
	    "b",
	    8);
	message = hello_of(&extensions);
	t = records_of(&message, 16384);
	ok_int(read_exactly(&t, t.len, name), -EBADMSG);
}

static void what_is_not_tls_is_seen_at_once(void)
{
	char name[RELAY_NAME_BYTES] = "";
	struct text t = hello_named("a.test", 16384);

	ok_int(hello_read((const uint8_t *)"G", 1, name), -EBADMSG);
	ok_int(hello_read((const uint8_t *)"GET / HTTP/1.1\r\n", 16, name),
	       -EBADMSG);
	ok_int(hello_read((const uint8_t *)"SSH-2.0-", 8, name), -EBADMSG);
	t.bytes[1] = 2;
	ok_int(read_exactly(&t, t.len, name), -EBADMSG);
	t = hello_named("a.test", 16384);
	t.bytes[5] = 2; /* a ServerHello */
	ok_int(read_exactly(&t, t.len, name), -EBADMSG);
	t = hello_named("a.test", 16384);
	t.bytes[3] = 0xff; /* a record that is too long */
	ok_int(read_exactly(&t, t.len, name), -EBADMSG);
	t = hello_named("a.test", 16384);
	t.bytes[6] = 0xff; /* a message that is too long */
	ok_int(read_exactly(&t, t.len, name), -EBADMSG);
	ok_int(hello_read((const uint8_t *)"\x16\x03\x01\0\0", 5, name),
	       -EBADMSG);
}

static void lengths_that_lie_are_refused(void)
{
	char name[RELAY_NAME_BYTES] = "";
	struct text good = hello_named("a.test", 16384);

	/* Each byte of the message's body, larger and smaller: never a crash,
	 * and never a name that is not there. */
	for (size_t at = 9; at < good.len; at++) {
		for (int change = -1; change <= 1; change += 2) {
			struct text t = good;
			int r;

			t.bytes[at] = (uint8_t)(t.bytes[at] + change);
			r = read_exactly(&t, t.len, name);
			ok(r == 0 || r == -EBADMSG || r == -ENOENT ||
			   r == -EAGAIN);
		}
	}
}

static void hello_has_an_end(void)
{
	static struct text t;
	char name[RELAY_NAME_BYTES] = "";

	while (t.len < HELLO_BYTES_MAX) /* records of one byte, for ever */
		put(&t, "\x16\x03\x01\0\x01\x01", 6);
	ok_int(hello_read(t.bytes, HELLO_BYTES_MAX, name), -EBADMSG);
	ok_int(hello_read(t.bytes, HELLO_BYTES_MAX + 1, name), -EBADMSG);
}

static void packets_say_where_they_go(void)
{
	uint8_t v4[44] = { 0x45, [9] = IPPROTO_TCP, [16] = 1, 2,          3,
			   4,    [22] = 1,          187,      [33] = 0x02 };
	uint8_t v6[16] = { [2] = 0, 53, [13] = 0x12 };
	struct packet p = { .protocol = IPPROTO_TCP };

	ok(packet_read(v4, sizeof v4, &p));
	ok_int(p.port, 443);
	ok_int(p.to.family, AF_INET);
	ok_int(p.to.bytes[3], 4);
	for (size_t n = 0; n < 34; n++)
		ok(!packet_read(v4, n, &p));
	p.protocol = IPPROTO_UDP; /* another socket's */
	ok(!packet_read(v4, sizeof v4, &p));
	p.protocol = IPPROTO_TCP;
	v4[33] = 0x12; /* an answer */
	ok(!packet_read(v4, sizeof v4, &p));
	v4[33] = 0x02;
	v4[7] = 1; /* a later fragment */
	ok(!packet_read(v4, sizeof v4, &p));
	v4[7] = 0;
	v4[0] = 0x44; /* a head that is too short */
	ok(!packet_read(v4, sizeof v4, &p));
	v4[0] = 0x65; /* IPv6 without an address */
	ok(!packet_read(v4, sizeof v4, &p));
	p = (struct packet){ .to.family = AF_INET6, .protocol = IPPROTO_UDP };
	ok(packet_read(v6, sizeof v6, &p));
	ok_int(p.port, 53);
	ok(packet_read(v6, 4, &p));
	ok(!packet_read(v6, 3, &p));
	p.protocol = IPPROTO_TCP;
	ok(!packet_read(v6, sizeof v6, &p));
	v6[13] = 0x02;
	ok(packet_read(v6, sizeof v6, &p));
	ok(!packet_read(v6, 13, &p));
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(finds_the_name), CASE(waits_for_the_whole),
		CASE(a_name_must_be_a_hosts), CASE(none_is_none),
		CASE(two_names_are_refused),
		CASE(what_is_not_tls_is_seen_at_once),
		CASE(lengths_that_lie_are_refused), CASE(hello_has_an_end),
		CASE(packets_say_where_they_go), TAP_END });
}
