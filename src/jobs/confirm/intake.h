/* intake.h -- reads a file of flags, whichever format it has. */
#ifndef CUPEL_JOBS_CONFIRM_INTAKE_H
#define CUPEL_JOBS_CONFIRM_INTAKE_H

#include "jobs/confirm/flag.h"
#include "jobs/confirm/rules.h"

struct intake_request {
	const char *path;  /* of the flags */
	const char *rules; /* path of rules before our own, or NULL */
	const char *repo;  /* host directory */
	/* The flags' name below repo_fd, if the file may have come with the
	 * repository: then no link is followed, and only a regular file is
	 * read.  NULL: the caller named path. */
	const char *beneath;
	int repo_fd;
	int stop_fd; /* readable: reading ends with -EINTR; -1: never */
};

/* intake_read -- read a file of flags.  A text that is one JSON object with
 * runs, or whose name ends in ".sarif" or ".sarif.json", is SARIF 2.1.0.
 * Otherwise it is the report of an analyser (listing.h, listing_lines.h), or
 * JSON Lines with one flag a line.
 *
 * A UTF-8 byte order mark at the start is skipped (RFC 8259, 8.1), because
 * analysers on Windows write it.  UTF-16 is refused.
 *
 * @rules	what ret->items point into; rules_done() frees it, after ret
 * @ret		zeroed by the caller; flags_done() frees it, on failure too
 * Returns 0 or -errno; *err names the file, the place and what was expected. */
int intake_read(const struct intake_request *req, struct rules *rules,
		struct flags *ret, struct cupel_error *err);

#endif
