/* trace_acts_connect.c -- ways to connect, on the loopback of the vessel. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "trace_acts.h"

#ifndef MSG_FASTOPEN
#define MSG_FASTOPEN 0x20000000
#endif

static struct sockaddr_in loopback(int port)
{
	return (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_port = htons((uint16_t)port),
				     .sin_addr.s_addr =
					     htonl(INADDR_LOOPBACK) };
}

static int port_of(int fd)
{
	struct sockaddr_in a = { 0 };
	socklen_t n = sizeof a;

	die_unless(getsockname(fd, (void *)&a, &n) == 0, "getsockname");
	return ntohs(a.sin_port);
}

static int listener(int backlog)
{
	struct sockaddr_in a = loopback(0);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	die_unless(fd >= 0 && bind(fd, (void *)&a, sizeof a) == 0 &&
			   listen(fd, backlog) == 0,
		   "listener");
	return fd;
}

static int stream(void)
{
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	die_unless(fd >= 0, "socket");
	return fd;
}

static int connect_to(int fd, int port)
{
	struct sockaddr_in a = loopback(port);

	return connect(fd, (void *)&a, sizeof a) == 0 ? 0 : errno;
}

/* The number of connections that wait on the listener, whoever made them. */
static int accepted(int fd)
{
	int n = 0;

	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	for (int c; (c = accept(fd, NULL, NULL)) >= 0; n++)
		(void)close(c);
	return n;
}

/* All kinds of answers, which must be the same as without a tracer. */
static int act_answers(char **args)
{
	struct sockaddr_in a = loopback(1);
	int l = listener(8), s = stream(), flags = fcntl(s, F_GETFL);
	struct pollfd p = { .events = POLLOUT };
	int pipes[2];

	(void)args;
	die_unless(pipe(pipes) == 0, "pipe");
	(void)printf("plain %d", connect_to(s, port_of(l)));
	(void)printf(" again %d", connect_to(s, port_of(l)));
	(void)printf(" flags %d", fcntl(s, F_GETFL) == flags);
	(void)printf(" refused %d", connect_to(stream(), 1));
	(void)printf(" badf %d", connect_to(77, 1));
	(void)printf(" notsock %d", connect_to(pipes[0], 1));
	errno = 0;
	(void)connect(stream(), (void *)1, sizeof a);
	(void)printf(" fault %d", errno);
	(void)connect(stream(), (void *)&a, 4096);
	(void)printf(" long %d", errno);
	(void)connect(stream(), (void *)&a, 3);
	(void)printf(" short %d", errno);
	p.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
	(void)printf(" begun %d", connect_to(p.fd, port_of(l)));
	(void)poll(&p, 1, 5000);
	(void)printf(" then %d\n", connect_to(p.fd, port_of(l)));
	return 0;
}

static int act_nowhere(char **args)
{
	int d = socket(AF_INET, SOCK_DGRAM, 0);

	(void)args;
	(void)printf("stream %d", connect_to(stream(), 1));
	(void)printf(" datagram %d\n", connect_to(d, 1));
	return 0;
}

static int act_unspec(char **args)
{
	struct sockaddr_in a = loopback(9);
	struct sockaddr none = { .sa_family = AF_UNSPEC };
	int d = socket(AF_INET, SOCK_DGRAM, 0);
	socklen_t n = sizeof a;

	(void)args;
	die_unless(connect(d, (void *)&a, n) == 0, "connect");
	die_unless(connect(d, &none, sizeof none) == 0, "unspec");
	die_unless(getpeername(d, (void *)&a, &n) < 0, "getpeername");
	return 0;
}

static int act_fast(char **args)
{
	int l = listener(8), s = stream();
	struct sockaddr_in a = loopback(port_of(l));
	struct iovec v = { .iov_base = (char *)"y", .iov_len = 1 };
	struct msghdr m = { .msg_name = &a,
			    .msg_namelen = sizeof a,
			    .msg_iov = &v,
			    .msg_iovlen = 1 };

	(void)args;
	errno = 0;
	(void)sendto(s, "x", 1, MSG_FASTOPEN, (void *)&a, sizeof a);
	(void)printf("sendto %d", errno);
	errno = 0;
	(void)sendmsg(stream(), &m, MSG_FASTOPEN);
	(void)printf(" sendmsg %d", errno);
	errno = 0;
	(void)sendmmsg(stream(), &(struct mmsghdr){ .msg_hdr = m }, 1,
		       MSG_FASTOPEN);
	(void)printf(" sendmmsg %d", errno);
	(void)printf(" accepted %d\n", accepted(l));
	return 0;
}

static int act_unix(char **args)
{
	struct sockaddr_un a = { .sun_family = AF_UNIX,
				 .sun_path = "/scratch/s" };
	int l = socket(AF_UNIX, SOCK_STREAM, 0);
	int s = socket(AF_UNIX, SOCK_STREAM, 0);
	struct ucred who = { 0 };
	socklen_t n = sizeof who;

	(void)args;
	die_unless(bind(l, (void *)&a, sizeof a) == 0 && listen(l, 4) == 0 &&
			   connect(s, (void *)&a, sizeof a) == 0,
		   "unix");
	l = accept(l, NULL, NULL);
	die_unless(getsockopt(l, SOL_SOCKET, SO_PEERCRED, &who, &n) == 0,
		   "peercred");
	return who.pid == getpid() ? 0 : 93;
}

/* --- held ---------------------------------------------------------------------------- */

/* A listener whose queue is full: the next connect(2) waits. */
static int full_listener(void)
{
	int l = listener(0);

	for (int i = 0; i < 4; i++) {
		int s = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);

		(void)connect_to(s, port_of(l));
	}
	return l;
}

