/* attempt_context.h -- the facts of the tree that an attempt is about. */
#ifndef CUPEL_JOBS_GATE_ATTEMPT_CONTEXT_H
#define CUPEL_JOBS_GATE_ATTEMPT_CONTEXT_H

#include "jobs/gate/gate.h"

struct cupel_error;

/* attempt_context_read -- gather the tree's facts: {version, repo, probes,
 * files}. files has, by name, the digest of every file that some probe was
 * given.
 *
 * The result also becomes the evidence "context.json" of a.
 *
 * @ret		in a's arena
 * Returns 0; -EINTR when stop_fd was readable; 1: the host cannot gather, and
 * a->lost is set; -errno. */
int attempt_context_read(const char *worktree, int stop_fd,
			 struct gate_attempt *a, const struct json_value **ret,
			 struct cupel_error *err);

/* attempt_change_write -- write what changed against the base, as rules see it,
 * to the evidence "change.json" of a, for people who look at the gate.
 *
 * @base	the baseline's context
 * Returns 0 or -errno. */
int attempt_change_write(const struct json_value *base,
			 const struct json_value *now, struct gate_attempt *a,
			 struct cupel_error *err);

#endif
