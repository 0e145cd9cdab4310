/* report.h -- CONTEXT_REPORT.md: what the repository is, for a person. */
#ifndef CUPEL_JOBS_GATHER_REPORT_H
#define CUPEL_JOBS_GATHER_REPORT_H

struct buf;
struct gather_run;

/* gather_report_write -- append the report as Markdown.
 *
 * First the facts, about a page; then each probe with its confidence, errors
 * and warnings, what was skipped among them; then what carries marks of a
 * prompt injection.  No time, no host path: the same context, the same report.
 *
 * Text of the repository stands only within code spans, in which nothing is
 * Markdown: backticks, control and invisible characters are escaped there,
 * and what is long is cut with its length said.
 *
 * @out	check buf_has_failed; a report is at most about 1 MiB */
void gather_report_write(const struct gather_run *run, struct buf *out);

#endif
