/* trace_filter.c -- see trace_filter.h.
 *
 * It decides by the number alone, except for a few calls of sockets and clone,
 * so that the kernel's cache of calls that are always allowed still works for
 * all others. */
#include "plan/trace_filter.h"

#include <assert.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "base/hooks.h"
#include "tracer/stops.h"

#ifndef MSG_FASTOPEN
#define MSG_FASTOPEN 0x20000000
#endif
#ifndef IPPROTO_MPTCP
#define IPPROTO_MPTCP 262
#endif
#define FASTOPEN_CONNECT 30  /* TCP_FASTOPEN_CONNECT of linux/tcp.h */
#define KIND_OF_SOCKET   0xf /* SOCK_TYPE_MASK of the kernel's */

/* The x32 ABI's numbers begin here; a kernel without it answers ENOSYS. */
#define X32 0x40000000

#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(verdict) BPF_STMT(BPF_RET | BPF_K, (verdict))
#define STOP(what)      RETURN(SECCOMP_RET_TRACE | (what))
#define REFUSE(error)   RETURN(SECCOMP_RET_ERRNO | (error))
#define ALLOW           RETURN(SECCOMP_RET_ALLOW)

/* Run the next instruction for this call, or skip `skip` of them. */
#define CALL(call, skip)                                                       \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(call), 0, (skip))
/* Run the next instruction if what was loaded is k (has a bit of k); else skip
 * it. */
#define IS(k)  BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (k), 0, 1)
#define HAS(k) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (k), 0, 1)
#define NOT(k) BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (k), 1, 0)

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "the low half of an argument comes first");

/* A send that connects says so in its flags, but its address is in memory that
 * others may change meanwhile. */
#define SEND(call, flags)                                                      \
	CALL(call, 4), LOAD(flags), HAS(MSG_FASTOPEN), REFUSE(EOPNOTSUPP), ALLOW

static const struct sock_filter refusals[] = {
	SEND(SYS_sendto, args[3]),
	SEND(SYS_sendmsg, args[2]),
	SEND(SYS_sendmmsg, args[3]),
	/* A connect that happens at the first send would be reported too
	 * early. */
	CALL(SYS_setsockopt, 6),
	LOAD(args[1]),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, IPPROTO_TCP, 0, 3),
	LOAD(args[2]),
	IS(FASTOPEN_CONNECT),
	REFUSE(EOPNOTSUPP),
	ALLOW,
	/* SCTP connects by options and by sends, and SMC as TCP does.  So only
	 * sockets that connect by connect(2) alone are allowed. */
	CALL(SYS_socket, 32),
	LOAD(args[0]),
	IS(AF_UNIX),
	ALLOW,
	IS(AF_NETLINK),
	ALLOW,
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET, 2, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AF_INET6, 1, 0),
	REFUSE(EAFNOSUPPORT),
	LOAD(args[1]),
	BPF_STMT(BPF_ALU | BPF_AND | BPF_K, KIND_OF_SOCKET),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 3, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_DGRAM, 2, 0),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_RAW, 1, 0),
	REFUSE(ESOCKTNOSUPPORT),
	LOAD(args[2]),
	IS(0),
	ALLOW,
	IS(IPPROTO_TCP),
	ALLOW,
	IS(IPPROTO_UDP),
	ALLOW,
	IS(IPPROTO_ICMP),
	ALLOW,
	IS(IPPROTO_ICMPV6),
	ALLOW,
	IS(IPPROTO_UDPLITE),
	ALLOW,
	IS(IPPROTO_MPTCP),
	ALLOW,
	IS(IPPROTO_RAW),
	ALLOW,
	REFUSE(EPROTONOSUPPORT),
};

/* The first writes into the memory of a program between its exec and the
 * tracer's look at its words.  The second lets the tracer's read of such memory
 * wait for another process. */
static const struct sock_filter memory_refusals[] = {
	CALL(SYS_process_vm_writev, 1),
	REFUSE(EPERM),
	CALL(SYS_userfaultfd, 1),
	REFUSE(EPERM),
};

#define LEN(array) (sizeof(array) / sizeof *(array))

static size_t insns_add(struct sock_filter *to, const struct sock_filter *from,
			size_t n)
{
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
	return n;
}

/* Add one row of the table, of at most STOP_INSNS. */
#define STOP_INSNS 6
static size_t stop_add(struct sock_filter *to, const struct tracer_stop *stop)
{
	const struct sock_filter plain[] = {
		CALL(stop->number, 1),
		STOP(stop->what),
	};
	const struct sock_filter by_argument[] = {
		CALL(stop->number, 5),
		LOAD(args[0]),
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, stop->has, 0, 2),
		NOT(stop->lacks),
		STOP(stop->what),
		ALLOW,
	};

	static_assert(LEN(by_argument) == STOP_INSNS, "the longer one");
	return stop->has == 0 ? insns_add(to, plain, LEN(plain))
			      : insns_add(to, by_argument, LEN(by_argument));
}

static size_t stops_add(struct sock_filter *to, uint32_t traced)
{
	size_t n = 0;

	for (size_t i = 0; i < TRACER_STOPS; i++)
		if (is_traced(&tracer_stops[i], traced))
			n += stop_add(to + n, &tracer_stops[i]);
	return n;
}

size_t trace_filter_build(const struct trace_plan *plan, uint32_t arch,
			  struct sock_filter *ret)
{
	const struct sock_filter head[] = {
		LOAD(arch),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, arch, 1, 0),
		RETURN(SECCOMP_RET_KILL_PROCESS),
		LOAD(nr),
		BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1),
		REFUSE(ENOSYS),
	};
	const struct sock_filter tail[] = { ALLOW };
	uint32_t traced = (plan->exec ? TRACER_EXECS : 0U) |
			  (plan->connect ? TRACER_CONNECTS : 0U);
	size_t n = 0;

	static_assert(LEN(head) + STOP_INSNS * TRACER_STOPS +
				      LEN(memory_refusals) + LEN(refusals) +
				      LEN(tail) <=
			      TRACE_FILTER_MAX,
		      "room for all of it");
	if (traced == 0)
		return 0;
	n += insns_add(ret + n, head, LEN(head));
	n += stops_add(ret + n, traced);
	if (!test_wall_is_down(TEST_WALL_TRACE_MEMORY))
		n += insns_add(ret + n, memory_refusals, LEN(memory_refusals));
	if (plan->connect)
		n += insns_add(ret + n, refusals, LEN(refusals));
	return n + insns_add(ret + n, tail, LEN(tail));
}
