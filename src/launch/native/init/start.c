/* start.c -- the entry point, and the four functions that a compiler may
 * call. */
#include <stddef.h>

#include "launch/native/sys.h"

/* The other program with this entry point names its own. */
#ifndef PROGRAM_MAIN
#define PROGRAM_MAIN init_main
#endif
int PROGRAM_MAIN(void);
void init_start(void);
void *memcpy(void *restrict to, const void *restrict from, size_t n);
void *memmove(void *to, const void *from, size_t n);
void *memset(void *to, int c, size_t n);
int memcmp(const void *a, const void *b, size_t n);
size_t strlen(const char *s);

#if defined(__x86_64__)
__asm__(".globl _start\n.hidden _start\n_start:\n\txor %ebp, %ebp\n\tand $-16, "
	"%rsp\n\t"
	"call init_start\n\thlt\n");
#else
__asm__(".globl _start\n.hidden _start\n_start:\n\tmov x29, xzr\n\tbl "
	"init_start\n\tbrk 0\n");
#endif

#if defined(__x86_64__)
__asm__(".globl signal_return\n.hidden signal_return\nsignal_return:\n\t"
	"mov $15, %eax\n\tsyscall\n\thlt\n"); /* rt_sigreturn */
#else
__asm__(".globl signal_return\n.hidden signal_return\nsignal_return:\n\t"
	"mov x8, #139\n\tsvc 0\n\tbrk 0\n");
#endif

void init_start(void)
{
	(void)sys_raw(SYS_exit_group, PROGRAM_MAIN(), 0, 0, 0, 0, 0);
	__builtin_unreachable();
}

/* Keeps a compiler from recognising a memcpy or memset in the loops below: it
 * would then make the function call itself. */
#define NOT_AN_IDIOM() __asm__ volatile("")

void *memcpy(void *restrict to, const void *restrict from, size_t n)
{
	char *t = to;
	const char *f = from;

	while (n-- > 0) {
		*t++ = *f++;
		NOT_AN_IDIOM();
	}
	return to;
}

void *memmove(void *to, const void *from, size_t n)
{
	char *t = to;
	const char *f = from;

	if (t <= f)
		return memcpy(to, from, n);
	while (n-- > 0) {
		t[n] = f[n];
		NOT_AN_IDIOM();
	}
	return to;
}

void *memset(void *to, int c, size_t n)
{
	char *t = to;

	while (n-- > 0) {
		*t++ = (char)c;
		NOT_AN_IDIOM();
	}
	return to;
}

int memcmp(const void *a, const void *b, size_t n)
{
	const unsigned char *p = a;
	const unsigned char *q = b;

	for (size_t i = 0; i < n; i++)
		if (p[i] != q[i])
			return p[i] - q[i];
	return 0;
}

size_t strlen(const char *s)
{
	size_t n = 0;

	while (s[n] != '\0') {
		n++;
		NOT_AN_IDIOM();
	}
	return n;
}
