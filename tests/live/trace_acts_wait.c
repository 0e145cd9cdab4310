/* trace_acts_wait.c -- what makes the tracer work, and what would make it wait. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace_acts.h"

#define LINGER_S 3600 /* longer than any run of the test */

static struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons((uint16_t)port),
				     .sin_addr.s_addr =
					     htonl(INADDR_LOOPBACK) };
}

static int stream(int flags)
{
	int fd = socket(AF_INET, SOCK_STREAM | flags, 0);

	die_unless(fd >= 0, "socket");
	return fd;
}

static struct sockaddr_in listener(int backlog, int *ret_fd)
{
	struct sockaddr_in a = loopback(0);
	socklen_t n = sizeof a;

	*ret_fd = stream(0);
	die_unless(bind(*ret_fd, (void *)&a, n) == 0 &&
			   listen(*ret_fd, backlog) == 0 &&
			   getsockname(*ret_fd, (void *)&a, &n) == 0,
		   "listener");
	return a;
}

/* Connect a datagram socket again and again. */
static int act_work(char **args)
{
	struct sockaddr_in a = loopback(9);
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	for (int i = number(args, 0, 1000); i > 0; i--)
		die_unless(connect(fd, (void *)&a, sizeof a) == 0, "connect");
	return 0;
}

/* --- O_NONBLOCK that another thread takes off ---------------------------------------- */

static atomic_int shared_fd = -1;
static atomic_int over;

static void *flags_clear(void *data)
{
	while (!over)
		if (shared_fd < 0 || fcntl(shared_fd, F_SETFL, 0) < 0)
			(void)sched_yield();
	return data;
}

static struct sockaddr_in full;

static void *full_connect(void *data)
{
	int s = stream(SOCK_NONBLOCK);

	shared_fd = s;
	(void)connect(s, (void *)&full, sizeof full);
	return data;
}

/* Each call is to a listener whose queue is full: those that found the flag off
 * wait for ever.  If the tracer waits with them, no process ends any more. */
static int act_unblock(char **args)
{
	pthread_t thread;
	pthread_attr_t small;
	int l, ended = 0;

	full = listener(0, &l);
	(void)pthread_attr_init(&small);
	(void)pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < 4; i++)
		(void)connect(stream(SOCK_NONBLOCK), (void *)&full,
			      sizeof full);
	die_unless(pthread_create(&thread, NULL, flags_clear, NULL) == 0,
		   "pthread_create");
	for (int i = number(args, 0, 100); i > 0; i--) {
		pid_t pid;

		die_unless(pthread_create(&thread, &small, full_connect,
					  NULL) == 0,
			   "pthread_create");
		pid = fork();
		if (pid == 0)
			_exit(0);
		ended += waitpid(pid, NULL, 0) == pid;
	}
	(void)printf("ended %d\n", ended);
	(void)fflush(stdout);
	_exit(0);
}

/* --- a socket that lingers ------------------------------------------------------------- */

/* After some time, which differs from try to try. */
static void *socket_close(void *data)
{
	for (int turn = 0; !over;) {
		int fd = atomic_exchange(&shared_fd, -1);

		turn += fd >= 0;
		for (volatile int i = turn % 64 * 2000; fd >= 0 && i > 0; i--)
			;
		if (fd >= 0)
			(void)close(fd);
		else
			(void)sched_yield();
	}
	return data;
}

/* A connected socket with unsent bytes, which waits for them when it is
 * closed. */
static int lingering(const struct sockaddr_in *a, int l, int *ret_peer)
{
	const struct linger wait = { .l_onoff = 1, .l_linger = LINGER_S };
	char bytes[65536] = "";
	int s = stream(0);

	die_unless(connect(s, (const void *)a, sizeof *a) == 0, "connect");
	*ret_peer = accept(l, NULL, NULL);
	(void)fcntl(s, F_SETFL, O_NONBLOCK);
	while (write(s, bytes, sizeof bytes) > 0)
		;
	(void)setsockopt(s, SOL_SOCKET, SO_LINGER, &wait, sizeof wait);
	return s;
}

/* A second thread closes the socket while the tracer has a copy, so that the
 * tracer's is the last. */
static int act_linger(char **args)
{
	pthread_t thread;
	int l, peer, tries = 0;
	struct sockaddr_in a = listener(8, &l);

	die_unless(pthread_create(&thread, NULL, socket_close, NULL) == 0,
		   "pthread_create");
	for (int i = number(args, 0, 100); i > 0; i--) {
		int s = lingering(&a, l, &peer);
		int keep = fcntl(s, F_DUPFD_CLOEXEC, 100);

		(void)close(s);
		shared_fd = keep;
		(void)connect(keep, (void *)&a, sizeof a);
		while (fcntl(keep, F_GETFD) >= 0)
			(void)sched_yield();
		(void)close(peer);
		tries++;
	}
	over = 1;
	(void)pthread_join(thread, NULL);
	(void)printf("tries %d\n", tries);
	return 0;
}

const struct act acts_wait[] = {
	{ "work", act_work },
	{ "unblock", act_unblock },
	{ "linger", act_linger },
	{ 0 },
};
