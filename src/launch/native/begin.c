/* begin.c -- see begin.h. */
#include "launch/native/begin.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <stdlib.h>
#include <sys/socket.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "launch/native/fd.h"
#include "launch/native/image_write.h"
#include "launch/native/init_image.h"
#include "launch/native/relay.h"
#include "launch/native/tracer.h"
#include "plan/plan.h"

int begin_fail(long r, const char *what, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_NAMESPACE, cupel_cause_of((int)-r),
			  (int)-r, "%s", what);
}

struct native *begin_new(const struct launch_extra *extra, size_t trees_len)
{
	size_t room = 5 + trees_len + extra->inputs_len;
	struct native *l = calloc(1, sizeof *l + room * sizeof *l->keep);
	char *stack = malloc(SPAWN_STACK_BYTES);

	if (l == NULL || stack == NULL) {
		free(l);
		free(stack);
		return NULL;
	}
	l->spawn.stack = stack;
	l->extra = *extra;
	l->extra.cgroup = NULL; /* the caller that begins keeps it */
	l->child = CHILD_NONE;
	l->inside[0] = l->inside[1] = l->inside[2] = l->inside[3] = -1;
	l->control = l->image_fd = l->init_fd = -1;
	l->order.kind = ORDER_BEGIN;
	return l;
}

static int exec_fd_of(const struct native *l)
{
	return l->extra.exec_fd > 0 ? l->extra.exec_fd : -1;
}

#define SEALS_WANTED (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)

/* No descriptor of a host object reaches the command, only memory files that
 * nobody can change any more. */
static int sealed_check(struct native *l, int fd, struct cupel_error *err)
{
	long r = fd > 2 ? sys2(&l->k, SYS_fcntl, fd, F_GET_SEALS) : -EBADF;

	if (r >= 0 && (r & SEALS_WANTED) == SEALS_WANTED)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_CALLER,
			  r < 0 ? (int)-r : EINVAL,
			  "input descriptor %d is not a memory file sealed "
			  "against writing, growing and shrinking%s",
			  fd, fd > 2 ? "" : ", numbered 3 or above");
}

static int extra_check(struct native *l, struct cupel_error *err)
{
	const struct launch_extra *e = &l->extra;
	int r = 0;

	if (e->inputs_len > LAUNCH_INPUTS_MAX)
		return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_CALLER,
				  E2BIG, "%zu inputs are more than %d",
				  e->inputs_len, LAUNCH_INPUTS_MAX);
	if (exec_fd_of(l) >= 0)
		r = sealed_check(l, e->exec_fd, err);
	for (size_t i = 0; r == 0 && i < e->inputs_len; i++)
		r = sealed_check(l, e->inputs[i], err);
	return r;
}

/* A pipe, or a socket for a template's stdin. */
static int stream_open(struct native *l, size_t i, int ends[2])
{
	if (i == 0 && l->extra.is_template)
		return fd_pair(&l->k, ends);
	return fd_pipe(&l->k, ends, i == 0 ? 1 : 0);
}

static int streams_open(struct native *l, struct cupel_error *err)
{
	int *const outside[] = { &l->child.stdin_fd, &l->child.stdout_fd,
				 &l->child.stderr_fd, &l->child.result_fd };
	int control[2];
	int r = 0;

	for (size_t i = 0; i < 4; i++) {
		int mine = i == 0 ? 1 : 0;
		int ends[2];

		r = stream_open(l, i, ends);
		if (r < 0)
			return begin_fail(r, "making the command's pipes", err);
		*outside[i] = ends[mine];
		l->inside[i] = ends[!mine];
	}
	r = fd_pair(&l->k, control);
	if (r < 0)
		return begin_fail(r, "making the control socket", err);
	l->child.control_fd = control[0];
	l->control = control[1];
	return 0;
}

