/* listing_lines.h -- reads reports of analysers that have one message a line.
 *
 * The first line that is not blank shows whose it is:
 *   mypy     --output json: an object with file, severity and message; or its
 *            default: "PATH:LINE: error: words  [code]"; with --pretty a
 *            message has more lines, up to its code or the source below it
 *   flake8   its default: "PATH:LINE:COLUMN: CODE words", as ruff's
 *            concise form
 *   pylint   its default: the same with a colon after the code; the names of
 *            modules and the rating around them are skipped, and so are the
 *            lines below R0801
 * Sources: mypy.readthedocs.io, "--output"; flake8.pycqa.org, "--format". */
#ifndef CUPEL_JOBS_CONFIRM_LISTING_LINES_H
#define CUPEL_JOBS_CONFIRM_LISTING_LINES_H

#include "jobs/confirm/flag.h"
#include "jobs/confirm/rules.h"

struct line_form;

/* line_form_find -- which of these forms text[0..n-1] has, or NULL. */
const struct line_form *line_form_find(const char *text, size_t n);

/* line_form_read -- append each message; a line that is not a message becomes a
 * fault.  Mypy's notes are left out and counted.
 *
 * @rules	outlive ret
 * @ret		zeroed by the caller; flags_done() frees it, on failure too
 * Returns 0; -ENOMEM: no memory, or over FLAGS_MEMORY. */
int line_form_read(const struct line_form *form, const char *text, size_t n,
		   const struct rules *rules, struct flags *ret);

#endif
