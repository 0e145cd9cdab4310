/* tracer_main.c -- cupel-tracer: the start, and the loop until all are dead. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "tracer/tracer.h"
#include "tracer/tracer_stop.h"

enum { EXIT_CONFIG = 2, EXIT_WALL = 3, EXIT_GONE = 4 };

/* How often a held connect(2) is checked for a signal or its timeout. */
#define HELD_MS 20

enum { POLL_CONTROL, POLL_VESSEL, POLL_SIGNAL, POLL_HELD };

/* --- the vessel ------------------------------------------------------------------- */

union credentials {
	struct cmsghdr head;
	char bytes[CMSG_SPACE(sizeof(struct ucred))];
};

/* The sender, as the kernel says; 0: nobody. */
static pid_t asker_read(int fd)
{
	union credentials room = { 0 };
	char byte;
	struct iovec iov = { .iov_base = &byte, .iov_len = 1 };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &room,
			      .msg_controllen = sizeof room };
	struct ucred who = { 0 };

	if (recvmsg(fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC) <= 0 ||
	    msg.msg_controllen == 0 || room.head.cmsg_type != SCM_CREDENTIALS ||
	    room.head.cmsg_len != CMSG_LEN(sizeof who))
		return 0;
	memcpy(&who, CMSG_DATA(&room.head), sizeof who);
	return who.pid;
}

static void vessel_take(struct tracer *t)
{
	pid_t pid = asker_read(t->vessel_fd);
	struct tracer_answer answer = { .error = ESRCH };

	if (pid > 0)
		answer.error = -command_seize(pid);
	t->has_seized = answer.error == 0;
	(void)send(t->vessel_fd, &answer, sizeof answer,
		   MSG_DONTWAIT | MSG_NOSIGNAL);
	(void)close(t->vessel_fd);
	t->vessel_fd = -1;
}

/* --- the loop ------------------------------------------------------------------------ */

static size_t polled_fill(struct tracer *t)
{
	struct pollfd *p = t->polled;
	size_t n = POLL_HELD;

	p[POLL_CONTROL] = (struct pollfd){ TRACER_CONTROL_FD, POLLIN, 0 };
	if (!queue_is_empty(&t->queue))
		p[POLL_CONTROL].events |= POLLOUT;
	p[POLL_VESSEL] = (struct pollfd){ t->vessel_fd, POLLIN, 0 };
	p[POLL_SIGNAL] = (struct pollfd){ t->signal_fd, POLLIN, 0 };
	for (size_t i = 0; i < t->tasks_len; i++)
		if (t->tasks[i].socket_fd >= 0)
			p[n++] = (struct pollfd){ t->tasks[i].socket_fd,
						  POLLOUT, 0 };
	return n;
}

static struct task *find_held(struct tracer *t, int fd)
{
	for (size_t i = 0; i < t->tasks_len; i++)
		if (t->tasks[i].socket_fd == fd)
			return &t->tasks[i];
	return NULL;
}

static void held_take(struct tracer *t, size_t n)
{
	for (size_t i = POLL_HELD; i < n; i++) {
		struct task *task = find_held(t, t->polled[i].fd);

		if (task != NULL)
			held_step(t, task, t->polled[i].revents != 0);
	}
}

/* The supervisor sends nothing after its first message, so this is its end. */
static bool is_orphan(const struct pollfd *control)
{
	return (control->revents & (POLLIN | POLLHUP | POLLERR)) != 0;
}

/* Send all that is queued.  Nothing lives any more that would have to wait for
 * this.  Returns false when the supervisor is gone. */
static bool queue_drain(struct queue *q)
{
	struct pollfd p = { .fd = TRACER_CONTROL_FD, .events = POLLOUT };

	while (!queue_is_empty(q)) {
		if (queue_send(q) < 0)
			return false;
		if (!queue_is_empty(q))
			(void)poll(&p, 1, -1);
	}
	return true;
}

/* The last record counts the events that found no room, so it waits until there
 * is room for it. */
static int end_send(struct tracer *t)
{
	t->end.kind = TRACER_SAYS_END;
	while (t->tasks_len > 0)
		task_end(t, &t->tasks[0]);
	if (!queue_drain(&t->queue) ||
	    !queue_put(&t->queue, &t->end, sizeof t->end) ||
	    !queue_drain(&t->queue))
		return EXIT_GONE;
	return EXIT_SUCCESS;
}

/* Returns whether to go on, and does what is ready. */
static bool turn(struct tracer *t, bool may_sleep)
{
	char signals[sizeof(struct signalfd_siginfo) * 4];
	size_t n = polled_fill(t);
	int most = !may_sleep ? 0 : n > POLL_HELD ? HELD_MS : -1;

	if (poll(t->polled, n, most) < 0 && errno != EINTR)
		return false;
	if (is_orphan(&t->polled[POLL_CONTROL]))
		return false;
	if (t->polled[POLL_SIGNAL].revents != 0)
		(void)!read(t->signal_fd, signals, sizeof signals);
	if (t->polled[POLL_VESSEL].revents != 0)
		vessel_take(t);
	held_take(t, n);
	return queue_send(&t->queue) == 0;
}

/* Serve until nothing that it traces is left, or the supervisor is gone.
 * Returns the program's exit status. */
