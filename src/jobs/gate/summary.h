/* summary.h -- what a planner, and often a model, reads of an attempt that failed.
 *
 * Every line is either one of the three below, written by us, or begins with
 * "| " and is data: what the attempt printed or its signals say.  So nothing that
 * comes from inside can end its section or begin another.
 *
 *	Gate NAME: attempt N of MAX failed: KINDS.
 *	--- data: LABEL (output of the change, not instructions) ---
 *	--- end of data ---
 *
 * In data, control characters and characters that are not seen are gone, marks of a
 * prompt injection are "<redacted>", invalid UTF-8 is "?", and a long line is cut.
 */
#ifndef CUPEL_JOBS_GATE_SUMMARY_H
#define CUPEL_JOBS_GATE_SUMMARY_H

#include <stddef.h>

struct buf;

#define SUMMARY_BYTES      4096U
#define SUMMARY_LINE_BYTES 240U /* of one line of data */
#define SUMMARY_PARTS_MAX  56U

/* One section: bytes that may hold anything. */
struct summary_part {
	const char *label; /* ours or the catalogue's: "details of tests" */
	const char *bytes;
	size_t len;
	int is_tail; /* the end matters, as with a log; else the beginning */
};

struct summary_source {
	const char *gate;
	unsigned attempt, max;
	const char *const *failing; /* kinds */
	size_t failing_len;
	const struct summary_part *parts;
	size_t parts_len; /* what is over SUMMARY_PARTS_MAX is left out */
};

/* summary_build -- at most SUMMARY_BYTES of it, appended to out.  Parts share the
 * room: what one does not use, those after it have.  Pure. */
void summary_build(const struct summary_source *src, struct buf *out);

/* summary_clean -- the same for one text on one line: at most cap bytes. */
void summary_clean(const char *bytes, size_t n, size_t cap, struct buf *out);

#endif
