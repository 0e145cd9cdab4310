/* tracer_look.c -- what can be read of a stopped thread. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include "tracer/tracer.h"

#define STATUS_BYTES 4096
/* Fields of /proc/PID/stat. */
#define STAT_ARG_START 48
#define STAT_ARG_END   49
#define STAT_ENV_END   51

/* linux/pidfd.h of older systems does not have it: since Linux 6.9. */
#define OF_THREAD O_EXCL

uint64_t now_ns(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * 1000000000U + (uint64_t)now.tv_nsec;
}

ssize_t memory_read(pid_t tid, uint64_t address, void *ret, size_t n)
{
	struct iovec to = { .iov_base = ret, .iov_len = n };
	struct iovec from = { (void *)(uintptr_t)address, n };
	/* Page by page, so that we get everything before a page that cannot be
	 * read. */
	ssize_t got = process_vm_readv(tid, &to, 1, &from, 1, 0);

	return got < 0 ? -errno : got;
}

ssize_t text_read(pid_t tid, uint64_t address, char *ret, size_t n)
{
	ssize_t got = memory_read(tid, address, ret, n - 1);
	const char *nul;

	if (got < 0)
		return got;
	ret[got] = '\0';
	nul = memchr(ret, '\0', (size_t)got + 1);
	return nul - ret;
}

static void proc_path(char ret[PROC_PATH_BYTES], pid_t tid, const char *name)
{
	(void)snprintf(ret, PROC_PATH_BYTES, "%d/%s", (int)tid, name);
}

ssize_t link_read(const struct tracer *t, pid_t tid, const char *name,
		  char *ret, size_t n)
{
	char path[PROC_PATH_BYTES];
	ssize_t len;

	proc_path(path, tid, name);
	len = readlinkat(t->proc_fd, path, ret, n - 1);
	if (len < 0)
		return -errno;
	ret[len] = '\0';
	return len;
}

/* Returns how many bytes of /proc/TID/NAME were read; 0 for none. */
static size_t file_read(const struct tracer *t, pid_t tid, const char *name,
			void *ret, size_t n)
{
	char path[PROC_PATH_BYTES];
	ssize_t got = -1;
	int fd;

	proc_path(path, tid, name);
	fd = openat(t->proc_fd, path, O_RDONLY | O_CLOEXEC);
	if (fd >= 0) {
		got = read(fd, ret, n);
		(void)close(fd);
	}
	return got > 0 ? (size_t)got : 0;
}

static bool status_text(const struct tracer *t, pid_t tid,
			char ret[STATUS_BYTES])
{
	size_t n = file_read(t, tid, "status", ret, STATUS_BYTES - 1);

	ret[n] = '\0';
	return n > 0;
}

/* The name is copied first, so it comes after the environment (fs/exec.c of the
 * kernel).  The last but one field of proc_pid_stat(5) says where that ends.
 * The second is a name in parentheses, in which anything may stand. */
static uint64_t stat_find(const struct tracer *t, pid_t pid, int field)
{
	char text[STATUS_BYTES];
	size_t n = file_read(t, pid, "stat", text, sizeof text - 1);
	char *at;

	text[n] = '\0';
	at = strrchr(text, ')');
	for (int i = 2; at != NULL && i < field; i++)
		at = strchr(at + 1, ' ');
	return at != NULL ? strtoull(at, NULL, 10) : 0;
}

uint64_t name_find(const struct tracer *t, pid_t pid)
{
	return stat_find(t, pid, STAT_ENV_END);
}

/* The kernel lays the words end to end.  It allows 6 MiB of them. */
bool argv_hash(const struct tracer *t, pid_t pid, uint8_t ret[BLAKE3_BYTES])
{
	uint64_t at = stat_find(t, pid, STAT_ARG_START);
	uint64_t end = stat_find(t, pid, STAT_ARG_END);
	struct blake3 b;
	char bytes[16384];

	if (at == 0 || end < at || end - at > ARGV_BYTES_MAX)
		return false;
	blake3_init(&b);
	while (at < end) {
		uint64_t left = end - at;
		ssize_t n = memory_read(pid, at, bytes,
					left < sizeof bytes ? (size_t)left
							    : sizeof bytes);

		if (n <= 0)
			return false;
		blake3_update(&b, bytes, (size_t)n);
		at += (uint64_t)n;
	}
	blake3_final(&b, ret, BLAKE3_BYTES);
	return true;
}

/* The line of key, which ends with a colon.  The kernel escapes line breaks in
 * names, so every line break ends a line. */
static const char *find_line(const char *text, const char *key)
{
	size_t n = strlen(key);

	for (const char *at = text; at != NULL; at = strchr(at, '\n')) {
		at += *at == '\n';
		if (strncmp(at, key, n) == 0)
			return at + n;
	}
	return NULL;
}

