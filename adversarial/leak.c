/* leak.c -- the leakage oracle's two programs, run inside one after the other:
 * "leave" leaves something in every place that a run can write to or set, and
 * "look" prints everything in which a later run could find any of it.
 *
 * Both print a line for each place.  leakage.t judges whether a look differs from
 * that in a fresh vessel.
 *
 * Must:     bound what is left, and let none of it live for longer than 5 s
 * Must not: print what the kernel counts for the whole host
 *           run outside a vessel */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/keyctl.h>
#include <mqueue.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "leak.h"

#define FILE_MAX 65536

/* The kernel counts these for the whole host, although it shows them in the
 * table of one network. */
static void host_counts_cut(char *line)
{
	static const char *const of_host[] = { " orphan ", " mem " };

	for (size_t i = 0; i < sizeof of_host / sizeof *of_host; i++) {
		char *at = strstr(line, of_host[i]);

		if (at != NULL)
			*at = '\0';
	}
}

static void print_text(const char *key, const char *path)
{
	static char text[FILE_MAX];
	FILE *f = fopen(path, "re");
	size_t n = 0;

	if (f != NULL) {
		while (n + 1 < sizeof text &&
		       fgets(text, (int)sizeof text, f) != NULL) {
			text[strcspn(text, "\n")] = '\0';
			if (strstr(path, "sockstat") != NULL)
				host_counts_cut(text);
			printf("%s %s: %s\n", key, path, text);
			n++;
		}
		(void)fclose(f);
	} else {
		printf("%s %s: %s\n", key, path, strerrorname_np(errno));
	}
}

static int by_name(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

static bool is_number(const char *name)
{
	return name[0] >= '0' && name[0] <= '9';
}

static void look_dir(const char *dir)
{
	struct dirent **list = NULL;
	struct statvfs fs;
	struct stat st;
	int n = scandir(dir, &list, NULL, by_name);

	for (int i = 0; i < n; i++) {
		if (strcmp(list[i]->d_name, "..") != 0 &&
		    !(strcmp(dir, "/proc") == 0 &&
		      is_number(list[i]->d_name)) &&
		    fstatat(open(dir, O_PATH | O_CLOEXEC), list[i]->d_name, &st,
			    AT_SYMLINK_NOFOLLOW) == 0)
			printf("dir %s/%s %o %u %lld\n", dir, list[i]->d_name,
			       st.st_mode, st.st_uid,
			       S_ISREG(st.st_mode) ? (long long)st.st_size : 0);
		free(list[i]);
	}
	free(list);
	if (statvfs(dir, &fs) == 0 && dir[1] != 'u' && dir[1] != 'r' &&
	    dir[1] != 'e' && dir[1] != '\0')
		printf("dir %s free %llu %llu of %llu\n", dir,
		       (unsigned long long)fs.f_bfree,
		       (unsigned long long)fs.f_ffree,
		       (unsigned long long)fs.f_blocks);
}

static void found(const char *key, long r)
{
	printf("%s %s\n", key, r >= 0 ? "there" : strerrorname_np(errno));
}

static void look_ipc(void)
{
	print_text("ipc", "/proc/sysvipc/shm");
	print_text("ipc", "/proc/sysvipc/sem");
	print_text("ipc", "/proc/sysvipc/msg");
	found("ipc shm", shmget(LEAK_KEY, 0, 0));
	found("ipc sem", semget(LEAK_KEY, 0, 0));
	found("ipc msg", msgget(LEAK_KEY, 0));
	found("ipc mq", mq_open("/leak", O_RDWR));
}

static void print_count(const char *path)
{
	FILE *f = fopen(path, "re");
	int c, n = 0;

	while (f != NULL && (c = getc(f)) != EOF)
		n += c == '\n';
	if (f != NULL)
		(void)fclose(f);
	printf("net %s: %d lines\n", path, n);
}

static void look_net(void)
{
	static const char *const texts[] = {
		"snmp",
		"netstat",
		"snmp6",
		"sockstat",
		"sockstat6",
		"arp",
		"route",
		"igmp",
		"dev",
		"ip6_flowlabel",
		"stat/nf_conntrack",
		"mcfilter",
		"dev_mcast",
		"if_inet6",
	};
	static const char *const counts[] = {
		"tcp", "udp",    "tcp6",      "udp6",        "unix",
		"raw", "packet", "rt6_stats", "nf_conntrack"
	};
	struct sockaddr_un at = { .sun_family = AF_UNIX, .sun_path = "\0leak" };
	char path[64];

	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		(void)snprintf(path, sizeof path, "/proc/net/%s", texts[i]);
		print_text("net", path);
	}
	for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
		(void)snprintf(path, sizeof path, "/proc/net/%s", counts[i]);
		print_count(path);
	}
	found("net abstract",
	      connect(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0),
		      (void *)&at, offsetof(struct sockaddr_un, sun_path) + 5));
}

