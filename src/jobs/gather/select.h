/* select.h -- decides which probes a gather runs. */
#ifndef CUPEL_JOBS_GATHER_SELECT_H
#define CUPEL_JOBS_GATHER_SELECT_H

#include "jobs/probe/catalogue.h"

struct cupel_error;

struct select_request {
	const struct probe *others; /* from manifests; borrowed */
	size_t others_len;
	const char *const *only; /* names; only_len 0: all */
	size_t only_len;
};

struct selection {
	const struct probe *probes[PROBES_MAX]; /* sorted by name */
	size_t len;
};

/* select_run -- the built-in probes and the others, or those named in only and
 * whatever these require.
 *
 * Refused, cause caller, with a line that names the culprit: a name that is
 * not known or stands twice, a built-in's name for another, a required probe
 * that does not exist, probes that require each other in a circle, more than
 * PROBES_MAX.
 * Returns 0 or -errno. */
int select_run(const struct select_request *req, struct selection *ret,
	       struct cupel_error *err);

/* selection_find -- index of the probe of that name, or PROBES_MAX. */
size_t selection_find(const struct selection *s, const char *name);

#endif
