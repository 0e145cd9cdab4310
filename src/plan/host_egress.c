/* host_egress.c -- see host_egress.h. */
#include "plan/host_egress.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netinet/in.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "spec/egress.h"

#define FILE_BYTES ((size_t)1 << 20) /* an /etc/hosts of 20,000 lines */
#define DNS_PORT   53

static const char blanks[] = " \t\r";

/* Take the next word of the line at *at, or NULL at its end; *at moves past
 * it. */
static const char *word_next(const char **at, size_t *ret_n)
{
	const char *word = *at + strspn(*at, blanks);

	*ret_n = strcspn(word, " \t\r\n#;");
	*at = word + *ret_n;
	return *ret_n > 0 ? word : NULL;
}

static const char *line_next(const char *at)
{
	at += strcspn(at, "\n");
	return *at == '\n' ? at + 1 : at;
}

/* Read an address without a zone: an address with one is link-local. */
static bool address_read(const char *word, size_t n, struct relay_address *ret)
{
	struct relay_address a = { 0 };
	char text[INET6_ADDRSTRLEN] = "";

	if (n >= sizeof text)
		return false;
	memcpy(text, word, n);
	a.family = memchr(word, ':', n) != NULL ? AF_INET6 : AF_INET;
	if (inet_pton(a.family, text, a.bytes) != 1)
		return false;
	*ret = a;
	return true;
}

void host_servers_read(const char *text, struct host_egress *ret)
{
	static const char key[] = "nameserver";

	for (; *text != '\0'; text = line_next(text)) {
		const char *at = text, *word;
		struct relay_address *to = &ret->servers[ret->servers_len];
		size_t n = 0;

		if (ret->servers_len == RELAY_SERVERS_MAX)
			return;
		word = word_next(&at, &n);
		if (word == NULL || n != sizeof key - 1 ||
		    memcmp(word, key, n) != 0)
			continue;
		word = word_next(&at, &n);
		if (word == NULL || !address_read(word, n, to))
			continue;
		to->port = DNS_PORT;
		ret->servers_len++;
	}
}

/* Read the names of one line. */
static void line_read(const char *at, struct host_egress *ret)
{
	struct relay_address address;
	size_t n = 0;
	const char *word = word_next(&at, &n);

	if (word == NULL || !address_read(word, n, &address))
		return;
	while ((word = word_next(&at, &n)) != NULL &&
	       ret->hosts_len < HOST_HOSTS_MAX) {
		struct relay_host *h = &ret->hosts[ret->hosts_len];

		if (egress_name_read(word, n, h->name) != NULL)
			continue;
		h->address = address;
		ret->hosts_len++;
	}
}

/* The most words that there can be. */
static size_t words_count(const char *text)
{
	size_t words = 0;

	for (; *text != '\0'; words++) {
		text += strspn(text, " \t\r\n");
		text += strcspn(text, " \t\r\n");
	}
	return words < HOST_HOSTS_MAX ? words : HOST_HOSTS_MAX;
}

int host_hosts_read(struct arena *arena, const char *text,
		    struct host_egress *ret)
{
	ret->hosts =
		arena_array(arena, words_count(text) + 1, sizeof *ret->hosts);
	if (ret->hosts == NULL)
		return -ENOMEM;
	for (; *text != '\0'; text = line_next(text))
		line_read(text, ret);
	return 0;
}

/* Read the text of a file up to the first NUL in it; "" when it cannot be
 * read. */
static const char *file_read(const char *path, struct buf *text)
{
	owned_fd int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? 1 : 0;

	while (n > 0 && text->len < FILE_BYTES) {
		char *room = buf_reserve(text, 4096);

		n = room != NULL ? read(fd, room, 4096) : 0;
		text->len += n > 0 ? (size_t)n : 0;
	}
	buf_char(text, '\0');
	return buf_has_failed(text) ? "" : text->bytes;
}

static bool own_take(const struct sockaddr *sa, struct relay_address *ret)
{
	*ret = (struct relay_address){ 0 };
	if (sa == NULL)
		return false;
	if (sa->sa_family == AF_INET)
		memcpy(ret->bytes,
		       &((const struct sockaddr_in *)(const void *)sa)
				->sin_addr,
		       4);
	else if (sa->sa_family == AF_INET6)
		memcpy(ret->bytes,
		       &((const struct sockaddr_in6 *)(const void *)sa)
				->sin6_addr,
		       16);
	else
		return false;
	ret->family = sa->sa_family;
	return true;
}

/* If there are more than fit, the relay still checks each connection itself. */
static int own_read(struct arena *arena, struct host_egress *ret)
{
	struct ifaddrs *list = NULL;

	ret->own = arena_array(arena, RELAY_OWN_MAX, sizeof *ret->own);
	if (ret->own == NULL)
		return -ENOMEM;
	if (getifaddrs(&list) < 0)
		return errno == ENOMEM ? -ENOMEM : 0;
	for (const struct ifaddrs *i = list;
	     i != NULL && ret->own_len < RELAY_OWN_MAX; i = i->ifa_next)
		if (own_take(i->ifa_addr, &ret->own[ret->own_len]))
			ret->own_len++;
	freeifaddrs(list);
	return 0;
}

int host_egress_read(struct arena *arena, struct host_egress *ret)
{
	static const uint8_t loopback[4] = { 127, 0, 0, 1 };
	owned_buf struct buf servers = { 0 };
	owned_buf struct buf hosts = { 0 };
	int r;

	host_servers_read(file_read("/etc/resolv.conf", &servers), ret);
	if (ret->servers_len == 0) {
		ret->servers[0] = (struct relay_address){ .family = AF_INET,
							  .port = DNS_PORT };
		memcpy(ret->servers[0].bytes, loopback, sizeof loopback);
		ret->servers_len = 1;
	}
	r = host_hosts_read(arena, file_read("/etc/hosts", &hosts), ret);
	return r == 0 ? own_read(arena, ret) : r;
}
