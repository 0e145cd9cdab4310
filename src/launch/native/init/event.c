/* event.c -- waits for a notification and for signals in one system call.
 *
 * ioctl(2) takes no signal mask as ppoll(2) does: a signal that came just
 * before the call would be lost, and the call would wait for ever.  So signals
 * are let in only around the instructions below.  The handler checks where it
 * interrupted them: if that is before the call, it moves the thread past the
 * call (as the C library does at a point of cancellation). */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <ucontext.h>

#include "launch/native/init/init.h"

#define KERNEL_SIGSET 8 /* bytes of the kernel's sigset_t */

#define EVENTS (UINT64_C(1) << (SIGCHLD - 1) | UINT64_C(1) << (SIGIO - 1))

/* ioctl(fd, request, arg), with the signals of mask let in between event_open
 * and event_shut; wake stays in a register that the handler can see. */
__attribute__((visibility("hidden"))) long event_ioctl(long fd, long request,
						       void *arg,
						       const uint64_t *mask,
						       struct wake *wake);
#define LABEL extern const __attribute__((visibility("hidden"))) char
LABEL event_open[], event_call[], event_back[], event_shut[];
#define HIDDEN(name) ".globl " name "\n.hidden " name "\n"
__asm__(HIDDEN("event_ioctl") HIDDEN("event_open") HIDDEN("event_call")
		HIDDEN("event_back") HIDDEN("event_shut"));

#if defined(__x86_64__)
__asm__("event_ioctl:\n\t"
	"push %r12\n\tpush %r13\n\tpush %r14\n\tpush %r15\n\tpush %rbx\n\t"
	"mov %r8, %r12\n\tmov %rcx, %r13\n\t"
	"mov %rdi, %r14\n\tmov %rsi, %r15\n\tmov %rdx, %rbx\n\t"
	"mov $14, %eax\n\tmov $1, %edi\n\tmov %r13, %rsi\n\t" /* unblock */
	"xor %edx, %edx\n\tmov $8, %r10d\n\tsyscall\n"
	"event_open:\n\t"
	"mov $16, %eax\n\t" /* ioctl */
	"mov %r14, %rdi\n\tmov %r15, %rsi\n\tmov %rbx, %rdx\n"
	"event_call:\n\t"
	"syscall\n"
	"event_back:\n\t"
	"mov %rax, %r14\n\t"
	"mov $14, %eax\n\txor %edi, %edi\n\tmov %r13, %rsi\n\t" /* block */
	"xor %edx, %edx\n\tmov $8, %r10d\n\tsyscall\n"
	"event_shut:\n\t"
	"mov %r14, %rax\n\t"
	"pop %rbx\n\tpop %r15\n\tpop %r14\n\tpop %r13\n\tpop %r12\n\tret\n");

static struct wake *context_wake(ucontext_t *c)
{
	return (struct wake *)c->uc_mcontext.gregs[REG_R12];
}

static uintptr_t context_place(const ucontext_t *c)
{
	return (uintptr_t)c->uc_mcontext.gregs[REG_RIP];
}

static void context_skip(ucontext_t *c)
{
	c->uc_mcontext.gregs[REG_RIP] = (greg_t)(uintptr_t)event_back;
	c->uc_mcontext.gregs[REG_RAX] = -EAGAIN;
}
#else
__asm__("event_ioctl:\n\t"
	"stp x19, x20, [sp, #-48]!\n\tstp x21, x22, [sp, #16]\n\t"
	"str x23, [sp, #32]\n\t"
	"mov x19, x4\n\tmov x20, x3\n\t"
	"mov x21, x0\n\tmov x22, x1\n\tmov x23, x2\n\t"
	"mov x8, #135\n\tmov x0, #1\n\tmov x1, x20\n\t" /* unblock */
	"mov x2, xzr\n\tmov x3, #8\n\tsvc 0\n"
	"event_open:\n\t"
	"mov x8, #29\n\t" /* ioctl */
	"mov x0, x21\n\tmov x1, x22\n\tmov x2, x23\n"
	"event_call:\n\t"
	"svc 0\n"
	"event_back:\n\t"
	"mov x21, x0\n\t"
	"mov x8, #135\n\tmov x0, xzr\n\tmov x1, x20\n\t" /* block */
	"mov x2, xzr\n\tmov x3, #8\n\tsvc 0\n"
	"event_shut:\n\t"
	"mov x0, x21\n\t"
	"ldr x23, [sp, #32]\n\tldp x21, x22, [sp, #16]\n\t"
	"ldp x19, x20, [sp], #48\n\tret\n");

static struct wake *context_wake(ucontext_t *c)
{
	return (struct wake *)c->uc_mcontext.regs[19];
}

static uintptr_t context_place(const ucontext_t *c)
{
	return (uintptr_t)c->uc_mcontext.pc;
}

static void context_skip(ucontext_t *c)
{
	c->uc_mcontext.pc = (uintptr_t)event_back;
	c->uc_mcontext.regs[0] = (unsigned long long)-EAGAIN;
}
#endif

/* All other signals of ours stay blocked meanwhile, so that the handler runs
 * only in event_ioctl(). */
static void on_event(int signal, siginfo_t *si, void *context)
{
	uintptr_t at = context_place(context);
	struct wake *wake;

	if (at < (uintptr_t)event_open || at > (uintptr_t)event_shut)
		return;
	wake = context_wake(context);
	wake->signals++;
	/* Nobody can fake such a code: the kernel forbids it. */
	if (signal == SIGCHLD &&
	    (si->si_code == CLD_EXITED || si->si_code == CLD_KILLED ||
	     si->si_code == CLD_DUMPED))
		wake->ended_pid = si->si_pid;
	if (at <= (uintptr_t)event_call)
		context_skip(context);
}

int events_open(struct init *in)
{
	const struct {
		uint64_t handler, flags, restorer, mask;
	} act = { (uint64_t)(uintptr_t)on_event,
		  SA_SIGINFO | SA_NOCLDSTOP | SIGNAL_RESTORER_FLAG,
		  (uint64_t)(uintptr_t)signal_return, EVENTS };
	long r =
		sys4(&in->k, SYS_rt_sigaction, SIGCHLD, &act, 0, KERNEL_SIGSET);

	if (r == 0)
		r = sys4(&in->k, SYS_rt_sigaction, SIGIO, &act, 0,
			 KERNEL_SIGSET);
	if (r == 0)
		r = sys3(&in->k, SYS_fcntl, in->control_fd, F_SETOWN, 1);
	if (r == 0)
		r = sys3(&in->k, SYS_fcntl, in->control_fd, F_SETFL, O_ASYNC);
	return (int)r;
}

long event_await(struct init *in, long request, void *arg, struct wake *wake)
{
	const uint64_t mask = EVENTS;

	long r = sys_count(&in->k);

	*wake = (struct wake){ 0 };
	if (r < 0)
		return r;
	return event_ioctl(in->listener_fd, request, arg, &mask, wake);
}
