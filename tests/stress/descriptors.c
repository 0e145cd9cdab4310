/* descriptors.c -- pipes, epoll, eventfd, timerfd, inotify, locks. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/sendfile.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "stress.h"

#define PAGE 4096UL

static char bytes[1 << 16];

static void pipes(struct job *j)
{
	int fds[2];

	while (pipe2(fds, O_NONBLOCK) == 0) {
		ssize_t n;

		(void)fcntl(fds[0], F_SETPIPE_SZ, 1 << 20);
		while ((n = write(fds[1], bytes, sizeof bytes)) > 0)
			if (!job_take(j, (uint64_t)n))
				return;
	}
	job_stop(j);
}

/* A byte of each page of a file goes into a pipe and the file is cut: the page
 * stays, and the tmpfs no longer counts it. */
static void pipe_pages(struct job *j)
{
	char name[NAME_BYTES];
	int file = open(job_name(j, name, 0), O_RDWR | O_CREAT, 0600);
	int fds[2];

	while (pipe2(fds, O_NONBLOCK) == 0) {
		(void)fcntl(fds[0], F_SETPIPE_SZ, 1 << 20);
		for (;;) {
			off_t at = 0;

			if (pwrite(file, bytes, PAGE, 0) != (ssize_t)PAGE ||
			    splice(file, &at, fds[1], NULL, 1,
				   SPLICE_F_NONBLOCK) != 1)
				break;
			(void)!ftruncate(file, 0);
			if (!job_take(j, PAGE))
				return;
		}
	}
	job_stop(j);
}

/* A socket's large buffers, of which a pipe holds a byte each. */
static void pipe_buffers(struct job *j)
{
	int pair[2], fds[2];

	if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) < 0)
		return;
	while (pipe2(fds, O_NONBLOCK) == 0) {
		(void)fcntl(fds[0], F_SETPIPE_SZ, 1 << 20);
		for (;;) {
			if (send(pair[0], bytes, 32768, MSG_DONTWAIT) < 0 ||
			    splice(pair[1], NULL, fds[1], NULL, 1,
				   SPLICE_F_NONBLOCK) != 1)
				break;
			while (recv(pair[1], bytes, sizeof bytes,
				    MSG_DONTWAIT) > 0)
				;
			if (!job_take(j, 32768))
				return;
		}
	}
	job_stop(j);
}

static int epolls[256], files[256];

/* A watch is of an epoll, a file and a number: files times numbers times epolls,
 * all with a few descriptors. */
static void watches(struct job *j)
{
	struct epoll_event e = { .events = EPOLLIN };
	int most = (int)sysconf(_SC_OPEN_MAX) / 4;
	int made = 0, opened = 0;

	if (most > 60)
		most = 60;
	while (made < most && (epolls[made] = epoll_create1(0)) >= 0)
		made++;
	while (opened < most && (files[opened] = eventfd(0, 0)) >= 0)
		opened++;
	for (int f = 0; f < opened; f++)
		for (int n = 2 * most + 4; dup2(files[f], n) >= 0; n++)
			for (int i = 0; i < made; i++) {
				if (epoll_ctl(epolls[i], EPOLL_CTL_ADD, n, &e) <
				    0)
					job_stop(j);
				else if (!job_take(j, 200))
					return;
			}
}

static void events(struct job *j)
{
	for (unsigned n = 0;; n++) {
		sigset_t none;
		int fd;

		(void)sigemptyset(&none);
		fd = n % 3 == 0   ? eventfd(0, 0)
		     : n % 3 == 1 ? timerfd_create(CLOCK_MONOTONIC, 0)
				  : signalfd(-1, &none, 0);
		if (fd < 0) {
			job_stop(j);
			return;
		}
		if (!job_take(j, 512))
			return;
	}
}

/* Timers without rest: interrupts of the host's processors. */
static void timer_interrupts(struct job *j)
{
	struct itimerspec soon = { .it_interval.tv_nsec = 1,
				   .it_value.tv_nsec = 1 };
	int fds[8];
	uint64_t n;

	for (int i = 0; i < 8; i++)
		fds[i] = timerfd_create(CLOCK_MONOTONIC, 0);
	while (job_storm(j))
		for (int i = 0; i < 8; i++) {
			if (timerfd_settime(fds[i], 0, &soon, NULL) < 0)
				job_stop(j);
			(void)!read(fds[i], &n, sizeof n);
		}
}

