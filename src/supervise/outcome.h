/* outcome.h -- what happened, as plain data and without a verdict. */
#ifndef CUPEL_SUPERVISE_OUTCOME_H
#define CUPEL_SUPERVISE_OUTCOME_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/error.h"
#include "launch/record.h"
#include "plan/wall.h"
#include "supervise/egress_book.h"
#include "supervise/met.h"
#include "supervise/trace_log.h"

/* Why we killed, if we did: the reason that fired first by our clock.  Of two
 * at the same reading, the one that comes first here counts; see cupel-run(1),
 * "EXIT STATUS". */
enum kill_cause {
	KILL_NONE,
	KILL_FORBIDDEN_SYSCALL,
	KILL_OUTPUT_STDOUT,
	KILL_OUTPUT_STDERR,
	KILL_MEMORY,
	KILL_CPU,
	KILL_WALL,
	KILL_CANCEL,
	KILL_MAX_
};

struct violation {
	bool any; /* false: unknown call (killed without a report) */
	int number;
	uint32_t arch; /* AUDIT_ARCH_* */
	uint64_t args[6];
	int pid;       /* inside the vessel, 0 if unknown */
	char comm[16]; /* hostile bytes, NUL-terminated */
};

struct stream {
	struct buf kept; /* raw, hostile; at most the cap */
	uint64_t bytes;  /* written by the command, counted while draining */
	bool truncated;
};

struct outcome {
	struct cupel_error error; /* stage NONE: the vessel was set up */
	bool started;             /* exec succeeded */
	int exec_errno;           /* why not, 0 otherwise */
	bool has_status;          /* the command was reaped */
	int wait_status;
	enum kill_cause killed;
	int cancel_signal; /* first signal forwarded, 0 if none */
	enum forbidden_kind forbidden;
	struct violation violation;

	struct stream out, errs, payload;

	wall_set applied, refused;
	bool objects_by_filter;
	bool is_copy;    /* its root is a template's */
	size_t unmapped; /* the number in struct child */
	int listener_errno;
	uint64_t duration_ms; /* from go to the end of the command */
	uint64_t cpu_user_us, cpu_system_us; /* the command's own */
	uint64_t cpu_soft_s;  /* its soft limit at its end; 0 = unknown */
	uint64_t tree_cpu_us; /* the largest total seen of the whole tree */
	uint64_t helpers_us;  /* the same of the relay and the tracer */
	uint64_t max_rss_kib;
	bool has_memory_peak;
	/* Highest reading of the watchdog, or the cgroup's own peak. */
	uint64_t memory_peak_bytes;
	bool has_locks; /* more than LOCKS_MAX were held */
	uint64_t memory_interval_ms, memory_overshoot_bytes;
	bool has_cgroup; /* the CPU time is read from it */
	bool cgroup_is_v1;
	unsigned cgroup_held; /* CGROUP_*: the limits that it enforced */
	uint64_t oom_kills;   /* by the kernel, in the cgroup */
	wall_set missing;     /* found missing at the launch */
	/* If init was killed before it could count: the largest number that the
	 * watchdog saw at once, and 0. */
	uint32_t processes, processes_killed;
	uint32_t tasks; /* all that were started, threads too; 0 = unknown */
	struct limits_met met;     /* seen by the command only as an errno */
	struct egress_book egress; /* filled with scoped egress */
	struct trace_log trace;    /* filled with a trace */
	int tmpfs_fd; /* the one tmpfs, for artifacts; owned, -1 if none */
};

#endif
