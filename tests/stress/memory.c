/* memory.c -- mappings: what the kernel keeps about them, and what changing costs. */
#include <errno.h>
#include <linux/membarrier.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "stress.h"

#define PAGE       4096UL
#define VMA_BYTES  256 /* vm_area_struct and its place in the tree */
#define MANY_VMAS  64000
#define GUARD      102 /* MADV_GUARD_INSTALL, Linux 6.13 */
#define SPAN_BYTES (2UL << 20)
#define SMALL_MIB  ((size_t)1 << 20)

static char *map(size_t bytes, int prot)
{
	char *p = mmap(NULL, bytes, prot,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

/* Every second page is of another protection: each is a mapping of its own. */
static char *vmas_make(struct job *j, unsigned count, bool is_touched)
{
	char *p = map((size_t)count * PAGE, PROT_READ | PROT_WRITE);

	if (p == NULL) {
		job_stop(j);
		return NULL;
	}
	for (unsigned i = 0; i + 1 < count; i += 2) {
		if (is_touched)
			p[i * PAGE] = 1;
		if (mprotect(p + i * PAGE, PAGE, PROT_READ) < 0) {
			job_stop(j);
			break;
		}
		if (!job_take(j, 2 * VMA_BYTES + (is_touched ? PAGE : 0)))
			return NULL;
	}
	return p;
}

static void vmas(struct job *j)
{
	(void)vmas_make(j, MANY_VMAS, false);
}

/* Each mapping that was written has an anon_vma; each fork chains them once more. */
static void vmas_forked(struct job *j)
{
	enum { COUNT = 8000, DEEP = 60 };

	if (vmas_make(j, COUNT, true) == NULL)
		return;
	for (unsigned i = 0; i < DEEP; i++) {
		pid_t pid = fork();

		if (pid < 0)
			job_stop(j);
		if (pid != 0)
			return;
		if (!job_take(j, (uint64_t)COUNT / 2 *
					 (2 * VMA_BYTES + 64ULL * i)))
			return;
	}
}

/* One touch for each 2 MiB: a page table of its own with next to nothing in it. */
static void page_tables(struct job *j)
{
	for (;;) {
		volatile char *p = map(SPAN_BYTES * 512, PROT_READ);

		if (p == NULL) {
			job_stop(j);
			return;
		}
		for (unsigned i = 0; i < 512; i++) {
			(void)p[i * SPAN_BYTES];
			if (!job_take(j, PAGE))
				return;
		}
	}
}

/* A guard is a mark in a page table. */
static void guards(struct job *j)
{
	for (;;) {
		char *p = map(SPAN_BYTES * 64, PROT_READ);

		if (p == NULL || madvise(p, SPAN_BYTES * 64, GUARD) < 0) {
			job_stop(j);
			return;
		}
		if (!job_take(j, PAGE * 64))
			return;
	}
}

static void heap(struct job *j)
{
	do {
		char *p = map(SMALL_MIB, PROT_READ | PROT_WRITE);

		if (p == NULL) {
			job_stop(j);
			return;
		}
		memset(p, 1, SMALL_MIB);
	} while (job_take(j, SMALL_MIB));
}

static void shared_pages(struct job *j)
{
	do {
		char *p = mmap(NULL, SMALL_MIB, PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED) {
			job_stop(j);
			return;
		}
		memset(p, 1, SMALL_MIB);
		(void)munmap(p + PAGE, SMALL_MIB - PAGE); /* the rest stays */
	} while (job_take(j, SMALL_MIB));
}

static void locked(struct job *j)
{
	do {
		char *p = map(PAGE, PROT_READ | PROT_WRITE);

		if (p == NULL || mlock(p, PAGE) < 0) {
			job_stop(j);
			(void)mlockall(MCL_CURRENT | MCL_FUTURE);
			(void)munlockall();
			return;
		}
	} while (job_take(j, PAGE));
}

static void moves(struct job *j)
{
	char *p = map(SMALL_MIB, PROT_READ | PROT_WRITE);

	if (p == NULL)
		return;
	memset(p, 1, SMALL_MIB);
	while (job_storm(j)) {
		void *to = mremap(p, SMALL_MIB, SMALL_MIB, MREMAP_MAYMOVE | 4);

		if (to != MAP_FAILED)
			(void)munmap(to, SMALL_MIB);
		memset(p, 1, PAGE);
	}
}

/* Each advice there is, one after the other. */
static void advice(struct job *j)
{
	const size_t bytes = 4 * SPAN_BYTES;
	char *p = map(bytes, PROT_READ | PROT_WRITE);
	int at = 0;

	while (p != NULL && job_storm(j)) {
		memset(p, 1, SPAN_BYTES);
		if (madvise(p, bytes, at) < 0)
			job_stop(j);
		if (at ==
		    GUARD) /* and off again: the next touch would end us */
			(void)madvise(p, bytes, GUARD + 1);
		at = at == 25 ? 100 : (at + 1) % 104;
	}
}

static int shoot(void *data)
{
	struct job *j = data;
	char *p = map(SMALL_MIB, PROT_READ | PROT_WRITE);

	while (p != NULL && job_storm(j)) {
		memset(p, 1, PAGE);
		(void)mprotect(p, PAGE, PROT_READ);
		(void)mprotect(p, PAGE, PROT_READ | PROT_WRITE);
		(void)madvise(p, PAGE, MADV_DONTNEED);
	}
	return 0;
}

/* Two threads of one address space: each change is an interrupt of the other. */
static void shootdowns(struct job *j)
{
	char *stack = map(65536, PROT_READ | PROT_WRITE);

	if (stack != NULL &&
	    clone(shoot, stack + 65536, CLONE_VM | SIGCHLD, j) < 0)
		job_stop(j);
	(void)shoot(j);
}

/* Interrupts of every processor that runs a process which has asked for it. */
static void barriers(struct job *j)
{
	static const int commands[] = {
		MEMBARRIER_CMD_GLOBAL_EXPEDITED,
		MEMBARRIER_CMD_PRIVATE_EXPEDITED,
		MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE,
		MEMBARRIER_CMD_PRIVATE_EXPEDITED_RSEQ,
		MEMBARRIER_CMD_GLOBAL,
	};
	unsigned at = 0;

	(void)syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_GLOBAL_EXPEDITED,
		      0, 0);
	(void)syscall(SYS_membarrier, MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED,
		      0, 0);
	(void)syscall(SYS_membarrier,
		      MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE, 0,
		      0);
	(void)syscall(SYS_membarrier,
		      MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_RSEQ, 0, 0);
	while (job_storm(j)) {
		if (syscall(SYS_membarrier, commands[at % 4], 0, 0) < 0)
			job_stop(j);
		if (at++ % 4096 == 0)
			(void)syscall(SYS_membarrier, commands[4], 0, 0);
	}
}

const struct stressor stress_memory[] = {
	{ "vmas", "mmap mprotect", "64,000 mappings a process", vmas, true },
	{ "vmas-forked", "fork mprotect",
	  "written mappings, forked from child to child", vmas_forked, false },
	{ "page-tables", "mmap", "a page table for each page", page_tables,
	  false },
	{ "guards", "madvise", "MADV_GUARD_INSTALL over a lot of nothing",
	  guards, false },
	{ "heap", "mmap brk", "private pages", heap, true },
	{ "shared-pages", "mmap munmap", "shared pages, unmapped but for one",
	  shared_pages, true },
	{ "locked", "mlock mlock2 munlock mlockall munlockall", "locked pages",
	  locked, true },
	{ "moves", "mremap munmap", "mremap without end", moves, true },
	{ "advice", "madvise mincore", "each advice in turn", advice, true },
	{ "shootdowns", "mprotect munmap madvise pkey_mprotect",
	  "changes that interrupt the other processor", shootdowns, true },
	{ "barriers", "membarrier", "interrupts of all processors", barriers,
	  true },
	{ 0 },
};