/* Changes in a directory, for one who never reads of them. */
static void changes(struct job *j)
{
	char name[300], to[300];
	int fds[256];
	int made = 0;

	memset(name, 'x', sizeof name);
	(void)snprintf(name, 32, "/scratch/%u.", j->worker);
	name[strlen(name)] = 'x';
	name[250] = '\0';
	memcpy(to, name, sizeof name);
	to[249] = 'y';
	while (made < 256 && (fds[made] = inotify_init1(IN_NONBLOCK)) >= 0) {
		(void)inotify_add_watch(fds[made], "/scratch", IN_ALL_EVENTS);
		made++;
	}
	if (made < 256)
		job_stop(j);
	for (int fd = open(name, O_RDWR | O_CREAT, 0600);
	     made > 0 && fd >= 0;) {
		if (rename(name, to) < 0 || rename(to, name) < 0 ||
		    !job_take(j, (uint64_t)made * 2048))
			return;
	}
}

static void change_watches(struct job *j)
{
	char name[NAME_BYTES];
	int fd = inotify_init1(IN_NONBLOCK);

	for (unsigned n = 0; fd >= 0; n++) {
		(void)mkdir(job_name(j, name, n), 0700);
		if (inotify_add_watch(fd, name, IN_ALL_EVENTS) < 0)
			break;
		if (!job_take(j, 1024 + 80))
			return;
	}
	job_stop(j);
}

/* A lock on every second byte: none can be joined with the next. */
static void locks(struct job *j, int command, unsigned each)
{
	char name[NAME_BYTES];

	for (unsigned n = 0;; n++) {
		int fd = open(job_name(j, name, n), O_RDWR | O_CREAT, 0600);

		if (fd < 0) {
			job_stop(j);
			return;
		}
		/* From the end: a list is searched from its beginning. */
		for (unsigned i = each; i > 0; i--) {
			struct flock l = { .l_type = F_RDLCK,
					   .l_start = i * 2L,
					   .l_len = 1 };

			if (fcntl(fd, command, &l) < 0) {
				job_stop(j);
				return;
			}
			if (!job_take(j, 216))
				return;
		}
	}
}

static void posix_locks(struct job *j)
{
	locks(j, F_SETLK, 2000);
}

/* To and fro, at the host's price. */
static void copies(struct job *j)
{
	int null = open("/dev/null", O_WRONLY);
	int zero = open("/dev/zero", O_RDONLY);
	int file = open("/repo/stress", O_RDONLY);
	int fds[2], more[2];

	if (pipe(fds) < 0 || pipe(more) < 0)
		return;
	while (job_take(j, 0)) {
		off_t at = 0;

		if (sendfile(null, file, &at, 1 << 20) < 0)
			job_stop(j);
		at = 0;
		(void)splice(file, &at, fds[1], NULL, 32768, SPLICE_F_NONBLOCK);
		(void)tee(fds[0], more[1], 32768, SPLICE_F_NONBLOCK);
		(void)splice(fds[0], NULL, null, NULL, 65536,
			     SPLICE_F_NONBLOCK);
		(void)splice(more[0], NULL, null, NULL, 65536,
			     SPLICE_F_NONBLOCK);
		(void)!read(zero, bytes, sizeof bytes);
	}
}

const struct stressor stress_descriptors[] = {
	{ "pipes", "pipe pipe2 fcntl write", "full pipes, F_SETPIPE_SZ", pipes,
	  true },
	{ "pipe-pages", "splice ftruncate", "pages of a file that was cut",
	  pipe_pages, true },
	{ "pipe-buffers", "splice", "buffers of sockets, held by a byte",
	  pipe_buffers, true },
	{ "epoll-watches", "epoll_create epoll_create1 epoll_ctl dup2",
	  "as many watches as there can be", watches, true },
	{ "events",
	  "eventfd eventfd2 timerfd_create signalfd signalfd4 timerfd_gettime",
	  "descriptors of each kind", events, true },
	{ "timer-interrupts", "timerfd_settime read", "timers of a nanosecond",
	  timer_interrupts, true },
	{ "inotify-events", "inotify_init inotify_init1 rename",
	  "changes that nobody reads", changes, false },
	{ "inotify-watches", "inotify_add_watch inotify_rm_watch",
	  "as many watches as there can be", change_watches, false },
	{ "posix-locks", "fcntl", "F_SETLK on each second byte", posix_locks,
	  true },
	{ "copies", "sendfile splice tee read", "to /dev/null without end",
	  copies, true },
	{ 0 },
};
