/* cgroup.h -- the cgroup of one run: made before init, removed after it.
 *
 * Its name tells the owner, so that a killed supervisor leaves nothing behind
 * for long: the next run of the same user removes what a process that no longer
 * exists has left (cgroup_sweep), and nothing of anybody else.
 */
#ifndef CUPEL_LAUNCH_CGROUP_H
#define CUPEL_LAUNCH_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

#include "launch/native/sys.h"
#include "plan/cgroup.h"

struct cupel_error;

/* cupel-caller- and three numbers, or cupel-run- and one more of 16 digits. */
#define CGROUP_NAME_BYTES 96

struct cgroup {
	int dir_fd;    /* of the cgroup, locked and owned; -1 = none */
	bool is_v1;    /* no process is born there: init joins it, then execs */
	unsigned held; /* controllers whose limits are set */
	char name[CGROUP_NAME_BYTES];
};
#define CGROUP_NOWHERE ((struct cgroup){ .dir_fd = -1 })

/* cgroup_make -- a cgroup with its limits, and nobody in it.
 *
 * @plan	CGROUP_NONE is fine
 * @ret		dir_fd -1 when none could be had and the watchdog can do
 * Returns 0, or -errno with *err filled and nothing left behind: a cgroup was
 * needed and could not be had. */
int cgroup_make(struct sys *k, const struct plan_cgroup *plan,
		struct cgroup *ret, struct cupel_error *err);

/* cgroup_remove -- kill what is in it, wait for the end (seconds at most), and
 * remove it.  What cannot be removed is left to a sweep.  *c is then
 * CGROUP_NOWHERE. */
void cgroup_remove(struct cgroup *c);

/* --- parts of it, for tests and for each other ---------------------------- */

/* The process that a name stands for. */
struct cgroup_owner {
	uint64_t pidns; /* inode of its PID namespace */
	uint64_t pid, started;
};

/* cgroup_owner_self -- this process.  Returns 0 or -errno. */
int cgroup_owner_self(struct sys *k, struct cgroup_owner *ret);

/* cgroup_name_write -- write prefix, the owner, and for a run's name some
 * random digits. */
void cgroup_name_write(const char *prefix, const struct cgroup_owner *o,
		       const uint64_t *random, char ret[CGROUP_NAME_BYTES]);

/* cgroup_name_read -- parse a name with that prefix.  Exact: a number has only
 * one spelling.  Returns whether it is such a name. */
bool cgroup_name_read(const char *prefix, bool has_random, const char *name,
		      struct cgroup_owner *ret);

/* cgroup_find_started -- field 22 of a /proc/PID/stat text; 0 = none. */
uint64_t cgroup_find_started(const char *stat);

/* cgroup_sweep -- remove the caller's own left-overs from this directory, as
 * far as they are among the names that some 64 pages hold. */
void cgroup_sweep(struct sys *k, int dir_fd, const struct cgroup_owner *self);

#endif
