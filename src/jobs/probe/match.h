/* match.h -- matches each name against the rules of several probes at once. */
#ifndef CUPEL_JOBS_PROBE_MATCH_H
#define CUPEL_JOBS_PROBE_MATCH_H

#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "jobs/probe/catalogue.h"

struct cupel_error;

#define MATCH_NONE UINT16_MAX

struct match_pattern;

/* In the order of the rules, because a later rule does not matter when an
 * earlier one fits. */
struct match_list {
	struct match_pattern *first, *last;
};

/* Zero is valid: no rules. */
struct match {
	struct match_list buckets[256]; /* by the last byte of a name */
	struct match_list any;          /* of any name */
	struct arena arena;
};

/* match_add -- the rules of probe number index.
 *
 * Returns 0, or -errno: cause caller for a pattern that is too long or has too
 * many alternatives. */
int match_add(struct match *m, const struct probe *probe, size_t index,
	      struct cupel_error *err);

/* match_find -- for each probe the first of its rules that path fits.
 *
 * @ret		one for each probe, set by the caller to MATCH_NONE
 * Returns how many were set. */
size_t match_find(const struct match *m, const char *path, uint16_t *ret);

void match_done(struct match *m);

#endif