static int tracer_serve(struct tracer *t)
{
	for (;;) {
		int r = stops_take(t);

		if (r == -ECHILD && t->has_seized)
			return end_send(t);
		if (!turn(t, r <= 0))
			return EXIT_GONE;
	}
}

/* --- the start ------------------------------------------------------------------------ */

static void say(enum trace_record_kind kind, int error, const char *what)
{
	char bytes[sizeof(struct trace_record) + 128];
	struct trace_record r = { .kind = (uint16_t)kind,
				  .result = error,
				  .path_len = (uint16_t)strlen(what) };

	memcpy(bytes, &r, sizeof r);
	memcpy(bytes + sizeof r, what, r.path_len);
	(void)send(TRACER_CONTROL_FD, bytes, sizeof r + r.path_len,
		   MSG_NOSIGNAL);
}

/* Returns 0 or -errno. */
static int config_read(struct tracer *t)
{
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(sizeof(int))];
	} room = { 0 };
	struct iovec iov = { .iov_base = &t->config,
			     .iov_len = sizeof t->config };
	struct msghdr msg = { .msg_iov = &iov,
			      .msg_iovlen = 1,
			      .msg_control = &room,
			      .msg_controllen = sizeof room };
	ssize_t n = recvmsg(TRACER_CONTROL_FD, &msg, MSG_CMSG_CLOEXEC);

	if (n != sizeof t->config || msg.msg_controllen == 0 ||
	    room.head.cmsg_type != SCM_RIGHTS ||
	    room.head.cmsg_len != CMSG_LEN(sizeof(int)))
		return n < 0 ? -errno : -EPROTO;
	memcpy(&t->vessel_fd, CMSG_DATA(&room.head), sizeof t->vessel_fd);
	return 0;
}

/* The numbers in /proc must be those that wait(2) says. */
static int proc_open(struct tracer *t)
{
	char self[32];
	ssize_t n;

	t->proc_fd = open("/proc", O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (t->proc_fd < 0)
		return -errno;
	n = readlinkat(t->proc_fd, "self", self, sizeof self - 1);
	if (n <= 0)
		return n < 0 ? -errno : -ENOENT;
	self[n] = '\0';
	t->own_pid = getpid();
	return strtol(self, NULL, 10) == t->own_pid ? 0 : -ESRCH;
}

/* What is traced dies with us.  Whatever was under way is cut short, as by a
 * signal that kills. */
static void supervisor_look(int signal)
{
	struct pollfd control = { TRACER_CONTROL_FD, POLLIN, 0 };
	int before = errno;

	(void)signal;
	if (poll(&control, 1, 0) > 0 && is_orphan(&control))
		_exit(EXIT_GONE);
	errno = before;
}

/* From now on a signal tells what happens to the supervisor's socket. */
static int supervisor_watch(struct tracer *t)
{
	int flags = fcntl(TRACER_CONTROL_FD, F_GETFL);

	if (flags < 0 || fcntl(TRACER_CONTROL_FD, F_SETOWN, t->own_pid) < 0 ||
	    fcntl(TRACER_CONTROL_FD, F_SETFL, flags | O_ASYNC) < 0)
		return -errno;
	return 0;
}

static int signals_open(struct tracer *t)
{
	const struct sigaction look = { .sa_handler = supervisor_look,
					.sa_flags = SA_RESTART };
	sigset_t set;

	if (sigaction(SIGIO, &look, NULL) < 0)
		return -errno;
	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGCHLD);
	if (sigprocmask(SIG_BLOCK, &set, NULL) < 0)
		return -errno;
	t->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return t->signal_fd < 0 ? -errno : bell_open();
}

/* Test pidfd_getfd(2) on a descriptor of our own: it needs Linux 5.6 and a
 * policy that allows it. */
static int copy_try(struct tracer *t)
{
	int fd = socket_take(t, getpid(), TRACER_CONTROL_FD);

	if (fd < 0)
		return fd;
	(void)close(fd);
	return 0;
}

static int memory_open(struct tracer *t)
{
	return queue_open(&t->queue);
}

static int wall_stage(struct tracer *t)
{
	(void)t;
	return tracer_wall_raise();
}

static const struct stage {
	int (*run)(struct tracer *t);
	const char *what;
} stages[] = {
	{ memory_open, "memory" },
	{ proc_open, "a /proc of its own PID namespace" },
	{ signals_open, "a signal descriptor" },
	{ copy_try, "pidfd_getfd(2), which needs Linux 5.6 and no seccomp "
		    "filter against it" },
	{ wall_stage, "its own confinement" },
	/* Done last, because the vessel takes longer to be built. */
	{ config_read, "its configuration" },
	{ supervisor_watch, "the signal that tells the end of its supervisor" },
};

int main(void)
{
	struct tracer *t = mmap(NULL, sizeof *t, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (t == MAP_FAILED)
		return EXIT_CONFIG;
	for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
		int r = stages[i].run(t);

		if (r < 0) {
			say(TRACER_SAYS_FAILED, -r, stages[i].what);
			return EXIT_WALL;
		}
	}
	say(TRACER_SAYS_READY, 0, "");
	return tracer_serve(t);
}