static void look_sysctls(const char *dir, int depth)
{
	struct dirent **list = NULL;
	char path[512];
	struct stat st;
	int n = scandir(dir, &list, NULL, by_name);

	for (int i = 0; i < n; i++) {
		(void)snprintf(path, sizeof path, "%s/%s", dir,
			       list[i]->d_name);
		if (list[i]->d_name[0] != '.' && lstat(path, &st) == 0) {
			if (S_ISDIR(st.st_mode) && depth > 0)
				look_sysctls(path, depth - 1);
			else if ((st.st_mode & 0444) != 0 &&
				 S_ISREG(st.st_mode))
				print_text("sysctl", path);
		}
		free(list[i]);
	}
	free(list);
}

static void look_names(void)
{
	static const char *const kernel[] = { "shmmni",     "shmall",
					      "shmmax",     "msgmax",
					      "sem",        "hostname",
					      "domainname", "shm_rmid_forced" };
	struct utsname names;
	char path[64];

	if (uname(&names) == 0)
		printf("name %s %s\n", names.nodename, names.domainname);
	look_sysctls("/proc/sys/net/core", 0);
	look_sysctls("/proc/sys/net/ipv4", 0);
	look_sysctls("/proc/sys/net/unix", 0);
	look_sysctls("/proc/sys/user", 0);
	look_sysctls("/proc/sys/fs/mqueue", 0);
	for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++) {
		(void)snprintf(path, sizeof path, "/proc/sys/kernel/%s",
			       kernel[i]);
		print_text("sysctl", path);
	}
}

static void look_keys(void)
{
	found("key session",
	      syscall(SYS_keyctl, KEYCTL_SEARCH, KEY_SPEC_SESSION_KEYRING,
		      "user", "leak", 0));
	found("key user", syscall(SYS_keyctl, KEYCTL_SEARCH,
				  KEY_SPEC_USER_KEYRING, "user", "leak", 0));
}

static void look_self(void)
{
	static const char *const texts[] = { "coredump_filter", "oom_score_adj",
					     "timerslack_ns",   "limits",
					     "cgroup",          "setgroups",
					     "uid_map" };
	struct itimerval timer = { 0 };
	cpu_set_t set;
	sigset_t mask;
	char path[64];
	mode_t before = umask(022);
	unsigned blocked = 0;

	CPU_ZERO(&set);
	(void)sched_getaffinity(0, sizeof set, &set);
	(void)getitimer(ITIMER_REAL, &timer);
	(void)sigprocmask(SIG_SETMASK, NULL, &mask);
	for (int sig = 1; sig < 32; sig++)
		blocked |= (unsigned)(sigismember(&mask, sig) == 1) << sig;
	printf("self pid %d parent %d group %d session %d\n", getpid(),
	       getppid(), getpgrp(), getsid(0));
	printf("self umask %o mask %x nice %d policy %d processors %d timer %d "
	       "slack %d\n",
	       before, blocked, getpriority(PRIO_PROCESS, 0),
	       sched_getscheduler(0), CPU_COUNT(&set),
	       timer.it_value.tv_sec != 0, prctl(PR_GET_TIMERSLACK));
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
		(void)snprintf(path, sizeof path, "/proc/self/%s", texts[i]);
		print_text("self", path);
	}
}

static void look_processes(void)
{
	struct dirent **list = NULL;
	int n = scandir("/proc", &list, NULL, by_name);
	int fd;

	for (int i = 0; i < n; i++) {
		if (is_number(list[i]->d_name))
			printf("process %s\n", list[i]->d_name);
		free(list[i]);
	}
	free(list);
	fd = open("/repo/leak", O_RDONLY | O_CLOEXEC);
	found("lock", flock(fd, LOCK_EX | LOCK_NB));
	found("attribute", getxattr("/repo", "user.leak", NULL, 0));
}

static void look(bool has_keys)
{
	look_self(); /* before other descriptors and processes are made */
	look_processes();
	look_ipc();
	look_net();
	for (size_t i = 0; i < LEAK_ROOTS; i++)
		look_dir(leak_roots[i]);
	look_names();
	if (has_keys)
		look_keys();
}

/* The attacks below must run in a vessel only: run by root on a host, they
 * would rename devices and set sysctls. */
static bool is_in_vessel(void)
{
	struct utsname names;

	return getuid() == 1000 && geteuid() == 1000 && uname(&names) == 0 &&
	       strcmp(names.nodename, "cupel") == 0 &&
	       access("/repo/leak", X_OK) == 0 && access("/sys", F_OK) < 0;
}

int main(int argc, char **argv)
{
	bool has_keys = argc > 2 && strcmp(argv[2], "keys") == 0;

	if (argc < 2)
		return 2;
	if (!is_in_vessel()) {
		fputs("leak: only inside a vessel\n", stderr);
		return 4;
	}
	(void)setvbuf(stdout, NULL, _IOFBF, FILE_MAX);
	if (strcmp(argv[1], "leave") == 0)
		leak_leave(has_keys);
	else
		look(has_keys);
	return fflush(stdout) == 0 ? 0 : 3;
}
