/* egress.c -- see egress.h. */
#include "supervise/egress.h"

#include <arpa/inet.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "plan/plan.h"
#include "supervise/clock.h"
#include "supervise/control.h"
#include "supervise/run.h"

/* The time for the relay to confine itself and for init to make its sockets,
 * and later the time for the last records.  Each takes about a millisecond.
 * The limit is for one that hangs, and is long enough not to fail on a very
 * busy host. */
#define READY_MS       10000
#define END_MS         10000
#define RECORDS_A_TURN 64 /* before the others' turn */

/* --- the start ----------------------------------------------------------------- */

/* Names that the rules give in full have an inside address from the start. */
static void names_note(struct run *r)
{
	const struct egress_plan *e = &r->plan->egress;

	for (size_t i = 0; i < e->names_len; i++) {
		uint32_t address = htonl(RELAY_SYNTHETIC + (uint32_t)i + 1);
		uint8_t bytes[4];

		memcpy(bytes, &address, sizeof bytes);
		egress_book_note_name(&r->out.egress, bytes, e->names[i]);
	}
}

int egress_init(struct run *r, int relay_fd)
{
	r->egress.deadline_ns = RUN_NEVER;
	if (relay_fd < 0)
		return 0;
	r->egress.state = EGRESS_STARTING;
	r->egress.deadline_ns = clock_after_ms(clock_now_ns(), READY_MS);
	names_note(r);
	return run_watch_fd(r, relay_fd, EPOLLIN, SOURCE_RELAY);
}

static void sockets_close(struct egress_watch *e)
{
	for (size_t i = 0; i < e->len; i++)
		cleanup_fd(&e->sockets[i]);
	e->len = 0;
}

