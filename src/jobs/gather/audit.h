/* audit.h -- the run record: what a gather was given, did and cost. */
#ifndef CUPEL_JOBS_GATHER_AUDIT_H
#define CUPEL_JOBS_GATHER_AUDIT_H

#include "jobs/common/chain.h"
#include "jobs/gather/model.h"

/* Where the record went. */
struct audit_note {
	char name[CHAIN_NAME_BYTES];   /* of its file */
	char broken[CHAIN_NAME_BYTES]; /* the record that could not be
					* continued, to be warned of; or "" */
};

/* audit_append -- one record more in the chain of the directory (chain.h).
 *
 * Each probe with the keys of cupel-probes(5), "RUN RECORDS".  When they do
 * not all fit into CHAIN_RECORD_BYTES, each probe keeps its first inputs and
 * declared_inputs_omitted says how many are left out.
 *
 * @runs_dir_fd	open for reading
 * @ret		set on success; may be NULL
 * Returns 0 or -errno; the chain is whole in either case. */
int audit_append(int runs_dir_fd, const struct gather_run *run,
		 struct audit_note *ret, struct cupel_error *err);

#endif
