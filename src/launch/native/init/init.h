/* init.h -- PID 1 of a vessel: builds it, starts the command, reaps, reports.
 *
 * World: launch/native/init.  A freestanding static program: no libc, no heap,
 * no globals.  It is exec'd from a sealed memory file with the image as
 * descriptor 0 and the control socket as descriptor 1.
 *
 * Must:     obey the image, in order; stop at the first failure and say where
 *           hold nothing of the command's when it runs; exit when the control
 *           socket reaches its end
 * Must not: decide; read anything the command wrote
 */
#ifndef CUPEL_LAUNCH_INIT_INIT_H
#define CUPEL_LAUNCH_INIT_INIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hooks.h"
#include "launch/native/image.h"
#include "launch/native/sys.h"
#include "launch/record.h"
#include "plan/backend.h"

/* An empty file and an empty directory in the new root, which are bound over
 * what is hidden.  Their names are removed before the command starts. */
#define COVER_FILE ".void"
#define COVER_DIR  ".empty"

/* In the one tmpfs, beside the root: the watchdog's proc is attached here while
 * the root is built. */
#define BASE_PROC "proc"
/* In a holder's tmpfs: the root is attached here for phases to enter it. */
#define BASE_NEW "new"

/* The part of a vessel that this init makes. */
enum init_part {
	PART_WHOLE,
	PART_HOLDER, /* the files of all phases: holder.c */
	PART_PHASE,  /* what is a phase's own: phase.c */
	PART_TREE,   /* what all copies of a template see: tree.c */
	PART_COPY,   /* what is a copy's own: tree.c */
};

struct init {
	struct sys k;
	struct order_begin begin;
	struct image *im; /* mapped privately: may be written to; NULL before
			   * image_map() */
	bool is_bounded;  /* the bounding set is empty */
	int control_fd;
	int base_fd;       /* the one tmpfs, above root, scratch, upper ... */
	int root_fd;       /* the mount that becomes "/" */
	int rootdir_fd;    /* the same directory, through the tmpfs: writable */
	bool is_stacked;   /* the tmpfs lies on the old root itself */
	int proc_fd;       /* the vessel's /proc, -1 when there is none */
	int terminal_fd;   /* master of STEP_TERMINAL, -1 when there is none */
	int shm_fd;        /* /proc/sysvipc/shm, -1 until it is asked for */
	int counts_fd;     /* /proc/sys of a template, -1 = none */
	int sockets_fd;    /* lists the vessel's sockets, -1 = none */
	bool has_shm;      /* that /proc has a sysvipc/shm */
	bool cross;        /* an overlay fell back to a bind */
	struct record out; /* what will be reported */
	bool has_scratch;  /* made by us on the host: to be removed */
	bool is_scoped;    /* kill(-1) reaches our descendants alone */
	bool is_copy;      /* of a template: template.c */
	enum init_part part;
	int report_fd; /* of a copy: the pipe from command to init */
	int command_pid;
	int held_signal;     /* ordered before the command existed */
	int listener_fd;     /* of the policy's filter, -1 = none */
	bool is_filtered;    /* the policy is loaded: no free calls */
	bool is_settled;     /* the command's end found no forbidden call */
	bool is_traced;      /* the tracer has the command's process */
	int ruleset_fd;      /* of landlock_prepare(), -1 = none */
	bool is_ruled;       /* by landlock_begin() */
	bool is_outside;     /* the working directory will be "/" */
	long keeper_key;     /* see filter.c; the child's own copy until exec */
	const int *life;     /* in struct child; NULL in a PID namespace */
	char *keeper_stack;  /* KEEPER_STACK_BYTES */
	struct child *child; /* NULL in the child's own copy */
};

/* The command's process before it becomes the command.  It shares memory and
 * descriptors with init and prepares itself while init builds the root: its
 * network namespace alone takes as long.  It works on a copy of struct init, so
 * that no field is written by both; they share only the gate. */
