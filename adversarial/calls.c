/* calls.c -- one system call each, with arguments that a kernel which lets the
 * call in answers with something else than a refusal (EFAULT, EINVAL, EBADF,
 * ENODEV), or, where it asks for a capability of the host first, with its own
 * EPERM after the filter let it pass. */
#include "attack.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/keyctl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BAD 8 /* an address that is never mapped */

/* System calls that are newer than the C library's headers may be. The numbers
 * are generic: since 5.1 they are the same on every architecture. */
enum {
	NR_open_tree = 428,
	NR_move_mount = 429,
	NR_fsopen = 430,
	NR_fsconfig = 431,
	NR_fsmount = 432,
	NR_fspick = 433,
	NR_clone3 = 435,
	NR_pidfd_getfd = 438,
	NR_process_madvise = 440,
	NR_mount_setattr = 442,
	NR_statmount = 457,
	NR_listmount = 458,
	NR_open_tree_attr = 467,
};

struct call {
	const char *name;
	long nr;
	long a[6];
};

static const struct call calls[] = {
	{ "mount", SYS_mount, { BAD, BAD, BAD, 0, BAD } },
	{ "umount2", SYS_umount2, { BAD, 0 } },
	{ "pivot_root", SYS_pivot_root, { BAD, BAD } },
	{ "open_tree", NR_open_tree, { -1, BAD, 0 } },
	{ "open_tree_attr", NR_open_tree_attr, { -1, BAD, 0, 0, 0 } },
	{ "move_mount", NR_move_mount, { -1, BAD, -1, BAD, 0 } },
	{ "fsopen", NR_fsopen, { BAD, 0 } },
	{ "fsconfig", NR_fsconfig, { -1, 0, BAD, BAD, 0 } },
	{ "fsmount", NR_fsmount, { -1, 0, 0 } },
	{ "fspick", NR_fspick, { -1, BAD, 0 } },
	{ "mount_setattr", NR_mount_setattr, { -1, BAD, 0, BAD, 32 } },
	{ "setns", SYS_setns, { -1, 0 } },
	{ "bpf", SYS_bpf, { 0, BAD, 64 } },
	{ "kexec_load", SYS_kexec_load, { 0, 99, BAD, 0 } },
	{ "init_module", SYS_init_module, { BAD, 64, BAD } },
	{ "finit_module", SYS_finit_module, { -1, BAD, 0 } },
	{ "delete_module", SYS_delete_module, { BAD, 0 } },
	{ "keyctl", SYS_keyctl, { 0, -3, 0 } },
	{ "add_key", SYS_add_key, { BAD, BAD, BAD, 8, -3 } },
	{ "request_key", SYS_request_key, { BAD, BAD, BAD, -3 } },
	{ "ptrace", SYS_ptrace, { 16 /* ATTACH */, 0x3fffff, 0, 0 } },
	{ "process_vm_readv",
	  SYS_process_vm_readv,
	  { 0x3fffff, BAD, 1, BAD, 1, 0 } },
	{ "process_vm_writev",
	  SYS_process_vm_writev,
	  { 0x3fffff, BAD, 1, BAD, 1, 0 } },
	{ "pidfd_getfd", NR_pidfd_getfd, { -1, 0, 0 } },
	{ "process_madvise", NR_process_madvise, { -1, BAD, 1, 0, 0 } },
	{ "perf_event_open", SYS_perf_event_open, { BAD, 0, -1, -1, 0 } },
	{ "userfaultfd", SYS_userfaultfd, { 1 /* USER_MODE_ONLY */ } },
	{ "open_by_handle_at", SYS_open_by_handle_at, { -1, BAD, 0 } },
	{ "name_to_handle_at",
	  SYS_name_to_handle_at,
	  { -1, BAD, BAD, BAD, 0 } },
	{ "swapon", SYS_swapon, { BAD, 0 } },
	{ "swapoff", SYS_swapoff, { BAD } },
	{ "settimeofday", SYS_settimeofday, { BAD, 0 } },
	{ "clock_settime", SYS_clock_settime, { 0, BAD } },
	{ "acct", SYS_acct, { BAD } },
	{ "quotactl", SYS_quotactl, { 0, BAD, 0, BAD } },
	{ "io_uring_setup", SYS_io_uring_setup, { 8, BAD } },
	{ "io_uring_enter", SYS_io_uring_enter, { -1, 0, 0, 0, 0, 0 } },
	{ "io_uring_register", SYS_io_uring_register, { -1, 0, BAD, 1 } },
	{ "clone3", NR_clone3, { BAD, 88 } },
	{ "sethostname", SYS_sethostname, { BAD, 4 } },
	{ "setdomainname", SYS_setdomainname, { BAD, 4 } },
	{ "chroot", SYS_chroot, { BAD } },
	{ "reboot", SYS_reboot, { 0, 0, 0, 0 } }, /* wrong magic: EINVAL */
	{ "kcmp", SYS_kcmp, { 0x3fffff, 0x3fffff, 0, 0, 0 } },
	{ "fanotify_init", SYS_fanotify_init, { 0x200, 0 } },
	{ "statmount", NR_statmount, { BAD, BAD, 0, 0 } },
	{ "listmount", NR_listmount, { BAD, BAD, 0, 0 } },
#ifdef __x86_64__
	{ "modify_ldt", SYS_modify_ldt, { 1, BAD, 16 } },
	{ "x32-getpid", 0x40000000 | SYS_getpid, { 0 } },
	{ "x32-mount", 0x40000000 | SYS_mount, { BAD, BAD, BAD, 0, BAD } },
#endif
};

