/* plan_trace_filter.c -- which calls stop for the tracer, and which do not. */
#include "tap.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/socket.h>
#include <sys/syscall.h>

#include "plan/filter.h"
#include "plan/trace_filter.h"
#include "tracer/stops.h"

#define ARCH      AUDIT_ARCH_X86_64
#define FAST      UINT64_C(0x20000000)
#define STOP(w)   (SECCOMP_RET_TRACE | (uint32_t)(w))
#define REFUSE(e) (SECCOMP_RET_ERRNO | (uint32_t)(e))

static uint32_t answer(struct trace_plan plan, uint32_t arch, int nr,
		       unsigned flags_at, uint64_t flags)
{
	struct sock_filter insns[TRACE_FILTER_MAX];
	struct filter f = { .insns = insns };
	uint64_t args[6] = { 0 };

	f.len = trace_filter_build(&plan, arch, insns);
	args[flags_at] = flags;
	return filter_run(&f, ARCH, nr, args);
}

static const struct trace_plan execs = { true, false };
static const struct trace_plan connects = { false, true };
static const struct trace_plan both = { true, true };

static void nothing_asked_is_no_filter(void)
{
	struct sock_filter insns[TRACE_FILTER_MAX];
	const struct trace_plan none = { false, false };

	ok_int((intmax_t)trace_filter_build(&none, ARCH, insns), 0);
}

static void execs_stop_when_asked(void)
{
	ok_int(answer(execs, ARCH, SYS_execve, 0, 0), STOP(TRACER_EXEC));
	ok_int(answer(execs, ARCH, SYS_execveat, 0, 0), STOP(TRACER_EXEC_AT));
	ok_int(answer(execs, ARCH, SYS_connect, 0, 0), SECCOMP_RET_ALLOW);
	ok_int(answer(connects, ARCH, SYS_execve, 0, 0), SECCOMP_RET_ALLOW);
	ok_int(answer(both, ARCH, SYS_execveat, 0, 0), STOP(TRACER_EXEC_AT));
}

static void connects_stop_when_asked(void)
{
	ok_int(answer(connects, ARCH, SYS_connect, 0, 0), STOP(TRACER_CONNECT));
	ok_int(answer(both, ARCH, SYS_connect, 0, 0), STOP(TRACER_CONNECT));
}

static void sends_are_refused_only_when_they_connect(void)
{
	static const struct {
		int nr;
		unsigned at;
	} rows[] = {
		{ SYS_sendto, 3 },
		{ SYS_sendmsg, 2 },
		{ SYS_sendmmsg, 3 },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ok_int(answer(both, ARCH, rows[i].nr, rows[i].at,
			      FAST | 0x4000),
		       REFUSE(EOPNOTSUPP));
		ok_int(answer(both, ARCH, rows[i].nr, rows[i].at,
			      FAST | UINT64_C(0x100000000)),
		       REFUSE(EOPNOTSUPP));
		ok_int(answer(both, ARCH, rows[i].nr, rows[i].at, 0x4000),
		       SECCOMP_RET_ALLOW);
		ok_int(answer(execs, ARCH, rows[i].nr, rows[i].at, FAST),
		       SECCOMP_RET_ALLOW);
	}
}

static uint32_t answer_of(int nr, uint64_t a, uint64_t b, uint64_t c)
{
	struct sock_filter insns[TRACE_FILTER_MAX];
	struct filter f = { .insns = insns };
	uint64_t args[6] = { a, b, c };

	f.len = trace_filter_build(&both, ARCH, insns);
	return filter_run(&f, ARCH, nr, args);
}

