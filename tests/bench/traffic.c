/* traffic.c -- connections to be timed, and who they go to.
 *
 * usage: traffic serve ADDRESS PORT
 *        traffic stream|upload|turn|burst ADDRESS PORT COUNT
 *        traffic now
 *
 * stream takes COUNT MiB over one connection, upload sends them; turn makes COUNT
 * connections of a byte each way, one after the other; burst makes them all at
 * once.  Prints the microseconds from before the first connect to after the last
 * byte.  now prints the monotonic clock in microseconds, which no namespace here
 * changes.  The server has one thread and no state, so that both sides of a
 * comparison meet the same.
 */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MIB       (1U << 20)
#define COUNT_MAX 1000
#define UPLOAD    (1U << 31) /* with the number of MiB that is asked for */

static char bytes[MIB];

static void die(const char *what)
{
	perror(what);
	exit(2);
}

static int socket_new(void)
{
	int on = 1;
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		die("socket");
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
	(void)setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
	return fd;
}

static int connection_new(const struct sockaddr_in *to)
{
	int fd = socket_new();

	if (connect(fd, (const struct sockaddr *)to, sizeof *to) < 0)
		die("connect");
	return fd;
}

static bool is_sent(int fd, uint32_t mib)
{
	for (; mib > 0; mib--)
		for (size_t at = 0; at < MIB;) {
			ssize_t n =
				send(fd, bytes + at, MIB - at, MSG_NOSIGNAL);

			if (n <= 0)
				return false;
			at += (size_t)n;
		}
	return true;
}

static bool is_taken(int fd, uint64_t want)
{
	while (want > 0) {
		ssize_t n = recv(fd, bytes, sizeof bytes, 0);

		if (n <= 0)
			return false;
		want -= (uint64_t)n;
	}
	return true;
}

/* What is asked for is a number of MiB in four bytes; 0 is one byte.  Those of an
 * upload come from the other side, and are answered with one byte. */
static void serve_one(int fd)
{
	uint32_t count = 0;

	if (recv(fd, &count, sizeof count, MSG_WAITALL) != sizeof count)
		return;
	if ((count & UPLOAD) != 0) {
		if (!is_taken(fd, (uint64_t)(count & ~UPLOAD) * MIB))
			return;
		count = 0;
	}
	if (count == 0) {
		(void)send(fd, bytes, 1, MSG_NOSIGNAL);
		return;
	}
	(void)is_sent(fd, count);
}

static void serve(const struct sockaddr_in *at)
{
	int listener = socket_new();

	if (bind(listener, (const struct sockaddr *)at, sizeof *at) < 0 ||
	    listen(listener, 1024) < 0)
		die("listen");
	(void)puts("ready");
	(void)fflush(stdout);
	for (;;) {
		int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

		if (fd < 0)
			continue;
		serve_one(fd);
		(void)close(fd);
	}
}

static void ask(int fd, uint32_t count)
{
	if (send(fd, &count, sizeof count, MSG_NOSIGNAL) != sizeof count)
		die("send");
}

static void answer_take(int fd, uint64_t want)
{
	if (!is_taken(fd, want))
		die("recv");
	(void)close(fd);
}

static void stream(const struct sockaddr_in *to, uint32_t count)
{
	int fd = connection_new(to);

	ask(fd, count);
	answer_take(fd, (uint64_t)count * MIB);
}

static void upload(const struct sockaddr_in *to, uint32_t count)
{
	int fd = connection_new(to);

	ask(fd, count | UPLOAD);
	if (!is_sent(fd, count))
		die("send");
	answer_take(fd, 1);
}

static void turn(const struct sockaddr_in *to, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++) {
		int fd = connection_new(to);

		ask(fd, 0);
		answer_take(fd, 1);
	}
}

static void burst(const struct sockaddr_in *to, uint32_t count)
{
	int fds[COUNT_MAX];

	for (uint32_t i = 0; i < count; i++) {
		fds[i] = connection_new(to);
		ask(fds[i], 0);
	}
	for (uint32_t i = 0; i < count; i++)
		answer_take(fds[i], 1);
}

static double now_us(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

int main(int argc, char *argv[])
{
	static const struct {
		const char *name;
		void (*run)(const struct sockaddr_in *to, uint32_t count);
	} kinds[] = { { "stream", stream },
		      { "upload", upload },
		      { "turn", turn },
		      { "burst", burst } };
	struct sockaddr_in at = { .sin_family = AF_INET };
	long count = argc == 5 ? strtol(argv[4], NULL, 10) : 0;

	if (argc == 2 && strcmp(argv[1], "now") == 0)
		return printf("%.1f\n", now_us()) < 0;
	if (argc < 4 || inet_pton(AF_INET, argv[2], &at.sin_addr) != 1)
		return 2;
	at.sin_port = htons((uint16_t)strtol(argv[3], NULL, 10));
	if (argc == 4 && strcmp(argv[1], "serve") == 0)
		serve(&at);
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		double begun_us = now_us();

		if (strcmp(kinds[i].name, argv[1]) != 0 || count < 1 ||
		    count > COUNT_MAX)
			continue;
		kinds[i].run(&at, (uint32_t)count);
		(void)printf("%.1f\n", now_us() - begun_us);
		return 0;
	}
	return 2;
}