static void on_alarm(int signal)
{
	(void)signal;
}

static void alarm_in(int ms, int flags)
{
	struct sigaction act = { .sa_handler = on_alarm, .sa_flags = flags };
	struct itimerval in = { .it_value.tv_usec = ms * 1000 };

	(void)sigaction(SIGALRM, &act, NULL);
	(void)setitimer(ITIMER_REAL, &in, NULL);
}

static int act_interrupted(char **args)
{
	int l = full_listener();
	struct timeval most = { .tv_usec = 200000 };
	int s = stream();

	(void)args;
	alarm_in(100, 0);
	(void)printf("signal %d", connect_to(stream(), port_of(l)));
	(void)setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
	(void)printf(" time %d\n", connect_to(s, port_of(l)));
	return 0;
}

static void *drain_later(void *data)
{
	int fd = *(int *)data;
	struct timespec t = { .tv_nsec = 100000000 };

	(void)nanosleep(&t, NULL);
	for (int i = 0; i < 100 && accepted(fd) >= 0; i++)
		(void)nanosleep(&t, NULL);
	return NULL;
}

/* It continues when there is room, also after a signal whose handler restarts it. */
static int act_held(char **args)
{
	int l = full_listener();
	pthread_t thread;
	int s = stream();

	(void)args;
	alarm_in(50, SA_RESTART);
	die_unless(pthread_create(&thread, NULL, drain_later, &l) == 0,
		   "pthread_create");
	(void)printf("held %d", connect_to(s, port_of(l)));
	(void)printf(" blocking %d\n", (fcntl(s, F_GETFL) & O_NONBLOCK) == 0);
	return 0;
}

/* --- memory that changes at the instant of the call ---------------------------------- */

static struct sockaddr_in shared;
static int ports[2];
static atomic_int over;
static atomic_int attacked = -1;

static void *flip(void *data)
{
	for (unsigned i = 0; !over; i++)
		shared.sin_port = htons((uint16_t)ports[i & 1]);
	return data;
}

static int act_flip_connect(char **args)
{
	int l[2] = { listener(64), listener(64) };
	int counts[2] = { 0, 0 };
	pthread_t thread;

	for (int i = 0; i < 2; i++)
		ports[i] = port_of(l[i]);
	shared = loopback(ports[0]);
	die_unless(pthread_create(&thread, NULL, flip, NULL) == 0,
		   "pthread_create");
	for (int i = number(args, 0, 300); i > 0; i--) {
		int s = stream();

		die_unless(connect(s, (void *)&shared, sizeof shared) == 0,
			   "connect");
		(void)close(s);
		for (int k = 0; k < 2; k++)
			counts[k] += accepted(l[k]);
	}
	over = 1;
	(void)pthread_join(thread, NULL);
	(void)printf("ports %d %d counts %d %d\n", ports[0], ports[1],
		     counts[0], counts[1]);
	return 0;
}

/* Undo what was begun, change the address, and let the call read the new one. */
static void *undo(void *data)
{
	while (!over) {
		int fd = attacked;

		if (fd >= 0) {
			(void)shutdown(fd, SHUT_RDWR);
			shared.sin_port = htons((uint16_t)ports[1]);
		}
	}
	return data;
}

static int act_shutdown(char **args)
{
	int full = full_listener(), other = listener(64);
	struct timeval most = { .tv_usec = 20000 };
	pthread_t thread;
	int reached = 0;

	ports[0] = port_of(full);
	ports[1] = port_of(other);
	shared = loopback(ports[0]);
	die_unless(pthread_create(&thread, NULL, undo, NULL) == 0,
		   "pthread_create");
	for (int i = number(args, 0, 100); i > 0; i--) {
		int s = stream();

		(void)setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &most,
				 sizeof most);
		shared.sin_port = htons((uint16_t)ports[0]);
		attacked = s;
		(void)connect(s, (void *)&shared, sizeof shared);
		attacked = -1;
		(void)close(s);
		reached += accepted(other);
	}
	over = 1;
	(void)pthread_join(thread, NULL);
	(void)printf("ports %d %d reached %d\n", ports[0], ports[1], reached);
	return 0;
}

/* --- many at once ---------------------------------------------------------------------- */

static int crowded;
static atomic_int met;

static void *crowd(void *data)
{
	struct timeval most = { .tv_sec = 2 };
	int s = stream();

	(void)setsockopt(s, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
	met += connect_to(s, crowded) == EINPROGRESS;
	return data;
}

/* Threads that all wait, and a program that goes on meanwhile. */
static int act_crowd(char **args)
{
	pthread_t threads[512];
	pthread_attr_t small;
	int n = number(args, 0, 300), s = stream(), l = listener(8);

	crowded = port_of(full_listener());
	(void)pthread_attr_init(&small);
	(void)pthread_attr_setstacksize(&small, 65536);
	for (int i = 0; i < n; i++)
		die_unless(pthread_create(&threads[i], &small, crowd, NULL) ==
				   0,
			   "pthread_create");
	die_unless(connect_to(s, port_of(l)) == 0, "beside them");
	for (int i = 0; i < n; i++)
		(void)pthread_join(threads[i], NULL);
	(void)printf("met %d\n", (int)met);
	return 0;
}

const struct act acts_connect[] = {
	{ "answers", act_answers },
	{ "nowhere", act_nowhere },
	{ "unspec", act_unspec },
	{ "fast", act_fast },
	{ "unix", act_unix },
	{ "interrupted", act_interrupted },
	{ "held", act_held },
	{ "flip-connect", act_flip_connect },
	{ "shutdown", act_shutdown },
	{ "crowd", act_crowd },
	{ 0 },
};
