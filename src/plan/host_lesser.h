/* host_lesser.h -- what this machine offers to a run without namespaces.
 *
 * Private to plan.
 */
#ifndef CUPEL_PLAN_HOST_LESSER_H
#define CUPEL_PLAN_HOST_LESSER_H

#include "plan/host.h"

/* host_lesser_read -- fill h->is_bounded and h->has_own_cgroup, by looking
 * only. */
void host_lesser_read(struct host *h);

#endif
