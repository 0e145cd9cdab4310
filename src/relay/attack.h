/* attack.h -- what a relay would do after an attacker took it over; for tests.
 *
 * Only in builds with CUPEL_TEST_HOOKS, which are never installed: everywhere
 * else nothing of this is left in the program. */
#ifndef CUPEL_RELAY_ATTACK_H
#define CUPEL_RELAY_ATTACK_H

#ifdef CUPEL_TEST_HOOKS
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

#include "relay/address.h"
#include "relay/control.h"
#endif

struct relay;

#ifdef CUPEL_TEST_HOOKS
static inline int attack_open(void)
{
	return open("/etc/passwd", O_RDONLY | O_CLOEXEC);
}

static inline int attack_fork(void)
{
	pid_t pid = fork();

	if (pid == 0)
		_exit(0);
	return pid;
}

static inline int attack_unix(void)
{
	return socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
}

static inline int attack_raw(void)
{
	return socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
		      IPPROTO_ICMP);
}

static inline int attack_map(void)
{
	void *at = mmap(NULL, 4096, PROT_READ | PROT_EXEC,
			MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return at == MAP_FAILED ? -1 : 0;
}

/* A port of this host that no rule allows.  Nothing listens there; the attempt
 * is what counts. */
static inline int attack_port(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(1) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0)
		return -1;
	return connect(fd, (const struct sockaddr *)&to, sizeof to) == 0 ||
			       errno == ECONNREFUSED || errno == EINPROGRESS
		       ? 0
		       : -1;
}

/* The same attack by a call that sends without connect(2), which Landlock could
 * not refuse. */
static inline int attack_fast_open(void)
{
	struct sockaddr_in to = { .sin_family = AF_INET, .sin_port = htons(1) };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	if (fd < 0)
		return -1;
	return sendto(fd, "x", 1, MSG_FASTOPEN | MSG_NOSIGNAL,
		      (const struct sockaddr *)&to, sizeof to) == 1 ||
			       errno == ECONNREFUSED || errno == EINPROGRESS
		       ? 0
		       : -1;
}
#endif

/* attack_run -- run the attack that CUPEL_TEST_RELAY_ATTACK names, report its
 * outcome as RELAY_FAILED with stage 0 and its errno, and exit. */
static inline void attack_run(struct relay *r)
{
#ifdef CUPEL_TEST_HOOKS
	static const struct {
		const char *name;
		int (*run)(void);
	} attacks[] = { { "open", attack_open },
			{ "fork", attack_fork },
			{ "unix", attack_unix },
			{ "raw", attack_raw },
			{ "map", attack_map },
			{ "port", attack_port },
			{ "fast_open", attack_fast_open } };
	const char *name = getenv("CUPEL_TEST_RELAY_ATTACK");

	for (size_t i = 0; name != NULL && i < sizeof attacks / sizeof *attacks;
	     i++) {
		if (strcmp(attacks[i].name, name) != 0)
			continue;
		errno = 0;
		control_fail(r, (enum relay_stage)0,
			     attacks[i].run() < 0 ? errno : 0);
		_exit(0);
	}
#else
	(void)r;
#endif
}

#endif
