/* stress.h -- one system call at a time, as much of it as a vessel gives.
 *
 * Must:     stop by itself at the bytes and at the time that it is given, so that a
 *           wall that fails does not take the machine along
 * Must not: be run outside of a vessel but by somebody who wants that
 */
#ifndef STRESS_H
#define STRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define NAME_BYTES 64

/* What all workers of one stressor share: they are processes, this is one page. */
struct shared {
	uint64_t end_ns; /* CLOCK_MONOTONIC */
	uint64_t
		cap_bytes; /* what all workers together may make the kernel hold */
	uint64_t taken_bytes;
	uint64_t steps;
	uint64_t workers;
	int error; /* the errno that most lately stopped a worker */
};

struct job {
	struct shared *all;
	unsigned worker; /* 0 is the first process */
	unsigned storms; /* steps of job_storm() that this worker took */
};

struct stressor {
	const char *name;
	const char *calls; /* the system calls that it covers, by blanks */
	const char *does;
	void (*run)(struct job *j);
	/* As many processes as the vessel gives, or one. */
	bool is_many;
};

extern const struct stressor stress_memory[];
extern const struct stressor stress_hidden[];
extern const struct stressor stress_sockets[];
extern const struct stressor stress_net[];
extern const struct stressor stress_descriptors[];
extern const struct stressor stress_files[];
extern const struct stressor stress_disk[];
extern const struct stressor stress_processes[];
extern const struct stressor stress_self[];
extern const struct stressor stress_proc[];

uint64_t now_ns(void);

/* job_take -- count one step that makes the kernel hold so many bytes more.
 * Returns whether the worker may go on: there is time, and the cap is not reached. */
bool job_take(struct job *j, uint64_t bytes);

/* job_storm -- the same for a step that holds nothing; looks at the clock only
 * once in 8 steps of the worker. */
bool job_storm(struct job *j);

/* job_stop -- note errno as what stopped the worker. */
void job_stop(struct job *j);

/* job_name -- a file name of this worker's below /scratch, into to. */
const char *job_name(const struct job *j, char to[NAME_BYTES], unsigned n);

#endif
