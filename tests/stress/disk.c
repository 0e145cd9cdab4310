/* disk.c -- the host's disk and its cache, through files that are only read. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "stress.h"

static char bytes[1 << 20];

static void sync_each(struct job *j, const char *name)
{
	int fd = open(name, O_RDONLY);

	if (fd < 0)
		job_stop(j);
	while (fd >= 0 && job_take(j, 0)) {
		if (fsync(fd) < 0)
			job_stop(j);
		(void)fdatasync(fd);
	}
}

static void sync_usr(struct job *j)
{
	sync_each(j, "/usr/bin/env");
}

static void sync_repo(struct job *j)
{
	sync_each(j, "/repo/stress");
}

static void sync_directory(struct job *j)
{
	sync_each(j, "/usr/bin");
}

static void sync_scratch(struct job *j)
{
	char name[NAME_BYTES];
	int fd = open(job_name(j, name, 0), O_RDWR | O_CREAT, 0600);

	(void)close(fd);
	sync_each(j, name);
}

static void sync_mapping(struct job *j)
{
	int fd = open("/usr/bin/env", O_RDONLY);
	void *p = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);

	while (p != MAP_FAILED && job_take(j, 0))
		if (msync(p, 4096, MS_SYNC) < 0)
			job_stop(j);
}

static void sync_range(struct job *j)
{
	int fd = open("/usr/bin/env", O_RDONLY);

	while (fd >= 0 && job_take(j, 0))
		if (sync_file_range(fd, 0, 0, 7) < 0)
			job_stop(j);
}

static void sync_all(struct job *j)
{
	int fd = open("/usr", O_RDONLY);

	while (job_take(j, 0)) {
		if (syscall(SYS_syncfs, fd) < 0)
			job_stop(j);
		(void)syscall(SYS_sync);
	}
}

/* Read what is there, and throw it out of the cache again. */
static void evict(struct job *j, const char *top, bool is_read)
{
	DIR *d = opendir(top);
	struct dirent *e;

	while (d != NULL && (e = readdir(d)) != NULL && job_take(j, 0)) {
		int fd = openat(dirfd(d), e->d_name, O_RDONLY | O_NONBLOCK);

		if (fd < 0)
			continue;
		if (posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED) != 0)
			job_stop(j);
		if (is_read) {
			(void)readahead(fd, 0, 8 << 20);
			while (read(fd, bytes, sizeof bytes) > 0 &&
			       job_take(j, 0))
				;
		}
		(void)close(fd);
	}
	if (d != NULL)
		(void)closedir(d);
}

static void eviction(struct job *j)
{
	while (job_take(j, 0)) {
		evict(j, "/usr/bin", true);
		evict(j, "/usr/lib/x86_64-linux-gnu", true);
	}
}

static void eviction_by_advice(struct job *j)
{
	while (job_take(j, 0)) {
		evict(j, "/usr/bin", false);
		evict(j, "/usr/lib/x86_64-linux-gnu", false);
	}
}

/* The same by what a mapping is advised. */
static void eviction_by_mapping(struct job *j)
{
	int fd = open("/usr/bin/python3", O_RDONLY);
	const size_t size = 4 << 20;
	volatile char *p = mmap(NULL, size, PROT_READ, MAP_SHARED, fd, 0);

	while (p != MAP_FAILED && job_take(j, 0)) {
		for (size_t i = 0; i < size; i += 4096)
			(void)p[i];
		if (madvise((void *)p, size, MADV_PAGEOUT) < 0)
			job_stop(j);
		(void)madvise((void *)p, size, MADV_COLD);
		(void)madvise((void *)p, size, MADV_WILLNEED);
	}
}

/* Past the cache: each read is one of the disk. */
static void direct_reads(struct job *j)
{
	int fd = open("/usr/bin/python3", O_RDONLY | O_DIRECT);
	char *p = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (fd < 0)
		job_stop(j);
	while (fd >= 0 && job_take(j, 0))
		if (pread(fd, p, 1 << 20, 0) < 0)
			job_stop(j);
}

const struct stressor stress_disk[] = {
	{ "sync-usr", "fsync fdatasync", "a file of /usr", sync_usr, true },
	{ "sync-directory", "fsync fdatasync", "/usr/bin itself",
	  sync_directory, true },
	{ "sync-repo", "fsync fdatasync", "a file of /repo", sync_repo, true },
	{ "sync-scratch", "fsync fdatasync", "a file of the scratch",
	  sync_scratch, true },
	{ "sync-mapping", "msync", "a mapping of a file of /usr", sync_mapping,
	  true },
	{ "sync-range", "sync_file_range", "a file of /usr", sync_range, true },
	{ "sync-all", "sync syncfs", "the whole host; refused", sync_all,
	  true },
	{ "eviction", "fadvise64 readahead read openat",
	  "files of /usr out of the cache and in again", eviction, true },
	{ "eviction-by-advice", "fadvise64", "files of /usr out of the cache",
	  eviction_by_advice, true },
	{ "eviction-by-mapping", "madvise", "MADV_PAGEOUT and MADV_COLD",
	  eviction_by_mapping, true },
	{ "direct-reads", "pread64 openat", "O_DIRECT", direct_reads, true },
	{ 0 },
};
