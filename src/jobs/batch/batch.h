/* batch.h -- many runs: takes specs, gives results, and runs a bounded number
 * at once.
 *
 * Room: jobs/batch.
 *
 * Must:     answer every line exactly once, whatever is in it
 *           need an amount of memory that does not depend on how many lines
 *           there are, except for 16 bytes for each known id and answer
 *           go on with what runs while a reader is slow
 * Must not: let one run see anything of another: each is a vessel of its own */
#ifndef CUPEL_JOBS_BATCH_BATCH_H
#define CUPEL_JOBS_BATCH_BATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "cupel.h"
#include "service/pool.h"

struct cupel_error;
struct spec;

#define BATCH_JOBS_MAX POOL_PLACES_MAX

struct batch_request {
	int specs_fd;                /* lines in; borrowed */
	const char *specs_shown;     /* its name, for messages */
	const char *results;         /* path of a file, or NULL: results_fd */
	int results_fd;              /* borrowed */
	const struct spec *base;     /* spec_line_defaults() */
	const char *options;         /* digest of what base was made of */
	unsigned jobs;               /* 1 to BATCH_JOBS_MAX */
	uint64_t shard_at, shard_of; /* 1 of 1: all lines */
	bool is_ordered, resume, keep_going;
	int stop_fd; /* readable: end what runs; -1: never */
};

struct batch_counts {
	uint64_t lines;     /* that were of this shard */
	uint64_t ok;        /* runs whose status is OK */
	uint64_t failed;    /* runs with any other, or that the host could
			     * not begin */
	uint64_t wrong;     /* lines that asked for nothing that can be done */
	uint64_t known;     /* lines whose answer RESULTS already had */
	uint64_t known_bad; /* of these: the run was not OK, or a wrong line */
	uint64_t written;   /* answers that have been written */
	uint64_t remade;    /* runs made from the beginning because a copy
			     * failed */
	char remade_why[CUPEL_ERROR_WHAT]; /* why the last did */
	bool is_cut; /* not all lines were read, because one failed */
};

/* batch_run -- run all lines.
 *
 * Returns 0, -EINTR when it was stopped, or -errno with *err filled.  Answers
 * that could be written are in the results, whole. */
int batch_run(const struct batch_request *req, struct batch_counts *ret,
	      struct cupel_error *err);

#endif
