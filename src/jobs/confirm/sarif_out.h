/* sarif_out.h -- a SARIF 2.1.0 log of what was recorded.
 *
 * It is written as it comes, so that its memory is that of one result; it has its
 * name only when it is whole (base/outfile.h). */
#ifndef CUPEL_JOBS_CONFIRM_SARIF_OUT_H
#define CUPEL_JOBS_CONFIRM_SARIF_OUT_H

#include "base/buf.h"
#include "base/outfile.h"
#include "jobs/confirm/flag.h"
#include "jobs/confirm/tally.h"

/* Zero is valid: none is wanted, and every call does nothing. */
struct sarif_out {
	const char *path; /* NULL = none */
	struct outfile file;
	struct buf text; /* not yet written */
	bool has_result;
	int64_t began_ms; /* CLOCK_REALTIME */
};

/* sarif_out_open -- refuses at once what cannot be written.
 *
 * @path	NULL: none is wanted; outlives it
 * @ret		sarif_out_done() frees it
 * Returns 0, or -errno with *err naming the path. */
int sarif_out_open(const char *path, int64_t now_ms, struct sarif_out *ret,
		   struct cupel_error *err);

/* sarif_out_add -- the record that line[0..n-1] is, as a result.
 *
 * @file	by source_name()
 * @source	its bytes, or empty
 * Returns 0 or -errno, *err filled. */
int sarif_out_add(struct sarif_out *s, const struct json_text *line,
		  const char *file, const struct buf *source,
		  struct cupel_error *err);

struct sarif_end {
	int64_t now_ms;
	bool is_whole;             /* every flag has its result */
	const struct flags *flags; /* what was skipped of them is said */
	const struct tally *tally; /* and which rules stand for no class */
};

/* sarif_out_close -- what comes behind the results, and its name. */
int sarif_out_close(struct sarif_out *s, const struct sarif_end *end,
		    struct cupel_error *err);

/* sarif_out_done -- without sarif_out_close(), nothing is left of it. */
void sarif_out_done(struct sarif_out *s);

#endif
