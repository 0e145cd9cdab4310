/* hidden.c -- memory that is hard to see for one who looks from outside. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stress.h"

#define PAGE  4096UL
#define CHUNK (1UL << 20)

static char *map(size_t bytes)
{
	char *p = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	return p == MAP_FAILED ? NULL : p;
}

static void heap_take(struct job *j)
{
	char *p;

	do {
		p = map(CHUNK);
		if (p == NULL) {
			job_stop(j);
			return;
		}
		memset(p, 1, CHUNK);
	} while (job_take(j, CHUNK));
}

static void *heap_hold(void *data)
{
	struct job *j = data;
	struct timespec pause = { .tv_nsec = 20000000 };

	heap_take(j);
	while (now_ns() < j->all->end_ns)
		(void)nanosleep(&pause, NULL);
	return NULL;
}

/* The first thread of a process ends and another one goes on: /proc/PID then says
 * that there is no memory, and only /proc/PID/task says otherwise. */
static void leaderless(struct job *j)
{
	pthread_t t;

	if (j->worker == 0)
		return;
	errno = pthread_create(&t, NULL, heap_hold, j);
	if (errno == 0)
		pthread_exit(NULL);
	job_stop(j);
}

/* Many mappings in many processes make each look at them slow, while one of them
 * fills its memory. */
static void slow_look(struct job *j)
{
	enum { COUNT = 6000 };
	struct timespec wait = { .tv_sec = 1 };
	char *p = j->worker == 0 ? NULL : map(COUNT * PAGE);

	if (j->worker == 0) {
		(void)nanosleep(&wait, NULL);
		heap_take(j);
		return;
	}
	for (size_t i = 0; p != NULL && i < COUNT; i += 2) {
		if (i % 512 == 0)
			p[i * PAGE] = 1;
		if (mprotect(p + i * PAGE, PAGE, PROT_READ) < 0) {
			job_stop(j);
			return;
		}
	}
}

/* A descriptor of /proc/PID/mem keeps what the kernel had to describe the memory of
 * a process that is gone. */
static void dead_spaces(struct job *j)
{
	char name[NAME_BYTES];
	int fd;

	for (;;) {
		pid_t pid = fork();

		if (pid == 0) {
			(void)pause();
			_exit(0);
		}
		if (pid < 0)
			break;
		(void)snprintf(name, sizeof name, "/proc/%d/mem", pid);
		fd = open(name, O_RDONLY);
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
		if (fd < 0)
			break;
		if (!job_take(j, 12288))
			return;
	}
	job_stop(j);
}

const struct stressor stress_hidden[] = {
	{ "leaderless", "exit", "a heap, when the first thread has ended",
	  leaderless, true },
	{ "slow-look", "mprotect mmap", "a heap among 366,000 mappings",
	  slow_look, true },
	{ "dead-spaces", "open fork",
	  "/proc/PID/mem of processes that are gone", dead_spaces, false },
	{ 0 },
};