/* At most RELAY_MESSAGE_FDS of them. */
static int sockets_send(int relay_fd, const struct relay_socket items[],
			const int fds[], size_t n)
{
	struct relay_message head = { .kind = RELAY_SOCKETS,
				      .count = (uint32_t)n };
	struct iovec parts[] = {
		{ .iov_base = &head, .iov_len = sizeof head },
		{ .iov_base = (void *)(uintptr_t)items,
		  .iov_len = n * sizeof *items },
	};
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(RELAY_MESSAGE_FDS * sizeof(int))];
	} control = { 0 };
	const struct msghdr msg = { .msg_iov = parts,
				    .msg_iovlen = 2,
				    .msg_control = &control,
				    .msg_controllen =
					    CMSG_SPACE(n * sizeof(int)) };

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(n * sizeof(int));
	memcpy(CMSG_DATA(&control.head), fds, n * sizeof(int));
	if (sendmsg(relay_fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return -errno;
	return 0;
}

static bool is_made(const struct egress_watch *e, size_t i)
{
	return (e->made[i / NETWORK_WORD_BITS] >> i % NETWORK_WORD_BITS & 1) !=
	       0;
}

static int sockets_hand_over(struct run *r)
{
	const struct egress_plan *plan = &r->plan->egress;
	struct relay_socket items[EGRESS_SOCKETS_MAX];
	struct egress_watch *e = &r->egress;
	size_t n = 0;
	int error = 0;

	for (size_t i = 0; i < plan->sockets_len; i++)
		if (is_made(e, i) && n < e->len)
			items[n++] = plan->sockets[i].socket;
	if (n != e->len)
		return -EPROTO;
	for (size_t at = 0; error == 0 && at < n;) {
		size_t some =
			n - at < RELAY_MESSAGE_FDS ? n - at : RELAY_MESSAGE_FDS;

		error = sockets_send(r->child.relay.control_fd, items + at,
				     e->sockets + at, some);
		at += some;
	}
	return error;
}

/* The relay is confined and has its sockets.  From now on there is a network
 * and the command may start. */
static void serve(struct run *r)
{
	struct egress_watch *e = &r->egress;
	int error;

	if (e->state != EGRESS_STARTING || !e->is_ready || !e->has_sockets)
		return;
	error = sockets_hand_over(r);
	sockets_close(e);
	e->deadline_ns = RUN_NEVER;
	if (error == 0) {
		e->state = EGRESS_SERVING;
		r->out.egress.is_on = true;
		error = control_send_network(r->child.control_fd);
	}
	if (error < 0 && error != -EPIPE)
		run_break(r, cupel_cause_of(-error), -error,
			  "handing the network's sockets to the relay");
}

void egress_take_sockets(struct run *r, struct control_message *m)
{
	struct egress_watch *e = &r->egress;

	if (e->state != EGRESS_STARTING || e->has_sockets)
		return;
	e->has_sockets = true;
	e->len = m->sockets_len;
	memcpy(e->sockets, m->sockets, e->len * sizeof *e->sockets);
	memcpy(e->made, m->record.network_made, sizeof e->made);
	m->sockets_len = 0;
	serve(r);
}

/* --- what it says ---------------------------------------------------------------- */

static const char *stage_text(unsigned stage)
{
	static const char *const texts[] = {
		[0] = "starting",
		[RELAY_STAGE_CONFIG] = "reading its rules",
		[RELAY_STAGE_LIMITS] = "setting its limits",
		[RELAY_STAGE_LANDLOCK] = "entering its Landlock domain",
		[RELAY_STAGE_SECCOMP] = "loading its filter",
		[RELAY_STAGE_SOCKETS] = "taking its sockets",
	};

	return stage < RELAY_STAGE_MAX_ ? texts[stage] : texts[0];
}

static void take_failed(struct run *r, const struct relay_record *rec)
{
	char what[96];

	r->egress.state = EGRESS_OVER;
	(void)snprintf(what, sizeof what, "the relay failed while %s",
		       stage_text(rec->stage));
	run_break(r, CUPEL_CAUSE_HOST, rec->error, what);
}

static void take_final(struct run *r, const struct relay_record *rec)
{
	struct egress_entry entry;

	if (rec->is_final != 0 && egress_entry_fill(rec, r->begun_ns, &entry))
		egress_book_add(&r->out.egress, &entry);
}

static void take_record(struct run *r, const struct relay_record *rec)
{
	switch (rec->kind) {
	case RELAY_READY:
		r->egress.is_ready = true;
		serve(r);
		break;
	case RELAY_FAILED:
		take_failed(r, rec);
		break;
	case RELAY_NAMED:
		egress_book_note_name(&r->out.egress, rec->address.bytes,
				      rec->name);
		break;
	case RELAY_END:
		r->out.egress.omitted += (uint64_t)rec->count + rec->lost;
		if (r->egress.state == EGRESS_ENDING)
			r->egress.state = EGRESS_OVER;
		break;
	default:
		take_final(r, rec);
		break;
	}
}

/* Without the relay's last record nobody knows everything that was reached,
 * however else the run ended. */
static void lose(struct run *r, int error)
{
	(void)epoll_ctl(r->epoll_fd, EPOLL_CTL_DEL, r->child.relay.control_fd,
			NULL);
	if (r->egress.state == EGRESS_OVER)
		return;
	r->egress.state = EGRESS_OVER;
	r->egress.deadline_ns = RUN_NEVER;
	run_break(r, CUPEL_CAUSE_BUG, error == -EPIPE ? 0 : -error,
		  error == -EPROTO ? "the relay sent an invalid record"
				   : "the relay ended before the run did");
}

static int record_read(int fd, struct relay_record *ret)
{
	ssize_t n = recv(fd, ret, sizeof *ret, MSG_DONTWAIT | MSG_TRUNC);

	if (n < 0)
		return errno == ECONNRESET ? -EPIPE : -errno;
	if (n == 0)
		return -EPIPE;
	return (size_t)n == sizeof *ret && egress_record_is_sound(ret)
		       ? 0
		       : -EPROTO;
}

void egress_run(struct run *r)
{
	for (int i = 0; i < RECORDS_A_TURN && r->child.relay.control_fd >= 0;
	     i++) {
		struct relay_record rec;
		int e = record_read(r->child.relay.control_fd, &rec);

		if (e == -EAGAIN || e == -EINTR)
			return;
		if (e < 0) {
			lose(r, e);
			return;
		}
		take_record(r, &rec);
	}
}

/* --- the end -------------------------------------------------------------------- */

void egress_judge(struct run *r, uint64_t now_ns)
{
	struct egress_watch *e = &r->egress;

	if (now_ns < e->deadline_ns)
		return;
	e->deadline_ns = RUN_NEVER;
	/* Its time is up; nobody waits for it again. */
	(void)syscall(SYS_pidfd_send_signal, r->child.relay.pidfd, SIGKILL,
		      NULL, 0);
	if (e->state == EGRESS_STARTING) {
		e->state = EGRESS_OVER;
		run_break(r, CUPEL_CAUSE_HOST, ETIMEDOUT,
			  e->is_ready ? "the relay did not receive its sockets"
				      : "the relay was not ready in time");
	} else if (e->state == EGRESS_ENDING) {
		e->state = EGRESS_OVER;
		run_break(r, CUPEL_CAUSE_BUG, ETIMEDOUT,
			  "the relay did not end");
	}
}

void egress_end(struct run *r)
{
	struct egress_watch *e = &r->egress;

	if (e->state != EGRESS_STARTING && e->state != EGRESS_SERVING)
		return;
	sockets_close(e);
	e->state = EGRESS_ENDING;
	e->deadline_ns = clock_after_ms(clock_now_ns(), END_MS);
	(void)shutdown(r->child.relay.control_fd, SHUT_WR);
}

bool egress_is_over(const struct run *r)
{
	return r->egress.state == EGRESS_NONE || r->egress.state == EGRESS_OVER;
}

void egress_done(struct run *r)
{
	sockets_close(&r->egress);
	r->egress.deadline_ns = RUN_NEVER;
	run_close_fd(r, &r->child.relay.control_fd);
}
