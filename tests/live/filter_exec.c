/* filter_exec.c -- run a command under one shipped filter and nothing else.
 *
 *	filter_exec NAME COMMAND [ARG...]
 *	filter_exec --call NAME CALL [ARG...]	make one call; print its errno
 *
 * Nothing listens for violations here, so they are KILL_PROCESS.  NAME "none"
 * loads no filter. */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan/filter_rule.h"

#ifdef __aarch64__
#define NATIVE AUDIT_ARCH_AARCH64
#else
#define NATIVE AUDIT_ARCH_X86_64
#endif

static int load(const char *name)
{
	const struct filter *f = filter_find(name);
	static struct sock_filter insns[BPF_MAXINSNS];
	struct sock_fprog prog = { 0, insns };

	if (strcmp(name, "none") == 0)
		return 0;
	if (f == NULL || f->len > BPF_MAXINSNS)
		return -1;
	for (size_t i = 0; i < f->len; i++) {
		insns[i] = f->insns[i];
		if (insns[i].code == (BPF_RET | BPF_K) &&
		    insns[i].k == SECCOMP_RET_USER_NOTIF)
			insns[i].k = SECCOMP_RET_KILL_PROCESS;
	}
	prog.len = (unsigned short)f->len;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
		return -1;
	return (int)syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog);
}

/* CALL is a name or a number. */
static int call(char **argv)
{
	long a[7] = { 0 };
	char *end;

	a[0] = (long)strtoull(argv[0], &end, 0);
	if (*end != '\0')
		a[0] = filter_number(argv[0], NATIVE);
	for (int i = 1; i < 7 && argv[i]; i++)
		a[i] = (long)strtoull(argv[i], NULL, 0);
	errno = 0;
	if (syscall(a[0], a[1], a[2], a[3], a[4], a[5], a[6]) >= 0)
		errno = 0;
	(void)printf("%d\n", errno);
	return 0;
}

int main(int argc, char **argv)
{
	struct rlimit no_core = { 0, 0 };
	int is_call = argc > 1 && strcmp(argv[1], "--call") == 0;

	argv += is_call;
	argc -= is_call;
	(void)setrlimit(RLIMIT_CORE, &no_core);
	if (argc < 3 || load(argv[1]) != 0) {
		perror("filter_exec");
		return 125;
	}
	if (is_call)
		return call(argv + 2);
	(void)execvp(argv[2], argv + 2);
	perror(argv[2]);
	return 126;
}
