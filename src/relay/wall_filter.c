/* wall_filter.c -- see wall_filter.h. */
#include "relay/wall_filter.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define FILTER_ARCH AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define FILTER_ARCH AUDIT_ARCH_AARCH64
#else
#error "no filter for this architecture"
#endif

#define LOAD(field)                                                            \
	BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define ARG(n)          LOAD(args[n])
#define RETURN(verdict) BPF_STMT(BPF_RET | BPF_K, (verdict))
/* Numbers of the x32 ABI have bit 30 set and so equal none of these. */
#define ALLOW(call)                                                            \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 1),                \
		RETURN(SECCOMP_RET_ALLOW)
/* The process is killed if any of these bits is set in the argument. */
#define ALLOW_WITHOUT(call, n, bits)                                           \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_##call, 0, 4), ARG(n),        \
		BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, bits, 0, 1),              \
		RETURN(SECCOMP_RET_KILL_PROCESS), RETURN(SECCOMP_RET_ALLOW)
#define IS(value, yes, no) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, yes, no)
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
	      "the low half of an argument comes first");
static_assert(sizeof(((struct seccomp_data *)0)->args[0]) == 8, "of two");

#define SOCKET_FLAGS (SOCK_CLOEXEC | SOCK_NONBLOCK)

/* None of these calls takes a path, makes a process or maps memory. socket
 * makes IP streams and datagrams of the default protocol only; fcntl sets
 * O_NONBLOCK and the size of a pipe; sending may not open a connection
 * (MSG_FASTOPEN), because Landlock would not see it. */
static const struct sock_filter insns[] = {
	LOAD(arch),
	IS(FILTER_ARCH, 1, 0),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	LOAD(nr),
	ALLOW(epoll_pwait),
	ALLOW(recvfrom),
	ALLOW_WITHOUT(sendto, 3, MSG_FASTOPEN),
	ALLOW(epoll_ctl),
	ALLOW(splice),
	ALLOW(pipe2),
	ALLOW(accept4),
	ALLOW(close),
	ALLOW(recvmsg),
	ALLOW_WITHOUT(sendmsg, 2, MSG_FASTOPEN),
	ALLOW(connect),
	ALLOW(bind),
	ALLOW(listen),
	ALLOW(shutdown),
	ALLOW(getsockname),
	ALLOW(getsockopt),
	ALLOW(setsockopt),
	ALLOW(clock_gettime),
	ALLOW(getrandom),
	ALLOW(restart_syscall),
	ALLOW(exit_group),
	IS(__NR_fcntl, 0, 4),
	ARG(1),
	IS(F_SETPIPE_SZ, 1, 0),
	IS(F_SETFL, 0, 8),
	RETURN(SECCOMP_RET_ALLOW),
	IS(__NR_socket, 0, 6),
	ARG(0),
	IS(AF_INET, 1, 0),
	IS(AF_INET6, 0, 3),
	ARG(1),
	IS(SOCK_STREAM | SOCKET_FLAGS, 2, 0),
	IS(SOCK_DGRAM | SOCKET_FLAGS, 1, 0),
	RETURN(SECCOMP_RET_KILL_PROCESS),
	ARG(2),
	IS(0, 0, 1),
	RETURN(SECCOMP_RET_ALLOW),
	RETURN(SECCOMP_RET_KILL_PROCESS),
};

int filter_raise(void)
{
	struct sock_fprog program = {
		.len = sizeof insns / sizeof *insns,
		.filter = (struct sock_filter *)(size_t)insns,
	};

	return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program) < 0
		       ? -errno
		       : 0;
}
