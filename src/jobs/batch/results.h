/* results.h -- RESULTS, a file of answers that is appended to. */
#ifndef CUPEL_JOBS_BATCH_RESULTS_H
#define CUPEL_JOBS_BATCH_RESULTS_H

#include <stdbool.h>

#include "jobs/batch/known.h"

struct cupel_error;

/* batch_results_open -- open for appending, made (0600) when it is not there;
 * this process alone has it, as long as the descriptor is open.  What is refused
 * stands in base/outfile.h.
 *
 * @resume	the answers in it are added to known.  A last line without its
 *		newline that begins as an answer is one that a batch died in: it
 *		is taken away.  Whatever else is no answer is refused, and the
 *		file left as it is.  false: the file must be empty
 * @stop_fd	readable: waiting for another's lock ends with -EINTR
 * Returns the descriptor, owned by the caller, or -errno. */
int batch_results_open(const char *path, bool resume, int stop_fd,
		       struct batch_known *known, struct cupel_error *err);

#endif
