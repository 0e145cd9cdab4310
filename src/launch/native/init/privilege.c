/* privilege.c -- the ids that init takes on, and the powers that it gives up
 * for good. */
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/prctl.h>
#include <linux/securebits.h>

#include "launch/native/init/init.h"

#define SECUREBITS_ALL                                                         \
	(SECBIT_NOROOT | SECBIT_NOROOT_LOCKED | SECBIT_NO_SETUID_FIXUP |       \
	 SECBIT_NO_SETUID_FIXUP_LOCKED | SECBIT_KEEP_CAPS_LOCKED |             \
	 SECBIT_NO_CAP_AMBIENT_RAISE | SECBIT_NO_CAP_AMBIENT_RAISE_LOCKED)

#define MAP_BYTES 48

static long text_set(struct init *in, const char *path, const char *text,
		     size_t n)
{
	owned_sys_fd int fd = -1;
	long r = sys4(&in->k, SYS_openat, AT_FDCWD, path, O_WRONLY | O_CLOEXEC,
		      0);

	fd = (int)r;
	if (r >= 0)
		r = sys3(&in->k, SYS_write, fd, text, n);
	return r < 0 ? r : (size_t)r == n ? 0 : -EIO;
}

/* The same number inside as above: "1000 1000 1". */
static long map_set(struct init *in, const char *path, uint32_t id)
{
	char text[MAP_BYTES];
	char *end = text + sizeof text;
	char *at = end;

	*--at = '1';
	*--at = ' ';
	at = number_before(at, id);
	*--at = ' ';
	at = number_before(at, id);
	return text_set(in, path, at, (size_t)(end - at));
}

int ids_map(struct init *in, uint32_t uid, uint32_t gid)
{
	long r = text_set(in, "/proc/self/setgroups", "deny", 4);

	if (r == 0)
		r = map_set(in, "/proc/self/uid_map", uid);
	if (r == 0)
		r = map_set(in, "/proc/self/gid_map", gid);
	return r < 0 ? init_fail(in, CUPEL_STAGE_IDMAP, (int)-r,
				 "the id map of a vessel within a vessel", NULL)
		     : 0;
}

/* An ordinary user is uid 1000 inside by the map alone.  Root's own id has no
 * name inside, so it changes to the kuid that the map names and keeps what it
 * needs to build the root. */
int ids_take(struct init *in)
{
	uint32_t uid = in->im->uid;
	uint32_t gid = in->im->gid;
	long r = 0;

	if (!in->im->by_root || in->part == PART_COPY)
		return 0;
	if (!init_drops(in, WALL_SUPPLEMENTARY_GROUPS))
		r = sys2(&in->k, SYS_setgroups, 0, 0);
	if (r == 0)
		r = sys2(&in->k, SYS_prctl, PR_SET_SECUREBITS,
			 SECBIT_NO_SETUID_FIXUP);
	if (r == 0)
		r = sys3(&in->k, SYS_setresgid, gid, gid, gid);
	if (r == 0)
		r = sys3(&in->k, SYS_setresuid, uid, uid, uid);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_PRIVILEGE, (int)-r,
				 "taking an ordinary user's ids", NULL);
	if (!init_drops(in, WALL_SUPPLEMENTARY_GROUPS))
		init_applied(in, WALL_SUPPLEMENTARY_GROUPS);
	return 0;
}

#define CAPS_MAX 64 /* of the kernel's masks */

static long bounding_clear(struct init *in)
{
	long r = 0;

	for (int cap = 0; r == 0 && cap < CAPS_MAX; cap++)
		r = sys2(&in->k, SYS_prctl, PR_CAPBSET_DROP, cap);
	return r == -EINVAL ? 0 : r; /* past the last one of this kernel */
}

/* This leaves the permitted set as it is. */
static int bounding_drop(struct init *in)
{
	long r = 0;

	if (in->is_bounded || init_drops(in, WALL_CAPABILITIES))
		return 0;
	r = bounding_clear(in);
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_PRIVILEGE, (int)-r,
				 "emptying the bounding set", NULL);
	in->is_bounded = true;
	return 0;
}

