/* trace_acts_claim.c -- connects that go on by themselves, and descriptors that are
 * changed meanwhile. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "trace_acts.h"

#ifndef TCP_FASTOPEN_CONNECT
#define TCP_FASTOPEN_CONNECT 30
#endif

static const struct sockaddr_un by_path = { .sun_family = AF_UNIX,
					    .sun_path = "/scratch/claim" };

static int local(int type)
{
	int fd = socket(AF_UNIX, type, 0);

	die_unless(fd >= 0, "socket");
	return fd;
}

static int local_listener(void)
{
	int fd = local(SOCK_STREAM);

	die_unless(bind(fd, (void *)&by_path, sizeof by_path) == 0 &&
			   listen(fd, 64) == 0,
		   "local listener");
	return fd;
}

static int internet_listener(struct sockaddr_in *ret)
{
	socklen_t n = sizeof *ret;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	*ret = (struct sockaddr_in){ .sin_family = AF_INET,
				     .sin_addr.s_addr =
					     htonl(INADDR_LOOPBACK) };
	die_unless(fd >= 0 && bind(fd, (void *)ret, n) == 0 &&
			   listen(fd, 64) == 0 &&
			   getsockname(fd, (void *)ret, &n) == 0,
		   "listener");
	return fd;
}

static int accepted(int fd)
{
	int n = 0;

	(void)fcntl(fd, F_SETFL, O_NONBLOCK);
	for (int c; (c = accept(fd, NULL, NULL)) >= 0; n++)
		(void)close(c);
	return n;
}

/* --- another thread puts another socket in its place -------------------------- */

static struct {
	union {
		struct sockaddr_in in;
		struct sockaddr_un un;
	} address;
	struct sockaddr_in to;
	int slot;
	atomic_int sockets[2];
	atomic_int is_over;
} swap;

static void *swap_on(void *data)
{
	while (!swap.is_over) {
		int un = swap.sockets[0], in = swap.sockets[1];

		if (un < 0 || in < 0)
			continue;
		(void)dup2(un, swap.slot);
		swap.address.un = by_path;
		(void)sched_yield();
		(void)dup2(in, swap.slot);
		swap.address.in = swap.to;
		(void)sched_yield();
	}
	return data;
}

/* Make it look as if the other call had connected the local socket. */
static void *swap_help(void *data)
{
	while (!swap.is_over) {
		int un = swap.sockets[0];

		if (un >= 0)
			(void)connect(un, (const void *)&by_path,
				      sizeof by_path);
	}
	return data;
}

/* args: the number of tries, and whether with help. */
static int act_swap(char **args)
{
	int in = internet_listener(&swap.to), un = local_listener();
	int reached = 0, is_helped = number(args, 1, 0);
	pthread_t thread, helper;

	swap.slot = dup(0);
	swap.sockets[0] = swap.sockets[1] = -1;
	die_unless(pthread_create(&thread, NULL, swap_on, NULL) == 0 &&
			   (!is_helped || pthread_create(&helper, NULL,
							 swap_help, NULL) == 0),
		   "pthread_create");
	for (int i = number(args, 0, 300); i > 0; i--) {
		int u = local(SOCK_STREAM);
		int s = socket(AF_INET, SOCK_STREAM, 0);

		swap.sockets[0] = u;
		swap.sockets[1] = s;
		(void)connect(swap.slot, (void *)&swap.address,
			      sizeof swap.address);
		swap.sockets[0] = swap.sockets[1] = -1;
		reached += accepted(in);
		(void)accepted(un);
		(void)close(u);
		(void)close(s);
	}
	swap.is_over = 1;
	(void)pthread_join(thread, NULL);
	if (is_helped)
		(void)pthread_join(helper, NULL);
	(void)printf("port %d reached %d\n", ntohs(swap.to.sin_port), reached);
	return 0;
}

/* --- honest programs -------------------------------------------------------------- */

static void *local_connects(void *data)
{
	for (int i = 0; i < 20; i++) {
		struct sockaddr_un nobody = { .sun_family = AF_UNIX,
					      .sun_path = "/scratch/none" };
		int s = local(SOCK_STREAM);

		die_unless(connect(s, (void *)&by_path, sizeof by_path) == 0,
			   "connect");
		(void)close(s);
		s = local(SOCK_DGRAM);
		die_unless(connect(s, (void *)&nobody, sizeof nobody) < 0 &&
				   errno == ENOENT,
			   "nobody");
		(void)close(s);
	}
	return data;
}

