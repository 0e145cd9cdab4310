/* least.c -- the least that a line of a batch can cost: copies of a process that is
 * in namespaces of its own already, so many at once, made and waited for by system
 * calls alone.  Nothing is planned, limited, captured, checked or answered.
 *
 * usage: least WHAT PLACES RUNS COMMAND [ARG...]
 *
 * WHAT is made of
 *	n	a network namespace; the six others are always there
 *	m	a tmpfs, a proc and 20 files of it that are covered
 *	f	the default policy's filter
 * and "-" is none of these.  Exits 0 when every run was well.
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "plan/filter.h"

#define SIX                                                                    \
	(CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWIPC |           \
	 CLONE_NEWUTS | CLONE_NEWCGROUP)

static void die(const char *what)
{
	perror(what);
	_exit(2);
}

static void text_write(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0 || write(fd, text, strlen(text)) < 0)
		die(path);
	close(fd);
}

static void maps_write(unsigned uid, unsigned gid)
{
	char text[64];

	text_write("/proc/self/setgroups", "deny");
	snprintf(text, sizeof text, "1000 %u 1", uid);
	text_write("/proc/self/uid_map", text);
	snprintf(text, sizeof text, "1000 %u 1", gid);
	text_write("/proc/self/gid_map", text);
}

static void mounts_make(void)
{
	static const char *const covered[] = {
		"cmdline",   "config.gz", "kallsyms",    "keys",
		"key-users", "locks",     "modules",     "partitions",
		"diskstats", "swaps",     "interrupts",  "sched_debug",
		"version",   "vmstat",    "zoneinfo",    "slabinfo",
		"softirqs",  "buddyinfo", "filesystems", "devices",
	};
	char path[64];

	if (mount("none", "/tmp", "tmpfs", MS_NOSUID | MS_NODEV, "size=64m") <
	    0)
		die("/tmp");
	if (mount("none", "/proc", "proc", MS_NOSUID | MS_NODEV | MS_NOEXEC,
		  "hidepid=4") < 0)
		die("/proc");
	for (size_t i = 0; i < sizeof covered / sizeof *covered; i++) {
		snprintf(path, sizeof path, "/proc/%s", covered[i]);
		if (mount("/dev/null", path, NULL, MS_BIND, NULL) < 0 &&
		    errno != ENOENT)
			die(path);
	}
}

static void filter_load(void)
{
	const struct filter *f = filter_find("default");
	struct sock_fprog prog = { .len = (unsigned short)f->len,
				   .filter = (struct sock_filter *)f->insns };

	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
	    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &prog) < 0)
		die("seccomp");
}

static void copy_run(const char *what, char **argv)
{
	maps_write(1000, 1000);
	if (strchr(what, 'm') != NULL)
		mounts_make();
	if (strchr(what, 'f') != NULL)
		filter_load();
	execv(argv[0], argv);
	die(argv[0]);
}

static void copy_start(const char *what, char **argv)
{
	struct clone_args args = {
		.flags = SIX | (strchr(what, 'n') != NULL ? CLONE_NEWNET : 0),
		.exit_signal = SIGCHLD,
	};
	long pid = syscall(SYS_clone3, &args, sizeof args);

	if (pid < 0)
		die("clone3");
	if (pid == 0)
		copy_run(what, argv);
}

static int copies_run(const char *what, size_t places, size_t runs, char **argv)
{
	size_t started = 0, ended = 0;
	int status;

	while (ended < runs) {
		for (; started < runs && started - ended < places; started++)
			copy_start(what, argv);
		if (wait(&status) < 0)
			die("wait");
		if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
			return 1;
		ended++;
	}
	return 0;
}

int main(int argc, char **argv)
{
	unsigned uid = geteuid(), gid = getegid();
	int status;
	pid_t pid;

	if (argc < 5)
		return 2;
	if (unshare(SIX | CLONE_NEWNET) < 0)
		die("unshare");
	maps_write(uid, gid);
	pid = fork();
	if (pid < 0)
		die("fork");
	if (pid > 0) {
		if (waitpid(pid, &status, 0) < 0 || !WIFEXITED(status))
			return 1;
		return WEXITSTATUS(status);
	}
	if (mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount("none", "/proc", "proc", 0, NULL) < 0)
		die("/proc");
	return copies_run(argv[1], (size_t)atoi(argv[2]), (size_t)atoi(argv[3]),
			  argv + 4);
}
