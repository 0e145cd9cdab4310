/* host_cgroup.c -- see host_cgroup.h and docs/memory.md. */
#include "plan/host_cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/cleanup.h"

#define TEXT_BYTES 4096 /* of one file: names of controllers, some pids */
#define WANTED     (CGROUP_MEMORY | CGROUP_PIDS | CGROUP_CPU)
/* A cgroup is made for a run only to get one of these. */
#define WORTHWHILE (CGROUP_MEMORY | CGROUP_PIDS)

/* What we look up of every directory on the way. */
struct seen {
	char dir[PATH_MAX];
	unsigned has, offers; /* cgroup.subtree_control, cgroup.controllers */
	bool is_root;         /* of the machine's whole tree */
	bool is_domain, can_write, may_take;
	bool is_empty, is_ours; /* no process; no process but this one */
};

/* --- texts ---------------------------------------------------------------- */

static bool is_word(const char *at, size_t n, const char *word)
{
	return strlen(word) == n && memcmp(at, word, n) == 0;
}

/* The set of controllers in a line of names; other names are skipped. */
static unsigned cgroup_find_controllers(const char *text)
{
	unsigned set = 0;

	while (*text != '\0') {
		size_t n = strcspn(text, " \n");

		if (is_word(text, n, "memory"))
			set |= CGROUP_MEMORY;
		else if (is_word(text, n, "pids"))
			set |= CGROUP_PIDS;
		else if (is_word(text, n, "cpu"))
			set |= CGROUP_CPU;
		text += n;
		text += strspn(text, " \n");
	}
	return set;
}

const char *cgroup_find_own(const char *text, size_t *ret_len)
{
	for (; *text != '\0'; text += strcspn(text, "\n")) {
		size_t n;

		text += *text == '\n';
		n = strcspn(text, "\n");
		if (n < 4 || memcmp(text, "0::/", 4) != 0)
			continue;
		text += 3;
		n -= 3;
		/* "/../x" is above the root of our cgroup namespace.  A last
		 * line without its end was cut off. */
		if (text[n] != '\n' || (n >= 3 && memcmp(text, "/..", 3) == 0))
			return NULL;
		*ret_len = n;
		return text;
	}
	return NULL;
}

/* --- one directory -------------------------------------------------------- */

/* Write dir/name, or dir itself.  Returns whether it fits. */
static bool path_join(const char *dir, const char *name, char ret[PATH_MAX])
{
	return snprintf(ret, PATH_MAX, "%s%s%s", dir,
			name[0] != '\0' ? "/" : "", name) < PATH_MAX;
}

static bool text_read(const char *dir, const char *name, char text[TEXT_BYTES])
{
	char path[PATH_MAX];
	owned_fd int fd = -1;
	ssize_t n = -1;

	text[0] = '\0';
	if (path_join(dir, name, path))
		fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
	if (fd >= 0)
		n = read(fd, text, TEXT_BYTES - 1);
	text[n > 0 ? n : 0] = '\0';
	return n >= 0;
}

static bool can_write(const char *dir, const char *name)
{
	char path[PATH_MAX];

	return path_join(dir, name, path) &&
	       faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0;
}

/* Root may write anywhere, but in a directory of another user, that user could
 * take the controllers away from a run again. */
static bool is_safe(const struct cgroup_place *at, const char *dir)
{
	struct stat st;

	return !at->is_root || (stat(dir, &st) == 0 && st.st_uid == geteuid());
}

/* systemd marks what it delegated: there, and only there, others may make
 * cgroups (systemd's CGROUP_DELEGATION).  A leaf that we made ourselves is
 * proof enough, and without systemd everybody who may write may make them. */
static bool is_given_away(const struct cgroup_place *at, const char *dir)
{
	static const char *const marks[] = { "user.delegate",
					     "trusted.delegate" };
	char value[4];

	if (faccessat(AT_FDCWD, at->systemd, F_OK, 0) < 0)
		return true;
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
		if (getxattr(dir, marks[i], value, sizeof value) == 1 &&
		    value[0] == '1')
			return true;
	return false;
}

