/* spawn.c -- see spawn.h.  The child between clone3 and execveat shares our
 * memory, so it makes only raw system calls, and none that acts on the whole
 * memory. */
#include "launch/native/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/futex.h>
#include <linux/prctl.h>
#include <linux/sched.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "launch/native/image.h"

/* The capabilities that init needs to build the root, and no more.  An exec by
 * an id that has no name inside would lose them, but ambient ones survive
 * it. */
static const uint8_t init_caps[] = { CAP_SYS_ADMIN, CAP_SETUID, CAP_SETGID,
				     CAP_SETPCAP, CAP_NET_ADMIN,
				     CAP_DAC_OVERRIDE, CAP_SYS_RESOURCE,
				     /* for the sockets of scoped egress */
				     CAP_NET_RAW, CAP_NET_BIND_SERVICE };
#define CAPS_SCOPED 2 /* the last of them */

#ifdef CUPEL_TEST_HOOKS
/* Keep all capabilities that the new namespace gives: the command of a test
 * keeps them. */
__attribute__((no_sanitize("address", "undefined"))) static long caps_keep_all(
	struct spawn *job)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	const struct __user_cap_data_struct all = { ~0U, ~0U, ~0U };
	const struct __user_cap_data_struct data[2] = { all, all };
	long r = sys2(&job->k, SYS_capset, &head, data);

	for (int cap = 0; cap < 64; cap++)
		(void)sys5(&job->k, SYS_prctl, PR_CAP_AMBIENT,
			   PR_CAP_AMBIENT_RAISE, cap, 0, 0);
	return r;
}
#endif

__attribute__((no_sanitize("address", "undefined"))) static long caps_keep(
	struct spawn *job)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct data[2];
	uint32_t mask[2] = { 0, 0 };
	size_t n = sizeof init_caps - (job->is_scoped ? 0 : CAPS_SCOPED);
	long r;

	if ((job->clone_flags & CLONE_NEWUSER) == 0)
		return 0;
#ifdef CUPEL_TEST_HOOKS
	if (test_drops(job->hooks, WALL_CAPABILITIES))
		return caps_keep_all(job);
#endif
	for (size_t i = 0; i < n; i++)
		mask[init_caps[i] / 32] |= UINT32_C(1) << init_caps[i] % 32;
	for (int i = 0; i < 2; i++) {
		data[i].effective = mask[i];
		data[i].permitted = mask[i];
		data[i].inheritable = mask[i];
	}
	r = sys2(&job->k, SYS_capset, &head, data);
	for (size_t i = 0; r == 0 && i < n; i++)
		r = sys5(&job->k, SYS_prctl, PR_CAP_AMBIENT,
			 PR_CAP_AMBIENT_RAISE, init_caps[i], 0, 0);
	return r;
}

/* The table is the child's own copy.  At exec everything is closed but the two
 * descriptors that init knows by number and those that its image names. */
__attribute__((no_sanitize("address", "undefined"))) static long fds_keep(
	struct spawn *job)
{
	long r = 0;

	if (!test_drops(job->hooks, WALL_DESCRIPTORS))
		r = sys3(&job->k, SYS_close_range, 0, ~0U,
			 4 /* CLOSE_RANGE_CLOEXEC */);

	for (size_t i = 0; r >= 0 && i < job->keep_len; i++)
		if (job->keep[i] >= 0)
			r = sys3(&job->k, SYS_fcntl, job->keep[i], F_SETFD, 0);
	if (r >= 0)
		r = sys3(&job->k, SYS_dup3, job->image_fd, IMAGE_FD, 0);
	if (r >= 0)
		r = sys3(&job->k, SYS_dup3, job->control_fd, CONTROL_FD, 0);
	return r;
}

/* The root of a cgroup namespace is the cgroup of the process that makes it,
 * and in clone3(2) that is still the parent: the name of the run's own cgroup
 * would be visible in it. */
__attribute__((no_sanitize("address", "undefined"))) static long cgroup_hide(
	struct spawn *job)
{
	if ((job->cgroup_fd < 0 && job->tasks_fd < 0) ||
	    (job->clone_flags & CLONE_NEWCGROUP) == 0)
		return 0;
	return sys1(&job->k, SYS_unshare, CLONE_NEWCGROUP);
}

/* No process is born in a cgroup of version 1.  A process that moves there
 * before it execs has all of its own memory counted there; what it shares with
 * us until then counts as ours.  It may move there because the supervisor
 * opened the file.  It writes 0, which means the thread that writes, and this
 * process has no other.  For cgroup.procs the kernel would first stop all forks
 * and execs of the host, which takes 5 to 15 ms (docs/memory.md). */
