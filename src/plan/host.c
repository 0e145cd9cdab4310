/* host.c -- see host.h: the one file of this room that looks at the machine. */
#include "plan/host.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <inttypes.h>
#include <limits.h>
#include <linux/audit.h>
#include <linux/landlock.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "plan/backend.h"
#include "plan/host_lesser.h"
#include "plan/host_path.h"
#include "spec/spec.h"

static const char *const root_names[] = { "bin",    "lib",  "lib32", "lib64",
					  "libx32", "sbin", "usr" };

/* What the host's /etc may show, if it is there: cupel-run(1), "INSIDE". */
static const char *const etc_names[] = {
	"alternatives", "ca-certificates", "crypto-policies", "ld.so.cache",
	"ld.so.conf",   "ld.so.conf.d",    "locale.alias",    "mime.types",
	"os-release",   "pki/tls/certs",   "protocols",       "services",
	"ssl/certs",    "ssl/openssl.cnf", "terminfo",
};
_Static_assert(sizeof root_names / sizeof *root_names <= HOST_ROOT_ENTRIES_MAX,
	       "room for every name");
_Static_assert(sizeof etc_names / sizeof *etc_names + SPEC_ETC_MAX <=
		       HOST_ETC_ENTRIES_MAX,
	       "room for every name, and all that spec_check lets through");

static uint32_t kernel_read(void)
{
	struct utsname u;
	unsigned major = 0;
	unsigned minor = 0;
	unsigned patch = 0;

	if (uname(&u) < 0 ||
	    sscanf(u.release, "%u.%u.%u", &major, &minor, &patch) < 2)
		return 0;
	return major << 16 | (minor & 0xff) << 8 | (patch > 255 ? 255 : patch);
}

static unsigned groups_count(gid_t own)
{
	gid_t list[NGROUPS_MAX > 1024 ? 1024 : NGROUPS_MAX];
	int n = getgroups((int)(sizeof list / sizeof *list), list);
	unsigned others = 0;

	if (n < 0) /* too many for the list: only their number matters */
		return (unsigned)getgroups(0, NULL);
	for (int i = 0; i < n; i++)
		others += list[i] != own;
	return others;
}

/* Whether a crash would be piped to a program of the host.  The kernel then
 * obeys RLIMIT_CORE 1 and not 0 (core(5)). */
static bool core_is_piped(void)
{
	owned_fd int fd =
		open("/proc/sys/kernel/core_pattern", O_RDONLY | O_CLOEXEC);
	char first = 0;

	return fd >= 0 && read(fd, &first, 1) == 1 && first == '|';
}