#define CHILD_STACK_BYTES  32768
#define KEEPER_STACK_BYTES 1024
struct child {
	struct init side;
	struct image *im; /* written before GATE_TOLD, read after */
	int root_fd;      /* written before GATE_PROC, read after */
	int help;         /* futex: see enum help */
	/* The sockets of scoped egress are on their way to the relay.  Written
	 * before help says so, read after. */
	bool has_network;
	/* What the child must know of init's work; written before GATE_BUILT,
	 * read after. */
	wall_set applied, refused;
	bool cross;
	int ruleset_fd;
	int gate;    /* futex: see enum gate */
	int running; /* futex: its tid, cleared by the kernel at exec or exit */
	int life;    /* 1; cleared by the kernel when init has ended */
	char *stack; /* CHILD_STACK_BYTES; clearing it would touch each page */
};
/* Only the control socket is open. */
#define INIT_NONE                                                              \
	((struct init){ .control_fd = CONTROL_FD,                              \
			.base_fd = -1,                                         \
			.root_fd = -1,                                         \
			.proc_fd = -1,                                         \
			.shm_fd = -1,                                          \
			.sockets_fd = -1,                                      \
			.counts_fd = -1,                                       \
			.terminal_fd = -1,                                     \
			.rootdir_fd = -1,                                      \
			.listener_fd = -1,                                     \
			.ruleset_fd = -1 })
/* How far the child is with its work beside init, or will never get. */
enum help {
	HELP_NONE,
	HELP_COVERED, /* the covers are mounted */
	HELP_SETTLED, /* and all that only the child knows of is closed */
	HELP_PLACED, /* the command's numbers are taken: others may be opened */
};
enum gate {
	GATE_CLOSED,
	GATE_TOLD,   /* the plan is known */
	GATE_PROC,   /* the root has its /proc, if it gets one: cover it */
	GATE_LIFTED, /* init holds no number of the command's: take them */
	GATE_BUILT,  /* the root is complete: find the command in it */
	GATE_READY,  /* init has given up its powers, too: exec */
};

/* init_fail -- fill in->out.error ("what" or "what: detail", detail may be
 * NULL) and return -sys.  sys is positive. */
int init_fail(struct init *in, enum cupel_stage stage, int sys,
	      const char *what, const char *detail);

/* init_missing -- note a wall that the kernel refuses: with --allow-partial 0
 * is returned, otherwise as init_fail(). */
int init_missing(struct init *in, enum wall wall, enum cupel_stage stage,
		 int sys, const char *what);

/* init_applied -- note that the wall stands. */
static inline void init_applied(struct init *in, unsigned wall)
{
	if (wall < WALL_MAX_)
		in->out.applied |= WALL_BIT(wall);
}

/* init_found -- note what was read back of a wall that others raised. */
static inline void init_found(struct init *in, enum wall wall, bool stands)
{
	if (!stands)
		in->out.applied &= ~WALL_BIT(wall);
}

/* init_drops -- whether a test took this down: a wall, or an enum drop_bit. */
#define init_drops(in, wall) test_drops((in)->begin.hooks, wall)

/* init_shares -- whether a test has a copy use that of its template. */
#define init_shares(in, wall)                                                  \
	(init_drops(in, DROP_SHARED) && init_drops(in, wall))

/* init_can -- whether the wall can stand with the run's backend. */
static inline bool init_can(const struct init *in, enum wall wall)
{
	return backend_has((enum spec_backend)in->begin.backend, wall);
}

/* image_text -- the text at an offset, NULL for 0. */
static inline const char *image_text(const struct init *in, uint32_t at)
{
	return at != 0 ? (const char *)in->im + at : NULL;
}

/* image_at -- the array at an offset. */
static inline void *image_at(const struct init *in, struct image_list list)
{
	return (char *)in->im + list.at;
}

typedef int init_stage(struct init *in);
/* Run the stages in order until one fails. */
int stages_run(struct init *in, init_stage *const stages[],
	       size_t n); /* main.c */
/* After the last stage, or a failure (r): report, and watch the command until
 * it ends.  Returns the exit status. */
int vessel_live(struct init *in, int r); /* main.c */
int holder_main(struct init *in); /* holder.c: until the supervisor ends */
/* What a phase's init is given: the descriptors of the order, and one of the
 * cgroup. */
struct phase_given {
	const struct init *holder;
	int fds[PHASE_FDS];
	int procs_fd; /* -1 = none */
};
int phase_main(void *given); /* phase.c */
/* In a cgroup by now: take it for the root of a namespace.  Closes procs_fd. */
int cgroup_hide(struct init *in, int procs_fd); /* phase.c */
int tree_main(void *given);                     /* tree.c */

/* The steps of init_main, each in the file that is named.  All return 0 or
 * -errno with in->out.error filled. */
