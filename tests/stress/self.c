/* self.c -- what a process may change about itself: prctl, filters, rules. */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/shm.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stress.h"

#define FUTEX_HASH 78 /* PR_FUTEX_HASH, Linux 6.16 */

static char bytes[1 << 20];

/* A table of 64 bytes a slot for the futexes of this address space. */
static void futex_slots(struct job *j)
{
	for (uint64_t slots = 1 << 22; slots >= 1 << 10; slots /= 2) {
		if (!job_take(j, slots * 64))
			return;
		if (prctl(FUTEX_HASH, 1, slots, 0, 0) == 0)
			return;
		job_stop(j);
	}
}

/* The options of prctl by number, but for the one that lets itself be killed with
 * its parent (1), those that give up calls (22, 59) or the clock (26), and that of
 * the mappings (35). */
static void prctl_options(struct job *j)
{
	for (unsigned n = 0; job_storm(j); n++) {
		unsigned option = n % 82;

		if (option == 1 || option == 22 || option == 26 ||
		    option == 35 || option == 59 || option == FUTEX_HASH)
			continue;
		if (prctl((int)option, n / 82 % 4, bytes, 0, 0) < 0)
			job_stop(j);
	}
}

/* Filters of the greatest length, until a task may have no more of them: memory,
 * and memory for code, of which the whole host has one amount. */
static void filters(struct job *j)
{
	static struct sock_filter code[4096];
	struct sock_fprog prog = { .len = 4096, .filter = code };

	for (unsigned i = 0; i < 4095; i++)
		code[i] = (struct sock_filter)BPF_STMT(
			BPF_ALU | BPF_ADD | BPF_K, i + (1U << 30));
	code[4095] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K,
						  SECCOMP_RET_ALLOW);
	while (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) == 0)
		if (!job_take(j, 4096 * 24UL))
			return;
	job_stop(j);
}

/* Filters that are slow, and a call that passes all of them. */
static void filtered_calls(struct job *j)
{
	filters(j);
	while (job_storm(j))
		(void)syscall(SYS_getppid);
}

/* Rules about ports: each is memory of its own, and 65,536 fit into a set. */
static void landlock_rules(struct job *j)
{
	struct {
		uint64_t files, net, scoped;
	} all = { .net = 3 };
	struct {
		uint64_t access, port;
	} rule = { .access = 3 };

	for (;;) {
		int fd = (int)syscall(SYS_landlock_create_ruleset, &all,
				      sizeof all, 0);

		if (fd < 0)
			break;
		for (rule.port = 0; rule.port < 65536; rule.port++) {
			if (syscall(SYS_landlock_add_rule, fd, 2, &rule, 0) < 0)
				break;
			if (!job_take(j, 96))
				return;
		}
	}
	job_stop(j);
}

/* A set of rules that is applied is copied into the domain: 16 times. */
static void landlock_domains(struct job *j)
{
	enum { RULES = 16384 };
	struct {
		uint64_t files, net, scoped;
	} all = { .net = 3 };
	struct {
		uint64_t access, port;
	} rule = { .access = 3 };
	int fd = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);

	for (rule.port = 0; rule.port < RULES; rule.port++)
		(void)syscall(SYS_landlock_add_rule, fd, 2, &rule, 0);
	while (job_take(j, 0) &&
	       syscall(SYS_landlock_restrict_self, fd, 0) == 0)
		if (!job_take(j, RULES * 96UL))
			return;
	job_stop(j);
}

static void segments(struct job *j)
{
	for (;;) {
		int id = shmget(IPC_PRIVATE, 1 << 20, IPC_CREAT | 0600);
		char *p = id >= 0 ? shmat(id, NULL, 0) : (char *)-1;

		if (p == (char *)-1)
			break;
		memset(p, 1, 1 << 20);
		(void)shmdt(p);
		if (!job_take(j, 1 << 20))
			return;
	}
	job_stop(j);
}

static void segments_empty(struct job *j)
{
	while (shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600) >= 0)
		if (!job_take(j, 1200))
			return;
	job_stop(j);
}

static void randomness(struct job *j)
{
	while (job_take(j, 0))
		if (getrandom(bytes, sizeof bytes, 0) < 0)
			job_stop(j);
}

