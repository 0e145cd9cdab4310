/* intake.h -- a file of flags, whichever form it has. */
#ifndef CUPEL_JOBS_CONFIRM_INTAKE_H
#define CUPEL_JOBS_CONFIRM_INTAKE_H

#include "jobs/confirm/flag.h"
#include "jobs/confirm/rules.h"

struct intake_request {
	const char *path;  /* of the flags */
	const char *rules; /* path of rules before our own, or NULL */
	const char *repo;  /* host directory */
	/* The flags' name below repo_fd, opened as what a repository brought:
	 * no link, nothing but a regular file.  NULL: the caller named path. */
	const char *beneath;
	int repo_fd;
	int stop_fd; /* readable: reading ends with -EINTR; -1: never */
};

/* intake_read -- SARIF 2.1.0: a text that is one JSON object with runs, and
 * whatever has a name in ".sarif" or ".sarif.json"; the report of an analyser
 * (listing.h, listing_lines.h); else JSON Lines, a flag each.
 *
 * A UTF-8 byte order mark at the start is passed over (RFC 8259, 8.1):
 * analysers on Windows write it.  UTF-16 is refused.
 *
 * @rules	what ret->items point into; rules_done() frees it, after ret
 * @ret		zeroed by the caller; flags_done() frees it, on failure too
 * Returns 0 or -errno, *err naming the file, and place and expectation. */
int intake_read(const struct intake_request *req, struct rules *rules,
		struct flags *ret, struct cupel_error *err);

#endif
