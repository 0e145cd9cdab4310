/* launch.c -- the launcher that makes vessels itself.  vessel_start() is the
 * parent's table of contents. */
#include <errno.h>
#include <linux/sched.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "launch/launcher.h"
#include "launch/native/begin.h"
#include "launch/native/holder.h"
#include "launch/native/idmap.h"
#include "launch/native/source.h"
#include "plan/plan.h"

/* While a process execs, the kernel does not yet treat it as an ordinary
 * program: a caller that is not dumpable (because it gave up root, say) finds
 * that root owns its files in /proc.  An answer from init comes after that
 * moment. */
static int init_greet(struct native *l)
{
	struct order order = { .kind = ORDER_HELLO };
	long r = sys_call(&l->k, SYS_sendto, l->child.control_fd,
			  sys_arg(&order), sizeof order, MSG_NOSIGNAL, 0, 0);

	if (r >= 0)
		r = sys_call(&l->k, SYS_recvfrom, l->child.control_fd,
			     sys_arg(&order), sizeof order, 0, 0, 0);
	return r > 0 ? 0 : r < 0 ? (int)r : -EPIPE;
}

static int maps_write(struct native *l, const struct plan *plan,
		      struct cupel_error *err)
{
	const struct plan_ids *ids = &plan->ids;
	const struct idmap map = { .from_uid = PLAN_UID_INSIDE,
				   .from_gid = PLAN_GID_INSIDE,
				   .to_uid = ids->host_uid,
				   .to_gid = ids->host_gid };
	int r;

	if (!backend_has(plan->backend, WALL_USERNS))
		return 0;
	r = idmap_write(&l->k, l->child.pid, &map, !ids->by_root);
	if (r == -EACCES)
		r = init_greet(l);
	else if (r == 0)
		return 0;
	if (r == 0)
		r = idmap_write(&l->k, l->child.pid, &map, !ids->by_root);
	if (r == 0)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_IDMAP, cupel_cause_of(-r), -r,
			  "writing the id map of the user namespace: refused "
			  "(see `cupel doctor`)");
}

static int go_send(struct native *l, struct cupel_error *err)
{
	const struct order go = { .kind = ORDER_GO };
	long r;

	if (l->spawn.is_apart)
		place_here(&l->k, &l->order.cpus, l->child.pid);
	r = sys_call(&l->k, SYS_sendto, l->child.control_fd, sys_arg(&go),
		     sizeof go, MSG_NOSIGNAL, 0, 0);

	return r < 0 ? begin_fail(r, "starting init", err) : 0;
}

/* Init runs.  Tell it now what to build. */
static int plan_hand_over(struct native *l, const struct plan *plan,
			  const int trees[], struct cupel_error *err)
{
	int r = begin_image_write(l, plan, trees, err);

	if (r == 0)
		r = maps_write(l, plan, err);
	if (r == 0)
		r = go_send(l, err);
	/* Do this while init builds. */
	if (r == 0 && !l->extra.is_holder)
		r = begin_helpers(l, plan, err);
	/* From here on nobody else uses our memory.  If the process never
	 * became init, that is the reason of a failure, not its consequence. */
	begin_settle(l);
	if (l->spawn.sys_errno != 0)
		r = spawn_failure(&l->spawn, err);
	return r;
}

#ifdef CUPEL_TEST_HOOKS
static void hooks_take(struct native *l, const struct test_hooks *hooks)
{
	l->order.hooks = *hooks;
	l->k.fault = hooks->faults[TEST_PARENT];
}
#endif

static void order_fill(struct native *l, const struct plan *plan)
{
	l->order.backend = plan->backend;
	l->order.clone_flags = plan->clone_flags;
	l->order.is_early = backend_has(plan->backend, WALL_USERNS);
	l->spawn.is_scoped = plan->egress.is_wanted || l->extra.is_scoped;
#ifdef CUPEL_TEST_HOOKS
	hooks_take(l, &plan->hooks);
#endif
}

static int start_run(struct native *l, const struct plan *plan, int trees[],
		     struct cupel_error *err)
{
	int r = sources_open(&l->k, plan, trees, &l->child.unmapped, err);

	if (r == 0)
		r = begin_open(l, err);
	if (r == 0)
		r = begin_streams_give(l, plan, err);
	for (size_t i = 0; i < plan->sources_len; i++)
		l->keep[l->keep_len++] = trees[i];
	if (r == 0)
		r = begin_spawn(l, l->extra.is_holder ? NULL : &plan->cgroup,
				err);
	if (r == 0)
		r = plan_hand_over(l, plan, trees, err);
	return r;
}

/* A handler that runs in a child sharing our memory would work on our data from
 * another process. */
static void signals_block(sigset_t *ret_before)
{
	sigset_t all;

	(void)sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, ret_before);
}

static int vessel_start(const struct plan *plan,
			const struct launch_extra *extra, struct child *ret,
			struct cupel_error *err)
{
	static const struct launch_extra none = { .exec_fd = -1 };
	size_t n = plan->sources_len;
	struct native *l = begin_new(extra != NULL ? extra : &none, n);
	int *trees = calloc(n + 1, sizeof *trees);
	sigset_t before;
	int r = -ENOMEM;