static int memory_open(struct native *l, struct cupel_error *err)
{
	l->image_fd = fd_memory(&l->k, "cupel-plan", NULL, 0, 0);
	if (l->image_fd < 0)
		return begin_fail(l->image_fd, "a memory file for the plan",
				  err);
	l->init_fd = fd_memory(&l->k, "cupel-init", init_image_bytes,
			       init_image_len(), 1);
	if (l->init_fd == -EACCES)
		return begin_fail(
			l->init_fd,
			"a memory file for init: this system forbids programs "
			"in memory files (vm.memfd_noexec is 2); to allow "
			"them: sudo sysctl vm.memfd_noexec=1",
			err);
	if (l->init_fd == -EFBIG)
		return begin_fail(l->init_fd,
				  "a memory file for init: files may not grow "
				  "to its size here (RLIMIT_FSIZE, ulimit -f)",
				  err);
	if (l->init_fd < 0)
		return begin_fail(l->init_fd, "a memory file for init", err);
	return 0;
}

int begin_streams(struct native *l, struct cupel_error *err)
{
	int r = extra_check(l, err);

	return r < 0 ? r : streams_open(l, err);
}

int begin_open(struct native *l, struct cupel_error *err)
{
	int r = begin_streams(l, err);

	if (r == 0)
		r = memory_open(l, err);
	if (r < 0)
		return r;
	for (size_t i = 0; i < 4; i++)
		l->keep[l->keep_len++] = l->inside[i];
	for (size_t i = 0; i < l->extra.inputs_len; i++)
		l->keep[l->keep_len++] = l->extra.inputs[i];
	l->keep[l->keep_len++] = exec_fd_of(l);
	return 0;
}

/* The packet waits in the socket until init reads it. */
static int order_send(struct native *l, struct cupel_error *err)
{
	long r;

	if (l->extra.is_alone)
		place_read(&l->k, &l->order.cpus);
	r = sys_call(&l->k, SYS_sendto, l->child.control_fd, sys_arg(&l->order),
		     sizeof l->order, MSG_NOSIGNAL, 0, 0);

	return r < 0 ? begin_fail(r, "telling init its task", err) : 0;
}

/* The errors of clone3 that only the cgroup can cause: clone(2),
 * cgroup_css_set_fork() and cgroup_attach_permissions() of the kernel; E2BIG
 * before Linux 5.7.  All other errors have nothing to do with it. */
static bool is_of_cgroup(const struct spawn *s, pid_t r)
{
	static const int errnos[] = { EACCES, EBUSY, EOPNOTSUPP, ENODEV,
				      ENOENT, EBADF, E2BIG };

	for (size_t i = 0; i < sizeof errnos / sizeof *errnos; i++)
		if (r == -errnos[i])
			return s->sys_errno ==
			       0; /* not the errno that init got */
	return false;
}

/* Start it in its cgroup.  If the kernel takes nobody there and something else
 * can hold what was asked for, start it without the cgroup, which then holds
 * nothing. */
static pid_t spawn_in(struct native *l, bool must, struct cupel_error *err)
{
	struct spawn *s = &l->spawn;
	struct cupel_error why = { 0 };
	owned_fd int tasks = -1;
	pid_t pid;

	s->cgroup_fd = s->tasks_fd = -1;
	if (!l->child.cgroup.is_v1)
		s->cgroup_fd = l->child.cgroup.dir_fd;
	else
		tasks = (int)sys4(&l->k, SYS_openat, l->child.cgroup.dir_fd,
				  "tasks", O_WRONLY | O_CLOEXEC, 0);
	if (tasks >= 0)
		s->tasks_fd = tasks; /* the child gets its copy at once */
	pid = spawn_init(&l->k, s, &l->child.pidfd, &why);
	if (s->cgroup_fd >= 0 && !must && is_of_cgroup(s, pid)) {
		cgroup_remove(&l->child.cgroup);
		s->cgroup_fd = -1;
		return spawn_init(&l->k, s, &l->child.pidfd, err);
	}
	if (pid < 0)
		*err = why;
	return pid;
}

void begin_settle(struct native *l)
{
	spawn_await(&l->spawn);
	if (l->child.cgroup.is_v1 && !l->spawn.has_joined)
		cgroup_remove(&l->child.cgroup);
}

int begin_spawn(struct native *l, const struct plan_cgroup *cgroup,
		struct cupel_error *err)
{
	struct spawn *s = &l->spawn;
	int r = order_send(l, err);
	pid_t pid;