int image_map(struct init *in);              /* image.c */
int image_map_from(struct init *in, int fd); /* fd is closed */
int order_begin(struct init *in);            /* report.c */
int order_wait(struct init *in);             /* report.c */
int order_network(struct init *in);          /* report.c: the relay serves */
int report_network(struct init *in, const int fds[], size_t n); /* report.c */
int report_tracer(struct init *in, int fd);                     /* report.c */
int ids_take(struct init *in);            /* privilege.c */
int bounding_drop_early(struct init *in); /* privilege.c */
int signals_reset(struct init *in);       /* command.c */
int umask_set(struct init *in);           /* names.c */
int names_set(struct init *in);           /* names.c */
int scratch_make(struct init *in);        /* scratch.c */
void scratch_remove(struct init *in);     /* scratch.c */
int tmpfs_mount(struct init *in);         /* root.c */
int root_build(struct init *in);          /* root.c */
int root_finish(struct init *in);         /* root.c: no name but the plan's */
int root_enter(struct init *in);          /* root.c */
int root_join(struct init *in);           /* root.c: the holder's */
int holder_enter(struct init *in);        /* root.c */
bool root_is_alone(struct init *in);      /* root.c: nothing is above it */
int tree_keep(struct init *in);           /* tree.c: what copies will need */
int tree_close(struct init *in);          /* tree.c: nobody writes any more */
int copy_attest(struct init *in);         /* tree_attest.c */
int copy_root_enter(struct init *in, int root_fd); /* tree.c */
int privilege_drop(struct init *in);               /* privilege.c */
void privilege_attest(struct init *in);            /* privilege.c */
int network_make(struct init *in);                 /* names.c */
int loopback_up(struct init *in);                  /* names.c */
/* The congestion control of every TCP socket between the command and the relay.
 * Their bytes never leave the machine, so pacing them, as BBR does, gains nothing
 * and makes a long stream take twice as long (docs/egress.md).  Every kernel
 * has this one. */
#define EGRESS_CONGESTION "reno"
int network_scope(struct init *in); /* network.c: scoped egress */
/* Make one socket of the plan.  Returns it, -EAFNOSUPPORT for one that a kernel
 * without IPv6 does not have, or another -errno. */
long socket_make(struct init *in, const struct egress_socket *s); /* socket.c */
int counts_open(struct init *in);               /* names.c: -1 = none */
void counts_bound(struct init *in, int dir_fd); /* names.c: closes dir_fd */
void sockets_open(struct init *in);             /* names.c */
int keyring_join(struct init *in);              /* names.c */
int command_fork_early(struct init *in);        /* command.c */
int command_fork(struct init *in);    /* command.c: unless it was early */
int command_settle(struct init *in);  /* command.c: nothing is opened after */
int command_release(struct init *in); /* command.c */
int proc_watch(struct init *in, const struct image_step *s); /* step.c */
int report_started(struct init *in);                         /* report.c */
void report_failed(struct init *in);                         /* report.c */
int report_carried(struct init *in);                         /* report.c */
int report_forbidden(struct init *in);                       /* report.c */
int report_exited(struct init *in);                          /* report.c */
int command_watch(struct init *in);                          /* watch.c */
int signals_scope(struct init *in);                          /* kill.c */
void descendants_kill(struct init *in); /* kill.c: and reap them all */
/* Where other processes do not end with init by themselves: have the kernel
 * clear a word in memory when init has ended.  To be called before the
 * command's process is made. */
int life_start(struct init *in); /* kill.c */
/* Where a test asks for this process to be late: wait until init has ended. */
#ifdef CUPEL_TEST_HOOKS
void turn_await(const struct init *in, enum drop_bit bit); /* kill.c */
#else
#define turn_await(in, bit) ((void)0)
#endif
/* In a process that has init's memory: end with init, even if it has ended
 * already.  life may be NULL; is_leader starts a session.  Returns 0, or -errno
 * when there is nothing to wait for: -ESRCH when init is gone. */
long life_share(struct sys *k, const int *life, bool is_leader); /* kill.c */
/* The filter's count is not needed any more.  Kill its keeper now, so that it
 * dies while init and the supervisor finish, and not after them. */
void keeper_kill(struct init *in); /* kill.c */

/* Wait for the end of a keeper that was killed.  Who ends last takes the
 * namespaces down, and that is better done by init itself than by a process that
 * init would have to wait for on another processor. */
void keeper_reap(struct init *in); /* kill.c */

/* A forbidden call was made and may still wait: receive and report it. */
int forbidden_take(struct init *in); /* notify.c */
/* Wait for one, and for signals as event_await() does.  Returns 0, or -errno
 * when it is no longer possible to wait in this way. */
int forbidden_await(struct init *in); /* notify.c */
/* At the command's end: find out whether a call was made that nobody
 * received. */
void forbidden_settle(struct init *in); /* notify.c */

