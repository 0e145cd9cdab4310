/* fake_host.c -- see fake_host.h. */
#include "golden/fake_host.h"

#include <netinet/in.h>

#include <linux/audit.h>
#include <string.h>

#include "spec/spec.h"

static struct host_source source(const char *path, enum host_kind kind,
				 uid_t owner)
{
	return (struct host_source){ .path = path,
				     .kind = kind,
				     .uid = owner,
				     .gid = owner,
				     .mode = kind == HOST_DIR ? 040755
							      : 0100644,
				     .dev = 42,
				     .ino = strlen(path) };
}

static void entry(struct host_entry *list, size_t *len, const char *name,
		  const char *path, const char *target)
{
	struct host_entry *e = &list[(*len)++];

	e->name = name;
	e->kind = target != NULL ? HOST_LINK : HOST_DIR;
	e->target = target;
	if (target == NULL)
		e->source = source(path, HOST_DIR, 0);
}

static void root_fill(struct host *h)
{
	entry(h->root, &h->root_len, "bin", NULL, "usr/bin");
	entry(h->root, &h->root_len, "lib", NULL, "usr/lib");
	entry(h->root, &h->root_len, "lib64", NULL, "usr/lib64");
	entry(h->root, &h->root_len, "sbin", NULL, "usr/sbin");
	entry(h->root, &h->root_len, "usr", "/usr", NULL);
}

static void etc_fill(struct host *h)
{
	struct host_entry *e;

	entry(h->etc, &h->etc_len, "alternatives", "/etc/alternatives", NULL);
	entry(h->etc, &h->etc_len, "ld.so.cache", "/etc/ld.so.cache", NULL);
	e = &h->etc[h->etc_len - 1];
	e->kind = HOST_FILE;
	e->source = source("/etc/ld.so.cache", HOST_FILE, 0);
	entry(h->etc, &h->etc_len, "os-release", NULL, "/usr/lib/os-release");
	entry(h->etc, &h->etc_len, "ssl/certs", "/etc/ssl/certs", NULL);
}

static void ro_fill(struct host *h, const struct spec *spec)
{
	h->ro = arena_array(&h->arena, spec->ro.len + 1, sizeof *h->ro);
	for (size_t i = 0; i < spec->ro.len; i++) {
		size_t n = 0;
		const char *dst = spec_ro_target(spec->ro.items[i], &n);
		const char *src = arena_copy(&h->arena, spec->ro.items[i], n);
		bool is_file = n > 5 && strcmp(src + n - 5, "-file") == 0;

		h->ro[i] =
			source(src, is_file ? HOST_FILE : HOST_DIR, FAKE_OWNER);
		if (is_file) {
			h->ro[i].leaf = strrchr(src, '/') + 1;
			h->ro[i].leaf_dev = h->ro[i].dev;
			h->ro[i].leaf_ino = h->ro[i].ino;
			h->ro[i].path = "/srv";
		}
		h->ro[i].dst = dst != NULL ? dst : src;
		h->ro_len++;
	}
}

void fake_host(const struct spec *spec, struct host *ret)
{
	*ret = (struct host){ .uid = FAKE_OWNER,
			      .gid = FAKE_OWNER,
			      .groups = 2,
			      .kernel = 0x061200,
			      .arch = AUDIT_ARCH_X86_64,
			      .landlock_abi = 7 };
	for (size_t i = 0; i < RLIM_NLIMITS; i++)
		ret->rlimits[i] =
			(struct rlimit){ RLIM_INFINITY, RLIM_INFINITY };
	if (!spec->bare) {
		root_fill(ret);
		etc_fill(ret);
	}
	if (spec->repo_mode != REPO_NONE && !spec->bare) {
		ret->has_repo = true;
		ret->repo = source(FAKE_REPO, HOST_DIR, FAKE_OWNER);
		ret->repo.dst = spec->repo_at == NULL     ? "/repo"
				: spec->repo_at[0] == '/' ? spec->repo_at
							  : ret->repo.path;
	}
	ro_fill(ret, spec);
}

void fake_root(struct host *h)
{
	h->uid = 0;
	h->gid = 0;
	h->is_root = true;
	h->is_host_root = true;
	h->groups = 0;
}

void fake_repo_of_root(struct host *h)
{
	fake_root(h);
	h->repo.uid = 0;
	h->repo.gid = 0;
}

void fake_split_usr(struct host *h)
{
	h->root_len = 0;
	entry(h->root, &h->root_len, "bin", "/bin", NULL);
	entry(h->root, &h->root_len, "lib", "/lib", NULL);
	entry(h->root, &h->root_len, "sbin", "/sbin", NULL);
	entry(h->root, &h->root_len, "usr", "/usr", NULL);
}

void fake_runtime(struct host *h)
{
	h->runtime = arena_array(&h->arena, 2, sizeof *h->runtime);
	h->runtime[0] = source("/opt/python-3.13", HOST_DIR, 0);
	h->runtime[1] = source("/home/ann/venv", HOST_DIR, FAKE_OWNER);
	for (h->runtime_len = 0; h->runtime_len < 2; h->runtime_len++)
		h->runtime[h->runtime_len].dst =
			h->runtime[h->runtime_len].path;
	h->path = "/opt/python-3.13/bin:/home/ann/venv/bin:/usr/local/bin:"
		  "/usr/bin:/bin";
}

void fake_cache(struct host *h)
{
	h->cache.dir = "/home/ann/cache";
	h->cache.dir_fd = 0; /* none: nothing is closed */
}

void fake_cache_used(struct host *h)
{
	fake_cache(h);
	h->cache.tree = source("/home/ann/cache/tree-0123456789abcdef",
			       HOST_DIR, FAKE_OWNER);
	h->cache.tree.dst = "/cache";
	h->cache.has_tree = true;
	h->cache.tree_fd = -1;
}

void fake_low_limits(struct host *h)
{
	h->rlimits[RLIMIT_NOFILE] = (struct rlimit){ 64, 100 };
	h->rlimits[RLIMIT_AS] = (struct rlimit){ 1 << 30, (rlim_t)2 << 30 };
	h->rlimits[RLIMIT_CPU] = (struct rlimit){ 5, 5 };
	h->rlimits[RLIMIT_FSIZE] = (struct rlimit){ 4096, 8192 };
	h->has_core_pipe = true;
}

void fake_scratch(struct host *h)
{
	h->scratch = "/tmp/cupel-00112233445566778899aabbccddeeff";
}

void fake_cgroup(struct host *h)
{
	h->cgroup = (struct host_cgroup){
		.kind = CGROUP_SUBTREE,
		.dir = "/sys/fs/cgroup/user.slice/a.scope",
		.has = CGROUP_MEMORY | CGROUP_PIDS,
		.can = CGROUP_MEMORY | CGROUP_PIDS | CGROUP_CPU,
	};
}

void fake_resolver(struct host *h)
{
	static struct relay_address own[] = {
		{ .family = AF_INET, .bytes = { 127, 0, 0, 1 } },
		{ .family = AF_INET, .bytes = { 203, 0, 113, 9 } },
	};

	host_servers_read("nameserver 192.0.2.53\n", &h->egress);
	(void)host_hosts_read(&h->arena,
			      "192.0.2.7 registry.npmjs.org mirror\n"
			      "192.0.2.6 other.example\n",
			      &h->egress);
	h->egress.own = own;
	h->egress.own_len = sizeof own / sizeof *own;
}
