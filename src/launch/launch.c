/* launch.c -- see launch.h: launch_start is the parent's table of contents. */
#include "launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/sched.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "launch/fd.h"
#include "launch/idmap.h"
#include "launch/image_write.h"
#include "launch/init_image.h"
#include "launch/record.h"
#include "launch/source.h"
#include "launch/spawn.h"
#include "launch/sys.h"
#include "plan/plan.h"

/* Everything one start holds until it succeeds. */
struct start {
	struct sys k;
	const struct plan *plan;
	const struct launch_extra *extra;
	struct child child;
	int inside[4]; /* the command's ends: stdin, stdout, stderr, result */
	int control;   /* init's end */
	int image_fd, init_fd;
	int *trees; /* one for each source */
	int *keep;  /* descriptors init inherits, -1 between */
	size_t keep_len;
};

static int fail(long r, const char *what, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_NAMESPACE, cupel_cause_of((int)-r),
			  (int)-r, "%s", what);
}

static void start_done(struct start *s)
{
	for (size_t i = 0; i < 4; i++)
		sys_close(s->inside[i]);
	sys_close(s->control);
	sys_close(s->image_fd);
	sys_close(s->init_fd);
	for (size_t i = 0; s->trees != NULL && i < s->plan->sources_len; i++)
		sys_close(s->trees[i]);
	free(s->trees);
	free(s->keep);
	launch_close(&s->child);
}

static int exec_fd_of(const struct launch_extra *extra)
{
	return extra->exec_fd > 0 ? extra->exec_fd : -1;
}

#define SEALS_WANTED (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK)

/* No descriptor of a host object reaches the command: only memory files that
 * nobody can change any more. */
static int sealed_check(struct start *s, int fd, struct cupel_error *err)
{
	long r = fd > 2 ? sys2(&s->k, SYS_fcntl, fd, F_GET_SEALS) : -EBADF;

	if (r >= 0 && (r & SEALS_WANTED) == SEALS_WANTED)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_CALLER,
			  r < 0 ? (int)-r : EINVAL,
			  "input descriptor %d is not a memory file sealed "
			  "against writing, growing and shrinking%s",
			  fd, fd > 2 ? "" : ", numbered 3 or above");
}

static int extra_check(struct start *s, struct cupel_error *err)
{
	const struct launch_extra *e = s->extra;
	int r = 0;

	if (e->inputs_len > LAUNCH_INPUTS_MAX)
		return cupel_fail(err, CUPEL_STAGE_SOURCE, CUPEL_CAUSE_CALLER,
				  E2BIG, "%zu inputs are more than %d",
				  e->inputs_len, LAUNCH_INPUTS_MAX);
	if (exec_fd_of(e) >= 0)
		r = sealed_check(s, e->exec_fd, err);
	for (size_t i = 0; r == 0 && i < e->inputs_len; i++)
		r = sealed_check(s, e->inputs[i], err);
	return r;
}

/* By its path (/dev/stderr) a pipe is opened like any file: it must belong to
 * the command's id, not to root. */
static int stream_give(struct start *s, int fd)
{
	const struct plan_ids *ids = &s->plan->ids;

	if (!ids->by_root || s->plan->clone_flags == 0)
		return 0;
	return (int)sys3(&s->k, SYS_fchown, fd, ids->host_uid, ids->host_gid);
}

static int streams_open(struct start *s, struct cupel_error *err)
{
	int *const outside[] = { &s->child.stdin_fd, &s->child.stdout_fd,
				 &s->child.stderr_fd, &s->child.result_fd };
	int control[2];
	int r = 0;

	for (size_t i = 0; i < 4; i++) {
		int mine = i == 0 ? 1 : 0;
		int ends[2];

		r = fd_pipe(&s->k, ends, mine);
		if (r < 0)
			return fail(r, "making the command's pipes", err);
		*outside[i] = ends[mine];
		s->inside[i] = ends[!mine];
		r = stream_give(s, ends[!mine]);
		if (r < 0)
			return fail(r, "giving the command its pipes", err);
	}
	r = fd_pair(&s->k, control);
	if (r < 0)
		return fail(r, "making the control socket", err);
	s->child.control_fd = control[0];
	s->control = control[1];
	return 0;
}

