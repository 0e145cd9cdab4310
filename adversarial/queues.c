/* queues.c -- memory of the kernel's in queues that no process maps: at most 250
 * MiB, held for a while. */
#include "attack.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MANY 140

static char block[32768];

/* Open listeners and connections that nobody accepts: the data that were sent
 * stay in the kernel after their senders have closed. */
static void backlog(char **args)
{
	size_t listeners = arg_u64(args, 0), many = arg_u64(args, 1);
	unsigned ms = (unsigned)arg_u64(args, 2);

	for (size_t i = 0; i < listeners && i < 60; i++) {
		struct sockaddr_un at = { .sun_family = AF_UNIX };
		int fd = socket(AF_UNIX, SOCK_STREAM, 0);

		(void)snprintf(at.sun_path + 1, sizeof at.sun_path - 1,
			       "backlog-%zu", i);
		if (fd < 0 || bind(fd, (void *)&at, sizeof at) < 0 ||
		    listen(fd, 4096) < 0)
			say(errno_name(errno), "listener %zu", i);
		for (size_t j = 0; j < many && j < MANY; j++) {
			int to =
				socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);

			if (to < 0 || connect(to, (void *)&at, sizeof at) < 0)
				say(errno_name(errno), "connection %zu", j);
			while (ms > 0 && write(to, block, sizeof block) > 0)
				;
			(void)close(to);
		}
	}
	pause_ms(ms);
	say("won", "connections that wait");
}

/* Send on each connection until nothing more fits. */
static void tcp_queues(char **args)
{
	size_t many = arg_u64(args, 0), held = 0;
	unsigned ms = (unsigned)arg_u64(args, 1);
	struct sockaddr_in at = { .sin_family = AF_INET,
				  .sin_addr = { htonl(INADDR_LOOPBACK) } };
	socklen_t len = sizeof at;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (fd < 0 || bind(fd, (void *)&at, sizeof at) < 0 ||
	    listen(fd, 8) < 0 || getsockname(fd, (void *)&at, &len) < 0)
		say(errno_name(errno), "listener");
	for (size_t i = 0; i < many && held < (size_t)200 << 20; i++) {
		int to = socket(AF_INET, SOCK_STREAM, 0);
		ssize_t n;

		if (to < 0 || connect(to, (void *)&at, sizeof at) < 0 ||
		    accept(fd, NULL, NULL) < 0)
			say(errno_name(errno), "connection %zu", i);
		while ((n = send(to, block, sizeof block, MSG_DONTWAIT)) > 0)
			held += (size_t)n;
	}
	pause_ms(ms);
	say(held > (size_t)100 << 20 ? "won" : "little", "%zu MiB", held >> 20);
}

static void inotify_many(char **args)
{
	size_t many = arg_u64(args, 0);

	for (size_t i = 0; i < many && i < MANY; i++)
		if (inotify_init1(0) < 0)
			say(errno_name(errno), "instance %zu", i);
	say("won", "%zu instances", many);
}

const struct attack attacks_queues[] = {
	{ "backlog", backlog },
	{ "tcp-queues", tcp_queues },
	{ "inotify-many", inotify_many },
	{ 0 },
};
