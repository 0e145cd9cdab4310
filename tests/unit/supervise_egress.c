/* supervise_egress.c -- what the supervisor accepts from the relay and from
 * init: what is not a record is refused, and its descriptors are closed. */
#include "tap.h"

#include <dirent.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#include "supervise/control.h"
#include "supervise/egress.h"

#define BEGUN_NS UINT64_C(5000000000)

static struct relay_record sound(void)
{
	return (struct relay_record){
		.kind = RELAY_CONNECTION,
		.verdict = RELAY_ALLOWED,
		.is_final = 1,
		.protocol = IPPROTO_TCP,
		.port = 443,
		.count = 3,
		.bytes_in = 70,
		.bytes_out = 7,
		.first_ns = BEGUN_NS + 12000000,
		.address = { .family = AF_INET, .bytes = { 44, 0, 0, 7 } },
		.name = "site.example",
	};
}

static void takes_a_sound_record(void)
{
	static const uint16_t kinds[] = { RELAY_READY,      RELAY_FAILED,
					  RELAY_NAMED,      RELAY_NAME,
					  RELAY_CONNECTION, RELAY_ATTEMPT,
					  RELAY_END };
	struct relay_record r = sound();

	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
		r.kind = kinds[i];
		ok(egress_record_is_sound(&r));
	}
	ok_int(sizeof kinds / sizeof *kinds, RELAY_RECORD_MAX_ - 1);
}

/* One mistake in each. */
static void refuses_what_is_out_of_range(void)
{
	struct relay_record r = sound();

	r.kind = 0;
	ok(!egress_record_is_sound(&r));
	r.kind = RELAY_RECORD_MAX_;
	ok(!egress_record_is_sound(&r));
	r = sound();
	r.verdict = 0;
	ok(!egress_record_is_sound(&r));
	r.verdict = RELAY_VERDICT_MAX_;
	ok(!egress_record_is_sound(&r));
	r = sound();
	r.is_final = 2;
	ok(!egress_record_is_sound(&r));
	r = sound();
	r.error = -1;
	ok(!egress_record_is_sound(&r));
	r = sound();
	r.address.family = AF_UNIX;
	ok(!egress_record_is_sound(&r));
	r = sound();
	memset(r.name, 'x', sizeof r.name);
	ok(!egress_record_is_sound(&r));
	r = sound();
	r.kind = RELAY_NAMED;
	r.address.family = AF_INET6;
	ok(!egress_record_is_sound(&r));
	r.address.family = AF_INET;
	r.name[0] = '\0';
	ok(!egress_record_is_sound(&r));
}

static void makes_an_entry_of_a_record(void)
{
	struct relay_record r = sound();
	struct egress_entry e;

	ok(egress_entry_fill(&r, BEGUN_NS, &e));
	ok(strcmp(e.host, "site.example") == 0 && e.family == AF_INET &&
	   e.address[0] == 44 && e.address[3] == 7);
	ok(e.is_allowed && e.reason == EGRESS_REACHED && !e.is_udp);
	ok_int(e.port, 443);
	ok_int(e.connections, 3);
	ok_int(e.bytes_in, 70);
	ok_int(e.bytes_out, 7);
	ok_int(e.first_ms, 12);
	r.first_ns = 0; /* before the run began: at its start */
	ok(egress_entry_fill(&r, BEGUN_NS, &e));
	ok_int(e.first_ms, 0);
}

static void tells_verdicts_apart(void)
{
	static const struct {
		uint16_t verdict;
		enum egress_reason reason;
		bool is_allowed;
	} rows[] = {
		{ RELAY_ALLOWED, EGRESS_REACHED, true },
		{ RELAY_NO_RULE, EGRESS_NO_RULE, false },
		{ RELAY_ADDRESS_RANGE, EGRESS_ADDRESS_RANGE, false },
		{ RELAY_RESOLVE_FAILED, EGRESS_RESOLVE_FAILED, true },
		{ RELAY_CONNECT_FAILED, EGRESS_CONNECT_FAILED, true },
		{ RELAY_SNI_MISMATCH, EGRESS_SNI_MISMATCH, false },
		{ RELAY_LIMIT, EGRESS_LIMIT, false },
	};
	struct relay_record r = sound();
	struct egress_entry e;

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		r.verdict = rows[i].verdict;
		ok(egress_entry_fill(&r, BEGUN_NS, &e));
		ok_int(e.reason, rows[i].reason);
		ok_int(e.is_allowed, rows[i].is_allowed);
	}
}

