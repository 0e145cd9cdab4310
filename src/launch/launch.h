/* launch.h -- from a plan to a running vessel.
 *
 * Room: launch.  launch/native/init/ is a world of its own: a freestanding
 * static program, PID 1 inside, started from a sealed memory file.
 *
 * Must:     obey the plan, step by step, or stop at the first failure with
 *           the stage and the culprit named
 *           leave nothing behind when it fails: no descriptor, process, mount,
 *           cgroup
 * Must not: decide anything; follow a path inside a bound tree
 *           in the child, between clone3 and execveat: malloc, stdio, locks,
 *           credential or dumpability changes (memory is shared)
 */
#ifndef CUPEL_LAUNCH_LAUNCH_H
#define CUPEL_LAUNCH_LAUNCH_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "launch/native/cgroup.h"
#include "launch/native/helper.h"
#include "plan/backend.h"

struct cupel_error;
struct holder; /* keeps the files of a run of phases */
struct launch; /* a vessel that was begun */
struct plan;

/* A vessel whose init runs, though its command may not run yet.  Every
 * descriptor is owned, CLOEXEC, and -1 where there is none. */
struct child {
	pid_t pid; /* of init, in the caller's PID namespace */
	/* The backend that made the vessel.  Without WALL_PIDNS (backend_has)
	 * processes below init can outlive it. */
	enum spec_backend backend;
	int pidfd;      /* readable when init and all below it are gone */
	int control_fd; /* SEQPACKET; closing it ends the vessel */
	int stdin_fd;   /* write end, non-blocking */
	int stdout_fd, stderr_fd, result_fd; /* read ends, non-blocking */
	struct cgroup cgroup; /* init and all below it are in it */
	struct helper
		relay; /* of scoped egress; told what to do, not yet ready */
	struct helper tracer; /* of a trace; not yet ready */
	/* A partial run: 1 + the index of the first source that is shown
	 * without the idmapped mount it needs; 0 = none. */
	size_t unmapped;
};
#define CHILD_NONE                                                             \
	((struct child){ .pid = -1,                                            \
			 .pidfd = -1,                                          \
			 .control_fd = -1,                                     \
			 .stdin_fd = -1,                                       \
			 .stdout_fd = -1,                                      \
			 .stderr_fd = -1,                                      \
			 .result_fd = -1,                                      \
			 .cgroup = CGROUP_NOWHERE,                             \
			 .relay = HELPER_NONE,                                 \
			 .tracer = HELPER_NONE })

/* What a job hands in besides the plan; borrowed until launch_start returns. */
struct launch_extra {
	/* Sealed memory files that become descriptors 4, 5, ... inside;
	 * refused unless sealed against writing, growing and shrinking. */
	const int *inputs;
	size_t inputs_len;
	/* A sealed memory file to execute instead of looking argv[0] up; -1 or
	 * 0 when there is none (0 is never a memory file of ours). */
	int exec_fd;
	/* For launch_begin, which has no plan that says them: the backend that
	 * was asked for, whether egress is scoped (for a holder: in any phase),
	 * and the cgroup; NULL = none. */
	enum spec_backend backend;
	bool is_scoped;
	const struct plan_cgroup *cgroup;
	/* The caller does nothing else meanwhile: see place.h. */
	bool is_alone;
	/* Its stdin is a socket, child.stdin_fd the other end (template.h). */
	bool is_template;
	bool is_holder; /* of launch_hold: init keeps files, and runs nothing */
	bool is_tree;   /* of launch_tree: so does it, for copies */
#ifdef CUPEL_TEST_HOOKS
	const struct test_hooks *begin_hooks; /* of launch_begin; NULL = none */
#endif
};

#define LAUNCH_INPUTS_MAX 1024 /* descriptors of one vessel; NOFILE is lower */

/* launch_start -- make the vessel of plan.backend: open the sources, start
 * init, write its maps, say go.
 *
 * @plan	borrowed until this returns
 * @extra	may be NULL
 * Returns 0, or -errno with *err filled and nothing left behind. */
int launch_start(const struct plan *plan, const struct launch_extra *extra,
		 struct child *ret, struct cupel_error *err);