	if (r == 0 && cgroup != NULL)
		r = cgroup_make(&l->k, cgroup, &l->child.cgroup, err);
	if (r < 0)
		return r;
	/* The command's process makes the network namespace itself: that takes
	 * as long as all the others together, and happens while init builds the
	 * root. */
	s->clone_flags = l->order.clone_flags & ~(uint64_t)CLONE_NEWNET;
	s->image_fd = l->image_fd;
	s->control_fd = l->control;
	s->init_fd = l->init_fd;
	s->keep = l->keep;
	s->keep_len = l->keep_len;
	s->is_apart = l->order.is_apart;
#ifdef CUPEL_TEST_HOOKS
	s->hooks = l->order.hooks;
	if (l->k.fault.call != 0)
		s->is_apart = false; /* the calls of both sides count as one */
#endif
	pid = spawn_in(l, cgroup != NULL && cgroup->is_needed, err);
	if (pid < 0)
		return pid;
	if (s->is_apart) /* we plan meanwhile */
		place_off(&l->k, &l->order.cpus, pid);
	/* Only init may have its end, or its death would go unseen. */
	cleanup_fd(&l->control);
	l->child.pid = pid;
	l->child.backend = (enum spec_backend)l->order.backend;
	return 0;
}

/* A pipe that is opened by its path (/dev/stderr) is checked like any file: it
 * must belong to the command's id, not to root. */
static int stream_give(struct native *l, const struct plan *plan, int fd)
{
	const struct plan_ids *ids = &plan->ids;

	if (!ids->by_root || !backend_has(plan->backend, WALL_USERNS))
		return 0;
	return (int)sys3(&l->k, SYS_fchown, fd, ids->host_uid, ids->host_gid);
}

int begin_streams_give(struct native *l, const struct plan *plan,
		       struct cupel_error *err)
{
	for (size_t i = 0; i < 4; i++) {
		int r = stream_give(l, plan, l->inside[i]);

		if (r < 0)
			return begin_fail(r, "giving the command its pipes",
					  err);
	}
	return 0;
}

void begin_close(struct native *l)
{
	for (size_t i = 0; i < 4; i++)
		cleanup_fd(&l->inside[i]);
	cleanup_fd(&l->control);
	cleanup_fd(&l->image_fd);
	cleanup_fd(&l->init_fd);
}

void begin_done(struct native *l)
{
	if (l == NULL)
		return;
	begin_close(l);
	/* Init is reaped, so it no longer uses our memory. */
	launch_close(&l->child);
	free(l->spawn.stack);
	free(l);
}

/* Either the vessel becomes the caller's, or nothing is left of it. */
int begin_end(struct native *l, int r, struct child *ret)
{
	if (r < 0) {
		begin_done(l);
		return r;
	}
	*ret = l->child;
	begin_close(l);
	free(l->spawn.stack);
	free(l);
	return 0;
}

int begin_image_write(struct native *l, const struct plan *plan,
		      const int trees[], struct cupel_error *err)
{
	owned_buf struct buf image = { 0 };
	struct image_fds fds = { .stdio = { l->inside[0], l->inside[1],
					    l->inside[2], l->inside[3] },
				 .exec_fd = exec_fd_of(l),
				 .trees = trees,
				 .inputs = l->extra.inputs,
				 .inputs_len = l->extra.inputs_len };
	int r;

	image_build(plan, &fds, &image);
	if (buf_has_failed(&image))
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER,
				  E2BIG,
				  "the plan is too large: its arguments and "
				  "environment are over 8 MiB");
	r = fd_fill(&l->k, l->image_fd, image.bytes, image.len);
	return r < 0 ? begin_fail(r, "a memory file for the plan", err) : 0;
}

int begin_helpers(struct native *l, const struct plan *plan,
		  struct cupel_error *err)
{
	int r = 0;

	if (plan->egress.is_wanted)
		r = relay_start(&l->k, &plan->egress, &l->child.relay, err);
	if (r == 0 && (plan->trace.exec || plan->trace.connect))
		r = tracer_start(&l->k, &l->child.tracer, err);
	return r;
}
