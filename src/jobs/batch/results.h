/* results.h -- opens RESULTS, a file of answers that is appended to. */
#ifndef CUPEL_JOBS_BATCH_RESULTS_H
#define CUPEL_JOBS_BATCH_RESULTS_H

#include <stdbool.h>

#include "jobs/batch/known.h"

struct cupel_error;

/* batch_results_open -- open the file for appending; it is made (0600) if it
 * does not exist.  This process alone has it, as long as the descriptor is
 * open.  For what is refused see base/outfile.h.
 *
 * @resume	the answers in the file are added to known.  A last line without
 *		a newline that begins like an answer is one in which a batch was
 *		killed, and is removed.  Anything else that is not an answer is
 *		refused, and the file stays as it is. false: the file must be
 *		empty
 * @stop_fd	readable: waiting for another's lock ends with -EINTR
 * Returns the descriptor, owned by the caller, or -errno. */
int batch_results_open(const char *path, bool resume, int stop_fd,
		       struct batch_known *known, struct cupel_error *err);

#endif
