/* spawn.h -- clone init into its namespaces and exec it. */
#ifndef CUPEL_LAUNCH_SPAWN_H
#define CUPEL_LAUNCH_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "launch/native/sys.h"

struct cupel_error;

#define SPAWN_STACK_BYTES 16384

/* What the process that becomes init works from.  It shares our memory until it
 * execs, so this must stay where it is, unchanged, until spawn_await()
 * returns. */
struct spawn {
	char *stack; /* SPAWN_STACK_BYTES; not cleared, most is never touched */
	uint64_t clone_flags; /* CLONE_NEW* */
	int image_fd, control_fd, init_fd;
	int cgroup_fd;   /* init is born there; -1 = in its parent's */
	int tasks_fd;    /* of a cgroup v1, by which it joins; -1 = none */
	const int *keep; /* descriptors init inherits by number; -1 = none */
	size_t keep_len;
	bool is_apart;  /* do not wait for the exec */
	bool is_scoped; /* init makes the sockets of scoped egress */
#ifdef CUPEL_TEST_HOOKS
	struct test_hooks hooks;
#endif
	/* written by the child */
	struct sys k;
	const char *failed;
	bool has_joined; /* through tasks_fd */
	int sys_errno;   /* why it could not exec; 0 = it has, or has not yet */
	int running; /* futex: its tid, cleared by the kernel at exec or end */
};

/* spawn_init -- start init.  Without is_apart the calling thread sleeps until
 * it has exec'd.  Signals must be blocked, so that no handler runs in the
 * shared memory.
 *
 * Returns the pid with *ret_pidfd owned by the caller, or -errno with *err
 * filled and no process left.  A failure of a process with is_apart shows by
 * the end of its control socket, and in spawn_await(). */
pid_t spawn_init(struct sys *k, struct spawn *s, int *ret_pidfd,
		 struct cupel_error *err);

/* spawn_await -- sleep until the process has exec'd or is dead.  From then on
 * it uses none of our memory, and s->sys_errno is final. */
void spawn_await(struct spawn *s);

/* spawn_failure -- the error of a process that could not become init.
 * Returns -s->sys_errno, with *err filled unless that is 0. */
int spawn_failure(const struct spawn *s, struct cupel_error *err);

#endif
