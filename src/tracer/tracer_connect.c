/* tracer_connect.c -- connect(2), done here on the caller's own socket.
 *
 * The address is copied once and the copy is connected to, so the report says
 * what was done, whatever other threads write meanwhile.  The socket is the
 * caller's open file, so its options, duplicates and epoll sets stay as they
 * are. */
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/un.h>
#include <unistd.h>

#include "tracer/tracer.h"

#define ADDRESS_BYTES sizeof(struct sockaddr_storage)

/* Write the address in bytes[0..n-1] into the record. *ret_path is the name of
 * a local socket and points into bytes. */
static void address_note(const char *bytes, size_t n,
			 struct trace_record *record, struct text *ret_path)
{
	struct sockaddr_storage a = { 0 };
	const struct sockaddr_in *in = (const void *)&a;
	const struct sockaddr_in6 *in6 = (const void *)&a;
	const size_t head = offsetof(struct sockaddr_un, sun_path);

	memcpy(&a, bytes, n < sizeof a ? n : sizeof a);
	record->family = n >= sizeof a.ss_family ? a.ss_family : 0;
	*ret_path = (struct text){ 0 };
	if (record->family == AF_INET) {
		record->port = ntohs(in->sin_port);
		memcpy(record->address, &in->sin_addr, sizeof in->sin_addr);
	} else if (record->family == AF_INET6) {
		record->port = ntohs(in6->sin6_port);
		memcpy(record->address, &in6->sin6_addr, sizeof in6->sin6_addr);
	} else if (record->family == AF_UNIX && n > head) {
		*ret_path = (struct text){ bytes + head, n - head };
		/* An abstract name is all of the rest; a path ends at its NUL. */
		if (bytes[head] != '\0')
			ret_path->len = strnlen(bytes + head, n - head);
	}
}

/* --- the call itself ------------------------------------------------------------ */

struct attempt {
	int socket_fd; /* owned */
	int domain, type, flags;
	bool is_timed;
	uint64_t deadline_ns;
	char address[ADDRESS_BYTES];
	socklen_t len;
};

static int option_read(int fd, int option)
{
	int value = 0;
	socklen_t n = sizeof value;

	return getsockopt(fd, SOL_SOCKET, option, &value, &n) < 0 ? -errno
								  : value;
}

static void deadline_read(struct attempt *a)
{
	struct timeval most = { 0 };
	socklen_t n = sizeof most;

	a->deadline_ns = UINT64_MAX;
	if (getsockopt(a->socket_fd, SOL_SOCKET, SO_SNDTIMEO, &most, &n) < 0 ||
	    (most.tv_sec == 0 && most.tv_usec == 0))
		return;
	a->is_timed = true;
	a->deadline_ns = now_ns() + (uint64_t)most.tv_sec * 1000000000U +
			 (uint64_t)most.tv_usec * 1000U;
}

/* Checks in the kernel's own order.  Returns 0 or the negative errno that the
 * caller gets. */
static int address_read(pid_t tid, const struct call *call, struct attempt *a)
{
	int len = (int)call->args[2];

	if (len < 0 || (size_t)len > sizeof a->address)
		return -EINVAL;
	a->len = (socklen_t)len;
	if (len > 0 &&
	    memory_read(tid, call->args[1], a->address, (size_t)len) != len)
		return -EFAULT;
	return 0;
}

/* Returns 0, or the negative errno of a call that is over. */
static int attempt_open(struct tracer *t, pid_t tid, const struct call *call,
			struct attempt *a)
{
	int r;

	a->socket_fd = socket_take(t, tid, (int)call->args[0]);
	if (a->socket_fd < 0)
		return a->socket_fd;
	r = address_read(tid, call, a);
	if (r < 0)
		return r;
	a->domain = option_read(a->socket_fd, SO_DOMAIN);
	a->type = option_read(a->socket_fd, SO_TYPE);
	return a->domain < 0 ? a->domain : 0;
}

/* A second connect(2) tells how the first ended, and marks the file as
 * connected. */
static int attempt_connect(const struct attempt *a)
{
	int r = socket_connect(a->socket_fd, a->address, a->len);
	struct pollfd p = { .fd = a->socket_fd, .events = POLLOUT };

	if ((r != -EINPROGRESS && r != -EALREADY) ||
	    (a->flags & O_NONBLOCK) != 0)
		return r;
	if (poll(&p, 1, 0) <= 0)
		return -EINPROGRESS;
	r = socket_connect(a->socket_fd, a->address, a->len);
	return r == -EISCONN ? 0 : r;
}

static void tell(struct tracer *t, pid_t tid, struct trace_record *record,
		 const char *address, size_t len)
{
	const struct text none = { 0 };
	struct text path;

	if (is_full(t)) {
		t->end.omitted++;
		return;
	}
	record->kind = TRACER_SAYS_CONNECT;
	record->t_ns = now_ns();
	record->pid = pid_find(t, tid);
	address_note(address, len, record, &path);
	record_put(t, record, path, none, none);
}

void connect_tell(struct tracer *t, struct task *task, long result)
{
	task->record.result = result < 0 ? (int32_t)-result : 0;
	tell(t, task->tid, &task->record, task->claim, task->address_len);
	claim_end(t, task, result);
	task->call = 0;
}

void connect_end(struct tracer *t, struct task *task, long result)
{
	connect_tell(t, task, result);
	task_end(t, task);
}

/* --- held ---------------------------------------------------------------------------- */

/* False when too many are held.  The kernel must not carry the call out either,
 * because then nobody could say where it went. */
