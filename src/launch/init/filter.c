/* filter.c -- the system call filters; the last thing before exec. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "launch/init/init.h"

static long filter_load(struct init *in, struct image_list list,
			unsigned long flags)
{
	struct sock_fprog prog = { .len = (unsigned short)list.len,
				   .filter = image_at(in, list) };

	return sys3(&in->k, SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
}

/* Without a listener nobody would answer a notification: kill instead. */
static void notify_to_kill(struct init *in)
{
	struct sock_filter *insn = image_at(in, in->im->filter);

	for (uint32_t i = 0; i < in->im->filter.len; i++)
		if (insn[i].code == (BPF_RET | BPF_K) &&
		    insn[i].k == SECCOMP_RET_USER_NOTIF)
			insn[i].k = SECCOMP_RET_KILL_PROCESS;
}

static int filter_fail(struct init *in, long r)
{
	return init_missing(in, WALL_SECCOMP, CUPEL_STAGE_SECCOMP, (int)-r,
			    "loading the system call filter");
}

/* Landlock holds what is in files, and this filter their modes, owners, times
 * and attributes: read-only is only what has both. */
static long lesser_load(struct init *in)
{
	long r = 0;

	if (in->im->lesser.len > 0)
		r = filter_load(in, in->im->lesser, 0);
	if (r == 0 && (in->out.applied & WALL_BIT(WALL_LANDLOCK)) != 0) {
		init_applied(in, WALL_ROOT_READONLY);
		init_applied(in, WALL_REPO_READONLY);
	}
	return r;
}

/* What is stacked where a namespace or an overlay is not there to do it. */
static int halves_load(struct init *in)
{
	bool without = in->begin.clone_flags == 0;
	long r = without ? lesser_load(in) : 0;

	if (r < 0)
		return filter_fail(in, r);
	if (in->cross || without) {
		r = filter_load(in, in->im->cross, 0);
		if (r < 0)
			return filter_fail(in, r);
		in->out.objects_by_filter = 1;
		init_applied(in, WALL_REPO_OBJECTS);
	}
	if (without && in->im->offline.len > 0) {
		r = filter_load(in, in->im->offline, 0);
		if (r < 0)
			return filter_fail(in, r);
		init_applied(in, WALL_NETWORK);
	}
	return 0;
}

int filters_load(struct init *in)
{
	long r;

	if (init_drops(in, WALL_SECCOMP) || in->im->filter.len == 0)
		return 0;
	r = halves_load(in);
	if (r < 0)
		return (int)r;
	/* Nobody could take the listener out of a process that does not exec. */
	r = in->is_copy ? -EOPNOTSUPP
			: filter_load(in, in->im->filter,
				      SECCOMP_FILTER_FLAG_NEW_LISTENER);
	if (r >= 0) {
		in->listener_fd = (int)r;
		init_applied(in, WALL_VIOLATION_REPORT);
	} else {
		in->out.seccomp_errno = (int32_t)-r;
		in->out.refused |= WALL_BIT(WALL_VIOLATION_REPORT);
		notify_to_kill(in);
		r = filter_load(in, in->im->filter, 0);
	}
	if (r < 0)
		return filter_fail(in, r);
	init_applied(in, WALL_SECCOMP);
	init_applied(in, WALL_NESTED_USERNS);
	return 0;
}
