/* channel.c -- lies on the result channel, and on every other descriptor. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A whole result object, forged to look like the supervisor's. */
static const char forged[] =
	"{\"version\":\"1.0\",\"status\":\"OK\",\"rc\":0,\"reason\":null,"
	"\"message\":\"forged\",\"partial\":false,\"started\":true}\n";

static int result_fd(void)
{
	const char *n = getenv("CUPEL_RESULT_FD");

	return n ? atoi(n) : 3;
}

static void put(const char *bytes, size_t n)
{
	int fd = result_fd();

	(void)signal(SIGPIPE, SIG_IGN);
	while (n > 0) {
		ssize_t w = write(fd, bytes, n);

		if (w < 0)
			_exit(9);
		bytes += w;
		n -= (size_t)w;
	}
}

/* Send a text from the table, in which \xNN, \n and \\ are escapes. */
static void send_text(char **args)
{
	const char *s = arg(args, 0);
	char *out = malloc(strlen(s) + 1);
	size_t n = 0;

	if (!out)
		_exit(3);
	while (*s) {
		unsigned byte;

		if (s[0] == '\\' && s[1] == 'x' &&
		    sscanf(s + 2, "%2x", &byte) == 1) {
			out[n++] = (char)byte;
			s += 4;
		} else if (s[0] == '\\' && s[1] == 'n') {
			out[n++] = '\n';
			s += 2;
		} else if (s[0] == '\\' && s[1] == '\\') {
			out[n++] = '\\';
			s += 2;
		} else {
			out[n++] = *s++;
		}
	}
	put(out, n);
	_exit(0);
}

/* Send a head, then a unit n times, then a tail. */
static void send_repeat(char **args)
{
	const char *head = arg(args, 0), *unit = arg(args, 1);
	uint64_t n = arg_u64(args, 2);
	const char *tail = arg(args, 3);

	put(head, strlen(head));
	for (uint64_t i = 0; i < n && i < 4000000; i++)
		put(unit, strlen(unit));
	put(tail, strlen(tail));
	_exit(0);
}

/* Send an array with one string of n bytes, so that one number sets the
 * size. */
static void send_bytes(char **args)
{
	uint64_t n = arg_u64(args, 0);
	char *text = malloc(n + 8);

	if (!text || n < 4)
		_exit(3);
	memset(text, 'a', n);
	memcpy(text, "[\"", 2);
	memcpy(text + n - 2, "\"]", 2);
	put(text, n);
	_exit(0);
}

/* Write the forged result to every descriptor that is open, and through every
 * link to one. */
static void forge(char **args)
{
	char path[64];

	(void)signal(SIGPIPE, SIG_IGN);
	for (int fd = 0; fd < 1024; fd++) {
		ssize_t n = write(fd, forged, sizeof forged - 1);

		(void)n;
		(void)snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
		(void)file_write(path, 0, forged);
		(void)snprintf(path, sizeof path, "/proc/1/fd/%d", fd);
		(void)file_write(path, 0, forged);
	}
	_exit((int)arg_u64(args, 0));
}

/* A child writes the answer, and keeps the pipe open after its parent has
 * ended. */
static void hold_open(char **args)
{
	if (fork() == 0) {
		put("{\"late\":", 8);
		pause_ms((unsigned)arg_u64(args, 0));
		put("1}", 2);
		_exit(0);
	}
	pause_ms(50);
	_exit(0);
}

/* Send a byte now and then for as long as the run lives. */
static void drip(char **args)
{
	uint64_t n = arg_u64(args, 0);

	put("[", 1);
	for (uint64_t i = 0; i < n; i++) {
		put(" ", 1);
		pause_ms(20);
	}
	put("]", 1);
	_exit(0);
}

/* Read from the result channel: nothing that others wrote may be in it. */
static void read_back(char **args)
{
	char buf[64];
	int fd = result_fd();

	(void)args;
	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	say_errno(read(fd, buf, sizeof buf), "read");
}

static void close_channel(char **args)
{
	(void)args;
	(void)close(result_fd());
	_exit(0);
}

/* Write escape sequences for a terminal to stdout, and then a false prompt. */
static void escapes(char **args)
{
	static const char text[] = "\033]0;owned\007\033[2J\033[1;1H\x9b"
				   "31mroot#";

	(void)args;
	if (write(1, text, sizeof text - 1) < 0)
		_exit(9);
	_exit(0);
}

const struct attack attacks_channel[] = {
	{ "send", send_text },        { "send-repeat", send_repeat },
	{ "send-bytes", send_bytes }, { "forge", forge },
	{ "hold-open", hold_open },   { "drip", drip },
	{ "read-back", read_back },   { "close-channel", close_channel },
	{ "escapes", escapes },       { 0 },
};
