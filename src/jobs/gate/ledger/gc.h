/* gc.h -- removes the evidence of gates that ended long ago; their records
 * stay. */
#ifndef CUPEL_JOBS_GATE_LEDGER_GC_H
#define CUPEL_JOBS_GATE_LEDGER_GC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cupel_error;
struct state;

struct gc_request {
	int64_t before_s; /* since 1970: gates that ended later stay */
	bool keep_failed; /* remove only those that passed */
};

struct gc_counts {
	size_t gates; /* whose evidence was removed now */
	size_t files; /* removed, including those no record named */
};

/* gc_run -- write a record evidence.removed for each gate first, then remove
 * the files.  If it is killed in between, the next run finishes the work.  The
 * caller holds the lock.
 * Returns 0; LEDGER_BROKEN with nothing done; or -errno. */
int gc_run(const struct state *s, const struct gc_request *req,
	   struct gc_counts *ret, struct cupel_error *err);

#endif