/* A value of /proc/TID/status, with its NUL; false when it cannot be read. */
static bool status_read(const struct tracer *t, pid_t tid, const char *key,
			char *ret, size_t n)
{
	char text[STATUS_BYTES];
	const char *at =
		status_text(t, tid, text) ? find_line(text, key) : NULL;
	size_t len;

	if (at == NULL)
		return false;
	len = strcspn(at, "\n");
	if (len >= n)
		len = n - 1;
	memcpy(ret, at, len);
	ret[len] = '\0';
	return true;
}

/* The last of several numbers: the one in the innermost namespace. */
static int32_t last_number(const char *text)
{
	size_t n = strcspn(text, "\n");

	while (n > 0 && text[n - 1] >= '0' && text[n - 1] <= '9')
		n--;
	return (int32_t)strtol(text + n, NULL, 10);
}

/* The number of a process inside the vessel, and its parent's number
 * outside. */
struct number {
	int32_t inside; /* 0: unknown */
	pid_t parent;   /* 0: none */
	bool is_ours;   /* we trace it, so we see it end */
};

static struct number number_read(const struct tracer *t, pid_t tid)
{
	char text[STATUS_BYTES];
	const char *own, *parent, *tracer;

	if (!status_text(t, tid, text))
		return (struct number){ 0 };
	own = find_line(text, "NStgid:");
	parent = find_line(text, "PPid:");
	tracer = find_line(text, "TracerPid:");
	return (struct number){
		.inside = own != NULL ? last_number(own) : 0,
		.parent = parent != NULL ? (pid_t)strtol(parent, NULL, 10) : 0,
		.is_ours = tracer != NULL &&
			   strtol(tracer, NULL, 10) == t->own_pid,
	};
}

/* The number of a process that we do not trace may mean another one at any
 * time. */
int32_t pid_find(struct tracer *t, pid_t tid)
{
	struct known *known = &t->known[(unsigned)tid % KNOWN_MAX];
	struct number n;

	if (known->tid == tid)
		return known->pid;
	n = number_read(t, tid);
	if (n.is_ours && n.inside > 0)
		*known = (struct known){ tid, n.inside };
	return n.inside;
}

void pids_read(struct tracer *t, pid_t tid, struct trace_record *record)
{
	struct number n = number_read(t, tid);

	record->pid = n.inside;
	record->ppid = n.parent > 0 ? pid_find(t, n.parent) : 0;
}

void pid_end(struct tracer *t, pid_t tid)
{
	struct known *known = &t->known[(unsigned)tid % KNOWN_MAX];

	if (known->tid == tid)
		known->tid = 0;
}

static uint64_t mask_of(const char *text, const char *key)
{
	const char *at = find_line(text, key);

	return at != NULL ? strtoull(at, NULL, 16) : 0;
}

#define BIT(signal) (UINT64_C(1) << ((signal)-1))
/* signal(7): their default is to be ignored. */
#define HARMLESS (BIT(SIGCHLD) | BIT(SIGURG) | BIT(SIGWINCH) | BIT(SIGCONT))

/* A signal that is not caught and by default does nothing. */
static uint64_t ignored_of(const char *text)
{
	return mask_of(text, "SigIgn:") |
	       (HARMLESS & ~mask_of(text, "SigCgt:"));
}

bool is_interrupted(const struct tracer *t, pid_t tid)
{
	char text[STATUS_BYTES];
	uint64_t pending;

	if (!status_text(t, tid, text))
		return true;
	pending = mask_of(text, "SigPnd:") | mask_of(text, "ShdPnd:");
	return (pending & ~mask_of(text, "SigBlk:") & ~ignored_of(text)) != 0;
}

bool is_ignored(const struct tracer *t, pid_t tid, int signal)
{
	char text[STATUS_BYTES];

	return signal >= 1 && signal <= 64 && status_text(t, tid, text) &&
	       (ignored_of(text) & BIT(signal)) != 0;
}

bool is_alone(const struct tracer *t, pid_t tid)
{
	char text[32];

	return status_read(t, tid, "Threads:", text, sizeof text) &&
	       strtol(text, NULL, 10) == 1;
}

/* Threads may have descriptors of their own; older kernels open processes only. */
int socket_take(const struct tracer *t, pid_t tid, int fd)
{
	long pidfd = syscall(SYS_pidfd_open, tid, OF_THREAD);
	char text[32];
	long copy;

	if (pidfd < 0 && errno == EINVAL &&
	    status_read(t, tid, "Tgid:", text, sizeof text))
		pidfd = syscall(SYS_pidfd_open, strtol(text, NULL, 10), 0);
	if (pidfd < 0)
		return errno == EBADF ? -EIO : -errno;
	copy = syscall(SYS_pidfd_getfd, pidfd, fd, 0);
	if (copy < 0)
		copy = -errno;
	(void)close((int)pidfd);
	return (int)copy;
}