static void procs_see(const struct cgroup_place *at, struct seen *s, char *text)
{
	char own[16];
	int n = snprintf(own, sizeof own, "%u\n", at->pid);

	if (!text_read(s->dir, "cgroup.procs", text))
		return;
	s->is_empty = text[0] == '\0';
	s->is_ours = is_word(text, strlen(text), own) && n > 0;
}

static void dir_see(const struct cgroup_place *at, struct seen *s)
{
	char text[TEXT_BYTES];

	if (!text_read(s->dir, "cgroup.controllers", text))
		return;
	s->offers = cgroup_find_controllers(text) | at->pretended;
	(void)text_read(s->dir, "cgroup.subtree_control", text);
	s->has = cgroup_find_controllers(text) & s->offers;
	s->is_root = !text_read(s->dir, "cgroup.type", text);
	s->is_domain = s->is_root || strcmp(text, "domain\n") == 0;
	s->can_write = is_safe(at, s->dir) && can_write(s->dir, "") &&
		       can_write(s->dir, "cgroup.procs") &&
		       can_write(s->dir, "cgroup.subtree_control");
	s->may_take = s->can_write && is_given_away(at, s->dir);
	procs_see(at, s, text);
}

/* --- the kinds ------------------------------------------------------------ */

static int take(const struct seen *s, enum cgroup_kind kind, unsigned can,
		struct arena *arena, struct host_cgroup *ret)
{
	ret->kind = kind;
	ret->dir = arena_text(arena, s->dir);
	ret->has = s->has;
	ret->can = can & WANTED;
	return ret->dir == NULL ? -ENOMEM : 0;
}

/* What its children can have.  Controllers are turned on only where no process
 * sits, except at the root of the whole tree. */
static unsigned can_have(const struct seen *s, bool is_alone)
{
	bool is_free = s->is_empty || s->is_root || (is_alone && s->is_ours);

	return is_free && s->is_domain ? s->offers : s->has;
}

/* Whether a cgroup can be made beside the one that we are in: in the directory
 * above, if that was delegated to us or we made ourselves a leaf there. */
static bool is_beside(const struct cgroup_place *at, const struct seen *own,
		      struct seen *ret)
{
	char *slash;

	(void)memcpy(ret->dir, own->dir, sizeof ret->dir);
	slash = strrchr(ret->dir, '/');
	if (slash == NULL || strlen(own->dir) <= strlen(at->mount))
		return false;
	*slash = '\0';
	dir_see(at, ret);
	if (strncmp(slash + 1, CGROUP_CALLER_PREFIX,
		    strlen(CGROUP_CALLER_PREFIX)) == 0)
		ret->may_take = ret->can_write;
	return ret->may_take && !ret->is_root &&
	       (can_have(ret, false) & WORTHWHILE) != 0;
}

static bool is_below(const struct cgroup_place *at, const struct seen *own)
{
	/* Root may write anywhere, but may use only what it was given. */
	bool may = at->is_root ? own->may_take : own->can_write;

	return may && own->is_ours && !own->is_root && own->is_domain &&
	       (own->offers & WORTHWHILE) != 0;
}

/* Why the cgroup that we are in cannot be used. */
static const char *why_not(const struct seen *own)
{
	if ((own->offers & WORTHWHILE) == 0)
		return "the cgroup of this process was given neither memory "
		       "nor pids to share out";
	if (!own->can_write)
		return "this user may not divide the cgroup of this process";
	if (!own->is_domain)
		return "the cgroup of this process is a threaded one";
	return "other processes are in the cgroup of this process: it can be "
	       "divided only when this process is alone in it";
}

static bool is_bus(const struct cgroup_place *at)
{
	struct stat st;

	return at->bus != NULL &&
	       faccessat(AT_FDCWD, at->systemd, F_OK, 0) == 0 &&
	       lstat(at->bus, &st) == 0 && S_ISSOCK(st.st_mode);
}

static int look_from(const struct cgroup_place *at, const struct seen *own,
		     struct arena *arena, struct host_cgroup *ret)
{
	struct seen other = { 0 };

	if (is_beside(at, own, &other))
		return take(&other, CGROUP_SUBTREE, can_have(&other, false),
			    arena, ret);
	if (is_below(at, own))
		return take(own, CGROUP_ALONE, can_have(own, true), arena, ret);
	other = (struct seen){ 0 };
	(void)snprintf(other.dir, sizeof other.dir, "%s", at->mount);
	dir_see(at, &other);
	if (at->is_root && other.can_write &&
	    (can_have(&other, false) & WORTHWHILE) != 0)
		return take(&other, CGROUP_ROOT, can_have(&other, false), arena,
			    ret);
	ret->why = why_not(own);
	return 0;
}

