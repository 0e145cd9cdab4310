/* record.h -- what init tells the supervisor, one fixed-size packet each.
 *
 * The control socket is a SOCK_SEQPACKET pair.  Packets are written by init,
 * our own program, before and after the command ran.  The command chose nothing
 * in them but exit status and counts.  The supervisor checks sizes and ranges
 * all the same.
 */
#ifndef CUPEL_LAUNCH_RECORD_H
#define CUPEL_LAUNCH_RECORD_H

#include <stdint.h>

#include "base/error.h"
#include "base/hooks.h"
#include "launch/native/place.h"
#include "plan/egress.h"
#include "plan/wall.h"

enum record_kind {
	RECORD_FAILED = 1, /* setup stopped; the command never ran */
	RECORD_STARTED,    /* the command was exec'd, or exec itself failed */
	RECORD_TRACER,     /* with the tracer's end of a socket */
	RECORD_CARRIED,    /* the answer to ORDER_CARRY */
	RECORD_FORBIDDEN,  /* a forbidden call was made */
	RECORD_EXITED,     /* the command was reaped; everything else killed */
	RECORD_NETWORK,    /* the sockets of scoped egress, before the start */
	RECORD_MAX_
};

/* Descriptors that come with RECORD_STARTED and RECORD_CARRIED (SCM_RIGHTS), in
 * this order, each only when its bit is set in `carries`.  Most runs end before
 * the watchdog's first look.  So what only the watchdog needs stays with init
 * until it is asked for, and is closed with init, not by the supervisor. */
enum record_carry {
	CARRY_PROC = 1,     /* O_DIRECTORY of the vessel's /proc */
	CARRY_TMPFS = 2,    /* O_DIRECTORY of the one tmpfs, above scratch */
	CARRY_SHM = 4,      /* /proc/sysvipc/shm of the IPC namespace */
	CARRY_TERMINAL = 8, /* the other end of the command's terminal */
	CARRY_SOCKETS = 16, /* NETLINK_SOCK_DIAG of the network namespace */
};
#define RECORD_FDS_MAX 5

/* With RECORD_NETWORK come the sockets of the plan that were made, in its
 * order: all but those that a kernel without IPv6 does not have. */
#define NETWORK_WORD_BITS 64
#define NETWORK_WORDS                                                          \
	((EGRESS_SOCKETS_MAX + NETWORK_WORD_BITS - 1) / NETWORK_WORD_BITS)

/* What is known of calls that the policy forbids as violations
 * (docs/init.md). */
enum forbidden_kind {
	FORBIDDEN_NONE,
	FORBIDDEN_SEEN,    /* one was made, and this is it */
	FORBIDDEN_COUNTED, /* one was made; it is not known which */
	FORBIDDEN_UNKNOWN, /* the keeper of the count was killed from inside */
	FORBIDDEN_MAX_
};

/* Only FORBIDDEN_SEEN fills all of it; every value was chosen by the
 * command. */
struct forbidden {
	uint32_t kind;
	int32_t number;
	uint32_t arch; /* AUDIT_ARCH_* */
	int32_t pid;   /* as init sees it */
	uint64_t args[6];
	char comm[16]; /* "" = unknown */
};

struct record {
	uint32_t kind;
	uint32_t carries;
	uint32_t offers; /* RECORD_STARTED: what ORDER_CARRY would bring */
	/* RECORD_FAILED */
	struct cupel_error error;
	uint32_t had_started; /* the command already ran when this failed */
	/* RECORD_NETWORK: bit n is socket n of plan.egress */
	uint64_t network_made[NETWORK_WORDS];
	/* RECORD_STARTED */
	wall_set applied;           /* read back, or certain */
	wall_set refused;           /* tried, and the kernel said no */
	int32_t exec_errno;         /* 0 = the command runs */
	uint32_t objects_by_filter; /* repo_objects: bind plus cross filter */
	int32_t seccomp_errno; /* why there is no listener, 0 if there is */
	/* Our own process beside init and the command: its process id inside, 0
	 * = there is none (launch/native/init/notify.c) */
	int32_t keeper_pid;
	/* RECORD_FORBIDDEN, RECORD_EXITED */
	struct forbidden forbidden;
	/* RECORD_EXITED */
	int32_t wait_status;       /* of the command, as in wait4(2) */
	uint32_t processes;        /* reaped in all, the command included */
	uint32_t processes_killed; /* alive when the command ended */
	/* Process ids that the kernel handed out from the command's own on: to
	 * processes and threads; 0 = unknown. */
	uint32_t tasks;
	uint64_t cpu_user_us, cpu_system_us; /* the command's own */
	/* Its soft RLIMIT_CPU at its end, in seconds; 0 = unknown.  The kernel
	 * raises it by one when it sends SIGXCPU. */
	uint64_t cpu_soft_s;
	uint64_t tree_user_us, tree_system_us; /* of all that were reaped */
	uint64_t max_rss_kib;
	/* Of the one tmpfs at the command's end; blocks 0 = unknown. */
	uint64_t tmpfs_blocks, tmpfs_free_blocks;
	uint64_t tmpfs_files, tmpfs_free_files;
};

