/* host_runtime.c -- finds and judges interpreters outside /usr. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/host_home.h"
#include "plan/host_path.h"
#include "plan/host_program.h"
#include "plan/host_runtime.h"
#include "spec/spec.h"

#define RUNTIMES_MAX 16 /* --runtime and what PATH adds */
#define LINKS_MAX    40 /* as in path_resolution(7) */

/* These are never bound, nor anything above them. */
static const char *const forbidden[] = { "/home", "/root", "/etc", "/var",
					 "/tmp" };

/* Places that the vessel has itself: nothing is bound in them. */
static const char *const occupied[] = { "/dev", "/proc", "/repo", "/scratch",
					"/tmp" };

bool host_is_below(const char *path, const char *below)
{
	size_t n = strlen(path);

	if (strcmp(path, "/") == 0)
		return true;
	return strncmp(path, below, n) == 0 &&
	       (below[n] == '\0' || below[n] == '/');
}

/* Whether path has the form that realpath(3) gives: no empty, "." or ".."
 * segment, and no '/' at the end. */
static bool is_normal(const char *path)
{
	while (*path == '/') {
		size_t n = strcspn(path + 1, "/");

		if (n == 0 || (n <= 2 && strspn(path + 1, ".") >= n))
			return false;
		path += n + 1;
	}
	return *path == '\0';
}

bool host_is_system(const char *path)
{
	static const char *const dirs[] = { "/usr", "/bin", "/sbin", "/lib",
					    "/lib64" };

	if (!is_normal(path))
		return false;
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		if (host_is_below(dirs[i], path))
			return true;
	return false;
}

/* The state of a walk along a path: at is a real directory, rest is still to
 * go. */
struct way {
	char at[PATH_MAX];
	char rest[PATH_MAX];
	unsigned links;
};

/* Put the target of the link at path in front of what is still to go. */
static bool link_enter(struct way *w, const char *path)
{
	char target[PATH_MAX];
	char rest[PATH_MAX];
	ssize_t n = readlink(path, target, sizeof target - 1);

	if (n <= 0 || ++w->links > LINKS_MAX)
		return false;
	target[n] = '\0';
	if ((size_t)snprintf(rest, sizeof rest, "%s/%s", target, w->rest) >=
	    sizeof rest)
		return false;
	memcpy(w->rest, rest, strlen(rest) + 1);
	if (target[0] == '/')
		w->at[0] = '\0';
	return true;
}

/* Take the next segment of what is still to go. */
static void segment_take(struct way *w, char ret[PATH_MAX])
{
	size_t from = strspn(w->rest, "/");
	size_t n = strcspn(w->rest + from, "/");

	memcpy(ret, w->rest + from, n);
	ret[n] = '\0';
	memmove(w->rest, w->rest + from + n, strlen(w->rest + from + n) + 1);
}

bool host_is_repo_way(const struct host *h, const char *path)
{
	struct way w = { .links = 0 };
	char next[PATH_MAX];
	char name[PATH_MAX];
	struct stat st;

	if (!h->has_repo)
		return false;
	if ((size_t)snprintf(w.rest, sizeof w.rest, "%s", path) >=
		    sizeof w.rest ||
	    (path[0] != '/' && getcwd(w.at, sizeof w.at) == NULL))
		return true;
	for (segment_take(&w, name); name[0] != '\0'; segment_take(&w, name)) {
		if (strcmp(name, ".") == 0)
			continue;
		if (strcmp(name, "..") == 0) {
			w.at[strrchr(w.at, '/') ? strrchr(w.at, '/') - w.at
						: 0] = '\0';
			continue;
		}
		if ((size_t)snprintf(next, sizeof next, "%s/%s", w.at, name) >=
			    sizeof next ||
		    lstat(next, &st) < 0)
			return true;
		if (!S_ISLNK(st.st_mode))
			memcpy(w.at, next, strlen(next) + 1);
		else if (host_is_below(h->repo.path, next) ||
			 !link_enter(&w, next))
			return true;
	}
	return host_is_below(h->repo.path, w.at);
}

bool host_is_trusted_dir(const struct host *h, const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode) &&
	       (st.st_uid == 0 || st.st_uid == h->uid) &&
	       (st.st_mode & 022) == 0;
}

static bool has_trusted_dir(const struct host *h, const char *prefix,
			    const char *name)
{
	char path[PATH_MAX];

	return (size_t)snprintf(path, sizeof path, "%s/%s", prefix, name) <
		       sizeof path &&
	       host_is_trusted_dir(h, path);
}