int cgroup_look(const struct cgroup_place *at, struct arena *arena,
		struct host_cgroup *ret)
{
	char text[TEXT_BYTES];
	struct seen own = { 0 };
	const char *path;
	size_t n = 0;

	ret->is_read = true;
	if (!text_read(at->self, "", text) ||
	    (path = cgroup_find_own(text, &n)) == NULL ||
	    strlen(at->mount) + n >= sizeof own.dir) {
		ret->why =
			"the cgroup of this process cannot be seen from here";
		return 0;
	}
	(void)snprintf(own.dir, sizeof own.dir, "%s%.*s", at->mount,
		       n > 1 ? (int)n : 0, path);
	dir_see(at, &own);
	return look_from(at, &own, arena, ret);
}

/* --- this machine --------------------------------------------------------- */

#define MOUNT "/sys/fs/cgroup"

static bool is_of_type(const char *path, unsigned long magic)
{
	struct statfs fs;

	return statfs(path, &fs) == 0 && (unsigned long)fs.f_type == magic;
}

/* The path in "unix:path=/run/user/1000/bus,guid=..." from the environment, or
 * where systemd puts it.  We do not accept a path that needs an escape. */
static bool bus_path(bool is_root, char *ret, size_t room)
{
	static const char prefix[] = "unix:path=";
	const char *at = getenv(is_root ? "DBUS_SYSTEM_BUS_ADDRESS"
					: "DBUS_SESSION_BUS_ADDRESS");
	const char *dir = is_root ? "/run/dbus" : getenv("XDG_RUNTIME_DIR");
	size_t n;

	if (at == NULL)
		n = (size_t)snprintf(ret, room, "%s/%s", dir != NULL ? dir : "",
				     is_root ? "system_bus_socket" : "bus");
	else if (strncmp(at, prefix, sizeof prefix - 1) != 0)
		return false;
	else
		n = (size_t)snprintf(
			ret, room, "%.*s",
			(int)strcspn(at + sizeof prefix - 1, ",;%"),
			at + sizeof prefix - 1);
	return n < room && ret[0] == '/';
}

bool host_bus_read(char *ret, size_t room)
{
	struct cgroup_place at = { .mount = MOUNT,
				   .systemd = "/run/systemd/system",
				   .bus = ret };

#ifdef CUPEL_TEST_HOOKS
	/* A test's own bus, in place of systemd's. */
	if (getenv("CUPEL_TEST_CGROUP") != NULL) {
		at.mount = getenv("CUPEL_TEST_CGROUP");
		at.systemd = "/";
	}
#endif
	return is_of_type(at.mount, CGROUP2_SUPER_MAGIC) &&
	       bus_path(geteuid() == 0, ret, room) && is_bus(&at);
}

int host_cgroup_read(struct host *h)
{
	struct cgroup_place at = { .mount = MOUNT,
				   .self = "/proc/self/cgroup",
				   .systemd = "/run/systemd/system",
				   .pid = (unsigned)getpid(),
				   .is_root = geteuid() == 0 };

	if (h->cgroup.is_read)
		return 0;
#ifdef CUPEL_TEST_HOOKS
	/* A tree without controllers: all but the limits works as elsewhere. */
	if (getenv("CUPEL_TEST_CGROUP") != NULL) {
		at.mount = getenv("CUPEL_TEST_CGROUP");
		at.pretended = WANTED;
	}
#endif
	if (is_of_type(at.mount, CGROUP2_SUPER_MAGIC))
		return cgroup_look(&at, &h->arena, &h->cgroup);
	h->cgroup.is_read = true;
	h->cgroup.why = "there is no cgroup v2 tree of its own at " MOUNT
			" (there is a v1 or hybrid tree, or no tree)";
	at.mount = MOUNT "/memory";
	if (!is_of_type(at.mount, CGROUP_SUPER_MAGIC))
		return 0;
	return cgroup1_look(&at, &h->arena, &h->cgroup);
}
