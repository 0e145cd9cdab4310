/* cgroup.h -- the cgroup of one run: where it could be, and what it must hold.
 *
 * Source: Linux Documentation/admin-guide/cgroup-v2.rst and
 * cgroup-v1/memory.rst.
 */
#ifndef CUPEL_PLAN_CGROUP_H
#define CUPEL_PLAN_CGROUP_H

#include <stdbool.h>
#include <stdint.h>

struct spec;

/* Controllers, as a set. */
#define CGROUP_MEMORY 1U
#define CGROUP_PIDS   2U
#define CGROUP_CPU    4U

/* Who makes it and where, in the order in which they are tried. */
enum cgroup_kind {
	CGROUP_NONE,
	CGROUP_SUBTREE, /* beside the caller's own, in a delegated cgroup */
	CGROUP_ALONE,   /* below the caller's own, once it sits in a leaf */
	CGROUP_ROOT,    /* root's, at the top of the tree */
	CGROUP_V1,      /* version 1, below the caller's own: memory alone */
	CGROUP_MAX_
};

/* What the machine offers. */
struct host_cgroup {
	bool is_read; /* the rest is known */
	enum cgroup_kind kind;
	const char *dir; /* a run's cgroup is made in it */
	unsigned has;    /* controllers that children of dir get */
	unsigned can;    /* these, and those that can be enabled */
	/* CGROUP_NONE, CGROUP_V1: why there is no version 2, a sentence */
	const char *why;
};

/* What a run gets.  SPEC_UNLIMITED: no such limit. */
struct plan_cgroup {
	enum cgroup_kind kind; /* CGROUP_NONE: watchdog and rlimits do it */
	const char *dir;       /* borrowed from struct host_cgroup */
	unsigned has, can;
	uint64_t memory_bytes; /* memory.max; then memory.swap.max is 0 */
	uint64_t pids;
	uint64_t cpu_milli; /* thousandths of a processor */
	bool is_needed;     /* the run does not start without it */
	const char *lacks;  /* why cpu_milli cannot be had; NULL = it can */
};

/* What counts there but is not the command's: init and the keeper of the filter
 * (launch/native/init/notify.c), and for the kernel the namespaces, mounts and
 * tables of the vessel (measured: tests/live/cgroup.t checks it). */
#define CGROUP_OWN_PIDS  2
#define CGROUP_OWN_BYTES ((uint64_t)4 << 20)

/* Names of the directories that we make: a run's, and the leaf that the caller
 * moves to.  After the prefix come the PID namespace, the process in it, its
 * start time, and for a run 16 random digits (launch/native/cgroup.h). */
#define CGROUP_RUN_PREFIX    "cupel-run-"
#define CGROUP_CALLER_PREFIX "cupel-caller-"

/* cgroup_plan -- decide.  Pure.  An init that is begun early gets the same
 * answer as the plan. */
void cgroup_plan(const struct spec *spec, const struct host_cgroup *host,
		 struct plan_cgroup *ret);

/* cgroup_kind_name -- "subtree", "scope", ...; NULL for CGROUP_NONE. */
const char *cgroup_kind_name(enum cgroup_kind kind);

#endif
