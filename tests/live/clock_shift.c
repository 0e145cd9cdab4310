/* clock_shift.c -- runs a program whose wall clock is set while it runs, also if the
 * program does not ask libc for the time (Go's do not; clock_step.c is for libc's).
 *
 * usage: clock_shift FILE PROGRAM [ARG...]
 *
 * FILE has a number of seconds in it, as eight bytes in the machine's order.  The
 * program's wall clock differs from the kernel's by that much.  The kernel's functions
 * that tell the time without a system call are hidden from the program, and its
 * system calls are answered here.  SIGTERM is passed on.  Sources: vdso(7),
 * getauxval(3), seccomp_unotify(2), ptrace(2).
 *
 * Must:     end the program when this process ends
 * Must not: be used for a program that executes another: that one has the vDSO */
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define WORDS_MAX 65536 /* of the stack, until its last auxiliary value */

static volatile pid_t program;

__attribute__((noreturn)) static void die(const char *what)
{
	fprintf(stderr, "clock_shift: %s: %s\n", what, strerror(errno));
	if (program > 0)
		(void)kill(program, SIGKILL);
	exit(99);
}

/* --- the program's side -------------------------------------------------------- */

#define ASK BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF)
#define RUN BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define IF(value, yes, no)                                                     \
	BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), yes, no)
#define LOAD(at) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(at))

/* Have the wall clock's calls asked about; returns the descriptor that asks. */
static int filter_load(void)
{
	struct sock_filter code[] = {
		LOAD(offsetof(struct seccomp_data, nr)),
		IF(SYS_gettimeofday, 4, 0),
#ifdef SYS_time
		IF(SYS_time, 3, 0),
#else
		IF(SYS_gettimeofday, 3, 0),
#endif
		IF(SYS_clock_gettime, 0, 3),
		LOAD(offsetof(struct seccomp_data, args[0])),
		IF(CLOCK_REALTIME, 0, 2),
		ASK,
		RUN,
		IF(CLOCK_REALTIME_COARSE, 0, 1),
		ASK,
		RUN,
	};
	struct sock_fprog policy = { sizeof code / sizeof *code, code };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			    SECCOMP_FILTER_FLAG_NEW_LISTENER, &policy);
}

static void fd_pass(int to, int fd)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr head;
	} control = { 0 };
	struct iovec iov = { "", 1 };
	struct msghdr m = { .msg_iov = &iov,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof control };

	control.head = (struct cmsghdr){ .cmsg_len = CMSG_LEN(sizeof(int)),
					 .cmsg_level = SOL_SOCKET,
					 .cmsg_type = SCM_RIGHTS };
	memcpy(CMSG_DATA(&control.head), &fd, sizeof fd);
	if (sendmsg(to, &m, 0) != 1)
		die("sendmsg");
}

static int fd_take(int from)
{
	union {
		char bytes[CMSG_SPACE(sizeof(int))];
		struct cmsghdr head;
	} control = { 0 };
	char byte;
	struct iovec iov = { &byte, 1 };
	struct msghdr m = { .msg_iov = &iov,
			    .msg_iovlen = 1,
			    .msg_control = &control,
			    .msg_controllen = sizeof control };
	int fd;

	if (recvmsg(from, &m, MSG_CMSG_CLOEXEC) != 1 ||
	    control.head.cmsg_type != SCM_RIGHTS)
		die("recvmsg");
	memcpy(&fd, CMSG_DATA(&control.head), sizeof fd);
	return fd;
}

static void program_begin(int to, char **argv)
{
	int fd;

	if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 ||
	    ptrace(PTRACE_TRACEME, 0, NULL, NULL) < 0)
		die("ptrace");
	fd = filter_load();
	if (fd < 0)
		die("seccomp");
	fd_pass(to, fd);
	(void)close(fd);
	(void)execvp(argv[0], argv);
	die(argv[0]);
}

/* --- our side -------------------------------------------------------------------- */

static uintptr_t stack_of(pid_t pid)
{
	struct user_regs_struct regs;
	struct iovec to = { &regs, sizeof regs };

	if (ptrace(PTRACE_GETREGSET, pid, (void *)NT_PRSTATUS, &to) < 0)
		die("PTRACE_GETREGSET");
#ifdef __x86_64__
	return regs.rsp;
#else
	return regs.sp;
#endif
}

