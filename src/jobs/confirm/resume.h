/* resume.h -- which flags the log has a record of already. */
#ifndef CUPEL_JOBS_CONFIRM_RESUME_H
#define CUPEL_JOBS_CONFIRM_RESUME_H

#include "base/blake3.h"
#include "jobs/confirm/flag.h"
#include "jobs/confirm/seal.h"

struct cupel_error;

struct resume_from {
	int log_fd; /* by log_open() */
	const struct seal *seal;
	const char *repo;
	int repo_fd;
};

struct resume_counts {
	size_t recorded; /* flags that are not run again */
	size_t bad;      /* lines of the log that are no record */
	size_t unsealed; /* records that this user's cupel did not write */
};

/* resume_mark -- set is_recorded of every flag that has a record in the log:
 * the same file, function, class, line and argument, the same hints if the record has
 * hints (an older one does not), and a file_blake3 that still fits the file.
 * Of several such records the one with the highest status counts, whatever
 * their order.  A record that says that the host could not run it does not
 * count, and neither does one without a good seal, because whoever wrote the
 * repository may have written its log.
 *
 * The log is read once, up to its present end, a line at a time; it may contain
 * anything.
 * Returns 0 or -errno, *err filled: the log cannot be read, or no memory. */
int resume_mark(const struct resume_from *from, struct flags *f,
		struct resume_counts *ret, struct cupel_error *err);

/* resume_hints -- the hash of a flag's hints, as records have it; "" = it has
 * none. */
void resume_hints(const struct flag *flag, char ret[BLAKE3_TEXT_BYTES]);

#endif
