/* egress.c -- ways out past the rules of scoped egress. */
#include "egress.h"
#include "attack.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define WAIT_MS    10000
#define NAMES_MANY 300 /* more than a run may ask for */

struct place {
	union {
		struct sockaddr any;
		struct sockaddr_in v4;
		struct sockaddr_in6 v6;
	} at;
	socklen_t len;
};

/* Read an address in any form that inet_aton accepts, IPv6, or IPv6%INDEX. */
static int place_read(const char *text, unsigned port, struct place *ret)
{
	char copy[64];
	char *scope;

	memset(ret, 0, sizeof *ret);
	if (inet_aton(text, &ret->at.v4.sin_addr)) {
		ret->at.v4.sin_family = AF_INET;
		ret->at.v4.sin_port = htons((uint16_t)port);
		ret->len = sizeof ret->at.v4;
		return 0;
	}
	(void)snprintf(copy, sizeof copy, "%s", text);
	scope = strchr(copy, '%');
	if (scope)
		*scope++ = '\0';
	if (inet_pton(AF_INET6, copy, &ret->at.v6.sin6_addr) != 1)
		return -1;
	ret->at.v6.sin6_family = AF_INET6;
	ret->at.v6.sin6_port = htons((uint16_t)port);
	ret->at.v6.sin6_scope_id =
		scope ? (uint32_t)strtoul(scope, NULL, 10) : 0;
	ret->len = sizeof ret->at.v6;
	return 0;
}

static int wait_for(int fd, short what)
{
	struct pollfd p = { .fd = fd, .events = what };

	if (poll(&p, 1, WAIT_MS) > 0)
		return 0;
	errno = ETIMEDOUT;
	return -1;
}

/* Write a DNS question of a type. Source: RFC 1035, section 4.1. Returns its
 * size. */
static size_t question_write(const char *name, unsigned type,
			     unsigned char *out)
{
	static const unsigned char head[12] = { 7, 7, 1, 0, 0, 1 };
	size_t at = sizeof head;

	memcpy(out, head, sizeof head);
	while (*name && at < 400) {
		size_t n = strcspn(name, ".");

		out[at++] = (unsigned char)n;
		memcpy(out + at, name, n);
		at += n;
		name += n + (name[n] == '.');
	}
	out[at++] = 0;
	out[at++] = (unsigned char)(type >> 8);
	out[at++] = (unsigned char)type;
	out[at++] = 0;
	out[at++] = 1;
	return at;
}

/* Ask a name server by UDP, and take the last four bytes of an answer as its
 * address.  Returns 0, or -1 with errno: ENOENT for a name that is not there,
 * ENODATA for an answer without any. */
static int name_ask(const char *server, const char *name, unsigned type,
		    struct in_addr *ret)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(53) };
	unsigned char text[512];
	int fd = socket(AF_INET, SOCK_DGRAM, 0);
	ssize_t n = -1;

	if (fd < 0)
		return -1;
	(void)inet_aton(server, &to.sin_addr);
	if (connect(fd, (struct sockaddr *)&to, sizeof to) == 0 &&
	    send(fd, text, question_write(name, type, text), 0) > 0 &&
	    wait_for(fd, POLLIN) == 0)
		n = recv(fd, text, sizeof text, 0);
	(void)close(fd);
	if (n < 12)
		return -1;
	if ((text[3] & 15) || text[7] == 0) {
		errno = (text[3] & 15) ? ENOENT : ENODATA;
		return -1;
	}
	memcpy(ret, text + n - 4, 4);
	return 0;
}

static int place_find(const char *host, unsigned port, struct place *ret)
{
	if (place_read(host, port, ret) == 0)
		return 0;
	if (name_ask("127.0.0.1", host, 1, &ret->at.v4.sin_addr) < 0)
		return -1;
	ret->at.v4.sin_family = AF_INET;
	ret->at.v4.sin_port = htons((uint16_t)port);
	ret->len = sizeof ret->at.v4;
	return 0;
}