/* Done while there is nothing to do but to wait for the plan. */
int bounding_drop_early(struct init *in)
{
	return in->begin.is_early ? bounding_drop(in) : 0;
}

static long caps_clear(struct init *in)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct none[2] = { 0 };
	long r = sys5(&in->k, SYS_prctl, PR_CAP_AMBIENT,
		      PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);

	if (r == 0)
		r = sys2(&in->k, SYS_capset, &head, none);
	return r;
}

/* The kernel knows all numbers up to its last capability and answers EINVAL for
 * all above.  Any other answer than 0 before that means that one capability can
 * still be had. */
static bool bounding_is_empty(struct init *in)
{
	long r = 0;
	int cap;

	for (cap = 0; r == 0 && cap < CAPS_MAX; cap++)
		r = sys2(&in->k, SYS_prctl, PR_CAPBSET_READ, cap);
	return cap > 1 && (r == 0 || r == -EINVAL);
}

/* Ask the kernel what we have now, rather than trust what we asked for.  The
 * ambient set is never more than what is both permitted and inheritable
 * (capabilities(7)), so when those are empty it is empty, too. */
static bool caps_are_zero(struct init *in)
{
	struct __user_cap_header_struct head = {
		.version = _LINUX_CAPABILITY_VERSION_3
	};
	struct __user_cap_data_struct now[2] = { { 1, 1, 1 }, { 1, 1, 1 } };
	uint32_t any = 0;

	if (sys2(&in->k, SYS_capget, &head, now) < 0)
		return false;
	for (int i = 0; i < 2; i++)
		any |= now[i].effective | now[i].permitted | now[i].inheritable;
	return any == 0;
}

static bool prctl_is(struct init *in, int what, long want)
{
	return sys5(&in->k, SYS_prctl, what, 0, 0, 0, 0) == want;
}

void privilege_attest(struct init *in)
{
	if (caps_are_zero(in) && bounding_is_empty(in))
		init_applied(in, WALL_CAPABILITIES);
	if (prctl_is(in, PR_GET_SECUREBITS, SECUREBITS_ALL))
		init_applied(in, WALL_SECUREBITS);
	if (prctl_is(in, PR_GET_NO_NEW_PRIVS, 1))
		init_applied(in, WALL_NO_NEW_PRIVS);
	if (sys0(&in->k, SYS_getuid) == in->im->uid &&
	    sys0(&in->k, SYS_getgid) == in->im->gid)
		init_applied(in, WALL_HOST_UID);
}

/* Without namespaces an ordinary user cannot empty the bounding set or lock
 * securebits, which takes CAP_SETPCAP: the plan says so.  But anybody can give
 * up the capabilities that he was given all the same. */
int privilege_drop(struct init *in)
{
	bool inside = init_can(in, WALL_USERNS) || in->im->by_root;
	bool caps = !init_drops(in, WALL_CAPABILITIES);
	long r = 0;

	if (inside)
		r = bounding_drop(in);
	else if (caps)
		(void)bounding_clear(in); /* checked by privilege_attest() */
	if (r == 0 && inside && !init_drops(in, WALL_SECUREBITS))
		r = sys2(&in->k, SYS_prctl, PR_SET_SECUREBITS, SECUREBITS_ALL);
	if (r == 0 && caps)
		r = caps_clear(in);
	if (r == 0 && !init_drops(in, WALL_NO_NEW_PRIVS))
		r = sys5(&in->k, SYS_prctl, PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	/* Memory is shared, so init decides; exec undoes it. */
	if (r == 0 && in->child != NULL)
		r = sys2(&in->k, SYS_prctl, PR_SET_DUMPABLE,
			 init_drops(in, DROP_DUMPABLE));
	if (r < 0)
		return init_fail(in, CUPEL_STAGE_PRIVILEGE, (int)-r,
				 "giving up privileges", NULL);
	return 0;
}
