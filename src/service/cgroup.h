/* cgroup.h -- what cgroup a run of this process would have here: for doctor. */
#ifndef CUPEL_SERVICE_CGROUP_H
#define CUPEL_SERVICE_CGROUP_H

#include <stdbool.h>

struct service_cgroup {
	bool has_memory; /* and its limits stand */
	char text[256];  /* of which kind and with what, or why there is none */
};

/* service_cgroup_try -- look, make one as a run would, and remove it.  A process
 * that is alone in a delegated cgroup is moved to a leaf of it, as by a run. */
void service_cgroup_try(struct service_cgroup *ret);

/* service_cgroup_enter -- where no cgroup can be had as things are, or for root only
 * at the top of the tree, ask the user's systemd, for root the machine's, for a
 * scope and sit in it alone.  For a program of our own: it moves the process.
 * Costs a system call where there is no cgroup v2, half a second at most where
 * the bus does not answer; when it fails nothing is different. */
void service_cgroup_enter(void);

#endif