int host_connect(const char *host, unsigned port)
{
	struct place to;
	socklen_t n = sizeof errno;
	int err = 0, fd;

	if (place_find(host, port, &to) < 0)
		return -1;
	fd = socket(to.at.any.sa_family, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return -1;
	if (connect(fd, &to.at.any, to.len) < 0) {
		if (errno != EINPROGRESS)
			err = errno;
		else if (wait_for(fd, POLLOUT) < 0 ||
			 getsockopt(fd, SOL_SOCKET, SO_ERROR, &err, &n) < 0)
			err = errno;
	}
	if (!err)
		return fd;
	(void)close(fd);
	errno = err;
	return -1;
}

int echo_read(int fd, const void *text, size_t n)
{
	char back[1024];
	ssize_t got = -1;

	if (send(fd, text, n, MSG_NOSIGNAL) > 0 && wait_for(fd, POLLIN) == 0)
		got = recv(fd, back, sizeof back, 0);
	if (got == 0)
		errno = ECONNRESET; /* closed, without a word */
	return got > 0 ? 0 : -1;
}

static int host_reach(const char *host, unsigned port)
{
	int fd = host_connect(host, port), ret;

	if (fd < 0)
		return -1;
	ret = echo_read(fd, "escaped", 7);
	(void)close(fd);
	return ret;
}

static void reach(char **args)
{
	say_errno(host_reach(arg(args, 0), (unsigned)arg_u64(args, 1)),
		  "reach");
}

/* Connect to one port at several forms of an address: "won" when all are
 * reached. */
static void reach_all(char **args)
{
	unsigned port = (unsigned)arg_u64(args, 0), good = 0, all = 0;

	for (char **a = args + 1; *a; a++, all++) {
		if (host_reach(*a, port) == 0)
			good++;
		else
			printf("%s: %s\n", *a, errno_name(errno));
	}
	say(good == 0     ? "none"
	    : good == all ? "won"
			  : "some",
	    "%u of %u", good, all);
}

/* Connect by name twice, the second time after the first answer has expired: a
 * name server could then answer with another address. */
static void reach_twice(char **args)
{
	unsigned port = (unsigned)arg_u64(args, 1);

	if (host_reach(arg(args, 0), port) < 0)
		say("E?", "the first time: %s", errno_name(errno));
	pause_ms(1300);
	say_errno(host_reach(args[0], port), "the second time");
}

/* Connect through a relay that runs inside, and that another process of the
 * vessel is told to use. */
static void reach_by_relay(char **args)
{
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_port = htons(3128),
				  .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	int fd = socket(AF_INET, SOCK_STREAM, 0), status = 0;
	int yes = 1;
	pid_t pid;

	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
	if (bind(fd, (struct sockaddr *)&at, sizeof at) < 0 ||
	    listen(fd, 5) < 0)
		say("E?", "listen: %s", errno_name(errno));
	pid = fork();
	if (pid == 0) {
		int one = accept(fd, NULL, NULL);

		(void)close(one);
		_exit(host_reach(arg(args, 0), (unsigned)arg_u64(args, 1)) < 0
			      ? errno
			      : 0);
	}
	(void)close(host_connect("127.0.0.1", 3128));
	(void)waitpid(pid, &status, 0);
	errno = WEXITSTATUS(status);
	say_errno(errno ? -1 : 0, "through it");
}

static void fast_open(char **args)
{
	struct place to;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 ||
	    place_read(arg(args, 0), (unsigned)arg_u64(args, 1), &to) < 0)
		say("E?", "place");
	say_errno(sendto(fd, "escaped", 7, MSG_FASTOPEN, &to.at.any, to.len),
		  "sendto");
}

/* Send a DNS question: server, type, name. */
static void ask(char **args)
{
	struct in_addr found;

	say_errno(name_ask(arg(args, 0), arg(args, 2),
			   (unsigned)arg_u64(args, 1), &found),
		  "question");
}

/* Ask for many names below a domain, and with a port connect to them as well:
 * names could carry data out. */
static void ask_many(char **args)
{
	unsigned port = (unsigned)arg_u64(args, 1), good = 0;

	for (unsigned i = 0; i < NAMES_MANY; i++) {
		struct in_addr found;
		char name[256];

		(void)snprintf(name, sizeof name, "n%u-%s", i, arg(args, 0));
		if (port ? host_reach(name, port) == 0
			 : name_ask("127.0.0.1", name, 1, &found) == 0)
			good++;
	}
	say(good == NAMES_MANY ? "won" : "some", "%u", good);
}

const struct attack attacks_egress[] = {
	{ "reach", reach },
	{ "reach-all", reach_all },
	{ "reach-twice", reach_twice },
	{ "reach-by-relay", reach_by_relay },
	{ "fast-open", fast_open },
	{ "ask", ask },
	{ "ask-many", ask_many },
	{ 0 },
};
