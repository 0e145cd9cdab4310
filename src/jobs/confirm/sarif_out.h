/* sarif_out.h -- writes a SARIF 2.1.0 log of what was recorded.
 *
 * Each result is written as it comes, so the memory needed is that of one
 * result.  The file gets its name only when it is whole (base/outfile.h). */
#ifndef CUPEL_JOBS_CONFIRM_SARIF_OUT_H
#define CUPEL_JOBS_CONFIRM_SARIF_OUT_H

#include "base/buf.h"
#include "base/outfile.h"
#include "jobs/confirm/flag.h"
#include "jobs/confirm/tally.h"

/* Zero is valid: no log is wanted, and every call does nothing. */
struct sarif_out {
	const char *path; /* NULL = none */
	struct outfile file;
	struct buf text; /* not yet written */
	bool has_result;
	int64_t began_ms; /* CLOCK_REALTIME */
};

/* sarif_out_open -- begin a log, or refuse at once a path that cannot be
 * written.
 *
 * @path	NULL: no log is wanted; outlives ret
 * @ret		sarif_out_done() frees it
 * Returns 0, or -errno with *err naming the path. */
int sarif_out_open(const char *path, int64_t now_ms, struct sarif_out *ret,
		   struct cupel_error *err);

/* sarif_out_add -- add the record that `line` holds, as a result.
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
	const struct flags *flags; /* the log says what was skipped of them */
	const struct tally *tally; /* and lists these rules without a class */
};

/* sarif_out_close -- write what follows the results, and give the file its
 * name. */
int sarif_out_close(struct sarif_out *s, const struct sarif_end *end,
		    struct cupel_error *err);

/* sarif_out_done -- free it.  Without sarif_out_close() no file is left. */
void sarif_out_done(struct sarif_out *s);

#endif
