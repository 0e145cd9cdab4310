/* sys.h -- the layer through which every system call of launch and init goes.
 *
 * The calls are raw, so that the same code serves the library and the
 * freestanding init, touches no errno and is safe between clone3(2) and
 * execveat(2).  In a build with CUPEL_TEST_HOOKS the n-th call fails with a
 * chosen errno; in this way the fault matrix goes through every failure there
 * is.
 */
#ifndef CUPEL_LAUNCH_SYS_H
#define CUPEL_LAUNCH_SYS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>

#include "base/hooks.h"

/* The calls of one side of a run.  Zero is valid. */
struct sys {
	/* The sixth argument of calls that have fewer.  It lets them pass a
	 * filter that their owner has just put on itself
	 * (launch/native/image.h). */
	long key;
#ifdef CUPEL_TEST_HOOKS
	uint32_t calls; /* made so far */
	struct test_fault fault;
#endif
};

#if defined(__x86_64__)
static inline long sys_raw(long nr, long a, long b, long c, long d, long e,
			   long f)
{
	register long r10 __asm__("r10") = d;
	register long r8 __asm__("r8") = e;
	register long r9 __asm__("r9") = f;
	long ret;

	__asm__ volatile("syscall"
			 : "=a"(ret)
			 : "a"(nr), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8),
			   "r"(r9)
			 : "rcx", "r11", "memory");
	return ret;
}
#elif defined(__aarch64__)
static inline long sys_raw(long nr, long a, long b, long c, long d, long e,
			   long f)
{
	register long x8 __asm__("x8") = nr;
	register long x0 __asm__("x0") = a;
	register long x1 __asm__("x1") = b;
	register long x2 __asm__("x2") = c;
	register long x3 __asm__("x3") = d;
	register long x4 __asm__("x4") = e;
	register long x5 __asm__("x5") = f;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
}
#else
#error "cupel runs on x86-64 and aarch64"
#endif

/* sys_count -- count another call.  Returns 0, or the negative errno with which
 * a test wants it to fail. */
static inline long sys_count(struct sys *k)
{
#ifdef CUPEL_TEST_HOOKS
	k->calls++;
	if (k->fault.call == k->calls)
		return -k->fault.sys;
#endif
	(void)k;
	return 0;
}

/* sys_call -- make the call, or inject its failure.  Returns what the kernel
 * returns: a negative errno on failure. */
static inline long sys_call(struct sys *k, long nr, long a, long b, long c,
			    long d, long e, long f)
{
	long r = sys_count(k);

	return r < 0 ? r : sys_raw(nr, a, b, c, d, e, f);
}

#define sys_arg(x)              ((long)(x))
#define sys0(k, nr)             sys5(k, nr, 0, 0, 0, 0, 0)
#define sys1(k, nr, a)          sys5(k, nr, a, 0, 0, 0, 0)
#define sys2(k, nr, a, b)       sys5(k, nr, a, b, 0, 0, 0)
#define sys3(k, nr, a, b, c)    sys5(k, nr, a, b, c, 0, 0)
#define sys4(k, nr, a, b, c, d) sys5(k, nr, a, b, c, d, 0)
#define sys5(k, nr, a, b, c, d, e)                                             \
	sys_call(k, nr, sys_arg(a), sys_arg(b), sys_arg(c), sys_arg(d),        \
		 sys_arg(e), (k)->key)

/* A failed close leaves nothing to do, so it is not counted. */
static inline void sys_close(int fd)
{
	if (fd >= 0)
		(void)sys_raw(SYS_close, fd, 0, 0, 0, 0, 0);
}

/* An owned descriptor for code without libc: it starts as -1 and is closed at
 * the end of the scope. */
static inline void sys_cleanup_fd(int *fd)
{
	sys_close(*fd);
	*fd = -1;
}
#define owned_sys_fd __attribute__((cleanup(sys_cleanup_fd)))

static inline int sys_take_fd(int *fd)
{
	int out = *fd;

	*fd = -1;
	return out;
}

struct clone_args; /* linux/sched.h */

/* sys_clone3 -- clone3(2); the child runs fn(arg) on the stack that args name
 * and exits with what fn returns.  For children with CLONE_VM. */
long sys_clone3(struct sys *k, struct clone_args *args, int (*fn)(void *),
		void *arg);

#endif
