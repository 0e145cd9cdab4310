/* tracer_wall.c -- what the tracer gives up before it looks at anything.
 *
 * Landlock is not used, because a process in a Landlock domain may not trace
 * processes outside it. */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/capability.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "tracer/tracer.h"

#if defined(__x86_64__)
#define WALL_ARCH AUDIT_ARCH_X86_64
#else
#define WALL_ARCH AUDIT_ARCH_AARCH64
#endif

/* Held connects need a descriptor each; a few more are open for a moment. */
#define FILES_MAX  (TASKS_MAX + 64)
#define MEMORY_MAX ((rlim_t)128 << 20)

#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(verdict) BPF_STMT(BPF_RET | BPF_K, (verdict))
/* Numbers of the x32 ABI have bit 30 set and so equal none of these. */
#define ALLOW(call)                                                            \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1),                \
		RETURN(SECCOMP_RET_ALLOW)
/* Allowed when none of these bits is in that argument. */
#define ALLOW_WITHOUT(call, arg, bits)                                         \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), LOAD(arg),     \
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, (bits), 1, 0),            \
		RETURN(SECCOMP_RET_ALLOW), RETURN(SECCOMP_RET_KILL_PROCESS)

#define WRITES (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND)

static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "the low half of an argument comes first");

static const struct sock_filter insns[] = {
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, WALL_ARCH, 1, 0),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	LOAD(nr),
	ALLOW(wait4),
	ALLOW(ptrace),
	ALLOW(process_vm_readv),
	ALLOW(readlinkat),
	ALLOW(newfstatat),
	ALLOW(fstat),
	ALLOW(read),
	ALLOW(close),
	ALLOW(pidfd_open),
	ALLOW(pidfd_getfd),
	ALLOW(getsockopt),
	ALLOW(getpeername),
	ALLOW(fcntl),
	ALLOW(connect),
	ALLOW(setitimer),
	ALLOW(ppoll),
#ifdef __NR_poll
	ALLOW(poll),
#endif
	ALLOW(sendto),
	ALLOW(recvfrom),
	ALLOW(recvmsg),
	ALLOW(clock_gettime),
	ALLOW(futex),
	ALLOW(rt_sigreturn),
	ALLOW(brk),
	ALLOW(munmap),
	ALLOW(exit),
	ALLOW(exit_group),
	ALLOW_WITHOUT(openat, args[2], WRITES),
	RETURN(SECCOMP_RET_KILL_PROCESS),
};

static int limit_set(int resource, rlim_t most)
{
	struct rlimit l;

	if (getrlimit((unsigned)resource, &l) < 0)
		return -errno;
	if (l.rlim_max > most)
		l.rlim_max = most;
	l.rlim_cur = l.rlim_max;
	return setrlimit((unsigned)resource, &l) < 0 ? -errno : 0;
}

static int limits_set(void)
{
	static const struct {
		int resource;
		rlim_t most;
	} limits[] = {
		{ RLIMIT_NOFILE, FILES_MAX }, { RLIMIT_AS, MEMORY_MAX },
		{ RLIMIT_FSIZE, 0 },          { RLIMIT_CORE, 0 },
		{ RLIMIT_MEMLOCK, 0 },        { RLIMIT_MSGQUEUE, 0 },
	};
	int r = 0;

	for (size_t i = 0; r == 0 && i < sizeof limits / sizeof *limits; i++)
		r = limit_set(limits[i].resource, limits[i].most);
	return r;
}

/* The user who made a user namespace may trace the processes in it without any
 * capability. */
static int capabilities_drop(void)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	const struct __user_cap_data_struct none[2] = { { 0 } };

	return syscall(SYS_capset, &head, none) < 0 ? -errno : 0;
}

int tracer_wall_raise(void)
{
	struct sock_fprog program = {
		.len = sizeof insns / sizeof *insns,
		.filter = (struct sock_filter *)(size_t)insns,
	};
	int r = limits_set();

	if (r == 0)
		r = capabilities_drop();
	if (r == 0 &&
	    (prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) < 0 ||
	     prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	     syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0))
		r = -errno;
	return r;
}
