/* withfilter.c -- exec a command under a shipped filter and nothing else.
 *
 * usage: withfilter NAME COMMAND [ARG...]
 *
 * For tests/bench/steady.sh: what the filter alone costs.  No listener is
 * asked for, so what would be a violation is ENOSYS here.
 */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "plan/filter.h"

int main(int argc, char **argv)
{
	const struct filter *f;
	struct sock_fprog prog;

	if (argc < 3 || (f = filter_find(argv[1])) == NULL) {
		fprintf(stderr, "withfilter: no such filter\n");
		return 2;
	}
	prog.len = (unsigned short)f->len;
	prog.filter = (struct sock_filter *)(uintptr_t)f->insns;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) < 0) {
		perror("withfilter");
		return 125;
	}
	execv(argv[2], argv + 2);
	perror(argv[2]);
	return 126;
}