static void machine_read(struct host *h)
{
	h->uid = geteuid();
	h->gid = getegid();
	h->groups = groups_count(h->gid);
	h->kernel = kernel_read();
#if defined(__x86_64__)
	h->arch = AUDIT_ARCH_X86_64;
#else
	h->arch = AUDIT_ARCH_AARCH64;
#endif
	h->landlock_abi = (int)syscall(SYS_landlock_create_ruleset, NULL, 0,
				       LANDLOCK_CREATE_RULESET_VERSION);
	if (h->landlock_abi < 0)
		h->landlock_abi = 0;
	h->has_core_pipe = core_is_piped();
	for (int i = 0; i < RLIM_NLIMITS; i++)
		if (getrlimit((__rlimit_resource_t)i, &h->rlimits[i]) < 0)
			h->rlimits[i] =
				(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
}

/* Look at dir/name without following a link at the end. */
static int entry_read(struct host *h, const char *dir, const char *name,
		      struct host_entry *ret)
{
	char path[PATH_MAX];
	char target[PATH_MAX];
	struct stat st;
	ssize_t n;

	*ret = (struct host_entry){ .name = name, .kind = HOST_ABSENT };
	if ((size_t)snprintf(path, sizeof path, "%s%s", dir, name) >=
	    sizeof path)
		return 0;
	if (lstat(path, &st) < 0)
		return 0;
	ret->kind = host_kind_of(st.st_mode);
	if (ret->kind != HOST_LINK)
		return host_source_fill(h, path, &st, &ret->source);
	n = readlink(path, target, sizeof target - 1);
	if (n < 0) {
		ret->kind = HOST_ABSENT;
		return 0;
	}
	ret->target = arena_copy(&h->arena, target, (size_t)n);
	return ret->target == NULL ? -ENOMEM : 0;
}

static bool etc_has(const struct host *h, const char *name)
{
	for (size_t i = 0; i < h->etc_len; i++)
		if (strcmp(h->etc[i].name, name) == 0)
			return true;
	return false;
}

static int etc_read(struct host *h, const struct spec *spec)
{
	size_t fixed = sizeof etc_names / sizeof *etc_names;
	int r = 0;

	for (size_t i = 0; r == 0 && i < fixed + spec->etc.len; i++) {
		const char *name =
			i < fixed ? etc_names[i] : spec->etc.items[i - fixed];
		struct host_entry *at = &h->etc[h->etc_len];

		if (etc_has(h, name))
			continue;
		r = entry_read(h, "/etc/", name, at);
		if (r == 0 && at->kind == HOST_LINK)
			r = host_link_resolve(h, "/etc/", at);
		if (at->kind != HOST_ABSENT)
			h->etc_len++;
	}
	return r;
}

static int entries_read(struct host *h, const struct spec *spec)
{
	int r = 0;

	if (spec->bare)
		return 0;
	for (size_t i = 0; i < sizeof root_names / sizeof *root_names; i++) {
		struct host_entry *at = &h->root[h->root_len];

		r = entry_read(h, "/", root_names[i], at);
		if (r < 0)
			return r;
		if (at->kind != HOST_ABSENT)
			h->root_len++;
	}
	return etc_read(h, spec);
}

static int env_read(struct host *h, const struct spec *spec)
{
	h->pass_env = arena_array(&h->arena, spec->pass_env.len + 1,
				  sizeof *h->pass_env);
	if (h->pass_env == NULL)
		return -ENOMEM;
	for (size_t i = 0; i < spec->pass_env.len; i++) {
		const char *name = spec->pass_env.items[i];
		const char *value = getenv(name);

		if (value == NULL)
			continue;
		h->pass_env[h->pass_env_len] =
			arena_format(&h->arena, "%s=%s", name, value);
		if (h->pass_env[h->pass_env_len++] == NULL)
			return -ENOMEM;
	}
	return 0;
}

/* Whether the run may end up without namespaces. */
static bool is_lesser(const struct spec *spec)
{
	bool may_fall = spec->backend == BACKEND_AUTO && spec->allow_partial;

	if (!backend_has(spec->backend, WALL_MOUNTNS))
		return true;
	return may_fall && backend_of(spec->backend)->lesser != BACKEND_AUTO;
}

/* A name that nobody can guess, below the caller's TMPDIR or /tmp.  Init makes
 * the directory, for itself alone, and removes it. */
static int scratch_name(struct host *h, const struct spec *spec)
{
	const char *dir = getenv("TMPDIR");
	uint64_t word[2];

	if (!is_lesser(spec) || spec->scratch_bytes == 0)
		return 0;
	if (getrandom(word, sizeof word, 0) != sizeof word)
		return -EAGAIN;
	if (dir == NULL || dir[0] != '/')
		dir = "/tmp";
	h->scratch =
		arena_format(&h->arena, "%s/cupel-%016" PRIx64 "%016" PRIx64,
			     dir, word[0], word[1]);
	return h->scratch == NULL ? -ENOMEM : 0;
}

int host_read(const struct spec *spec, struct host *ret,
	      struct cupel_error *err)
{
	int r;

	machine_read(ret);
	r = host_ids_read(ret, spec, err);
	if (r < 0)
		return r;
	if (is_lesser(spec))
		host_lesser_read(ret);
	r = host_cgroup_read(ret);
	if (r == 0)
		r = entries_read(ret, spec);
	if (r == 0)
		r = scratch_name(ret, spec);
	if (r == 0)
		r = env_read(ret, spec);
	if (r == 0 && spec->network == NETWORK_SCOPED)
		r = host_egress_read(&ret->arena, &ret->egress);
	if (r < 0)
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY, -r,
				  "no memory for the plan");
	r = host_repo_read(ret, spec, err);
	if (r == 0)
		r = host_ro_read(ret, spec, err);
	if (r == 0)
		r = host_runtime_read(ret, spec, err);
	if (r == 0)
		r = host_cache_read(ret, spec, err);
	return r;
}

void host_done(struct host *h)
{
	host_cache_close(h);
	arena_done(&h->arena);
}