	if (l == NULL || trees == NULL) {
		free(trees);
		begin_done(l);
		return begin_fail(r, "no memory for descriptors", err);
	}
	for (size_t i = 0; i < n; i++)
		trees[i] = -1;
	order_fill(l, plan);
	if (l->extra.is_holder)
		l->order.holds = l->extra.is_tree ? HOLDS_TREE : HOLDS_PHASES;
	signals_block(&before);
	r = start_run(l, plan, trees, err);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	for (size_t i = 0; i < n; i++)
		sys_close(trees[i]);
	free(trees);
	return begin_end(l, r, ret);
}

static int vessel_begin(const struct launch_extra *extra, struct launch **ret,
			struct cupel_error *err)
{
	struct native *l = begin_new(extra, 0);
	sigset_t before;
	int r;

	if (l == NULL)
		return begin_fail(-ENOMEM, "no memory for descriptors", err);
	l->order.is_early = l->order.is_apart = 1;
	l->order.backend = extra->backend;
	l->order.clone_flags = backend_of(extra->backend)->clone_flags;
	l->spawn.is_scoped = extra->is_scoped;
#ifdef CUPEL_TEST_HOOKS
	if (extra->begin_hooks != NULL)
		hooks_take(l, extra->begin_hooks);
#endif
	signals_block(&before);
	r = begin_open(l, err);
	if (r == 0)
		r = begin_spawn(l, extra->cgroup, err);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (r < 0)
		begin_done(l);
	else
		*ret = &l->begun;
	return r;
}

static bool vessel_fits(const struct launch *begun, const struct plan *plan)
{
	const struct native *l = (const struct native *)begun;
	bool is_whole = plan->clone_flags == l->order.clone_flags &&
			plan->egress.is_wanted == l->spawn.is_scoped &&
			backend_of(plan->backend) ==
				backend_of((enum spec_backend)l->order.backend);

#ifdef CUPEL_TEST_HOOKS
	is_whole = is_whole && plan->hooks.dropped == l->order.hooks.dropped;
#endif
	return is_whole && !plan->ids.by_root;
}

static int vessel_finish(struct launch *begun, const struct plan *plan,
			 struct child *ret, struct cupel_error *err)
{
	struct native *l = (struct native *)begun;
	int *trees = calloc(plan->sources_len + 1, sizeof *trees);
	int r = -ENOMEM;

	for (size_t i = 0; trees != NULL && i < plan->sources_len; i++)
		trees[i] = -1; /* for an ordinary user init opens the path */
	if (trees == NULL)
		(void)begin_fail(r, "no memory for descriptors", err);
	else
		r = plan_hand_over(l, plan, trees, err);
	free(trees);
	return begin_end(l, r, ret);
}

static void vessel_abandon(struct launch *begun)
{
	begin_done((struct native *)begun);
}

/* The control socket is closed, so init kills what it started and ends.  An
 * init that does not end in time is killed, and what it leaves behind stays on
 * the host. */
#define DESCENDANTS_MS 2000
static void descendants_await(int pidfd)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };

	(void)poll(&p, 1, DESCENDANTS_MS);
}

static void vessel_kill(const struct child *c)
{
	(void)sys_raw(SYS_pidfd_send_signal, c->pidfd, SIGKILL, 0, 0, 0, 0);
}

static void vessel_end(const struct child *c)
{
	if (backend_has(c->backend, WALL_PIDNS))
		vessel_kill(c);
	else
		(void)sys_raw(SYS_shutdown, c->control_fd, SHUT_WR, 0, 0, 0, 0);
}

static void vessel_close(struct child *c)
{
	int *const fds[] = { &c->control_fd, &c->stdin_fd, &c->stdout_fd,
			     &c->stderr_fd, &c->result_fd };
	struct helper *const helpers[] = { &c->relay, &c->tracer };

	for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
		cleanup_fd(fds[i]);
	if (c->pidfd >= 0 && !backend_has(c->backend, WALL_PIDNS))
		descendants_await(c->pidfd);
	if (c->pidfd >= 0) {
		vessel_kill(c);
		if (c->pid == 0)
			descendants_await(c->pidfd); /* not ours to reap */
		while (sys_raw(SYS_waitid, P_PIDFD, c->pidfd, 0,
			       WEXITED | __WALL, 0, 0) == -EINTR)
			;
	}
	cleanup_fd(&c->pidfd);
	helpers_close(helpers, sizeof helpers / sizeof *helpers);
	cgroup_remove(&c->cgroup);
	c->pid = -1;
}

const struct launcher launcher_native = {
	.start = vessel_start,
	.begin = vessel_begin,
	.fits = vessel_fits,
	.finish = vessel_finish,
	.abandon = vessel_abandon,
	.hold = holder_start,
	.tree = tree_start,
	.lives = holder_lives,
	.phase = holder_phase,
	.take = holder_take,
	.asked_fd = holder_fd,
	.release = holder_end,
	.end = vessel_end,
	.kill = vessel_kill,
	.close = vessel_close,
};