__attribute__((no_sanitize("address", "undefined"))) static void cgroup_join(
	struct spawn *job)
{
	if (job->tasks_fd >= 0)
		job->has_joined =
			sys3(&job->k, SYS_write, job->tasks_fd, "0", 1) == 1;
}

__attribute__((no_sanitize("address", "undefined"))) static int child_main(
	void *arg)
{
	struct spawn *job = arg;
	static const char *const argv[] = { "cupel-init", NULL };
	static const char *const envp[] = { NULL };
	long r;

	cgroup_join(job);
	r = cgroup_hide(job);
	job->failed = "making a cgroup namespace";
	if (r >= 0) {
		r = caps_keep(job);
		job->failed = "keeping what init needs to build the root";
	}
	if (r >= 0) {
		r = fds_keep(job);
		job->failed = "handing descriptors to init";
	}
	if (r >= 0) {
		r = sys5(&job->k, SYS_execveat, job->init_fd, "", argv, envp,
			 AT_EMPTY_PATH);
		job->failed = "starting init";
	}
	job->sys_errno = (int)-r;
	return 1;
}

/* The error for a refused clone3, with what a person can do about it. */
static int clone_fail(int sys, struct cupel_error *err)
{
	enum cupel_cause cause = cupel_cause_of(sys);
	const char *why = "new namespaces were refused";

	if (sys == EPERM || sys == EACCES)
		why = "user namespaces are forbidden here (see `cupel doctor`)";
	else if (sys == ENOSPC || sys == EUSERS)
		why = "no more user namespaces are allowed here: "
		      "user.max_user_namespaces is reached, or they are nested "
		      "too deep (see `cupel doctor`)";
	else if (sys == EAGAIN)
		why = "no more processes are allowed here (ulimit -u)";
	else if (sys == ENOSYS)
		why = "clone3 is not available here: a system call filter "
		      "forbids it, or the kernel is older than 5.5";
	/* When a count of namespaces is used up, that is a setting of the
	 * host. */
	if (sys == ENOSPC || sys == EUSERS)
		cause = CUPEL_CAUSE_HOST;
	return cupel_fail(err, CUPEL_STAGE_NAMESPACE, cause, sys, "%s", why);
}

int spawn_failure(const struct spawn *s, struct cupel_error *err)
{
	if (s->sys_errno == 0)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_NAMESPACE,
			  cupel_cause_of(s->sys_errno), s->sys_errno, "%s",
			  s->failed);
}

void spawn_await(struct spawn *s)
{
	int tid;

	while ((tid = __atomic_load_n(&s->running, __ATOMIC_ACQUIRE)) != 0)
		(void)sys_raw(SYS_futex, sys_arg(&s->running), FUTEX_WAIT, tid,
			      0, 0, 0);
}

/* The namespaces and the cgroup that the kernel makes for the child. */
static uint64_t flags_of(const struct spawn *s)
{
	if (s->tasks_fd >= 0)
		return s->clone_flags & ~(uint64_t)CLONE_NEWCGROUP;
	if (s->cgroup_fd < 0)
		return s->clone_flags;
	return (s->clone_flags & ~(uint64_t)CLONE_NEWCGROUP) |
	       (uint64_t)CLONE_INTO_CGROUP;
}

pid_t spawn_init(struct sys *k, struct spawn *s, int *ret_pidfd,
		 struct cupel_error *err)
{
	owned_fd int pidfd = -1;
	int made = -1;
	struct clone_args args = {
		.flags = flags_of(s) | CLONE_VM | CLONE_PIDFD |
			 CLONE_PARENT_SETTID | CLONE_CHILD_CLEARTID |
			 (s->is_apart ? 0 : CLONE_VFORK),
		.pidfd = (uint64_t)(uintptr_t)&made,
		.parent_tid = (uint64_t)(uintptr_t)&s->running,
		.child_tid = (uint64_t)(uintptr_t)&s->running,
		.stack = (uint64_t)(uintptr_t)s->stack,
		.stack_size = SPAWN_STACK_BYTES,
		.cgroup = s->cgroup_fd < 0 ? 0 : (unsigned)s->cgroup_fd,
	};
	long pid;

	s->k = *k; /* a copy, which a waiting parent goes on counting from */
	(void)sys_count(&s->k); /* clone3 itself */
	pid = sys_clone3(k, &args, child_main, s);
	if (pid < 0)
		return clone_fail((int)-pid, err);
	pidfd = made;
	if (!s->is_apart) {
		*k = s->k;
		if (s->sys_errno != 0) {
			(void)sys_raw(SYS_waitid, P_PIDFD, pidfd, 0,
				      WEXITED | __WALL, 0, 0);
			return spawn_failure(s, err);
		}
	}
	*ret_pidfd = take_fd(&pidfd);
	return (pid_t)pid;
}
