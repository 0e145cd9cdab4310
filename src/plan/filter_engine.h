/* filter_engine.h -- a container engine's system call policy, changed so that
 * cupel can run in that container. */
#ifndef CUPEL_PLAN_FILTER_ENGINE_H
#define CUPEL_PLAN_FILTER_ENGINE_H

#include "plan/filter.h"

struct buf;

/* filter_engine_write -- write the policy in source, for a container without
 * capabilities, with the calls allowed that make a vessel.  It has the form of
 * the OCI runtime specification that every engine reads (Docker's includes,
 * excludes and archMap are evaluated).  Pure.
 *
 * @out		one JSON object and a newline, on success only
 *
 * Returns 0, -EINVAL for a text that is no such policy, or that answers calls
 * with success without doing them (cause caller), -ENOMEM.
 * Source: OCI runtime specification, linux.seccomp; Docker's seccomp profiles,
 * "Seccomp security profiles for Docker". */
int filter_engine_write(const struct filter_source *source, struct buf *out,
			struct cupel_error *err);

#endif
