/* parse_wall.c -- see parse_wall.h. */
#include "parsers/program/parse_wall.h"

#include <assert.h>
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define WALL_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define WALL_ARCH AUDIT_ARCH_AARCH64
#else
#error "no second filter for this architecture"
#endif

#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define RETURN(verdict) BPF_STMT(BPF_RET | BPF_K, (verdict))
/* Numbers of the x32 ABI have bit 30 set and so equal none of these. */
#define ALLOW(call)                                                            \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1),                \
		RETURN(SECCOMP_RET_ALLOW)

#define PROT_LOW offsetof(struct seccomp_data, args[2])
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "the low half of an argument comes first");

static const struct sock_filter insns[] = {
	LOAD(arch),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, WALL_ARCH, 1, 0),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	LOAD(nr),
	ALLOW(read),
	ALLOW(write),
	ALLOW(lseek),
	ALLOW(pread64),
	ALLOW(brk),
	ALLOW(munmap),
	ALLOW(mremap),
	ALLOW(futex),
	ALLOW(exit),
	ALLOW(exit_group),
	ALLOW(clock_gettime),
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_mmap, 0, 3),
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, PROT_LOW),
	BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 1, 0),
	RETURN(SECCOMP_RET_ALLOW),
	RETURN(SECCOMP_RET_KILL_PROCESS),
};

int wall_raise(void)
{
	struct sock_fprog program = {
		.len = sizeof insns / sizeof *insns,
		.filter = (struct sock_filter *)(size_t)insns,
	};

	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) == 0)
		return 0;
	if (errno != EACCES)
		return -errno;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -errno;
	if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0)
		return -errno;
	return 0;
}