/* launch_begin -- start init, in all namespaces, before there is a plan, so
 * that the kernel makes the namespaces while the caller plans.  Only for an
 * ordinary user and a backend that has namespaces: what root starts depends on
 * the plan.
 *
 * @extra	its arrays are borrowed until launch_finish or launch_abandon
 * Returns 0 with *ret for one of these two, or -errno with *err filled and
 * nothing left behind. */
int launch_begin(const struct launch_extra *extra, struct launch **ret,
		 struct cupel_error *err);

/* launch_fits -- whether what was begun can carry out the plan. */
bool launch_fits(const struct launch *l, const struct plan *plan);

/* launch_finish -- hand the plan over, write the maps, say go.  l is freed in
 * any case.  Returns as launch_start does. */
int launch_finish(struct launch *l, const struct plan *plan, struct child *ret,
		  struct cupel_error *err);

/* launch_abandon -- end what was begun.  NULL is fine. */
void launch_abandon(struct launch *l);

/* --- phases of a run (docs/copies.md) ------------------------------------ */

/* launch_hold -- start making the files of a run of phases: root, writable view
 * and scratch.  A process of ours keeps them until launch_release.  Waits for
 * nothing: the first phase learns whether they could be made (docs/copies.md).
 *
 * @plan	of any of the phases: they see the same files
 * @is_scoped	the egress of at least one of them is scoped
 * Returns 0, or -errno with *err filled and nothing left behind. */
int launch_hold(const struct plan *plan, bool is_scoped, struct holder **ret,
		struct cupel_error *err);

/* launch_tree -- start making a template: the root that plans of one shape see
 * (plan/shape.h), without what is each vessel's own.  A process of ours keeps it
 * until launch_release.  launch_phase() and launch_take() then make a vessel
 * from it, with all namespaces and a scratch of its own; the vessel before must
 * have ended.
 *
 * Returns 0, or -errno with *err filled and nothing left behind. */
int launch_tree(const struct plan *plan, struct holder **ret,
		struct cupel_error *err);

/* launch_lives -- whether what h keeps is still there.  A holder that ends closes
 * its socket before the kernel kills what was made in it (its PID namespace), so
 * whoever sees such an end sees this first. */
bool launch_lives(const struct holder *h);

/* launch_phase -- ask for one phase in the files that h keeps, with new
 * namespaces for everything else.  One at a time: it is made when no process of
 * the phase before it lives.  Waits for nothing.
 *
 * @ret		as of launch_start, without relay and tracer; its pidfd is h's
 *		until launch_take(), and stands for all phases
 * Returns as launch_start does. */
int launch_phase(struct holder *h, const struct plan *plan,
		 const struct launch_extra *extra, struct child *ret,
		 struct cupel_error *err);

/* launch_take -- after launch_phase(): ask what has become of the phase.
 *
 * @c		what launch_phase() gave; gets relay and tracer
 * @ret_pidfd	of the phase's init, to replace the one in c; also set when a
 *		later step failed; -1 = none
 * Returns 0: it has been told to go; -EAGAIN: there is no answer yet; or
 * another -errno with *err filled. */
int launch_take(struct holder *h, const struct plan *plan, struct child *c,
		int *ret_pidfd, struct cupel_error *err);

/* launch_asked_fd -- readable when launch_take() has an answer; borrowed. */
int launch_asked_fd(const struct holder *h);

/* launch_held -- an O_PATH descriptor of the one tmpfs, above scratch and
 * upper; borrowed.  -1 before the first phase is there. */
int launch_held(const struct holder *h);

/* launch_release -- end all processes that live there, and with them the files.
 * NULL is fine. */
void launch_release(struct holder *h);

/* launch_end -- begin to end the vessel.  Without a PID namespace we shut down
 * our side of the control socket for writing.  That tells init to kill what it
 * started and then to close its own side.  If we killed init itself, its
 * descendants would live on. */
void launch_end(const struct child *c);

/* launch_kill -- SIGKILL for init, whatever it leaves behind. */
void launch_kill(const struct child *c);

/* launch_close -- kill init if it lives, reap it, close every descriptor,
 * end the relay, and remove its cgroup. */
void launch_close(struct child *c);

#endif