static int arrays_make(struct start *s, struct cupel_error *err)
{
	size_t n = s->plan->sources_len;

	s->trees = calloc(n + 1, sizeof *s->trees);
	s->keep = calloc(n + 5 + s->extra->inputs_len, sizeof *s->keep);
	if (s->trees == NULL || s->keep == NULL)
		return fail(-ENOMEM, "memory for descriptors", err);
	for (size_t i = 0; i < n; i++)
		s->trees[i] = -1;
	return 0;
}

static void keep_fill(struct start *s)
{
	size_t n = 0;

	for (size_t i = 0; i < 4; i++)
		s->keep[n++] = s->inside[i];
	for (size_t i = 0; i < s->plan->sources_len; i++)
		s->keep[n++] = s->trees[i];
	for (size_t i = 0; i < s->extra->inputs_len; i++)
		s->keep[n++] = s->extra->inputs[i];
	s->keep[n++] = exec_fd_of(s->extra);
	s->keep_len = n;
}

static int image_write(struct start *s, struct cupel_error *err)
{
	owned_buf struct buf image = { 0 };
	struct image_fds fds = { .stdio = { s->inside[0], s->inside[1],
					    s->inside[2], s->inside[3] },
				 .exec_fd = exec_fd_of(s->extra),
				 .trees = s->trees,
				 .inputs = s->extra->inputs,
				 .inputs_len = s->extra->inputs_len };

	image_build(s->plan, &fds, &image);
	if (buf_has_failed(&image))
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER,
				  E2BIG,
				  "the plan is too large to hand over: "
				  "arguments and environment over 8 MiB");
	s->image_fd = fd_memory(&s->k, "cupel-plan", image.bytes, image.len, 0);
	if (s->image_fd < 0)
		return fail(s->image_fd, "a memory file for the plan", err);
	s->init_fd = fd_memory(&s->k, "cupel-init", init_image_bytes,
			       init_image_len(), 1);
	if (s->init_fd == -EACCES)
		return fail(s->init_fd,
			    "a memory file for init: programs in memory files "
			    "are forbidden here (vm.memfd_noexec is 2); sudo "
			    "sysctl vm.memfd_noexec=1",
			    err);
	if (s->init_fd < 0)
		return fail(s->init_fd, "a memory file for init", err);
	return 0;
}

/* The parent of a vfork goes on when its child has a memory of its own, a
 * moment before that is known as an ordinary program's: until then a caller
 * that is not dumpable (it gave up root, say) finds the child's files of /proc
 * to be root's.  An answer comes after that moment. */
static int init_greet(struct start *s)
{
	struct order order = { .kind = ORDER_HELLO };
	long r;

	/* init's end must be init's alone, or its death would go unseen. */
	sys_close(s->control);
	s->control = -1;
	r = sys_call(&s->k, SYS_sendto, s->child.control_fd, sys_arg(&order),
		     sizeof order, MSG_NOSIGNAL, 0, 0);
	if (r >= 0)
		r = sys_call(&s->k, SYS_recvfrom, s->child.control_fd,
			     sys_arg(&order), sizeof order, 0, 0, 0);
	return r > 0 ? 0 : r < 0 ? (int)r : -EPIPE;
}

static int maps_write(struct start *s, struct cupel_error *err)
{
	const struct plan_ids *ids = &s->plan->ids;
	const struct idmap map = { .from_uid = PLAN_UID_INSIDE,
				   .from_gid = PLAN_GID_INSIDE,
				   .to_uid = ids->host_uid,
				   .to_gid = ids->host_gid };
	int r;

	if (s->plan->clone_flags == 0)
		return 0;
	r = idmap_write(&s->k, s->child.pid, &map, !ids->by_root);
	if (r == -EACCES)
		r = init_greet(s);
	else if (r == 0)
		return 0;
	if (r == 0)
		r = idmap_write(&s->k, s->child.pid, &map, !ids->by_root);
	if (r == 0)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_IDMAP, cupel_cause_of(-r), -r,
			  "writing the id map of the user namespace: refused "
			  "(see `cupel doctor`)");
}

