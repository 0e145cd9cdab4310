/* gc.h -- evidence of gates that ended long ago goes; their records stay. */
#ifndef CUPEL_JOBS_GATE_LEDGER_GC_H
#define CUPEL_JOBS_GATE_LEDGER_GC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cupel_error;
struct state;

struct gc_request {
	int64_t before_s; /* since 1970: gates that ended later stay */
	bool keep_failed; /* only those that passed go */
};

struct gc_counts {
	size_t gates; /* whose evidence went now */
	size_t files; /* removed, those that no record named too */
};

/* gc_run -- first a record evidence.removed for each gate, then the files: what is
 * killed in between is finished by the next one.  The caller holds the lock.
 * Returns 0; LEDGER_BROKEN with nothing done; or -errno. */
int gc_run(const struct state *s, const struct gc_request *req,
	   struct gc_counts *ret, struct cupel_error *err);

#endif
