/* control.c -- the supervisor's end of the socket to init. */
#include "supervise/control.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"

#define CARRY_ALL                                                              \
	(unsigned)(CARRY_PROC | CARRY_TMPFS | CARRY_SHM | CARRY_TERMINAL |     \
		   CARRY_SOCKETS)

struct carried {
	int fds[EGRESS_SOCKETS_MAX]; /* RECORD_NETWORK carries most */
	unsigned len;
	bool is_cut; /* more came than fit */
};

static void carried_close(struct carried *c)
{
	for (unsigned i = 0; i < c->len; i++)
		cleanup_fd(&c->fds[i]);
	c->len = 0;
}

static void carried_read(struct msghdr *msg, struct carried *ret)
{
	*ret = (struct carried){ .is_cut = msg->msg_flags & MSG_CTRUNC };
	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c != NULL;
	     c = CMSG_NXTHDR(msg, c)) {
		size_t n;

		if (c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
			continue;
		n = (c->cmsg_len - CMSG_LEN(0)) / sizeof(int);
		for (size_t i = 0; i < n; i++) {
			int fd;

			memcpy(&fd, CMSG_DATA(c) + i * sizeof fd, sizeof fd);
			if (ret->len < EGRESS_SOCKETS_MAX)
				ret->fds[ret->len++] = fd;
			else
				(void)close(fd);
		}
	}
}

static int take_carried(struct carried *c, unsigned *next, unsigned carries,
			unsigned bit)
{
	return (carries & bit) != 0 ? take_fd(&c->fds[(*next)++]) : -1;
}

static bool forbidden_is_sound(const struct forbidden *f)
{
	return f->kind < FORBIDDEN_MAX_ && f->pid >= 0 &&
	       memchr(f->comm, 0, sizeof f->comm) != NULL;
}

/* The record has a bit for each socket that came, and no bit beyond the
 * last. */
static bool network_is_sound(const struct record *r, const struct carried *c)
{
	unsigned n = 0;

	for (int i = 0; i < NETWORK_WORDS; i++)
		n += (unsigned)__builtin_popcountll(r->network_made[i]);
	return r->carries == 0 && n == c->len &&
	       r->network_made[NETWORK_WORDS - 1] >>
			       EGRESS_SOCKETS_MAX % NETWORK_WORD_BITS ==
		       0;
}

static bool record_is_sound(const struct record *r, const struct carried *c)
{
	unsigned carries = r->carries;

	if (r->kind == RECORD_NETWORK)
		return network_is_sound(r, c);
	if (r->kind == RECORD_TRACER)
		return r->carries == 0 && c->len == 1;
	if (r->kind == 0 || r->kind >= RECORD_MAX_ ||
	    (carries & ~CARRY_ALL) != 0 ||
	    (unsigned)__builtin_popcount(carries) != c->len)
		return false;
	switch (r->kind) {
	case RECORD_FAILED:
		return r->error.stage > CUPEL_STAGE_NONE &&
		       r->error.stage < CUPEL_STAGE_MAX_ &&
		       r->error.cause > CUPEL_CAUSE_NONE &&
		       r->error.cause < CUPEL_CAUSE_MAX_ &&
		       memchr(r->error.what, 0, sizeof r->error.what) != NULL;
	case RECORD_CARRIED:
		return true;
	case RECORD_FORBIDDEN:
		return r->forbidden.kind != FORBIDDEN_NONE &&
		       forbidden_is_sound(&r->forbidden);
	case RECORD_STARTED:
		return r->keeper_pid >= 0 && (r->offers & ~CARRY_ALL) == 0 &&
		       r->exec_errno >= 0 && r->exec_errno < 4096 &&
		       ((r->applied | r->refused) >> WALL_MAX_) == 0;
	default:
		return forbidden_is_sound(&r->forbidden) &&
		       (r->wait_status & ~0xffff) == 0 &&
		       (WIFEXITED(r->wait_status) ||
			WIFSIGNALED(r->wait_status));
	}
}

static int carried_refuse(struct carried *c)
{
	carried_close(c);
	return c->is_cut ? -EMFILE : -EPROTO;
}

int control_read(int control_fd, struct control_message *ret)
{
	struct record record;
	union {
		char bytes[CMSG_SPACE(sizeof(int) * EGRESS_SOCKETS_MAX)];
		struct cmsghdr align;
	} control;
	struct iovec v = { .iov_base = &record, .iov_len = sizeof record };
	struct msghdr msg = { .msg_iov = &v,
			      .msg_iovlen = 1,
			      .msg_control = control.bytes,
			      .msg_controllen = sizeof control.bytes };
	struct carried carried;
	unsigned next = 0;
	ssize_t n;

	do
		n = recvmsg(control_fd, &msg, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return errno == ECONNRESET ? -EPIPE : -errno;
	carried_read(&msg, &carried);
	if (n == 0 && carried.len == 0)
		return -EPIPE;
	if ((size_t)n != sizeof record || (msg.msg_flags & MSG_TRUNC) != 0 ||
	    carried.is_cut || !record_is_sound(&record, &carried))
		return carried_refuse(&carried);
	ret->record = record;
	ret->sockets_len =
		record.kind == RECORD_NETWORK || record.kind == RECORD_TRACER
			? carried.len
			: 0;
	memcpy(ret->sockets, carried.fds, ret->sockets_len * sizeof(int));
	ret->proc_fd =
		take_carried(&carried, &next, record.carries, CARRY_PROC);
	ret->tmpfs_fd =
		take_carried(&carried, &next, record.carries, CARRY_TMPFS);
	ret->shm_fd = take_carried(&carried, &next, record.carries, CARRY_SHM);
	ret->terminal_fd =
		take_carried(&carried, &next, record.carries, CARRY_TERMINAL);
	ret->sockets_fd =
		take_carried(&carried, &next, record.carries, CARRY_SOCKETS);
	return 0;
}

static int order_send(int control_fd, const struct order *order)
{
	if (send(control_fd, order, sizeof *order,
		 MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return -errno;
	return 0;
}

int control_ask_carry(int control_fd)
{
	return order_send(control_fd, &(struct order){ .kind = ORDER_CARRY });
}

int control_send_network(int control_fd)
{
	return order_send(control_fd, &(struct order){ .kind = ORDER_NETWORK });
}

int control_send_signal(int control_fd, int signal)
{
	return order_send(control_fd,
			  &(struct order){ .kind = ORDER_SIGNAL,
					   .signal = (uint8_t)signal });
}
