/* normal.h -- removes from paths what differs between two runs of the same
 * thing. */
#ifndef CUPEL_JOBS_TRACE_NORMAL_H
#define CUPEL_JOBS_TRACE_NORMAL_H

#include <stdbool.h>
#include <stddef.h>

struct arena;

/* normal_path -- path, where a row of profiles/data/trace-paths.txt fits with
 * that row in place of what it stands for; in the arena, or path itself.
 * Returns NULL without memory. */
const char *normal_path(struct arena *arena, const char *path);

/* normal_is_shell -- whether the last part of name is one of
 * profiles/data/trace-shells.txt; a '-' before it is none of it. */
bool normal_is_shell(const char *name);

#endif
