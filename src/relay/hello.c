/* hello.c -- see hello.h. */
#include "relay/hello.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "relay/rule.h"

#define RECORD_HEAD      5
#define RECORD_BYTES_MAX 16384 /* RFC 8446, section 5.1 */
#define RECORD_HANDSHAKE 22
#define VERSION_MAJOR    3
#define MESSAGE_HEAD     4
#define CLIENT_HELLO     1
#define EXTENSION_NAME   0
#define NAME_HOST        0

/* A view that is read from the front.  It is broken as soon as a read needs
 * more bytes than are left. */
struct cursor {
	const uint8_t *at;
	size_t len;
	bool is_broken;
};

static struct cursor cursor_take(struct cursor *c, size_t n)
{
	struct cursor part = { .at = c->at };

	if (n > c->len || c->is_broken) {
		c->is_broken = part.is_broken = true;
		c->len = 0;
		return part;
	}
	part.len = n;
	c->at += n;
	c->len -= n;
	return part;
}

/* Read a number of that many bytes. */
static size_t number_take(struct cursor *c, size_t bytes)
{
	struct cursor part = cursor_take(c, bytes);
	size_t value = 0;

	for (size_t i = 0; i < part.len; i++)
		value = value << 8 | part.at[i];
	return value;
}

/* Read a field that is preceded by its length, a number of that many bytes. */
static struct cursor vector_take(struct cursor *c, size_t bytes)
{
	return cursor_take(c, number_take(c, bytes));
}

/* Put the first handshake message together from its records.  Returns 0 with
 * its length in *ret, or as hello_read does. */
static int message_read(const uint8_t *bytes, size_t len, uint8_t *out,
			size_t *ret)
{
	size_t at = 0, n = 0;

	for (;;) {
		size_t record, want;

		if (at + RECORD_HEAD > len)
			break;
		record = (size_t)bytes[at + 3] << 8 | bytes[at + 4];
		if (bytes[at] != RECORD_HANDSHAKE ||
		    bytes[at + 1] != VERSION_MAJOR || record == 0 ||
		    record > RECORD_BYTES_MAX)
			return -EBADMSG;
		at += RECORD_HEAD;
		if (record > len - at)
			record = len - at;
		memcpy(out + n, bytes + at, record);
		n += record;
		at += record;
		if (n > 0 && out[0] != CLIENT_HELLO)
			return -EBADMSG;
		if (n < MESSAGE_HEAD)
			continue;
		want = (size_t)out[1] << 16 | (size_t)out[2] << 8 | out[3];
		if (want > HELLO_BYTES_MAX - MESSAGE_HEAD)
			return -EBADMSG;
		if (n >= want + MESSAGE_HEAD) {
			*ret = want + MESSAGE_HEAD;
			return 0;
		}
	}
	if (len > 0 && bytes[0] != RECORD_HANDSHAKE)
		return -EBADMSG;
	return len < HELLO_BYTES_MAX ? -EAGAIN : -EBADMSG;
}

static int text_read(struct cursor host, char *ret)
{
	char name[RELAY_NAME_BYTES] = "";

	if (host.len == 0 || host.len > sizeof name - 1)
		return -ENOENT;
	for (size_t i = 0; i < host.len; i++) {
		char c = (char)host.at[i];

		name[i] = c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
	}
	if (strlen(name) != host.len || !name_is_host(name))
		return -ENOENT;
	memcpy(ret, name, sizeof name);
	return 0;
}

/* A list with one name of the only kind that is defined. */
static int names_read(struct cursor data, char *ret)
{
	struct cursor list = vector_take(&data, 2);
	size_t kind = number_take(&list, 1);
	struct cursor host = vector_take(&list, 2);

	if (data.is_broken || data.len > 0 || list.is_broken || list.len > 0)
		return -EBADMSG;
	return kind == NAME_HOST ? text_read(host, ret) : -ENOENT;
}

static int extensions_read(struct cursor list, char *ret)
{
	int found = -ENOENT;
	bool has_name = false;

	while (list.len > 0) {
		size_t type = number_take(&list, 2);
		struct cursor data = vector_take(&list, 2);

		if (list.is_broken || (type == EXTENSION_NAME && has_name))
			return -EBADMSG;
		if (type == EXTENSION_NAME) {
			has_name = true;
			found = names_read(data, ret);
		}
	}
	return list.is_broken ? -EBADMSG : found;
}

int hello_read(const uint8_t *bytes, size_t len,
	       char ret_name[RELAY_NAME_BYTES])
{
	uint8_t message[HELLO_BYTES_MAX];
	struct cursor body = { .at = message + MESSAGE_HEAD }, extensions;
	size_t n;
	int r;

	if (len > HELLO_BYTES_MAX)
		return -EBADMSG;
	r = message_read(bytes, len, message, &n);
	if (r < 0)
		return r;
	body.len = n - MESSAGE_HEAD;
	(void)cursor_take(&body, 2 + 32); /* version, random */
	(void)vector_take(&body, 1);      /* session */
	(void)vector_take(&body, 2);      /* ciphers */
	(void)vector_take(&body, 1);      /* compression */
	if (body.is_broken)
		return -EBADMSG;
	if (body.len == 0)
		return -ENOENT;
	extensions = vector_take(&body, 2);
	if (body.is_broken || body.len > 0)
		return -EBADMSG;
	return extensions_read(extensions, ret_name);
}
