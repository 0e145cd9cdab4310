/* report.h -- turns a test runner's report into the payload of its run.
 *
 * The report is hostile bytes.  Nothing here looks at them: they are sealed,
 * and cupel-parse reads them in a vessel of its own, in the profile "parser".
 * Its answer is checked against the schema "tests" and by the sanitizer, as
 * every payload is. */
#ifndef CUPEL_SERVICE_REPORT_H
#define CUPEL_SERVICE_REPORT_H

#include <stdbool.h>
#include <stdint.h>

#include "boundary/payload.h"
#include "supervise/old_files.h"

struct holder;
struct vessel;

#define REPORT_BYTES ((size_t)32 << 20) /* of all reports of a run */

/* Zero is valid: no report. */
struct report {
	/* Set once, by the thread that steps; a signal handler may look. */
	_Atomic(struct vessel *) parser;
	_Atomic(bool) is_cancelled; /* nobody waits for its answer */
	/* Fed to the parser while it runs; 0 or less: none.  Sealed files have
	 * numbers of 3 and above. */
	int list_fd;
	bool is_asked; /* the command started and a report was asked for */
	struct old_files old; /* what was there before the run began */
	/* why there is nothing to read; code NULL: there is something */
	enum payload_status status;
	const char *code;
	char message[400];
};

/* report_mark -- before a phase begins: note the files at its report's place.
 * They belong to an earlier phase and do not count as its own.
 *
 * @ret		zeroed
 * @tmpfs_fd	of the phases' scratch */
void report_mark(struct report *ret, const struct vessel *v, int tmpfs_fd);

/* report_begin -- v has ended: start to read its report.
 *
 * @ret		report_close() frees it, whatever is returned
 * Returns whether a parser is running now; otherwise report_take says why
 * not. */
bool report_begin(struct report *ret, const struct vessel *v);

/* report_cancel -- from any thread or signal handler: no parser is started any
 * more, and a running one is killed. */
void report_cancel(struct report *r);

/* report_take -- after the parser's end, take its answer.
 *
 * @v		the vessel whose report it was
 * @ret		zeroed by the caller; payload_done() frees it.  If it is valid,
 *		the value is {"tests": {...}}.  If not, its error says why, also
 *		for the status PAYLOAD_ABSENT. */
void report_take(struct report *r, const struct vessel *v, struct payload *ret);
void report_close(struct report *r);

#endif
