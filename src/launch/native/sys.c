/* sys.c -- see sys.h: the one call that needs more than sys_raw(). */
#include "launch/native/sys.h"

#include <linux/sched.h>

/* The child returns from the system call on another stack, so nothing of this
 * frame may be read again: fn and arg are passed in registers. */
static __attribute__((noinline, no_sanitize("address", "undefined"))) long
clone3_raw(struct clone_args *args, int (*fn)(void *), void *arg, long key)
{
#if defined(__x86_64__)
	register int (*child_fn)(void *) __asm__("r12") = fn;
	register void *child_arg __asm__("r13") = arg;
	register long sixth __asm__("r9") = key;
	long ret;

	__asm__ volatile("syscall\n\t"
			 "test %%rax, %%rax\n\t"
			 "jnz 1f\n\t"
			 "xor %%ebp, %%ebp\n\t"
			 "mov %%r13, %%rdi\n\t"
			 "call *%%r12\n\t"
			 "mov %%eax, %%edi\n\t"
			 "mov %[exit], %%eax\n\t"
			 "syscall\n\t"
			 "hlt\n"
			 "1:"
			 : "=a"(ret)
			 : "a"((long)SYS_clone3), "D"(args), "S"(sizeof *args),
			   "r"(child_fn), "r"(child_arg),
			   "r"(sixth), [exit] "i"(SYS_exit)
			 : "rcx", "r11", "memory");
	return ret;
#else
	register long x8 __asm__("x8") = SYS_clone3;
	register long x0 __asm__("x0") = (long)args;
	register long x1 __asm__("x1") = (long)sizeof *args;
	register int (*child_fn)(void *) __asm__("x19") = fn;
	register void *child_arg __asm__("x20") = arg;
	register long sixth __asm__("x5") = key;

	__asm__ volatile("svc 0\n\t"
			 "cbnz x0, 1f\n\t"
			 "mov x29, xzr\n\t"
			 "mov x0, x20\n\t"
			 "blr x19\n\t"
			 "mov x8, %[exit]\n\t"
			 "svc 0\n\t"
			 "brk 0\n"
			 "1:"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(child_fn), "r"(child_arg),
			   "r"(sixth), [exit] "i"(SYS_exit)
			 : "memory", "x30");
	return x0;
#endif
}

long sys_clone3(struct sys *k, struct clone_args *args, int (*fn)(void *),
		void *arg)
{
	long r = sys_count(k);

	return r < 0 ? r : clone3_raw(args, fn, arg, k->key);
}
