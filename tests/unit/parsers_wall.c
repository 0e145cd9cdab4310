/* parsers_wall.c -- every call number, each in a child behind the filter. */
#include "parsers/program/parse_wall.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"

#define CALLS 600

static bool is_allowed(long nr)
{
	static const long allowed[] = {
		SYS_read, SYS_write,      SYS_lseek,         SYS_pread64,
		SYS_brk,  SYS_munmap,     SYS_mremap,        SYS_futex,
		SYS_exit, SYS_exit_group, SYS_clock_gettime, SYS_mmap,
	};

	for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
		if (allowed[i] == nr)
			return true;
	return false;
}

/* uretprobe and uprobe: seccomp passes them unseen on x86-64 (kernel/seccomp.c,
 * since Linux 6.12 and 6.18); outside a probe's trampoline they do nothing but
 * SIGILL or an error. */
static bool is_exempt(long nr)
{
#ifdef __x86_64__
	return nr == 335 || nr == 336;
#else
	(void)nr;
	return false;
#endif
}

/* The wait status of a child that makes one call behind the wall. */
static int call_alone(long nr, long a2)
{
	int status = -1;
	pid_t pid = fork();

	if (pid == 0) {
		if (wall_raise() < 0)
			_exit(99);
		(void)syscall(nr, 0L, 4096L, a2, 0x22L, -1L, 0L);
		syscall(SYS_exit_group, 7);
	}
	(void)waitpid(pid, &status, 0);
	return status;
}

static bool is_killed(int status)
{
	return WIFSIGNALED(status) && WTERMSIG(status) == SIGSYS;
}

static void only_the_listed_calls_pass(void)
{
	for (long nr = 0; nr < CALLS; nr++) {
		int status;

		if (nr == SYS_exit || nr == SYS_exit_group || nr == SYS_read)
			continue;
		if (nr == SYS_futex || nr == SYS_munmap || nr == SYS_mremap)
			continue; /* allowed; with these arguments they may block */
		if (is_exempt(nr))
			continue;
		status = call_alone(nr, PROT_READ);
		if (is_killed(status) == is_allowed(nr)) {
			fprintf(stderr, "# call %ld: status %x\n", nr, status);
			ok(0);
		}
	}
}

static void memory_is_never_executable(void)
{
	ok(!is_killed(call_alone(SYS_mmap, PROT_READ | PROT_WRITE)));
	ok(is_killed(call_alone(SYS_mmap, PROT_READ | PROT_EXEC)));
	ok(is_killed(call_alone(SYS_mprotect, PROT_READ)));
}

static void foreign_abis_are_killed(void)
{
#ifdef __x86_64__
	ok(is_killed(call_alone(0x40000000L | SYS_write, 0)));
#endif
	ok(is_killed(call_alone(-1, 0)));
}

int main(void)
{
	return tap_run((struct tap_case[]){ CASE(only_the_listed_calls_pass),
					    CASE(memory_is_never_executable),
					    CASE(foreign_abis_are_killed),
					    TAP_END });
}
