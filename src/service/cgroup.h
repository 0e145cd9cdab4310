/* cgroup.h -- for doctor: the cgroup that a run of this process would get
 * here. */
#ifndef CUPEL_SERVICE_CGROUP_H
#define CUPEL_SERVICE_CGROUP_H

#include <stdbool.h>

struct service_cgroup {
	bool has_memory; /* and its limits are in force */
	char text[256];  /* its kind and its limits, or why there is none */
};

/* service_cgroup_try -- look, make one as a run would, and remove it.  A
 * process that is alone in a delegated cgroup is moved to a leaf of it, as in a
 * run. */
void service_cgroup_try(struct service_cgroup *ret);

/* service_cgroup_enter -- if no cgroup can be had otherwise, or only by root at
 * the top of the tree, ask systemd for a scope and move into it alone.  It is
 * the user's systemd; for root it is the machine's.  Only for programs of our
 * own, because it moves the process.
 * It costs one system call if there is no cgroup v2, and at most half a second
 * if the bus does not answer.  If it fails, nothing has changed. */
void service_cgroup_enter(void);

#endif
