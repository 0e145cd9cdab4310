/* relay_hello.c -- fuzz: bytes as the beginning of a connection to port 443.
 *
 * What must hold: a verdict, once there is one, is the same with more bytes
 * behind it; a name is a host's. */
#include <errno.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "mask.h"
#include "relay/hello.h"
#include "relay/packet.h"
#include "relay/rule.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void must(int holds)
{
	if (!holds)
		abort();
}

static void try_message(const uint8_t *bytes, size_t n)
{
	char whole[RELAY_NAME_BYTES] = "", part[RELAY_NAME_BYTES] = "";
	int e = hello_read(bytes, n, whole);
	int half = hello_read(bytes, n / 2, part);
	struct packet p = { .protocol = IPPROTO_TCP };

	must(e == 0 || e == -EAGAIN || e == -ENOENT || e == -EBADMSG);
	if (e == 0)
		must(name_is_host(whole));
	if (half != -EAGAIN && n <= HELLO_BYTES_MAX)
		must(e == half && strcmp(whole, part) == 0);
	(void)packet_read(bytes, n, &p);
	p = (struct packet){ .to.family = AF_INET6, .protocol = IPPROTO_UDP };
	(void)packet_read(bytes, n, &p);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	uint8_t *message = mask_take(bytes, n);

	try_message(message, n);
	free(message);
	return 0;
}