const char *host_prefix_refusal(const struct host *h, const char *prefix)
{
	for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
		if (host_is_below(prefix, forbidden[i]))
			return "would show too much of the host";
	for (size_t i = 0; i < sizeof occupied / sizeof *occupied; i++)
		if (host_is_below(occupied[i], prefix))
			return "is where the vessel has a directory of its own";
	if (h->has_repo && host_is_below(prefix, h->repo.path))
		return "contains the repository";
	if (h->has_repo && host_is_below(h->repo.path, prefix))
		return "is in the repository, which is not trusted";
	if (!host_is_trusted_dir(h, prefix))
		return "does not belong to root or the caller, or others can "
		       "write to it";
	if (!has_trusted_dir(h, prefix, "bin") ||
	    !(has_trusted_dir(h, prefix, "lib") ||
	      has_trusted_dir(h, prefix, "lib64")))
		return "does not look like an interpreter's prefix (it needs "
		       "bin and lib, which others cannot write to)";
	return host_home_refusal(prefix, HOST_PASSWD);
}

/* We never make a mount point inside a bound tree, and of two mounts at the
 * same place one would be hidden. */
static int overlap_check(const struct host *h, const char *prefix,
			 struct cupel_error *err)
{
	if (h->has_repo && (host_is_below(prefix, h->repo.dst) ||
			    host_is_below(h->repo.dst, prefix)))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "--repo-at: '%s' and the interpreter's '%s' "
				  "overlap; choose another PATH",
				  h->repo.dst, prefix);
	for (size_t i = 0; i < h->ro_len; i++) {
		const char *dst = h->ro[i].dst;

		if (host_is_below(prefix, dst) || host_is_below(dst, prefix))
			return cupel_fail(
				err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				EINVAL,
				"--runtime: '%s' and the --ro target '%s' "
				"overlap; choose another DST for --ro",
				prefix, dst);
	}
	return 0;
}

/* Whether prefix is shown already.  An entry for something below prefix is
 * reused. */
static bool place_find(const struct host *h, const char *prefix, size_t *ret)
{
	*ret = h->runtime_len;
	for (size_t i = 0; i < h->runtime_len; i++) {
		if (host_is_below(h->runtime[i].path, prefix))
			return true;
		if (host_is_below(prefix, h->runtime[i].path))
			*ret = i;
	}
	return false;
}

int host_runtime_add(struct host *h, const char *prefix,
		     struct cupel_error *err)
{
	struct host_source *at;
	size_t place;
	int r;

	if (place_find(h, prefix, &place))
		return 0;
	if (place == RUNTIMES_MAX)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  E2BIG,
				  "--runtime: at most %d prefixes are allowed",
				  RUNTIMES_MAX);
	at = &h->runtime[place];
	r = overlap_check(h, prefix, err);
	if (r == 0)
		r = host_source_read(h, "runtime", prefix, at, err);
	if (r < 0)
		return r;
	at->dst = at->path;
	if (place == h->runtime_len)
		h->runtime_len++;
	return 0;
}

static int runtime_named(struct host *h, const char *dir,
			 struct cupel_error *err)
{
	char real[PATH_MAX];
	const char *why;

	if (realpath(dir, real) == NULL)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  errno, "--runtime: '%s': %s", dir,
				  strerror(errno));
	/* One below /usr is shown already, but it must still be a prefix. */
	if (host_is_system(real) && has_trusted_dir(h, real, "bin"))
		return 0;
	why = host_prefix_refusal(h, real);
	if (why == NULL && host_is_repo_way(h, dir))
		why = "is reached through a link in the repository, which is "
		      "not trusted";
	if (why != NULL)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL, "--runtime: '%s' %s", real, why);
	return host_runtime_add(h, real, err);
}

int host_runtime_read(struct host *h, const struct spec *spec,
		      struct cupel_error *err)
{
	int r = 0;

	h->runtime = arena_array(&h->arena, RUNTIMES_MAX, sizeof *h->runtime);
	if (h->runtime == NULL)
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the plan");
	if (spec->bare)
		return 0;
	for (size_t i = 0; r == 0 && i < spec->runtime.len; i++)
		r = runtime_named(h, spec->runtime.items[i], err);
	if (r == 0)
		r = host_programs_read(h, spec, err);
	return r;
}
