/* proc.c -- files of /proc, which the kernel writes anew for each reader. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "stress.h"

static char bytes[1 << 18];

static void read_whole(struct job *j, int at, const char *name)
{
	int fd = openat(at, name, O_RDONLY | O_NONBLOCK);

	if (fd < 0)
		return;
	for (int i = 0; i < 64 && read(fd, bytes, sizeof bytes) > 0; i++)
		if (!job_take(j, 0))
			break;
	(void)close(fd);
}

static void read_below(struct job *j, int top, const char *name, int depth)
{
	int fd = openat(top, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
	DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL && job_take(j, 0)) {
		if (e->d_name[0] == '.')
			continue;
		if (e->d_type == DT_REG)
			read_whole(j, fd, e->d_name);
		else if (e->d_type == DT_DIR && depth < 5)
			read_below(j, fd, e->d_name, depth + 1);
	}
	if (d != NULL)
		(void)closedir(d);
}

static void proc_all(struct job *j)
{
	while (now_ns() < j->all->end_ns)
		read_below(j, AT_FDCWD, "/proc", 0);
}

static void read_again(struct job *j, const char *name)
{
	while (job_take(j, 0))
		read_whole(j, AT_FDCWD, name);
}

/* What each of the files costs that say something about the whole host. */
static void proc_host(struct job *j)
{
	static const char *const names[] = {
		"/proc/stat",     "/proc/softirqs",       "/proc/vmstat",
		"/proc/zoneinfo", "/proc/buddyinfo",      "/proc/meminfo",
		"/proc/cpuinfo",  "/proc/loadavg",        "/proc/crypto",
		"/proc/cgroups",  "/proc/self/mountinfo", "/proc/self/net/unix",
	};

	for (unsigned n = 0; job_storm(j); n++)
		read_whole(j, AT_FDCWD, names[n % 12]);
}

static void proc_smaps(struct job *j)
{
	for (unsigned i = 0; i < 3000; i++)
		(void)mmap(NULL, 4096, i & 1 ? PROT_READ : PROT_NONE,
			   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	read_again(j, "/proc/self/smaps");
}

static void proc_others(struct job *j)
{
	char name[64];

	for (unsigned n = 0; job_storm(j); n++) {
		(void)snprintf(name, sizeof name, "/proc/%u/smaps_rollup",
			       n % 70 + 1);
		read_whole(j, AT_FDCWD, name);
		(void)snprintf(name, sizeof name, "/proc/%u/status",
			       n % 70 + 1);
		read_whole(j, AT_FDCWD, name);
	}
}

const struct stressor stress_proc[] = {
	{ "proc-all", "getdents64 openat read close", "every file of /proc",
	  proc_all, true },
	{ "proc-host", "read", "what is about the whole host", proc_host,
	  true },
	{ "proc-smaps", "read mmap", "6,000 mappings, described", proc_smaps,
	  true },
	{ "proc-others", "read", "files of all other processes", proc_others,
	  true },
	{ 0 },
};