static int act_local_threads(char **args)
{
	int l = local_listener(), met = 0;
	pthread_t threads[2];

	(void)args;
	(void)fcntl(l, F_SETFL, O_NONBLOCK);
	for (int i = 0; i < 2; i++)
		die_unless(pthread_create(&threads[i], NULL, local_connects,
					  NULL) == 0,
			   "pthread_create");
	while (met < 40)
		met += accepted(l);
	for (int i = 0; i < 2; i++)
		(void)pthread_join(threads[i], NULL);
	(void)printf("met %d\n", met);
	return 0;
}

/* Nothing listens; and no other process has its descriptors. */
static int act_local_stale(char **args)
{
	int l = local(SOCK_STREAM), s = local(SOCK_STREAM);

	(void)args;
	die_unless(bind(l, (void *)&by_path, sizeof by_path) == 0, "bind");
	die_unless(connect(s, (void *)&by_path, sizeof by_path) < 0 &&
			   errno == ECONNREFUSED,
		   "stale");
	return 0;
}

/* The same for a process that shares them and is not a thread. */
static int act_local_shared(char **args)
{
	long pid = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	int status = 0;

	if (pid == 0)
		_exit(act_local_stale(args));
	die_unless(pid > 0 && waitpid((pid_t)pid, &status, 0) == pid, "clone");
	return WEXITSTATUS(status);
}

/* --- what connects without connect(2) ---------------------------------------------- */

static int socket_error(int domain, int type, int protocol)
{
	int fd = socket(domain, type, protocol);

	if (fd < 0)
		return errno;
	(void)close(fd);
	return 0;
}

static int act_kinds(char **args)
{
	int yes = 1, s = socket(AF_INET, SOCK_STREAM, 0);

	(void)args;
	die_unless(s >= 0, "socket");
	errno = 0;
	(void)setsockopt(s, IPPROTO_TCP, TCP_FASTOPEN_CONNECT, &yes,
			 sizeof yes);
	(void)printf("deferred %d", errno);
	(void)printf(" sctp %d", socket_error(AF_INET, SOCK_STREAM, 132));
	(void)printf(" seqpacket %d", socket_error(AF_INET, SOCK_SEQPACKET, 0));
	(void)printf(" dccp %d", socket_error(AF_INET, 6, 33));
	(void)printf(" smc %d", socket_error(43, SOCK_STREAM, 0));
	(void)printf(" vsock %d\n", socket_error(40, SOCK_STREAM, 0));
	return 0;
}

/* --- what a witness in the network also sees ------------------------------------- */

static void *scatter(void *data)
{
	int first = *(int *)data;

	for (int i = first; i < first + 16; i++) {
		struct sockaddr_in to = {
			.sin_family = AF_INET,
			.sin_port = htons((uint16_t)(1000 + i)),
			.sin_addr.s_addr = htonl(0xcb007101U + (unsigned)i),
		};
		int s = socket(AF_INET, SOCK_STREAM, 0);

		(void)connect(s, (void *)&to, sizeof to); /* 203.0.113.1 ... */
		(void)close(s);
	}
	return NULL;
}

static int act_scatter(char **args)
{
	int first[4] = { 0, 16, 32, 48 };
	pthread_t threads[2];
	pid_t pid = fork();

	(void)args;
	if (pid == 0) {
		(void)scatter(&first[0]);
		_exit(0);
	}
	for (int i = 0; i < 2; i++)
		die_unless(pthread_create(&threads[i], NULL, scatter,
					  &first[i + 1]) == 0,
			   "pthread_create");
	(void)scatter(&first[3]);
	for (int i = 0; i < 2; i++)
		(void)pthread_join(threads[i], NULL);
	(void)waitpid(pid, NULL, 0);
	return 0;
}

const struct act acts_claim[] = {
	{ "scatter", act_scatter },
	{ "swap", act_swap },
	{ "local-threads", act_local_threads },
	{ "local-stale", act_local_stale },
	{ "local-shared", act_local_shared },
	{ "kinds", act_kinds },
	{ 0 },
};