/* What the supervisor sends: one byte for the kind, one for the argument. */
enum order_kind {
	ORDER_BEGIN = 'b',  /* struct order_begin: always the first */
	ORDER_HELLO = 'h',  /* before GO: init answers with the same */
	ORDER_GO = 'g',     /* maps are written: build */
	ORDER_SIGNAL = 's', /* signal the command's process group */
	ORDER_CARRY = 'c',  /* hand over what was offered; once */
	/* With scoped egress: the relay has the sockets, start the command. */
	ORDER_NETWORK = 'n',
};
struct order {
	uint8_t kind;
	uint8_t signal;
};

/* A process that keeps files for others, and runs nothing. */
enum holds_what {
	HOLDS_NOTHING,
	HOLDS_PHASES, /* of a run of phases (docs/copies.md) */
	HOLDS_TREE,   /* a root that vessels are copied from (docs/copies.md) */
};

/* Sent even before init is cloned: what init must know before there is a plan.
 * The image is complete only at ORDER_GO. */
struct order_begin {
	uint8_t kind;
	uint8_t is_early; /* the command's process is made before the plan */
	uint8_t is_apart; /* the supervisor plans meanwhile */
	uint8_t holds;    /* enum holds_what */
	uint32_t backend; /* enum spec_backend: a row in plan/backend.c */
	uint64_t clone_flags; /* CLONE_NEW*, with that of the network */
	struct cpus cpus;     /* the caller's; empty: no process is placed */
#ifdef CUPEL_TEST_HOOKS
	struct test_hooks hooks;
#endif
};

/* --- a template (docs/copies.md) ----------------------------------------- */

/* A template is the command of a vessel, made to be copied.  Its stdin is a
 * SOCK_SEQPACKET socket, and for each struct order_copy on it there is one more
 * vessel, inside its own, with a copy of its process as the command.
 *
 * With the order come, as descriptors (SCM_RIGHTS): the command's stdin,
 * stdout, stderr and result, init's control socket, and the inputs. */
#define COPY_FDS        5
#define COPY_INPUTS_MAX 16
#define ORDER_COPY      'v'
struct order_copy {
	uint8_t kind;
	uint8_t cross;      /* the template's overlay fell back to a bind */
	wall_set inherited; /* walls that stand in the template's vessel */
#ifdef CUPEL_TEST_HOOKS
	struct test_hooks hooks;
#endif
};

/* From a template: first that it is ready; then, for each order, a pidfd of the
 * new vessel's init or the reason why there is none. */
enum answer_kind {
	ANSWER_READY = 1,
	ANSWER_COPIED,
	ANSWER_PHASE,
};
struct answer_copy {
	uint32_t kind;
	int32_t error; /* errno; if set, no descriptor comes along */
};

/* --- phases of a run (docs/copies.md) ------------------------------------ */

/* A holder keeps the root, the writable view and the scratch of all phases.
 * For each struct order_phase on its control socket there is one more vessel:
 * init in namespaces of its own, in a copy of the holder's mount table.
 *
 * With the order come, as descriptors (SCM_RIGHTS): init's control socket, its
 * image, the command's stdin, stdout, stderr and result, and, with has_procs,
 * the cgroup.procs file by which the holder puts init into its cgroup, or the tasks
 * file by which a copy puts itself there. */
#define PHASE_FDS   6
#define ORDER_PHASE 'p'
struct order_phase {
	uint8_t kind;
	uint8_t has_procs;
	uint64_t clone_flags; /* CLONE_NEW*, with that of the network */
};

/* From a holder: first that it is ready, with the one tmpfs as a descriptor, or
 * why it is not; then, for each order, a pidfd of the phase's init, which is in
 * its cgroup by then, or the reason why there is none. */
struct answer_phase {
	uint32_t kind;            /* ANSWER_READY, ANSWER_PHASE */
	struct cupel_error error; /* stage NONE: it is as it was asked for */
};

#endif
