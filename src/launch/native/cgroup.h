/* cgroup.h -- the cgroup of one run: made before init, removed after it.
 *
 * Its name says whose it is, so that a supervisor that was killed leaves
 * nothing for long: the next run of the same user removes what a process that
 * is no more has left (cgroup_sweep), and nobody else's.
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
	bool is_v1;    /* nobody is born there: init joins it, then execs */
	unsigned held; /* controllers whose limits stand */
	char name[CGROUP_NAME_BYTES];
};
#define CGROUP_NOWHERE ((struct cgroup){ .dir_fd = -1 })

/* cgroup_make -- a cgroup with its limits, and nobody in it.
 *
 * @plan	CGROUP_NONE is fine
 * @ret		dir_fd -1 when none could be had and the watchdog can do
 * Returns 0, or -errno with *err filled and nothing left behind: one was
 * needed. */
int cgroup_make(struct sys *k, const struct plan_cgroup *plan,
		struct cgroup *ret, struct cupel_error *err);

/* cgroup_remove -- kill what is in it, wait for the end (seconds at most), and
 * remove it.  What cannot be removed is left to a sweep.  *c is none then, that
 * holds nothing. */
void cgroup_remove(struct cgroup *c);

/* --- parts of it, for tests and for each other ------------------------------ */

/* Which process a name stands for. */
struct cgroup_owner {
	uint64_t pidns; /* inode of its PID namespace */
	uint64_t pid, started;
};

/* cgroup_owner_self -- this process.  Returns 0 or -errno. */
int cgroup_owner_self(struct sys *k, struct cgroup_owner *ret);

/* cgroup_name_write -- prefix, the owner and for a run's name some digits. */
void cgroup_name_write(const char *prefix, const struct cgroup_owner *o,
		       const uint64_t *random, char ret[CGROUP_NAME_BYTES]);

/* cgroup_name_read -- take a name with that prefix apart; exact, no other
 * spelling of a number.  Returns whether it is one. */
bool cgroup_name_read(const char *prefix, bool has_random, const char *name,
		      struct cgroup_owner *ret);

/* cgroup_find_started -- field 22 of a /proc/PID/stat text; 0 = none. */
uint64_t cgroup_find_started(const char *stat);

/* cgroup_sweep -- remove the caller's own left-overs from this directory: those
 * of the names that some 64 pages hold. */
void cgroup_sweep(struct sys *k, int dir_fd, const struct cgroup_owner *self);

#endif