static long word_at(pid_t pid, uintptr_t at)
{
	long word;

	errno = 0;
	word = ptrace(PTRACE_PEEKDATA, pid, (void *)at, NULL);
	if (errno != 0)
		die("PTRACE_PEEKDATA");
	return word;
}

/* A new stack has argc, the arguments and a 0, the environment and a 0, and pairs of
 * auxiliary values, of which the last has type 0.  The pair that says where the
 * kernel's functions are is made one that means nothing. */
static void functions_hide(pid_t pid)
{
	uintptr_t at = stack_of(pid), end = at + WORDS_MAX * sizeof(long);

	at += ((uintptr_t)word_at(pid, at) + 2) * sizeof(long);
	while (word_at(pid, at) != 0 && at < end)
		at += sizeof(long);
	at += sizeof(long);
	for (; at < end; at += 2 * sizeof(long)) {
		long type = word_at(pid, at);

		if (type == AT_NULL)
			break;
		if (type == AT_SYSINFO_EHDR &&
		    ptrace(PTRACE_POKEDATA, pid, (void *)at,
			   (void *)AT_IGNORE) < 0)
			die("PTRACE_POKEDATA");
	}
}

static struct timespec shifted(int file)
{
	struct timespec now = { 0 };
	int64_t seconds = 0;

	(void)clock_gettime(CLOCK_REALTIME, &now);
	if (pread(file, &seconds, sizeof seconds, 0) != sizeof seconds)
		die("the file of the clock");
	now.tv_sec += seconds;
	return now;
}

static bool give(pid_t pid, uint64_t to, const void *what, size_t n)
{
	struct iovec from = { (void *)(uintptr_t)what, n };
	struct iovec there = { (void *)(uintptr_t)to, n };

	return to == 0 ||
	       process_vm_writev(pid, &from, 1, &there, 1, 0) == (ssize_t)n;
}

static void answer(int fd, int file)
{
	struct seccomp_notif asked = { 0 };
	struct seccomp_notif_resp says = { 0 };
	struct timespec now;
	struct timeval coarse;
	bool is_given;

	if (ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &asked) < 0)
		return; /* who asked has ended */
	now = shifted(file);
	coarse = (struct timeval){ now.tv_sec, now.tv_nsec / 1000 };
	if (asked.data.nr == SYS_clock_gettime) {
		is_given = give((pid_t)asked.pid, asked.data.args[1], &now,
				sizeof now);
	} else if (asked.data.nr == SYS_gettimeofday) {
		is_given = give((pid_t)asked.pid, asked.data.args[0], &coarse,
				sizeof coarse);
	} else {
		is_given = give((pid_t)asked.pid, asked.data.args[0],
				&now.tv_sec, sizeof now.tv_sec);
		says.val = now.tv_sec;
	}
	says.id = asked.id;
	says.error = is_given ? 0 : -EFAULT;
	(void)ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &says);
}

static void pass_on(int sig)
{
	(void)kill(program, sig);
}

int main(int argc, char **argv)
{
	int file, pair[2], status = 0;
	struct pollfd p = { .events = POLLIN };

	if (argc < 3)
		return 2;
	file = open(argv[1], O_RDONLY | O_CLOEXEC);
	if (file < 0 ||
	    socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		die(argv[1]);
	program = fork();
	if (program == 0)
		program_begin(pair[1], argv + 2);
	(void)close(pair[1]);
	p.fd = fd_take(pair[0]);
	if (waitpid(program, &status, 0) != program || !WIFSTOPPED(status))
		die("the program did not begin");
	functions_hide(program);
	if (signal(SIGTERM, pass_on) == SIG_ERR ||
	    ptrace(PTRACE_DETACH, program, NULL, NULL) < 0)
		die("PTRACE_DETACH");
	while (poll(&p, 1, -1) < 0 || (p.revents & POLLHUP) == 0)
		if (p.revents & POLLIN)
			answer(p.fd, file);
	if (waitpid(program, &status, 0) != program)
		die("waitpid");
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