static void vectors(struct job *j)
{
	int null = open("/dev/null", O_RDWR);
	struct iovec v[1024];

	for (int i = 0; i < 1024; i++)
		v[i] = (struct iovec){ bytes, sizeof bytes };
	while (job_take(j, 0)) {
		if (writev(null, v, 1024) < 0)
			job_stop(j);
		(void)preadv(null, v, 1024, 0);
	}
}

/* Pages of another process, which are held while they are read. */
static void other_pages(struct job *j)
{
	struct iovec v[2] = { { bytes, sizeof bytes / 2 },
			      { bytes + sizeof bytes / 2, sizeof bytes / 2 } };

	while (job_take(j, 0)) {
		if (process_vm_readv(getppid(), v, 1, v + 1, 1, 0) < 0)
			job_stop(j);
		(void)process_vm_writev(getpid(), v, 1, v + 1, 1, 0);
	}
}

static void personalities(struct job *j)
{
	for (unsigned n = 0; job_storm(j); n++) {
		if (personality(n & 1 ? ADDR_NO_RANDOMIZE : 0) < 0)
			job_stop(j);
		(void)unshare(CLONE_FILES | CLONE_FS);
		(void)umask(022);
	}
}

static void controls(struct job *j)
{
	static const char *const names[] = { "/dev/null",    "/dev/zero",
					     "/dev/urandom", "/scratch",
					     "/usr/bin/env", "/repo" };
	int fds[6];

	for (int i = 0; i < 6; i++)
		fds[i] = open(names[i], O_RDONLY);
	for (unsigned n = 0; job_storm(j); n++) {
		static const unsigned kinds[] = { 0x5400, 0x5800, 0x6600,
						  0x9400, 0x1200, 0x5200 };

		memset(bytes, 0, 4096);
		if (ioctl(fds[n % 6], kinds[n / 6 % 6] | (n / 36 % 256),
			  bytes) < 0)
			job_stop(j);
	}
}

/* Calls that only look, or change a number of this process. */
static void questions(struct job *j)
{
	static const long calls[] = {
		SYS_getpid,        SYS_getppid,
		SYS_gettid,        SYS_getpgrp,
		SYS_getuid,        SYS_geteuid,
		SYS_getgid,        SYS_getegid,
		SYS_sched_yield,   SYS_times,
		SYS_getcpu,        SYS_uname,
		SYS_sysinfo,       SYS_getrusage,
		SYS_clock_gettime, SYS_sched_getaffinity,
		SYS_getpriority,   SYS_alarm,
		SYS_rt_sigpending, SYS_get_robust_list,
		SYS_pidfd_open,
	};

	for (unsigned n = 0; job_storm(j); n++) {
		long r = syscall(calls[n % 21], 0, bytes, bytes + 4096, 8);

		if (calls[n % 21] == SYS_pidfd_open && r >= 0)
			(void)close((int)r);
	}
}

const struct stressor stress_self[] = {
	{ "futex-slots", "prctl", "PR_FUTEX_HASH: up to 256 MiB a process",
	  futex_slots, true },
	{ "prctl-options", "prctl", "each option in turn", prctl_options,
	  true },
	{ "filters", "seccomp prctl", "filters of 4,096 instructions", filters,
	  true },
	{ "filtered-calls", "seccomp getppid", "calls that pass all of them",
	  filtered_calls, true },
	{ "landlock-rules", "landlock_create_ruleset landlock_add_rule",
	  "65,536 rules a set", landlock_rules, true },
	{ "landlock-domains", "landlock_restrict_self",
	  "16 sets of 16,384 rules applied", landlock_domains, true },
	{ "segments", "shmget shmat shmdt shmctl", "segments of a MiB",
	  segments, true },
	{ "segments-empty", "shmget", "segments without a page", segments_empty,
	  true },
	{ "randomness", "getrandom", "a MiB a call", randomness, true },
	{ "vectors", "readv writev preadv preadv2 pwritev2",
	  "1,024 pieces a call", vectors, true },
	{ "other-pages", "process_vm_readv process_vm_writev",
	  "half a MiB a call", other_pages, true },
	{ "personalities", "personality unshare umask", "changes of oneself",
	  personalities, true },
	{ "controls", "ioctl", "each number of six kinds", controls, true },
	{ "questions",
	  "getpid getppid gettid getpgrp getuid geteuid getgid getegid times "
	  "getcpu uname sysinfo getrusage clock_gettime sched_getaffinity "
	  "getpriority alarm rt_sigpending get_robust_list pidfd_open",
	  "calls that only look", questions, true },
	{ 0 },
};
