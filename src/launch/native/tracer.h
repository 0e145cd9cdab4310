/* tracer.h -- the tracer of a run, started beside its vessel. */
#ifndef CUPEL_LAUNCH_TRACER_H
#define CUPEL_LAUNCH_TRACER_H

#include "launch/native/helper.h"

/* tracer_start -- start cupel-tracer.  It says TRACER_SAYS_READY when it has
 * confined itself, and then waits for struct tracer_config.
 *
 * Returns 0 with *ret the caller's, or -errno with *err filled. */
int tracer_start(struct sys *k, struct helper *ret, struct cupel_error *err);

#endif
