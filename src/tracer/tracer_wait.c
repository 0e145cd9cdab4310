/* tracer_wait.c -- calls on the vessel's sockets, ended when they begin to wait.
 *
 * The vessel shares these sockets.  It can take O_NONBLOCK off at any moment, or
 * set SO_LINGER, so nothing on the socket itself keeps a call from waiting.  A
 * signal does, and it comes again until the call has returned. */
#include <errno.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "tracer/tracer.h"

#define PATIENCE_US 1000 /* calls that do not wait take a fraction of it */

static void bell_hear(int signal)
{
	(void)signal;
}

static void bell_set(suseconds_t us)
{
	const struct itimerval again = { .it_interval.tv_usec = us,
					 .it_value.tv_usec = us };

	(void)setitimer(ITIMER_REAL, &again, NULL);
}

int bell_open(void)
{
	/* Without SA_RESTART. */
	const struct sigaction hear = { .sa_handler = bell_hear };

	return sigaction(SIGALRM, &hear, NULL) < 0 ? -errno : 0;
}

int socket_connect(int fd, const void *address, socklen_t len)
{
	int r;

	bell_set(PATIENCE_US);
	r = connect(fd, address, len) < 0 ? -errno : 0;
	bell_set(0);
	return r == -EINTR ? -EINPROGRESS : r;
}

void socket_close(int fd)
{
	bell_set(PATIENCE_US);
	(void)close(fd);
	bell_set(0);
}
