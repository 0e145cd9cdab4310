/* report.h -- a test runner's report becomes the payload of its run.
 *
 * The report is hostile bytes.  Nothing here looks at one: they are sealed, and
 * read by cupel-parse in a vessel of its own, in the profile "parser"; what
 * comes out is held against the schema tests and the sanitizer as any payload
 * is.
 */
#ifndef CUPEL_SERVICE_REPORT_H
#define CUPEL_SERVICE_REPORT_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "boundary/payload.h"

struct holder;
struct vessel;

#define REPORT_BYTES ((size_t)32 << 20) /* of one report */

/* Zero is valid: no report. */
struct report {
	/* Set once, by the thread that steps; a signal handler may look. */
	_Atomic(struct vessel *) parser;
	_Atomic(bool) is_cancelled; /* nobody waits for what it says */
	int list_fd;   /* fed to the parser while it runs; 0 = none */
	bool is_asked; /* the command started and a report was asked for */
	/* The file that lay there before the run began; ino 0: none. */
	uint64_t old_ino;
	struct timespec old_changed, old_written;
	/* why there is nothing to read: code NULL means that there is */
	enum payload_status status;
	const char *code;
	char message[400];
};

/* report_mark -- before a phase begins: a file at its report's place is another
 * phase's, and is not to be taken for its own.
 *
 * @ret		zeroed */
void report_mark(struct report *ret, const struct vessel *v,
		 const struct holder *h);

/* report_begin -- v has ended: start to read its report.
 *
 * @ret		report_close() frees it, whatever is returned
 * Returns whether a parser is under way now; else report_take says why. */
bool report_begin(struct report *ret, const struct vessel *v);

/* report_cancel -- from any thread or signal handler: no parser is started any
 * more, and one that runs is killed. */
void report_cancel(struct report *r);

/* report_take -- after the parser's end.
 *
 * @v		the vessel whose report it was
 * @ret		zeroed by the caller; payload_done() frees it.  Valid: the
 *		value is {"tests": {...}}.  Not: its error says why, also
 *		where the status is PAYLOAD_ABSENT. */
void report_take(struct report *r, const struct vessel *v, struct payload *ret);
void report_close(struct report *r);

#endif
