/* control.c -- see control.h. */
#include "relay/control.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include "relay/message.h"
#include "relay/recorder.h"
#include "relay/relay.h"

#define END_S 5 /* how long the supervisor has to read the last records */

int control_read_policy(struct relay *r)
{
	struct timeval patience = { .tv_sec = END_S };
	int e = 0;

	(void)setsockopt(RELAY_CONTROL_FD, SOL_SOCKET, SO_SNDTIMEO, &patience,
			 sizeof patience);
	if (fcntl(RELAY_CONTROL_FD, F_SETFL, 0) < 0)
		return -errno;
	while (e == 0) {
		ssize_t n = recv(RELAY_CONTROL_FD, r->buffer,
				 RELAY_MESSAGE_BYTES, MSG_TRUNC);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			return 1;
		e = message_read(&r->policy, r->buffer, (size_t)n);
	}
	return e < 0 ? e : 0;
}

void control_send(struct relay *r, const struct relay_record *record)
{
	(void)r;
	(void)send(RELAY_CONTROL_FD, record, sizeof *record,
		   MSG_NOSIGNAL | MSG_DONTWAIT);
}

void control_note(struct relay *r, const struct relay_record *what)
{
	struct relay_record *e;

	if (book_note(&r->book, what, &e) != BOOK_NEW)
		return;
	e->first_ns = r->now_ns;
	control_send(r, e);
}

void control_fail(struct relay *r, enum relay_stage stage, int error)
{
	struct relay_record failed = { .kind = RELAY_FAILED,
				       .stage = (uint16_t)stage,
				       .error = error };

	(void)r;
	(void)send(RELAY_CONTROL_FD, &failed, sizeof failed, MSG_NOSIGNAL);
}

void control_end(struct relay *r)
{
	struct relay_record end = { .kind = RELAY_END, .is_final = 1 };

	for (size_t i = 0; i < r->book.len; i++) {
		r->book.entries[i].is_final = 1;
		if (send(RELAY_CONTROL_FD, &r->book.entries[i],
			 sizeof r->book.entries[i], MSG_NOSIGNAL) < 0)
			return;
	}
	end.count = r->book.omitted;
	end.lost = recorder_lost(r);
	end.turns = r->turns;
	(void)send(RELAY_CONTROL_FD, &end, sizeof end, MSG_NOSIGNAL);
}

/* --- sockets of the vessel ------------------------------------------------- */

static int option_read(int fd, int option)
{
	int value = -1;
	socklen_t len = sizeof value;

	return getsockopt(fd, SOL_SOCKET, option, &value, &len) < 0 ? -1
								    : value;
}

static int tcp_put(struct relay *r, int fd, uint16_t port)
{
	return listener_add(r, fd, port);
}

static int dns_udp_put(struct relay *r, int fd, uint16_t port)
{
	int on = 1;
	bool is_v6 = option_read(fd, SO_DOMAIN) == AF_INET6;

	(void)port;
	if (setsockopt(fd, is_v6 ? IPPROTO_IPV6 : IPPROTO_IP,
		       is_v6 ? IPV6_RECVPKTINFO : IP_PKTINFO, &on,
		       sizeof on) < 0)
		return -errno;
	/* Every address is local there but none belongs to the interface.  IPv6
	 * must be told that it may answer from such an address; IPv4 need
	 * not. */
	if (is_v6 &&
	    setsockopt(fd, IPPROTO_IPV6, IPV6_FREEBIND, &on, sizeof on) < 0)
		return -errno;
	return stub_add(r, fd, false);
}

static int dns_tcp_put(struct relay *r, int fd, uint16_t port)
{
	(void)port;
	return stub_add(r, fd, true);
}

static int recorder_put(struct relay *r, int fd, uint16_t port)
{
	(void)port;
	return recorder_add(r, fd);
}

static int pool_put(struct relay *r, int fd, uint16_t port)
{
	(void)port;
	return listener_put_pool(r, fd);
}

enum { ANY = -1 };

