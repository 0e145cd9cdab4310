/* host_path.c -- looks at the repository and the --ro sources. */
#include "plan/host_path.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/backend.h"
#include "plan/host_mounts.h"
#include "spec/inside.h"
#include "spec/spec.h"

enum host_kind host_kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return HOST_DIR;
	case S_IFREG:
		return HOST_FILE;
	case S_IFLNK:
		return HOST_LINK;
	case S_IFCHR:
		return HOST_DEVICE;
	default:
		return HOST_ABSENT;
	}
}

int host_source_fill(struct host *h, const char *real, const struct stat *st,
		     struct host_source *ret)
{
	*ret = (struct host_source){ .path = arena_text(&h->arena, real),
				     .kind = host_kind_of(st->st_mode),
				     .uid = st->st_uid,
				     .gid = st->st_gid,
				     .mode = st->st_mode,
				     .dev = st->st_dev,
				     .ino = st->st_ino };
	return ret->path == NULL ? -ENOMEM : 0;
}

int host_link_resolve(struct host *h, const char *dir, struct host_entry *e)
{
	char path[PATH_MAX];
	char real[PATH_MAX];
	struct stat st;
	size_t n = strlen(dir);

	e->kind = HOST_ABSENT;
	if (n + strlen(e->name) >= sizeof path)
		return 0;
	memcpy(path, dir, n);
	memcpy(path + n, e->name, strlen(e->name) + 1);
	if (realpath(path, real) == NULL || stat(real, &st) < 0)
		return 0;
	e->target = arena_text(&h->arena, real);
	if (e->target == NULL)
		return -ENOMEM;
	if (strncmp(real, "/usr/", 5) == 0) {
		e->kind = HOST_LINK;
		return 0;
	}
	e->kind = host_kind_of(st.st_mode);
	return host_source_fill(h, real, &st, &e->source);
}

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the plan");
}

int host_source_read(struct host *h, const char *option, const char *path,
		     struct host_source *ret, struct cupel_error *err)
{
	char real[PATH_MAX];
	struct stat st;

	if (realpath(path, real) == NULL || lstat(real, &st) < 0)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  errno, "--%s: '%s': %s", option, path,
				  strerror(errno));
	return host_source_fill(h, real, &st, ret) < 0 ? no_memory(err) : 0;
}

/* An overlay shows the one mount that it lies over, and of a mount in it the
 * empty directory beneath.  An ordinary user's read-only view is bound instead,
 * because the kernel refuses the overlay, and shows all. */
static int mounts_check(const struct host *h, const struct spec *spec,
			const char *option, const struct host_source *s,
			struct cupel_error *err)
{
	bool is_written = spec->repo_mode == REPO_OVERLAY && s == &h->repo;
	char point[PATH_MAX];

	if (s->kind != HOST_DIR || (!h->is_root && !is_written) ||
	    !backend_has(spec->backend, WALL_MOUNTNS) ||
	    !host_mounts_find("/proc/self/mountinfo", s->path, point))
		return 0;
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EXDEV,
			  "--%s: '%s' is a mount of its own, and would be an "
			  "empty directory inside; unmount it, or run as an "
			  "ordinary user%s, which shows it",
			  option, point,
			  s == &h->repo ? " with --repo-mode ro" : "");
}

/* Without namespaces a repository can only be where it is. */
static int repo_place(struct host *h, const struct spec *spec,
		      struct cupel_error *err)
{
	const char *path = h->repo.path;
	const char *taken;

	h->repo.dst = INSIDE_REPO;
	if (spec->repo_at == NULL)
		return 0;
	if (!backend_has(spec->backend, WALL_MOUNTNS))
		return inside_repo_at_is_same(spec) ||
				       strcmp(spec->repo_at, path) == 0
			       ? 0
			       : cupel_fail(err, CUPEL_STAGE_SPEC,
					    CUPEL_CAUSE_CALLER, EINVAL,
					    "--repo-at: without namespaces the "
					    "repository stays at '%s'; give "
					    "the word same",
					    path);
	if (!inside_repo_at_is_same(spec)) {
		h->repo.dst = arena_text(&h->arena, spec->repo_at);
		return h->repo.dst == NULL ? no_memory(err) : 0;
	}
	taken = inside_repo_at_find(path);
	if (taken != NULL && strcmp(path, INSIDE_REPO) != 0)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "--repo-at same: the repository '%s' is at "
				  "or below %s, which the vessel reserves; "
				  "move it, or name another PATH",
				  path, taken);
	h->repo.dst = path;
	return 0;
}

