/* stress.c -- run one stressor of the tables, or list them all. */
#include "stress.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define MIB     (1024ULL * 1024)
#define WORKERS 62 /* no shipped profile gives more */

static const struct stressor *const tables[] = {
	stress_memory,      stress_hidden, stress_sockets, stress_net,
	stress_descriptors, stress_files,  stress_disk,    stress_processes,
	stress_self,        stress_proc,
};

uint64_t now_ns(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000ULL + (uint64_t)t.tv_nsec;
}

bool job_take(struct job *j, uint64_t bytes)
{
	uint64_t all = __atomic_add_fetch(&j->all->taken_bytes, bytes,
					  __ATOMIC_RELAXED);

	(void)__atomic_add_fetch(&j->all->steps, 1, __ATOMIC_RELAXED);
	if (all > j->all->cap_bytes)
		return false;
	return now_ns() < j->all->end_ns;
}

bool job_storm(struct job *j)
{
	(void)__atomic_add_fetch(&j->all->steps, 1, __ATOMIC_RELAXED);
	/* Its own count: of all steps together, those of workers that take turns
	 * might never be one that is looked at. */
	return ++j->storms % 8 != 0 || now_ns() < j->all->end_ns;
}

void job_stop(struct job *j)
{
	j->all->error = errno;
}

const char *job_name(const struct job *j, char to[NAME_BYTES], unsigned n)
{
	(void)snprintf(to, NAME_BYTES, "/scratch/%u.%u", j->worker, n);
	return to;
}

static const struct stressor *stressor_find(const char *name)
{
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (const struct stressor *s = tables[t]; s->name; s++)
			if (strcmp(s->name, name) == 0)
				return s;
	return NULL;
}

static void stressors_print(void)
{
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (const struct stressor *s = tables[t]; s->name; s++)
			printf("%s\t%s\t%s\n", s->name, s->calls, s->does);
}

/* What was taken is held to the end: the watcher outside looks at it. */
static void job_run(const struct stressor *s, struct job *j)
{
	struct timespec pause = { .tv_nsec = 20000000 };

	(void)__atomic_add_fetch(&j->all->workers, 1, __ATOMIC_RELAXED);
	s->run(j);
	while (now_ns() < j->all->end_ns)
		(void)nanosleep(&pause, NULL);
}

static void workers_start(const struct stressor *s, struct shared *all)
{
	struct job j = { .all = all };

	for (j.worker = 1; s->is_many && j.worker < WORKERS; j.worker++) {
		pid_t pid = fork();

		if (pid < 0)
			break;
		if (pid > 0)
			continue;
		job_run(s, &j);
		_exit(0);
	}
	j.worker = 0;
	job_run(s, &j);
}

/* usage: stress NAME SECONDS MIB | stress --list */
int main(int argc, char **argv)
{
	const struct stressor *s = argc > 1 ? stressor_find(argv[1]) : NULL;
	struct shared *all;

	if (argc == 2 && strcmp(argv[1], "--list") == 0) {
		stressors_print();
		return 0;
	}
	if (s == NULL || argc != 4) {
		(void)fprintf(stderr, "usage: stress NAME SECONDS MIB\n");
		return 2;
	}
	all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE,
		   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		return 3;
	all->end_ns = now_ns() + (uint64_t)(strtod(argv[2], NULL) * 1e9);
	all->cap_bytes = strtoull(argv[3], NULL, 10) * MIB;
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	workers_start(s, all);
	printf("steps %llu workers %llu taken_mib %llu error %s\n",
	       (unsigned long long)all->steps, (unsigned long long)all->workers,
	       (unsigned long long)(all->taken_bytes / MIB),
	       all->error ? strerrorname_np(all->error) : "none");
	return 0;
}