static void only_sockets_that_connect_by_connect_are_made(void)
{
	static const struct {
		uint64_t domain, type, protocol;
		uint32_t verdict;
	} rows[] = {
		{ AF_UNIX, SOCK_SEQPACKET, 0, SECCOMP_RET_ALLOW },
		{ AF_NETLINK, SOCK_RAW, 0, SECCOMP_RET_ALLOW },
		{ AF_INET, SOCK_STREAM, 0, SECCOMP_RET_ALLOW },
		{ AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 6,
		  SECCOMP_RET_ALLOW },
		{ AF_INET6, SOCK_STREAM, 262, SECCOMP_RET_ALLOW },
		{ AF_INET6, SOCK_DGRAM, 17, SECCOMP_RET_ALLOW },
		{ AF_INET, SOCK_DGRAM, 1, SECCOMP_RET_ALLOW },
		{ AF_INET6, SOCK_DGRAM, 58, SECCOMP_RET_ALLOW },
		{ AF_INET, SOCK_SEQPACKET, 0, REFUSE(ESOCKTNOSUPPORT) },
		{ AF_INET, 6 /* DCCP */, 33, REFUSE(ESOCKTNOSUPPORT) },
		{ AF_INET, SOCK_STREAM, 132, REFUSE(EPROTONOSUPPORT) },
		{ AF_INET, SOCK_STREAM, 256 /* SMC */,
		  REFUSE(EPROTONOSUPPORT) },
		{ AF_INET | UINT64_C(0x100000000), SOCK_STREAM, 132,
		  REFUSE(EPROTONOSUPPORT) },
		{ 43 /* AF_SMC */, SOCK_STREAM, 0, REFUSE(EAFNOSUPPORT) },
		{ 40 /* AF_VSOCK */, SOCK_STREAM, 0, REFUSE(EAFNOSUPPORT) },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ok_int(answer_of(SYS_socket, rows[i].domain, rows[i].type,
				 rows[i].protocol),
		       rows[i].verdict);
	ok_int(answer(execs, ARCH, SYS_socket, 0, 43), SECCOMP_RET_ALLOW);
}

static void an_option_that_defers_connects_is_refused(void)
{
	ok_int(answer_of(SYS_setsockopt, 3, 6, 30), REFUSE(EOPNOTSUPP));
	ok_int(answer_of(SYS_setsockopt, 3, 6, 1), SECCOMP_RET_ALLOW);
	ok_int(answer_of(SYS_setsockopt, 3, 1, 30), SECCOMP_RET_ALLOW);
}

static void sharing_of_descriptors_is_told(void)
{
	ok_int(answer_of(SYS_clone, CLONE_FILES, 0, 0), STOP(TRACER_SHARE));
	ok_int(answer_of(SYS_clone, CLONE_FILES | CLONE_VM | CLONE_SIGHAND, 0,
			 0),
	       STOP(TRACER_SHARE));
	ok_int(answer_of(SYS_clone,
			 CLONE_FILES | CLONE_VM | CLONE_SIGHAND | CLONE_THREAD,
			 0, 0),
	       SECCOMP_RET_ALLOW);
	ok_int(answer_of(SYS_clone, CLONE_VM | CLONE_VFORK, 0, 0),
	       SECCOMP_RET_ALLOW);
}

static void writes_into_the_memory_of_others_are_refused(void)
{
	const struct trace_plan plans[] = { execs, connects, both };

	for (size_t i = 0; i < sizeof plans / sizeof *plans; i++) {
		ok_int(answer(plans[i], ARCH, SYS_process_vm_writev, 0, 1),
		       REFUSE(EPERM));
		ok_int(answer(plans[i], ARCH, SYS_userfaultfd, 0, 1),
		       REFUSE(EPERM));
	}
	ok_int(answer(both, ARCH, SYS_process_vm_readv, 0, 1),
	       SECCOMP_RET_ALLOW);
}

static void other_calls_pass(void)
{
	ok_int(answer(both, ARCH, SYS_read, 0, 0), SECCOMP_RET_ALLOW);
	ok_int(answer(both, ARCH, SYS_clone, 0, 0), SECCOMP_RET_ALLOW);
}

/* The tracer does not rely on the filter's data.  Both must say the same about
 * every call, with each set of flags that a row tests. */
static void the_tracer_decides_as_the_filter_does(void)
{
	static const struct trace_plan plans[] = { { true, false },
						   { false, true },
						   { true, true } };
	static const uint32_t flags[] = { 0,
					  CLONE_FILES,
					  CLONE_THREAD,
					  CLONE_FILES | CLONE_THREAD,
					  UINT32_MAX & ~(uint32_t)CLONE_THREAD,
					  UINT32_MAX };

	for (uint32_t p = 1; p <= 3; p++) {
		unsigned differ = 0, stops = 0;

		for (int nr = 0; nr < 1024; nr++)
			for (size_t i = 0; i < sizeof flags / sizeof *flags;
			     i++) {
				uint32_t v = answer(plans[p - 1], ARCH, nr, 0,
						    flags[i]);
				uint32_t what =
					(v & SECCOMP_RET_ACTION_FULL) ==
							SECCOMP_RET_TRACE
						? v & SECCOMP_RET_DATA
						: TRACER_NONE;

				stops += what != TRACER_NONE;
				differ += what !=
					  stop_find(p, (uint32_t)nr, flags[i]);
			}
		ok_int(differ, 0);
		ok_int(stops, p == 1 ? 18 : p == 2 ? 14 : 26);
	}
	ok_int(TRACER_EXECS | TRACER_CONNECTS, 3);
}

static void numbers_of_another_abi_mean_nothing(void)
{
	ok_int(answer(both, AUDIT_ARCH_AARCH64, SYS_execve, 0, 0),
	       SECCOMP_RET_KILL_PROCESS);
	ok_int(answer(both, ARCH, 0x40000000 | 520, 0, 0),
	       SECCOMP_RET_ERRNO | ENOSYS);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(nothing_asked_is_no_filter), CASE(execs_stop_when_asked),
		CASE(connects_stop_when_asked),
		CASE(sends_are_refused_only_when_they_connect),
		CASE(only_sockets_that_connect_by_connect_are_made),
		CASE(an_option_that_defers_connects_is_refused),
		CASE(sharing_of_descriptors_is_told),
		CASE(writes_into_the_memory_of_others_are_refused),
		CASE(other_calls_pass),
		CASE(the_tracer_decides_as_the_filter_does),
		CASE(numbers_of_another_abi_mean_nothing), TAP_END });
}
