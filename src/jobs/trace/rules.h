/* rules.h -- the --egress rules that a run would have needed for what it
 * reached. */
#ifndef CUPEL_JOBS_TRACE_RULES_H
#define CUPEL_JOBS_TRACE_RULES_H

#include <stddef.h>

#include "base/arena.h"
#include "spec/egress.h"

struct happened;
struct buf;

/* Zero is valid. */
struct reached {
	struct arena arena;
	struct egress_rule *rules; /* one for each host and port */
	size_t len, room;
	size_t odd;                 /* entries whose host no rule can name */
	unsigned long long omitted; /* connections without an entry */
};

/* reached_add -- add each host that was reached in h; refused ones need no
 * rule.  Returns 0 or -ENOMEM. */
int reached_add(struct reached *r, const struct happened *h);

/* reached_write -- the shortest list of rules for these and nothing else, one a
 * line, sorted: names first, each host once, its neighbouring ports as one range.
 * Returns 0 or -ENOMEM. */
int reached_write(struct reached *r, struct buf *out);

void reached_done(struct reached *r);

#endif
