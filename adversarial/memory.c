/* memory.c -- bombs of kinds that one way of counting or another overlooks.  None
 * takes more than 300 MiB.  Each holds its memory for a while, so that a sampling
 * watchdog can see it, and says "won" when it was not killed. */
#include "attack.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB     ((size_t)1 << 20)
#define MAX_MIB 300

static size_t size_mib(char **args, int n)
{
	size_t mib = arg_u64(args, n);

	return mib > MAX_MIB ? MAX_MIB : mib;
}

/* Write to all of the memory, in a way that the compiler cannot leave out. */
static void fill(void *p, size_t n)
{
	memset(p, 1, n);
	__asm__ volatile("" : : "r"(p) : "memory");
}

_Noreturn static void hold(char **args, int n, const char *what)
{
	pause_ms(args[n] ? (unsigned)arg_u64(args, n) : 600);
	say("won", "%s", what);
}

static void heap(char **args)
{
	size_t mib = size_mib(args, 0);

	for (size_t i = 0; i < mib; i++) {
		char *p = malloc(MIB);

		if (!p)
			say(errno_name(errno), "after %zu MiB", i);
		fill(p, MIB);
	}
	hold(args, 1, "heap");
}

static void shared(char **args)
{
	size_t n = size_mib(args, 0) * MIB;
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		say(errno_name(errno), "mmap");
	fill(p, n);
	hold(args, 1, "shared anonymous memory");
}

/* Use memory in a tree of children, each below the limit of one process. Each
 * says when it has all of its memory, and keeps it. */
static void tree(char **args)
{
	size_t mib = size_mib(args, 0);
	size_t n = arg_u64(args, 1);
	int done[2];
	char byte = 0;

	if (n > 16)
		n = 16;
	if (pipe(done) < 0)
		say(errno_name(errno), "pipe");
	for (size_t i = 0; i < n; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			char *p = malloc(mib / n * MIB);

			if (p)
				fill(p, mib / n * MIB);
			(void)!write(done[1], &byte, 1);
			pause_ms(5000);
			_exit(p ? 0 : 1);
		}
		if (pid < 0)
			say(errno_name(errno), "fork");
	}
	for (size_t i = 0; i < n; i++)
		(void)!read(done[0], &byte, 1);
	pause_ms(700);
	say("won", "tree");
}

/* Use memory in a memory file that no process maps. */
static void memory_file(char **args)
{
	static char block[MIB];
	size_t mib = size_mib(args, 0);
	int fd = memfd_create("bomb", MFD_CLOEXEC);

	if (fd < 0)
		say(errno_name(errno), "memfd_create");
	(void)signal(SIGXFSZ, SIG_IGN);
	for (size_t i = 0; i < mib; i++)
		if (write(fd, block, MIB) != (ssize_t)MIB)
			say(errno_name(errno), "after %zu MiB", i);
	hold(args, 1, "memfd");
}

static void tmpfs(char **args)
{
	static char block[MIB];
	size_t mib = size_mib(args, 1);

	for (size_t i = 0; i < mib; i++) {
		char path[256];
		int fd;

		(void)snprintf(path, sizeof path, "%s/bomb%zu", arg(args, 0),
			       i / 16);
		fd = open(path, O_CREAT | O_WRONLY | O_APPEND, 0600);
		if (fd < 0 || write(fd, block, MIB) != (ssize_t)MIB)
			say(errno_name(errno), "after %zu MiB", i);
		(void)close(fd);
	}
	hold(args, 2, "tmpfs");
}

static void sysv(char **args)
{
	size_t n = size_mib(args, 0) * MIB;
	int id = shmget(IPC_PRIVATE, n, IPC_CREAT | 0600);
	char *p;

	if (id < 0)
		say(errno_name(errno), "shmget");
	p = shmat(id, NULL, 0);
	if (p == (char *)-1) {
		int err = errno;

		(void)shmctl(id, IPC_RMID, NULL);
		say(errno_name(err), "shmat");
	}
	fill(p, n);
	(void)shmdt(p); /* now no process has it mapped */
	pause_ms(args[1] ? (unsigned)arg_u64(args, 1) : 600);
	(void)shmctl(id, IPC_RMID, NULL);
	say("won", "System V segment");
}