static int go_send(struct start *s, struct cupel_error *err)
{
	const struct order go = { .kind = ORDER_GO };
	long r = sys_call(&s->k, SYS_sendto, s->child.control_fd,
			  sys_arg(&go), sizeof go, MSG_NOSIGNAL, 0, 0);

	return r < 0 ? fail(r, "saying go to init", err) : 0;
}

static int init_spawn(struct start *s, struct cupel_error *err)
{
	/* The network namespace is the command's own affair: it takes as long
	 * as all the others, and is made while init builds the root. */
	const uint64_t flags = s->plan->clone_flags & ~(uint64_t)CLONE_NEWNET;
	const struct spawn spawn = { .clone_flags = flags,
				     .image_fd = s->image_fd,
				     .control_fd = s->control,
				     .init_fd = s->init_fd,
				     .keep = s->keep,
				     .keep_len = s->keep_len,
#ifdef CUPEL_TEST_HOOKS
				     .dropped = s->plan->dropped,
#endif
	};
	pid_t pid = spawn_init(&s->k, &spawn, &s->child.pidfd, err);

	if (pid < 0)
		return pid;
	s->child.pid = pid;
	s->child.lacks_pidns = (flags & CLONE_NEWPID) == 0;
	return 0;
}

static int start_run(struct start *s, struct cupel_error *err)
{
	int r = extra_check(s, err);

	if (r == 0)
		r = arrays_make(s, err);
	if (r == 0)
		r = sources_open(&s->k, s->plan, s->trees, &s->child.unmapped,
				 err);
	if (r == 0)
		r = streams_open(s, err);
	if (r == 0)
		r = image_write(s, err);
	if (r < 0)
		return r;
	keep_fill(s);
	r = init_spawn(s, err);
	if (r == 0)
		r = maps_write(s, err);
	if (r == 0)
		r = go_send(s, err);
	return r;
}

int launch_start(const struct plan *plan, const struct launch_extra *extra,
		 struct child *ret, struct cupel_error *err)
{
	static const struct launch_extra none = { .exec_fd = -1 };
	struct start s = { .plan = plan,
			   .extra = extra != NULL ? extra : &none,
			   .child = CHILD_NONE,
			   .inside = { -1, -1, -1, -1 },
			   .control = -1,
			   .image_fd = -1,
			   .init_fd = -1 };
	sigset_t all;
	sigset_t before;
	int r;

#ifdef CUPEL_TEST_HOOKS
	if (!(plan->fault_call & (SYS_FAULT_IN_INIT | SYS_FAULT_IN_CHILD))) {
		s.k.fault_call = plan->fault_call;
		s.k.fault_errno = plan->fault_errno;
	}
#endif
	/* A handler that runs in a child sharing our memory would run on our
	 * data as another process. */
	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	r = start_run(&s, err);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r == 0) {
		*ret = s.child;
		s.child = CHILD_NONE;
	}
	start_done(&s);
	return r;
}

/* The control socket is closed: init kills what it started and ends.  One that
 * does not is killed in the end, and what it leaves is the host's. */
#define DESCENDANTS_MS 2000
static void descendants_await(int pidfd)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	(void)poll(&p, 1, DESCENDANTS_MS);
}

void launch_close(struct child *c)
{
	int *const fds[] = { &c->control_fd, &c->stdin_fd, &c->stdout_fd,
			     &c->stderr_fd, &c->result_fd };

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		cleanup_fd(fds[i]);
	if (c->pidfd >= 0 && c->lacks_pidns)
		descendants_await(c->pidfd);
	if (c->pidfd >= 0) {
		(void)sys_raw(SYS_pidfd_send_signal, c->pidfd, SIGKILL, 0, 0,
			      0, 0);
		while (sys_raw(SYS_waitid, P_PIDFD, c->pidfd, 0,
			       WEXITED | __WALL, 0, 0) == -EINTR)
			;
	}
	cleanup_fd(&c->pidfd);
	c->pid = -1;
}
