/* launch.c -- see launch.h: every call goes to the launcher of its backend. */
#include "launch/launch.h"

#include <assert.h>

#include "launch/launcher.h"
#include "plan/plan.h"

static const struct launcher *const launchers[] = {
	[BACKEND_AUTO] = &launcher_native, /* as BACKEND_NAMESPACES */
	[BACKEND_NAMESPACES] = &launcher_native,
	[BACKEND_LANDLOCK] = &launcher_native,
	[BACKEND_RLIMITS] = &launcher_native,
};
static_assert(sizeof launchers / sizeof *launchers == BACKEND_MAX_,
	      "a launcher for every backend");

static const struct launcher *launcher_of(enum spec_backend which)
{
	return launchers[which < BACKEND_MAX_ ? which : BACKEND_AUTO];
}

int launch_start(const struct plan *plan, const struct launch_extra *extra,
		 struct child *ret, struct cupel_error *err)
{
	return launcher_of(plan->backend)->start(plan, extra, ret, err);
}

int launch_begin(const struct launch_extra *extra, struct launch **ret,
		 struct cupel_error *err)
{
	const struct launcher *by = launcher_of(extra->backend);
	int r = by->begin(extra, ret, err);

	if (r == 0)
		(*ret)->by = by;
	return r;
}

bool launch_fits(const struct launch *l, const struct plan *plan)
{
	return l->by == launcher_of(plan->backend) && l->by->fits(l, plan);
}

int launch_finish(struct launch *l, const struct plan *plan, struct child *ret,
		  struct cupel_error *err)
{
	return l->by->finish(l, plan, ret, err);
}

void launch_abandon(struct launch *l)
{
	if (l != NULL)
		l->by->abandon(l);
}

int launch_hold(const struct plan *plan, bool is_scoped, struct holder **ret,
		struct cupel_error *err)
{
	const struct launcher *by = launcher_of(plan->backend);
	int r = by->hold(plan, is_scoped, ret, err);

	if (r == 0)
		(*ret)->by = by;
	return r;
}

int launch_tree(const struct plan *plan, struct holder **ret,
		struct cupel_error *err)
{
	const struct launcher *by = launcher_of(plan->backend);
	int r = by->tree(plan, ret, err);

	if (r == 0)
		(*ret)->by = by;
	return r;
}

bool launch_lives(const struct holder *h)
{
	return h->by->lives(h);
}

int launch_phase(struct holder *h, const struct plan *plan,
		 const struct launch_extra *extra, struct child *ret,
		 struct cupel_error *err)
{
	return h->by->phase(h, plan, extra, ret, err);
}

int launch_take(struct holder *h, const struct plan *plan, struct child *c,
		int *ret_pidfd, struct cupel_error *err)
{
	return h->by->take(h, plan, c, ret_pidfd, err);
}

int launch_asked_fd(const struct holder *h)
{
	return h->by->asked_fd(h);
}

int launch_held(const struct holder *h)
{
	return h->tmpfs_fd;
}

void launch_release(struct holder *h)
{
	if (h != NULL)
		h->by->release(h);
}

void launch_end(const struct child *c)
{
	launcher_of(c->backend)->end(c);
}

void launch_kill(const struct child *c)
{
	launcher_of(c->backend)->kill(c);
}

void launch_close(struct child *c)
{
	launcher_of(c->backend)->close(c);
}