/* What a socket must be, whoever sent it.  Ours come from init, which the
 * command cannot reach, but the check costs nothing. */
static const struct kind {
	int type, listens;
	int (*put)(struct relay *r, int fd, uint16_t port);
} kinds[RELAY_SOCKET_MAX_] = {
	[RELAY_SOCKET_TCP] = { SOCK_STREAM, 1, tcp_put },
	[RELAY_SOCKET_DNS_UDP] = { SOCK_DGRAM, ANY, dns_udp_put },
	[RELAY_SOCKET_DNS_TCP] = { SOCK_STREAM, 1, dns_tcp_put },
	[RELAY_SOCKET_RECORDER_TCP] = { SOCK_RAW, ANY, recorder_put },
	[RELAY_SOCKET_RECORDER_UDP] = { SOCK_RAW, ANY, recorder_put },
	[RELAY_SOCKET_POOL] = { SOCK_STREAM, 0, pool_put },
};

static int socket_put(struct relay *r, int fd, const struct relay_socket *s)
{
	int domain = option_read(fd, SO_DOMAIN);
	const struct kind *k;

	if (s->kind >= RELAY_SOCKET_MAX_ || kinds[s->kind].put == NULL)
		return -EINVAL;
	k = &kinds[s->kind];
	if ((domain != AF_INET && domain != AF_INET6) ||
	    option_read(fd, SO_TYPE) != k->type ||
	    (k->listens != ANY &&
	     option_read(fd, SO_ACCEPTCONN) != k->listens) ||
	    (s->kind == RELAY_SOCKET_POOL && domain != AF_INET))
		return -EINVAL;
	if (fcntl(fd, F_SETFL, O_NONBLOCK) < 0)
		return -errno;
	return k->put(r, fd, s->port);
}

union descriptors {
	struct cmsghdr align;
	char bytes[CMSG_SPACE(RELAY_MESSAGE_FDS * sizeof(int))];
};

/* Take the descriptors out of a message; returns how many. */
static size_t fds_read(struct msghdr *m, int fds[RELAY_MESSAGE_FDS])
{
	size_t len = 0;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(m); c != NULL;
	     c = CMSG_NXTHDR(m, c)) {
		size_t bytes = c->cmsg_len - CMSG_LEN(0);

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		memcpy(fds, CMSG_DATA(c), bytes);
		len = bytes / sizeof *fds;
	}
	return len;
}

static int sockets_put(struct relay *r, size_t len, const int *fds,
		       size_t fds_len)
{
	struct relay_message head;
	struct relay_socket s;

	if (len < sizeof head)
		return -EINVAL;
	memcpy(&head, r->buffer, sizeof head);
	if (head.kind != RELAY_SOCKETS || head.count != fds_len ||
	    len != sizeof head + head.count * sizeof s)
		return -EINVAL;
	for (size_t i = 0; i < fds_len; i++) {
		int e;

		memcpy(&s, r->buffer + sizeof head + i * sizeof s, sizeof s);
		e = socket_put(r, fds[i], &s);
		if (e < 0)
			return e;
	}
	return 0;
}

void control_run(struct relay *r, struct watch w, uint32_t events)
{
	union descriptors room;
	struct iovec part = { r->buffer, RELAY_MESSAGE_BYTES };
	struct msghdr m = { .msg_iov = &part,
			    .msg_iovlen = 1,
			    .msg_control = &room,
			    .msg_controllen = sizeof room };
	int fds[RELAY_MESSAGE_FDS], e = -EINVAL;
	ssize_t n =
		recvmsg(RELAY_CONTROL_FD, &m, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);

	(void)w;
	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		r->is_ending = true;
		return;
	}
	if ((m.msg_flags & (MSG_TRUNC | MSG_CTRUNC)) == 0)
		e = sockets_put(r, (size_t)n, fds, fds_read(&m, fds));
	if (e < 0) {
		control_fail(r, RELAY_STAGE_SOCKETS, -e);
		_exit(1);
	}
}
