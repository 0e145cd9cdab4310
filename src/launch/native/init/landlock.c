/* landlock.c -- the second wall: what the command may open, by path, and which
 * processes it may signal. */
#include <errno.h>
#include <fcntl.h>
#include <linux/landlock.h>
#include <linux/openat2.h>
#include <sys/stat.h>

#include "launch/native/init/init.h"

/* As of ABI 6; the size passed to the kernel covers the fields in use, so an
 * older kernel sees an older struct. */
struct ruleset {
	uint64_t fs, net, scoped;
};

#define RULE_FLAGS (O_PATH | O_CLOEXEC | O_NOFOLLOW)

static long ruleset_create(struct init *in)
{
	const struct ruleset r = { in->im->landlock_fs, in->im->landlock_net,
				   in->im->landlock_scoped };
	size_t size = r.scoped ? 24 : r.net ? 16 : 8;

	return sys3(&in->k, SYS_landlock_create_ruleset, &r, size, 0);
}

/* The file of a source was looked at when the plan was made; the rule must be
 * for that file. */
static long rule_check(struct init *in, int fd, const struct image_rule *r)
{
	struct stat st;
	long n;

	if (r->ino == 0)
		return 0;
	n = sys2(&in->k, SYS_fstat, fd, &st);
	if (n < 0)
		return n;
	return st.st_dev == r->dev && st.st_ino == r->ino
		       ? 0
		       : source_stale(in, image_text(in, r->path));
}

/* Before init enters the new root, which is then the working directory, no link
 * may lead out of it. */
static long rule_open(struct init *in, const char *path)
{
	const struct open_how how = { .flags = RULE_FLAGS,
				      .resolve = RESOLVE_IN_ROOT |
						 RESOLVE_NO_MAGICLINKS };

	if (in->is_outside)
		return sys4(&in->k, SYS_openat2, AT_FDCWD, path, &how,
			    sizeof how);
	return sys4(&in->k, SYS_openat, AT_FDCWD, path, RULE_FLAGS, 0);
}

static long rule_add(struct init *in, int ruleset, const struct image_rule *r)
{
	struct landlock_path_beneath_attr at = { .allowed_access = r->access };
	owned_sys_fd int fd = -1;
	long n = rule_open(in, image_text(in, r->path));

	if (n == -ENOENT)
		return r->ino == 0 ? 0
				   : source_stale(in, image_text(in, r->path));
	if (n < 0)
		return n;
	fd = (int)n;
	n = rule_check(in, fd, r);
	if (n < 0)
		return n;
	at.parent_fd = fd;
	return sys4(&in->k, SYS_landlock_add_rule, ruleset,
		    LANDLOCK_RULE_PATH_BENEATH, &at, 0);
}

static long ruleset_fill(struct init *in)
{
	const struct image_rule *rules = image_at(in, in->im->rules);
	long r = ruleset_create(in);

	if (r < 0)
		return r;
	in->ruleset_fd = (int)r;
	for (uint32_t i = 0; i < in->im->rules.len; i++) {
		r = rule_add(in, in->ruleset_fd, &rules[i]);
		if (r < 0)
			return r;
	}
	return 0;
}

/* Without a PID namespace the scope keeps init alive, and limits init's own
 * kill(-1).  It stands when both have entered their domains. */
static int scope_note(struct init *in)
{
	if (!init_can(in, WALL_PIDNS) && !in->is_scoped)
		return init_missing(in, WALL_LANDLOCK_SCOPE,
				    CUPEL_STAGE_LANDLOCK, EOPNOTSUPP,
				    "init: entering a Landlock domain of its "
				    "own");
	init_applied(in, WALL_LANDLOCK_SCOPE);
	return 0;
}

static int landlock_fail(struct init *in, long r)
{
	sys_close(sys_take_fd(&in->ruleset_fd));
	if (r == -ESTALE)
		return (int)r;
	return init_missing(
		in, in->im->landlock ? WALL_LANDLOCK : WALL_LANDLOCK_SCOPE,
		CUPEL_STAGE_LANDLOCK, (int)-r, "entering a Landlock domain");
}

static bool is_ruleset_due(struct init *in)
{
	return (in->im->landlock || in->im->landlock_scoped != 0) &&
	       !init_drops(in, WALL_LANDLOCK) && !in->is_ruled;
}

/* Make the ruleset, which may hold files, signals or both.
 *
 * In a vessel init makes it, because by then the command's process may be below
 * the policy's filter, which lets only the last step pass.  Elsewhere the
 * command's process makes it, because a rule may be about /proc/self, which
 * depends on the one who asks. */
int landlock_prepare(struct init *in)
{
	long r;

	if (!is_ruleset_due(in))
		return 0;
	r = ruleset_fill(in);
	return r < 0 ? landlock_fail(in, r) : 0;
}

/* The same, while the command's process loads the policy.  Until it has done
 * so, the kernel cannot end the wait for a grace period in which init enters the
 * new root, so what comes before that costs nothing.  Where openat2(2) is
 * missing, landlock_prepare() does it afterwards. */
int landlock_begin(struct init *in)
{
	long r;

	if (!is_ruleset_due(in))
		return 0;
	in->is_outside = true;
	r = ruleset_fill(in);
	in->is_outside = false;
	in->is_ruled = r != -ENOSYS && r != -EPERM;
	if (!in->is_ruled)
		sys_close(sys_take_fd(&in->ruleset_fd));
	return r < 0 && in->is_ruled ? landlock_fail(in, r) : 0;
}

/* The ruleset's descriptor closes at exec; a copy closes it itself. */
int landlock_enter(struct init *in)
{
	long r;

	if (in->ruleset_fd < 0)
		return 0;
	r = sys2(&in->k, SYS_landlock_restrict_self, in->ruleset_fd, 0);
	if (r < 0)
		return landlock_fail(in, r);
	if (in->is_copy)
		sys_close(sys_take_fd(&in->ruleset_fd));
	if (in->im->landlock)
		init_applied(in, WALL_LANDLOCK);
	return in->im->landlock_scoped != 0 ? scope_note(in) : 0;
}
