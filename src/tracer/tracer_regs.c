/* tracer_regs.c -- registers of a stopped thread: what differs by machine. */
#include <elf.h>
#include <errno.h>
#include <linux/audit.h>
#include <signal.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>

#include "tracer/stops.h"
#include "tracer/tracer.h"

/* include/linux/errno.h of the kernel: this number never reaches programs; the
 * kernel's signal delivery acts on it. */
#define RESTART_SYS     512
#define RESTART_NO_HAND 514

#if defined(__x86_64__)
#define CALL_ARCH AUDIT_ARCH_X86_64
#define registers user_regs_struct
#define RESULT(r) ((r).rax)
#define STACK(r)  ((r).rsp)
#elif defined(__aarch64__)
#define CALL_ARCH AUDIT_ARCH_AARCH64
#define registers user_pt_regs
#define RESULT(r) ((r).regs[0])
#define STACK(r)  ((r).sp)
#ifndef NT_ARM_SYSTEM_CALL
#define NT_ARM_SYSTEM_CALL 0x404
#endif
#else
#error "cupel runs on x86-64 and aarch64"
#endif

static int regs_read(pid_t tid, struct registers *ret)
{
	struct iovec io = { .iov_base = ret, .iov_len = sizeof *ret };

	return ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &io) < 0 ? -errno : 0;
}

static int regs_write(pid_t tid, struct registers *regs)
{
	struct iovec io = { .iov_base = regs, .iov_len = sizeof *regs };

	return ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &io) < 0 ? -errno : 0;
}

/* struct ptrace_syscall_info of ptrace(2), to which C libraries give different
 * names. */
struct call_info {
	uint8_t op;
	uint32_t arch;
	uint64_t ip, sp;
	union {
		struct {
			int64_t result;
			uint8_t is_error;
		} after;
		struct {
			uint64_t nr, args[6];
			uint32_t data; /* of the newest filter that stops it */
		} seccomp;
	};
};

static long info_read(pid_t tid, struct call_info *ret)
{
	memset(ret, 0, sizeof *ret);
	return ptrace(PTRACE_GET_SYSCALL_INFO, tid, (void *)sizeof *ret, ret);
}

/* Recognise it by the call itself, as the filter does: see stops.h. */
int call_read(const struct tracer *t, pid_t tid, struct call *ret)
{
	struct call_info info;

	if (info_read(tid, &info) < 0)
		return -errno;
	if (info.op != PTRACE_SYSCALL_INFO_SECCOMP)
		return -EPROTO;
	for (size_t i = 0; i < 6; i++)
		ret->args[i] = info.seccomp.args[i];
	ret->what = TRACER_NONE;
	if (info.arch == CALL_ARCH)
		ret->what =
			stop_find(t->config.traced, (uint32_t)info.seccomp.nr,
				  (uint32_t)info.seccomp.args[0]);
	return 0;
}

int call_result(pid_t tid, long *ret)
{
	struct call_info info;

	if (info_read(tid, &info) < 0)
		return -errno;
	if (info.op != PTRACE_SYSCALL_INFO_EXIT)
		return -EPROTO;
	*ret = (long)info.after.result;
	return 0;
}

/* With call number -1 the kernel calls nothing and leaves the result to us. */
static int number_write(pid_t tid, struct registers *regs, long number)
{
#if defined(__x86_64__)
	(void)tid;
	regs->orig_rax = (unsigned long long)number;
	return 0;
#else
	int nr = (int)number;
	struct iovec io = { .iov_base = &nr, .iov_len = sizeof nr };

	(void)regs;
	return ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &io) < 0
		       ? -errno
		       : 0;
#endif
}

int call_skip(pid_t tid, long result)
{
	struct registers regs;
	int r = regs_read(tid, &regs);

	if (r == 0)
		r = number_write(tid, &regs, -1);
	RESULT(regs) = (unsigned long long)result;
	return r == 0 ? regs_write(tid, &regs) : r;
}

void call_restart(pid_t tid, bool is_timed)
{
	struct registers regs;

	if (regs_read(tid, &regs) < 0)
		return;
	(void)number_write(tid, &regs, SYS_connect);
	RESULT(regs) = (unsigned long long)-(is_timed ? EINTR : RESTART_SYS);
	(void)regs_write(tid, &regs);
	/* Another thread may take the signal first, but the kernel still looks
	 * at the result on its way to this stop. */
	(void)ptrace(PTRACE_INTERRUPT, tid, NULL, NULL);
}

/* The kernel looks at the result once more when the signal is dealt with. */
void call_resume(const struct tracer *t, pid_t tid, int signal)
{
#if defined(__x86_64__)
	struct registers regs;

	if (regs_read(tid, &regs) < 0 || (long long)regs.rax != -EINTR ||
	    (long long)regs.orig_rax < 0 || !is_ignored(t, tid, signal))
		return;
	regs.rax = (unsigned long long)-RESTART_NO_HAND;
	(void)regs_write(tid, &regs);
#else
	(void)t;
	(void)tid;
	(void)signal;
#endif
}

uint64_t stack_read(pid_t tid)
{
	struct registers regs;

	return regs_read(tid, &regs) == 0 ? STACK(regs) : 0;
}
