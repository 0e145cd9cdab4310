/* filter.c -- the system call filters, which are loaded last before exec. */
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#include "launch/native/init/init.h"

static long filter_load(struct init *in, struct image_list list,
			unsigned long flags)
{
	struct sock_fprog prog = { .len = (unsigned short)list.len,
				   .filter = image_at(in, list) };

	return sys3(&in->k, SYS_seccomp, SECCOMP_SET_MODE_FILTER, flags, &prog);
}

/* Without a listener nobody would answer a notification, so kill instead. */
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

/* Landlock protects the contents of files, and this filter their modes, owners,
 * times and attributes.  A tree is read-only only with both. */
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

/* Load the filters that stand in for a namespace or an overlay that is
 * missing. */
int halves_load(struct init *in)
{
	long r = 0;

	if (init_drops(in, WALL_SECCOMP) || in->im->filter.len == 0)
		return 0;
	if (!init_can(in, WALL_MOUNTNS))
		r = lesser_load(in);
	if (r < 0)
		return filter_fail(in, r);
	if (in->cross || !init_can(in, WALL_MOUNTNS)) {
		r = filter_load(in, in->im->cross, 0);
		if (r < 0)
			return filter_fail(in, r);
		in->out.objects_by_filter = 1;
		init_applied(in, WALL_REPO_OBJECTS);
	}
	if (!init_can(in, WALL_NETNS) && in->im->offline.len > 0) {
		r = filter_load(in, in->im->offline, 0);
		if (r < 0)
			return filter_fail(in, r);
		init_applied(in, WALL_NETWORK);
	}
	return 0;
}

/* The front of the policy lets the command's process finish its own
 * confinement: enter the Landlock domain and set the limits once the keeper is
 * there, whatever the policy says of those calls.  The key is only in init's
 * memory, which the process leaves at its exec.  A copy has nothing to
 * finish. */
static long front_unlock(struct init *in)
{
	struct sock_filter *insn = image_at(in, in->im->filter);
	uint64_t key = 0;
	long r;

	if (in->is_copy) {
		in->im->filter.at += FILTER_FRONT * sizeof *insn;
		in->im->filter.len -= FILTER_FRONT;
		return 0;
	}
	r = sys3(&in->k, SYS_getrandom, &key, sizeof key, 0);
	if (r != sizeof key)
		return r < 0 ? r : -EIO;
	insn[FRONT_KEY_LOW].k = (uint32_t)key;
	insn[FRONT_KEY_HIGH].k = (uint32_t)(key >> 32);
	in->keeper_key = (long)key;
	in->k.key = (long)key;
	return 0;
}

/* Not in a copy: nobody could take the listener out of a process that does not
 * exec. */
static long listener_load(struct init *in)
{
	long r;

	if (in->is_copy)
		return -EOPNOTSUPP;
	r = filter_load(in, in->im->filter, SECCOMP_FILTER_FLAG_NEW_LISTENER);
	if (r < 0)
		return r;
	in->listener_fd = (int)r;
	init_applied(in, WALL_VIOLATION_REPORT);
	return keeper_start(in);
}

int policy_load(struct init *in)
{
	long r;

	if (init_drops(in, WALL_SECCOMP) || in->im->filter.len == 0)
		return 0;
	r = front_unlock(in);
	if (r < 0)
		return filter_fail(in, r);
	r = listener_load(in);
	if (r < 0 && in->listener_fd >= 0)
		return init_fail(in, CUPEL_STAGE_SECCOMP, (int)-r,
				 "starting the keeper of the filter", NULL);
	if (r < 0) {
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