/* A question for an allowed name is not a destination that was reached. */
static void leaves_answered_questions_out(void)
{
	struct relay_record r = sound();
	struct egress_entry e;

	r.kind = RELAY_NAME;
	ok(!egress_entry_fill(&r, BEGUN_NS, &e));
	r.verdict = RELAY_NO_RULE;
	ok(egress_entry_fill(&r, BEGUN_NS, &e));
	ok_int(e.port, 0);
}

/* --- RECORD_NETWORK ----------------------------------------------------------- */

static int fds_count(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(dir) != NULL)
		n++;
	(void)closedir(dir);
	return n - 3;
}

static void record_send(int to, const struct record *record, size_t n)
{
	struct iovec v = { .iov_base = (void *)(uintptr_t)record,
			   .iov_len = sizeof *record };
	union {
		struct cmsghdr head;
		char bytes[CMSG_SPACE(EGRESS_SOCKETS_MAX * sizeof(int))];
	} control = { 0 };
	struct msghdr msg = { .msg_iov = &v,
			      .msg_iovlen = 1,
			      .msg_control = n > 0 ? &control : NULL,
			      .msg_controllen =
				      n > 0 ? CMSG_SPACE(n * sizeof(int)) : 0 };

	control.head.cmsg_level = SOL_SOCKET;
	control.head.cmsg_type = SCM_RIGHTS;
	control.head.cmsg_len = CMSG_LEN(n * sizeof(int));
	for (size_t i = 0; i < n; i++)
		memcpy(CMSG_DATA(&control.head) + i * sizeof to, &to,
		       sizeof to);
	ok(sendmsg(to, &msg, 0) == (ssize_t)sizeof *record);
}

/* The result of control_read for such a record with n descriptors. */
static int network_read(uint64_t made0, uint64_t made1, size_t n,
			size_t *ret_len)
{
	struct record record = { .kind = RECORD_NETWORK,
				 .network_made = { made0, made1 } };
	struct control_message m = { 0 };
	int before = fds_count();
	int pair[2];
	int e;

	ok(socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, pair) == 0);
	record_send(pair[1], &record, n);
	e = control_read(pair[0], &m);
	for (size_t i = 0; e == 0 && i < m.sockets_len; i++)
		(void)close(m.sockets[i]);
	(void)close(pair[0]);
	(void)close(pair[1]);
	ok_int(fds_count(), before);
	*ret_len = e == 0 ? m.sockets_len : 0;
	return e;
}

static void takes_a_bit_for_each_socket(void)
{
	size_t len = 0;

	ok_int(network_read(7, 0, 3, &len), 0);
	ok_int(len, 3);
	ok_int(network_read(5, 1, 3, &len), 0);
	ok_int(len, 3);
	ok_int(network_read(0, 0, 0, &len), 0);
	ok_int(len, 0);
	ok_int(network_read(~UINT64_C(0),
			    (UINT64_C(1) << (EGRESS_SOCKETS_MAX - 64)) - 1,
			    EGRESS_SOCKETS_MAX, &len),
	       0);
	ok_int(len, EGRESS_SOCKETS_MAX);
}

static void refuses_any_other_number_and_closes_all(void)
{
	size_t len = 0;

	ok_int(network_read(7, 0, 2, &len), -EPROTO);
	ok_int(network_read(3, 0, 3, &len), -EPROTO);
	ok_int(network_read(0, 0, 1, &len), -EPROTO);
	ok_int(network_read(0, UINT64_C(1) << (EGRESS_SOCKETS_MAX - 64), 1,
			    &len),
	       -EPROTO);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(takes_a_sound_record),
		CASE(refuses_what_is_out_of_range),
		CASE(makes_an_entry_of_a_record),
		CASE(tells_verdicts_apart),
		CASE(leaves_answered_questions_out),
		CASE(takes_a_bit_for_each_socket),
		CASE(refuses_any_other_number_and_closes_all),
		TAP_END,
	});
}