/* Use page tables: one byte read in every 2 MiB costs a table of 4 KiB. */
static void page_tables(char **args)
{
	size_t mib = size_mib(args, 0); /* of page tables */
	size_t n = mib * 256;           /* tables of 4 KiB, one each 2 MiB */
	volatile char *p =
		mmap(NULL, n * 2 * MIB, PROT_READ,
		     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	char sum = 0;

	if (p == MAP_FAILED)
		say(errno_name(errno), "mmap");
	(void)madvise((void *)p, n * 2 * MIB, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < n; i++)
		sum = (char)(sum + p[i * 2 * MIB]);
	hold(args, 1, sum ? "?" : "page tables");
}

/* Use kernel memory behind descriptors: full pipes and full sockets. */
static void pipes(char **args)
{
	static char block[MIB];
	size_t mib = size_mib(args, 0), held = 0;

	while (held < mib * MIB) {
		int p[2];
		ssize_t n;

		if (pipe2(p, O_NONBLOCK) < 0)
			say(errno_name(errno), "after %zu KiB", held / 1024);
		(void)fcntl(p[1], F_SETPIPE_SZ, (int)MIB);
		n = write(p[1], block, MIB);
		held += n > 0 ? (size_t)n : 4096;
	}
	hold(args, 1, "pipes");
}

static void sockets(char **args)
{
	static char block[65536];
	size_t mib = size_mib(args, 0), held = 0;

	while (held < mib * MIB) {
		int big = 8 << 20, p[2];
		ssize_t n;

		if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, p) < 0)
			say(errno_name(errno), "after %zu KiB", held / 1024);
		(void)setsockopt(p[0], SOL_SOCKET, SO_SNDBUF, &big, sizeof big);
		held += 4096;
		while ((n = write(p[0], block, sizeof block)) > 0)
			held += (size_t)n;
	}
	hold(args, 1, "sockets");
}

static void lock_memory(char **args)
{
	size_t n = size_mib(args, 0) * MIB;
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		say(errno_name(errno), "mmap");
	say_errno(mlock(p, n), "mlock");
}

/* Many processes share one large mapping: a watchdog that asks for the share of
 * each has to walk all page tables, which takes seconds. Meanwhile one process
 * takes more memory. */
static void crowd(char **args)
{
	size_t n = size_mib(args, 0) * MIB;
	size_t many = arg_u64(args, 1), mib = size_mib(args, 2);
	volatile char *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
				MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	const time_t until = time(NULL) + 12;
	char byte = 0;
	int done[2];

	if (p == MAP_FAILED || pipe(done) < 0)
		say(errno_name(errno), "mmap, pipe");
	(void)madvise((void *)p, n, MADV_NOHUGEPAGE);
	fill((void *)p, n);
	/* Two at a time: on a machine that fills page tables slowly, all at once
	 * would take longer than a test waits, and fewer are enough there. */
	for (size_t i = 0; i < many && i < 60 && time(NULL) < until; i++) {
		pid_t pid = fork();

		if (pid == 0) {
			for (size_t at = 0; at < n; at += 4096)
				byte = (char)(byte + p[at]);
			(void)!write(done[1], &byte, 1);
			pause_ms(20000);
			_exit(0);
		}
		if (pid < 0)
			say(errno_name(errno), "fork");
		if (i > 0)
			(void)!read(done[0], &byte, 1);
	}
	(void)!read(done[0], &byte, 1);
	for (size_t i = 0; i < mib; i++) {
		char *own = malloc(MIB);

		if (!own)
			say(errno_name(errno), "after %zu MiB", i);
		fill(own, MIB);
	}
	hold(args, 3, "a crowd and a hog");
}

