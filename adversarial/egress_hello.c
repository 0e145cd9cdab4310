/* egress_hello.c -- ways past the rules by the content of the first message, and by
 * the vessel's own routes and relay. */
#include "attack.h"
#include "egress.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <linux/rtnetlink.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* A message while it is written; its numbers are big-endian. */
struct text {
	unsigned char at[1024];
	size_t n;
};

static void number_put(struct text *t, unsigned bytes, size_t value)
{
	while (bytes--)
		t->at[t->n++] = (unsigned char)(value >> 8 * bytes);
}

/* The extension server_name; a "^" in the name is a NUL, a "+" begins another
 * name.  Source: RFC 6066, section 3. */
static void name_put(struct text *t, const char *names)
{
	struct text list = { .n = 0 };

	while (*names) {
		size_t n = strcspn(names, "+");

		number_put(&list, 1, 0);
		number_put(&list, 2, n);
		for (size_t i = 0; i < n; i++)
			number_put(&list, 1,
				   names[i] == '^' ? 0
						   : (unsigned char)names[i]);
		names += n + (names[n] == '+');
	}
	number_put(t, 2, 0);
	number_put(t, 2, list.n + 2);
	number_put(t, 2, list.n);
	memcpy(t->at + t->n, list.at, list.n);
	t->n += list.n;
}

/* A ClientHello for names ("-" for none; "A,B" has the extension twice), in
 * records of at most that many bytes.  Source: RFC 8446, sections 4.1.2, 5.1. */
static void hello_write(const char *names, size_t record, struct text *out)
{
	struct text exts = { .n = 0 }, body = { .n = 0 };
	char copy[512], *left = NULL;

	(void)snprintf(copy, sizeof copy, "%s", names);
	for (char *w = strtok_r(copy, ",", &left); w && strcmp(w, "-") != 0;
	     w = strtok_r(NULL, ",", &left))
		name_put(&exts, w);
	number_put(&body, 1, 1);
	number_put(&body, 3, 2 + 32 + 1 + 4 + 2 + 2 + exts.n);
	number_put(&body, 2, 0x0303);
	for (int i = 0; i < 32; i++)
		number_put(&body, 1, 0x40);
	number_put(&body, 1, 0);
	number_put(&body, 4, 0x00021301);
	number_put(&body, 2, 0x0100);
	number_put(&body, 2, exts.n);
	memcpy(body.at + body.n, exts.at, exts.n);
	body.n += exts.n;
	for (size_t at = 0; at < body.n; at += record) {
		size_t n = body.n - at < record ? body.n - at : record;

		number_put(out, 1, 0x16);
		number_put(out, 2, 0x0301);
		number_put(out, 2, n);
		memcpy(out->at + out->n, body.at + at, n);
		out->n += n;
	}
}

/* Send a ClientHello: HOST PORT NAMES, bytes of a record, bytes of a segment.
 * "won" when a server has received it and answers. */
static void hello(char **args)
{
	struct text t = { .n = 0 };
	size_t piece = arg_u64(args, 4), at = 0;
	int fd = host_connect(arg(args, 0), (unsigned)arg_u64(args, 1));
	int yes = 1;

	if (fd < 0)
		say(errno_name(errno), "connect");
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
	hello_write(arg(args, 2), arg_u64(args, 3), &t);
	while (at + piece < t.n) {
		if (send(fd, t.at + at, piece, MSG_NOSIGNAL) < 0)
			say(errno_name(errno), "send");
		pause_ms(1);
		at += piece;
	}
	say_errno(echo_read(fd, t.at + at, t.n - at), "hello");
}

/* HOST PORT WORD...: send something that is not TLS, such as an HTTP request for
 * another host. */
static void speak(char **args)
{
	char text[1024] = "";
	int fd = host_connect(arg(args, 0), (unsigned)arg_u64(args, 1));

	if (fd < 0)
		say(errno_name(errno), "connect");
	for (char **a = args + 2; *a; a++)
		(void)snprintf(text + strlen(text), sizeof text - strlen(text),
			       "%s\r\n", *a);
	say_errno(echo_read(fd, text, strlen(text)), "speak");
}

/* Make ("24") or delete ("25") routes for all addresses. */
static void route(char **args)
{
	struct {
		struct nlmsghdr h;
		struct rtmsg r;
		struct rtattr oif;
		int index;
	} q = { .h = { .nlmsg_len = sizeof q,
		       .nlmsg_type = (uint16_t)arg_u64(args, 0),
		       .nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK },
		.r = { .rtm_family = AF_INET,
		       .rtm_table = RT_TABLE_LOCAL,
		       .rtm_protocol = RTPROT_BOOT,
		       .rtm_scope = RT_SCOPE_HOST,
		       .rtm_type = RTN_LOCAL },
		.oif = { .rta_len = 8, .rta_type = RTA_OIF },
		.index = 1 };
	char answer[1024];
	int fd = socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
	struct nlmsgerr *e;

	q.h.nlmsg_flags |= q.h.nlmsg_type == RTM_NEWROUTE
				   ? NLM_F_CREATE | NLM_F_APPEND
				   : 0;
	if (fd < 0)
		say(errno_name(errno), "socket");
	if (send(fd, &q, sizeof q, 0) < 0 ||
	    recv(fd, answer, sizeof answer, 0) < (ssize_t)sizeof q.h)
		say(errno_name(errno), "netlink");
	e = NLMSG_DATA((struct nlmsghdr *)answer);
	errno = -e->error;
	say_errno(e->error ? -1 : 0, "route");
}

/* Look for the relay: a process with its name, and sockets among its
 * descriptors and our own. */
static void relay_find(char **args)
{
	DIR *proc = opendir("/proc");
	struct dirent *d;
	unsigned found = 0;

	while (proc && (d = readdir(proc))) {
		char path[300], name[64] = "";

		if (!isdigit((unsigned char)d->d_name[0]))
			continue;
		(void)snprintf(path, sizeof path, "/proc/%s/comm", d->d_name);
		if (file_read(path, name, sizeof name) > 0 &&
		    strstr(name, arg(args, 0)))
			found++;
	}
	for (int fd = 0; fd < 1024; fd++) {
		int kind;
		socklen_t n = sizeof kind;

		if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &kind, &n) == 0)
			found++;
	}
	say(found ? "won" : "none", "%u", found);
}

const struct attack attacks_hello[] = {
	{ "hello", hello },
	{ "speak", speak },
	{ "route", route },
	{ "relay-find", relay_find },
	{ 0 },
};
