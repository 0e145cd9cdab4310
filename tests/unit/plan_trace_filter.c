/* plan_trace_filter.c -- which calls stop for the tracer, and which do not. */
#include "tap.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

#include "plan/filter.h"
#include "plan/trace_filter.h"
#include "tracer/protocol.h"

#define ARCH    AUDIT_ARCH_X86_64
#define FAST    UINT64_C(0x20000000)
#define STOP(w) (SECCOMP_RET_TRACE | (uint32_t)(w))

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

static void sends_stop_only_when_they_connect(void)
{
	static const struct {
		int nr;
		unsigned at;
		enum tracer_call what;
	} rows[] = {
		{ SYS_sendto, 3, TRACER_SENDTO },
		{ SYS_sendmsg, 2, TRACER_SENDMSG },
		{ SYS_sendmmsg, 3, TRACER_SENDMSG },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		ok_int(answer(both, ARCH, rows[i].nr, rows[i].at,
			      FAST | 0x4000),
		       STOP(rows[i].what));
		ok_int(answer(both, ARCH, rows[i].nr, rows[i].at, 0x4000),
		       SECCOMP_RET_ALLOW);
		ok_int(answer(execs, ARCH, rows[i].nr, rows[i].at, FAST),
		       SECCOMP_RET_ALLOW);
	}
}

static void other_calls_pass(void)
{
	ok_int(answer(both, ARCH, SYS_read, 0, 0), SECCOMP_RET_ALLOW);
	ok_int(answer(both, ARCH, SYS_clone, 0, 0), SECCOMP_RET_ALLOW);
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
		CASE(sends_stop_only_when_they_connect), CASE(other_calls_pass),
		CASE(numbers_of_another_abi_mean_nothing), TAP_END });
}