static bool hold(struct tracer *t, pid_t tid, struct attempt *a)
{
	struct task *task;

	task_end(t, task_find(t, tid));
	task = task_add(t, tid);
	if (task == NULL)
		return false;
	task->call = TRACER_CONNECT;
	task->socket_fd = a->socket_fd;
	t->held++;
	task->flags = a->flags;
	task->is_timed = a->is_timed;
	task->deadline_ns = a->deadline_ns;
	task->record.type = (uint16_t)a->type;
	task->record.flags = TRACE_VERIFIED;
	task->address_len = a->len;
	memcpy(task->claim, a->address, a->len);
	a->socket_fd = -1;
	return true;
}

/* Returns 0 or -errno; -EINPROGRESS when it is not over. */
static int held_result(const struct tracer *t, const struct task *task,
		       bool is_ready)
{
	int r = is_ready ? socket_connect(task->socket_fd, task->claim,
					  task->address_len)
			 : -EINPROGRESS;

	if (r != -EINPROGRESS && r != -EALREADY)
		return r == -EISCONN ? 0 : r;
	if (now_ns() >= task->deadline_ns)
		return -ETIME;
	return is_interrupted(t, task->tid) ? -EINTR : -EINPROGRESS;
}

static void held_end(struct tracer *t, struct task *task, int result)
{
	pid_t tid = task->tid;

	(void)call_skip(tid, result);
	connect_tell(t, task, result);
	task_end(t, task);
	(void)ptrace(PTRACE_CONT, tid, NULL, NULL);
}

void held_step(struct tracer *t, struct task *task, bool is_ready)
{
	int r = held_result(t, task, is_ready);

	if (r == -EINPROGRESS)
		return;
	if (r == -ETIME) /* connect(2) of a socket with SO_SNDTIMEO */
		r = -EINPROGRESS;
	if (r != -EINTR) {
		held_end(t, task, r);
		return;
	}
	/* At the stop after the call the signal finds what it would find
	 * without us. */
	(void)fcntl(task->socket_fd, F_SETFL, task->flags);
	socket_close(task->socket_fd);
	task->socket_fd = -1;
	t->held--;
	task->is_interrupted = true;
	(void)call_skip(task->tid, -EINTR);
	(void)ptrace(PTRACE_SYSCALL, task->tid, NULL, NULL);
}

/* --- the stop before it ---------------------------------------------------------------- */

static bool is_tcp_refused(const struct tracer *t, const struct attempt *a)
{
	struct sockaddr_storage to = { 0 };

	memcpy(&to, a->address, a->len);
	return t->config.refuses_tcp && a->type == SOCK_STREAM &&
	       to.ss_family != AF_UNSPEC;
}

static enum resume attempt_run(struct tracer *t, pid_t tid, struct attempt *a)
{
	struct trace_record record = { .flags = TRACE_VERIFIED,
				       .type = (uint16_t)a->type };
	int r;

	a->flags = fcntl(a->socket_fd, F_GETFL);
	if ((a->flags & O_NONBLOCK) == 0) {
		deadline_read(a);
		(void)fcntl(a->socket_fd, F_SETFL, a->flags | O_NONBLOCK);
	}
	r = is_tcp_refused(t, a) ? -EACCES : attempt_connect(a);
	if (r == -EINPROGRESS && (a->flags & O_NONBLOCK) == 0) {
		if (hold(t, tid, a))
			return RESUME_HELD;
		r = -ENOBUFS;
	}
	if ((a->flags & O_NONBLOCK) == 0)
		(void)fcntl(a->socket_fd, F_SETFL, a->flags);
	record.result = -r;
	tell(t, tid, &record, a->address, a->len);
	(void)call_skip(tid, r);
	return RESUME_RUN;
}

static bool is_internet(const struct attempt *a)
{
	return a->domain == AF_INET || a->domain == AF_INET6;
}

/* The kernel carries out calls of other families; they are reported when they
 * are over, with the address that they claimed.  The filter allows only sockets
 * of known families, because nobody could say what another one reaches. */
static enum resume attempt_pass(struct tracer *t, pid_t tid, struct attempt *a)
{
	struct task *task;

	if (a->domain != AF_UNIX && a->domain != AF_NETLINK) {
		(void)call_skip(tid, -EAFNOSUPPORT);
		return RESUME_RUN;
	}
	task_end(t, task_find(t, tid));
	task = task_add(t, tid);
	if (task == NULL) {
		(void)call_skip(tid, -ENOBUFS);
		return RESUME_RUN;
	}
	task->call = TRACER_CONNECT;
	task->record.type = (uint16_t)a->type;
	task->address_len = a->len;
	memcpy(task->claim, a->address, a->len);
	claim_begin(t, task, &a->socket_fd);
	return RESUME_CALL;
}

/* The kernel does not let us look, or there is no such descriptor.  The call is
 * refused, because nobody could say what it does. */
static bool is_ours(int error)
{
	return error == -EPERM || error == -EMFILE || error == -EIO ||
	       error == -ENFILE || error == -ENOMEM;
}

enum resume connect_begin(struct tracer *t, pid_t tid, const struct call *call)
{
	struct attempt a = { .socket_fd = -1 };
	enum resume how = RESUME_RUN;
	int r = attempt_open(t, tid, call, &a);

	if (is_ours(r)) {
		t->end.refused++;
		r = -EACCES;
	}
	if (r < 0)
		(void)call_skip(tid, r);
	else if (is_internet(&a))
		how = attempt_run(t, tid, &a);
	else
		how = attempt_pass(t, tid, &a);
	if (a.socket_fd >= 0)
		socket_close(a.socket_fd);
	return how;
}