/* Use kernel memory in full sockets of the default size, in many processes:
 * RLIMIT_NOFILE counts for each process alone. */
static void sockets_of_many(char **args)
{
	static char block[32768];
	size_t many = arg_u64(args, 0);
	unsigned ms = (unsigned)arg_u64(args, 1);
	char byte = 0;
	int done[2];

	if (pipe(done) < 0)
		say(errno_name(errno), "pipe");
	for (size_t i = 0; i < many && i < 8; i++) {
		pid_t pid = fork();
		int p[2];

		if (pid < 0)
			say(errno_name(errno), "fork");
		if (pid > 0)
			continue;
		for (int j = 0; j < 100; j++) {
			if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0,
				       p) < 0)
				break;
			for (int k = 0; k < 2; k++)
				while (write(p[k], block, sizeof block) > 0)
					;
		}
		(void)!write(done[1], &byte, 1);
		pause_ms(8000);
		_exit(0);
	}
	for (size_t i = 0; i < many && i < 8; i++)
		(void)!read(done[0], &byte, 1);
	pause_ms(ms);
	say("won", "sockets of many");
}

/* Make many mappings of a page, each different from its neighbour: each is an
 * object in the kernel, although no page is ever touched. */
static void mappings(char **args)
{
	size_t many = arg_u64(args, 0);
	unsigned ms = (unsigned)arg_u64(args, 1);
	char byte = 0;
	int done[2];

	if (pipe(done) < 0)
		say(errno_name(errno), "pipe");
	for (size_t i = 0; i < many && i < 8; i++) {
		pid_t pid = fork();

		if (pid < 0)
			say(errno_name(errno), "fork");
		if (pid > 0)
			continue;
		for (size_t j = 0; j < 60000; j++)
			if (mmap(NULL, 4096, j % 2 ? PROT_READ : PROT_NONE,
				 MAP_PRIVATE | MAP_ANONYMOUS, -1,
				 0) == MAP_FAILED)
				break;
		(void)!write(done[1], &byte, 1);
		pause_ms(8000);
		_exit(0);
	}
	for (size_t i = 0; i < many && i < 8; i++)
		(void)!read(done[0], &byte, 1);
	pause_ms(ms);
	say("won", "mappings");
}

/* Reserve address space only. */
static void reserve(char **args)
{
	size_t n = (size_t)arg_u64(args, 0) * MIB;
	void *p = mmap(NULL, n, PROT_NONE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	say_errno(p == MAP_FAILED ? -1 : 0, "mmap");
}

/* Ask for private writable pages, and do not touch them. */
static void data_space(char **args)
{
	size_t n = (size_t)arg_u64(args, 0) * MIB;
	void *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	say_errno(p == MAP_FAILED ? -1 : 0, "mmap");
}

static void *heap_of_thread(void *args)
{
	heap(args);
	return NULL;
}

/* The first thread ends, so that /proc/PID no longer says how much memory the
 * process has. */
static void leaderless(char **args)
{
	pthread_t t;

	errno = pthread_create(&t, NULL, heap_of_thread, args);
	if (errno != 0)
		say(errno_name(errno), "pthread_create");
	pthread_exit(NULL);
}

const struct attack attacks_memory[] = {
	{ "heap", heap },
	{ "leaderless", leaderless },
	{ "shared", shared },
	{ "tree", tree },
	{ "memfd", memory_file },
	{ "tmpfs", tmpfs },
	{ "sysv", sysv },
	{ "page-tables", page_tables },
	{ "pipes", pipes },
	{ "sockets", sockets },
	{ "crowd", crowd },
	{ "sockets-of-many", sockets_of_many },
	{ "mappings", mappings },
	{ "mlock", lock_memory },
	{ "reserve", reserve },
	{ "data", data_space },
	{ 0 },
};