/* What came in while we waited. */
struct wake {
	int signals;   /* how many were handled in all */
	int ended_pid; /* SIGCHLD said that this child has ended, 0 = none */
};
/* Let SIGCHLD, and SIGIO for the control socket, interrupt event_await(). */
int events_open(struct init *in); /* event.c */
/* ioctl(listener_fd, request, arg), or what interrupted it: -EINTR, or -EAGAIN
 * for a signal that came before the call.  No signal is lost between two
 * calls. */
long event_await(struct init *in, long request, void *arg,
		 struct wake *wake); /* event.c */

/* number_before -- n in decimal, ending before end.  Returns its start. */
char *number_before(char *end, long n); /* kill.c */

/* ids_map -- map the ids to the same numbers, in a new user namespace of our own:
 * nobody outside is in the namespace above it, so it is done from inside. */
int ids_map(struct init *in, uint32_t uid, uint32_t gid); /* privilege.c */

/* start.c: the code that a signal handler returns to. */
void signal_return(void);
#if defined(__x86_64__)
#define SIGNAL_RESTORER_FLAG 0x04000000UL
#else
#define SIGNAL_RESTORER_FLAG 0UL /* the vDSO has it */
#endif

void gate_open(struct init *in, enum gate to); /* command.c */
/* Wait until the child has come that far, or has ended. */
void help_await(struct init *in, enum help want); /* command.c */
int covers_run(struct init *in, int root_fd);     /* root.c: the child's part */
int step_run(struct init *in, const struct image_step *s);     /* step.c */
int overlay_run(struct init *in, const struct image_step *s);  /* overlay.c */
int terminal_run(struct init *in, const struct image_step *s); /* terminal.c */

/* mount.c: the few mount operations, each one call or two.  Targets are
 * relative to the working directory: the new root.  All return 0 or a
 * descriptor, or -errno. */
int mount_bind(struct init *in, const char *source, const char *target,
	       bool recursive);
int mount_move(struct init *in, int tree_fd, const char *target);
int mount_attr_set(struct init *in, const char *target, uint64_t attr,
		   bool recursive);
/* Hold the file that path names below dir_fd, or AT_FDCWD, with an O_PATH
 * descriptor; a link at the end is not followed.  -ESTALE when it is not the
 * file id. */
int file_pin(struct init *in, int dir_fd, const char *path,
	     const struct file_id *id);
/* Bind the file that fd holds, whatever its name stands for by now. */
int mount_pin(struct init *in, int fd, const char *target, bool recursive);
/* -ESTALE when another file than id is mounted at target. */
int mount_is(struct init *in, const char *target, const struct file_id *id);
/* Mount a source of the plan, with attr set on it and all below.  It must be
 * the file that the plan saw, before and after it is mounted. */
int mount_source(struct init *in, const struct image_source *s,
		 const char *target, uint64_t attr);
/* Report a source that is not the file of the plan: -ESTALE. */
int source_stale(struct init *in, const char *path);
#define FD_PATH_BYTES 320
/* "/proc/self/fd/N" or, with a name, "/proc/self/fd/N/name" */
void fd_path(char out[FD_PATH_BYTES], int fd, const char *name);
int fs_open(struct init *in, const char *type);
int fs_text(struct init *in, int fs_fd, const char *key, const char *value);
int fs_flag(struct init *in, int fs_fd, const char *key);
int fs_mount(struct init *in, int fs_fd, uint64_t attr);

/* The command's side, between clone and exec (child.c, limit.c, landlock.c,
 * filter.c).  `in` is the child's own copy. */
int child_run(void *child);
int terminal_take(struct init *in);    /* terminal.c */
int descriptors_lift(struct init *in); /* command.c */
int descriptors_place(struct init *in);
/* Close all numbers from `from` on, at once or (CLOSE_RANGE_CLOEXEC) at
 * exec. */
int descriptors_end(struct init *in, uint32_t from, unsigned flags);
int session_start(struct init *in); /* and end with init */
/* Look name up along PATH as execvp(3) does.  Returns 0 with out filled, or the
 * errno, negative, with which exec would have failed. */
#define FIND_BYTES 4100
long program_find(struct init *in, const char *name, char out[FIND_BYTES]);
int directory_enter(struct init *in);
int walls_check(struct init *in);
int limits_set(struct init *in);
int landlock_prepare(struct init *in);
int landlock_begin(struct init *in);
int landlock_enter(struct init *in);
int policy_load(struct init *in);
int halves_load(struct init *in);
int trace_begin(struct init *in);   /* trace.c: the tracer takes hold of it */
int trace_load(struct init *in);    /* trace.c: the traced calls stop */
int trace_seal(struct init *in);    /* trace.c: no call gets around that */
long keeper_start(struct init *in); /* notify.c; returns its pid or -errno */

#endif