int host_repo_read(struct host *h, const struct spec *spec,
		   struct cupel_error *err)
{
	const char *path = spec->repo != NULL ? spec->repo : ".";
	int r;

	if (spec->repo_mode == REPO_NONE || spec->bare)
		return 0;
	r = host_source_read(h, "repo", path, &h->repo, err);
	if (r < 0)
		return r;
	if (h->repo.kind != HOST_DIR)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  ENOTDIR, "--repo: '%s' is not a directory",
				  path);
	if (strcmp(h->repo.path, "/") == 0)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "--repo: '/' would show the whole host; name "
				  "a directory, or --repo-mode none");
	h->has_repo = true;
	r = mounts_check(h, spec, "repo", &h->repo, err);
	return r < 0 ? r : repo_place(h, spec, err);
}

/* A file is shown as a name in its directory, so that what is mounted inside
 * names no path of the host.  Owner and mode stay the file's. */
static int leaf_split(struct host *h, struct host_source *s)
{
	const char *slash = strrchr(s->path, '/');
	char *dir =
		arena_copy(&h->arena, s->path,
			   slash == s->path ? 1 : (size_t)(slash - s->path));
	struct stat st;

	if (dir == NULL)
		return -ENOMEM;
	if (lstat(dir, &st) < 0)
		return -errno;
	s->leaf = slash + 1;
	s->leaf_dev = s->dev;
	s->leaf_ino = s->ino;
	s->path = dir;
	s->dev = st.st_dev;
	s->ino = st.st_ino;
	return 0;
}

static int ro_read_one(struct host *h, const char *item,
		       struct host_source *ret, struct cupel_error *err)
{
	size_t len = 0;
	const char *dst = spec_ro_target(item, &len);
	char *src = arena_copy(&h->arena, item, len);
	const char *real;
	int r;

	if (src == NULL)
		return no_memory(err);
	r = host_source_read(h, "ro", src, ret, err);
	if (r < 0)
		return r;
	real = ret->path;
	if (ret->kind != HOST_DIR && ret->kind != HOST_FILE)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "--ro: '%s' is neither a directory nor a "
				  "regular file",
				  src);
	if (ret->kind == HOST_FILE) {
		r = leaf_split(h, ret);
		if (r < 0)
			return r == -ENOMEM ? no_memory(err)
					    : cupel_fail(err, CUPEL_STAGE_SPEC,
							 CUPEL_CAUSE_CALLER, -r,
							 "--ro: '%s': %s", src,
							 strerror(-r));
	}
	/* Without a DST it appears under its own name: as it was given, if that
	 * is absolute. */
	ret->dst = dst != NULL ? dst : src[0] == '/' ? src : real;
	if (h->has_repo && (inside_is_at(ret->dst, h->repo.dst) ||
			    inside_is_at(h->repo.dst, ret->dst)))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "--ro: '%s' and the repository at '%s' "
				  "(--repo-at) overlap; choose another DST",
				  ret->dst, h->repo.dst);
	return 0;
}

int host_ro_read(struct host *h, const struct spec *spec,
		 struct cupel_error *err)
{
	h->ro = arena_array(&h->arena, spec->ro.len + 1, sizeof *h->ro);
	if (h->ro == NULL)
		return no_memory(err);
	for (size_t i = 0; i < spec->ro.len; i++) {
		int r = ro_read_one(h, spec->ro.items[i], &h->ro[i], err);

		if (r == 0)
			r = mounts_check(h, spec, "ro", &h->ro[i], err);
		if (r < 0)
			return r;
		h->ro_len++;
	}
	return 0;
}