static void call_one(char **args)
{
	const char *name = arg(args, 0);

	for (size_t i = 0; i < sizeof calls / sizeof *calls; i++)
		if (strcmp(calls[i].name, name) == 0) {
			const long *a = calls[i].a;

			say_errno(syscall(calls[i].nr, a[0], a[1], a[2], a[3],
					  a[4], a[5]),
				  name);
		}
	say("E?", "no call is named %s", name);
}

/* New namespaces by unshare or clone, with the flags that the table gives. */
static void new_namespace(char **args)
{
	unsigned long flags = arg_u64(args, 1);
	long pid;

	if (strcmp(arg(args, 0), "unshare") == 0)
		say_errno(syscall(SYS_unshare, flags), "unshare");
	pid = syscall(SYS_clone, flags | SIGCHLD, 0, 0, 0, 0);
	if (pid == 0)
		_exit(0);
	say_errno(pid, "clone");
}

/* A call through the 32-bit entry, where number 20 is getpid. A filter for
 * 64-bit calls only would take it for writev. */
static void int80_getpid(char **args)
{
	long ret = -ENOSYS;

	(void)args;
#ifdef __x86_64__
	__asm__ volatile("int $0x80" : "=a"(ret) : "a"(20L) : "memory", "cc");
#endif
	errno = ret < 0 ? (int)-ret : 0;
	say_errno(ret < 0 ? -1 : ret, "getpid by int 0x80");
}

/* READ_IMPLIES_EXEC would make every readable page executable. */
static void odd_personality(char **args)
{
	(void)args;
	say_errno(personality(READ_IMPLIES_EXEC), "READ_IMPLIES_EXEC");
}

/* With a seccomp listener of its own, the command could answer for the calls of
 * its children. */
static void own_listener(char **args)
{
	struct {
		unsigned short len;
		void *filter;
	} prog = { 1, (uint64_t[]){ 0x7fff000000000006 } };

	(void)args;
	say_errno(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER,
			  SECCOMP_FILTER_FLAG_NEW_LISTENER, &prog),
		  "seccomp listener");
}

/* A second filter that allows everything must not widen the first one. */
static void filter_over(char **args)
{
	struct {
		unsigned short len;
		void *filter;
	} prog = { 1, (uint64_t[]){ 0x7fff000000000006 } };

	(void)args;
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) < 0)
		say(errno_name(errno), "own filter");
	say_errno(syscall(SYS_mount, BAD, BAD, BAD, 0, BAD), "mount");
}

static void realtime(char **args)
{
	struct sched_param p = { .sched_priority = 1 };

	say_errno(sched_setscheduler(0, (int)arg_u64(args, 0), &p),
		  "sched_setscheduler");
}

/* Look for a key by name in the session keyring, and read it: no namespace
 * separates the caller's keys. */
static void callers_key(char **args)
{
	char secret[16] = "";
	long key = syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING,
			   "user", "cupel-probe", 0);

	(void)args;
	if (key < 0)
		say(errno_name(errno), "KEYCTL_SEARCH");
	say_errno(syscall(SYS_keyctl, KEYCTL_READ, key, secret, sizeof secret),
		  secret);
}

/* Those that no loaded file may open, a child for each: a child that a filter
 * kills, or that is refused, did not get through. */
static void sweep(char **args)
{
	static const long floor[] = {
		SYS_mount,
		SYS_umount2,
		SYS_pivot_root,
		SYS_setns,
		SYS_bpf,
		SYS_keyctl,
		SYS_init_module,
		SYS_finit_module,
		SYS_kexec_load,
		SYS_io_uring_setup,
		SYS_open_by_handle_at,
		NR_fsopen,
		NR_move_mount,
		NR_open_tree,
		NR_mount_setattr,
	};
	int reached = 0;

	(void)args;
	for (size_t i = 0; i < sizeof floor / sizeof *floor; i++) {
		int st;
		pid_t pid = fork();

		if (pid == 0) {
			long r = syscall(floor[i], BAD, BAD, BAD, BAD, BAD);

			_exit(r >= 0 || (errno != EPERM && errno != ENOSYS));
		}
		if (pid < 0 || waitpid(pid, &st, 0) < 0)
			say(errno_name(errno), "fork");
		reached += WIFEXITED(st) && WEXITSTATUS(st) == 1;
	}
	if (reached)
		say("won", "%d calls reached the kernel", reached);
	say("EPERM", "none");
}

const struct attack attacks_calls[] = {
	{ "call", call_one },           { "namespace", new_namespace },
	{ "int80", int80_getpid },      { "personality", odd_personality },
	{ "listener", own_listener },   { "filter-over", filter_over },
	{ "realtime", realtime },       { "sweep", sweep },
	{ "callers-key", callers_key }, { 0 },
};
