/* report_old.h -- remembers the reports that an earlier phase of a run left.
 *
 * They are in the place where the next phase's reports are looked for, but they
 * belong to the next phase only if it has touched them. */
#ifndef CUPEL_SERVICE_REPORT_OLD_H
#define CUPEL_SERVICE_REPORT_OLD_H

#include <stdbool.h>
#include <stddef.h>

struct old_file;
struct report_source;

#define REPORTS_MAX 256 /* files of one run */

/* Zero is valid: there are none. */
struct report_old {
	struct old_file *items; /* owned */
	size_t len;
	bool is_unknown; /* too many, or no memory: every file counts as old */
};

/* report_old_mark -- before a phase begins: note the files at its report's
 * place.
 *
 * @ret		zeroed; report_old_done() frees it
 * @tmpfs_fd	of the run's scratch */
void report_old_mark(struct report_old *ret, int tmpfs_fd,
		     const struct report_source *from);

/* report_old_has -- whether the open file fd was there before and is unchanged;
 * also true if that cannot be found out. */
bool report_old_has(const struct report_old *old, int fd);

void report_old_done(struct report_old *old);

#endif
