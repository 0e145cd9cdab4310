/* host_runtime.c -- interpreters outside /usr: found, judged, or refused. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/host_path.h"
#include "spec/spec.h"

#define RUNTIMES_MAX 16 /* --runtime and what PATH adds */

/* Never bound, nor anything above them. */
static const char *const forbidden[] = { "/home", "/root", "/etc", "/var",
					 "/tmp" };

/* Places that the vessel has of its own: nothing is bound in them. */
static const char *const occupied[] = { "/dev", "/proc", "/repo", "/scratch",
					"/tmp" };

/* Whether below is path itself or lies below it. */
static bool is_at_or_below(const char *path, const char *below)
{
	size_t n = strlen(path);

	if (strcmp(path, "/") == 0)
		return true;
	return strncmp(path, below, n) == 0 &&
	       (below[n] == '\0' || below[n] == '/');
}

static bool is_system(const char *path)
{
	static const char *const dirs[] = { "/usr", "/bin", "/sbin", "/lib",
					    "/lib64" };

	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		if (is_at_or_below(dirs[i], path))
			return true;
	return false;
}

static bool is_trusted_dir(const struct host *h, const char *path)
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
	       is_trusted_dir(h, path);
}

/* Why prefix may not be bound, or NULL when it may. */
static const char *prefix_refusal(const struct host *h, const char *prefix)
{
	const char *home = getenv("HOME");
	char real_home[PATH_MAX];

	for (size_t i = 0; i < sizeof forbidden / sizeof *forbidden; i++)
		if (is_at_or_below(prefix, forbidden[i]))
			return "would show too much of the host";
	for (size_t i = 0; i < sizeof occupied / sizeof *occupied; i++)
		if (is_at_or_below(occupied[i], prefix))
			return "lies where the vessel has a directory of its "
			       "own";
	if (home != NULL && realpath(home, real_home) != NULL &&
	    is_at_or_below(prefix, real_home))
		return "would show the caller's home directory";
	if (h->has_repo && is_at_or_below(prefix, h->repo.path))
		return "contains the repository";
	if (h->has_repo && is_at_or_below(h->repo.path, prefix))
		return "lies in the repository, which nobody has reason to "
		       "trust";
	if (!is_trusted_dir(h, prefix))
		return "is not owned by root or the caller, or is writable by "
		       "others";
	if (!has_trusted_dir(h, prefix, "bin") ||
	    !(has_trusted_dir(h, prefix, "lib") ||
	      has_trusted_dir(h, prefix, "lib64")))
		return "does not look like an interpreter's prefix (bin and "
		       "lib, writable by nobody else)";
	return NULL;
}

/* A mount point inside a bound tree is never made, and one of two that lie at
 * the same place would be hidden. */
static int overlap_check(const struct host *h, const char *prefix,
			 struct cupel_error *err)
{
	for (size_t i = 0; i < h->ro_len; i++) {
		const char *dst = h->ro[i].dst;

		if (is_at_or_below(prefix, dst) || is_at_or_below(dst, prefix))
			return cupel_fail(err, CUPEL_STAGE_SPEC,
					  CUPEL_CAUSE_CALLER, EINVAL,
					  "--runtime: '%s' and the --ro target "
					  "'%s' lie in each other; give --ro "
					  "another DST",
					  prefix, dst);
	}
	return 0;
}

static int runtime_add(struct host *h, const char *prefix,
		       struct cupel_error *err)
{
	struct host_source *at = &h->runtime[h->runtime_len];
	int r;

	for (size_t i = 0; i < h->runtime_len; i++)
		if (strcmp(h->runtime[i].path, prefix) == 0)
			return 0;
	if (h->runtime_len == RUNTIMES_MAX)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  E2BIG, "--runtime: more than %d prefixes",
				  RUNTIMES_MAX);
	r = overlap_check(h, prefix, err);
	if (r == 0)
		r = host_source_read(h, "runtime", prefix, at, err);
	if (r < 0)
		return r;
	at->dst = at->path;
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
	/* One below /usr is there already; still it must be one. */
	if (is_system(real) && has_trusted_dir(h, real, "bin"))
		return 0;
	why = prefix_refusal(h, real);
	if (why != NULL)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL, "--runtime: '%s' %s", real, why);
	return runtime_add(h, real, err);
}

/* "/x/y/bin/python3" -> "/x/y": cuts path in place.  False when the file does
 * not lie in a directory called bin. */
static bool prefix_cut(char *path)
{
	char *slash = strrchr(path, '/');

	if (slash == NULL)
		return false;
	*slash = '\0';
	slash = strrchr(path, '/');
	if (slash == NULL || slash == path || strcmp(slash, "/bin") != 0)
		return false;
	*slash = '\0';
	return true;
}

enum candidate { CANDIDATE_NONE, CANDIDATE_INSIDE, CANDIDATE_BOUND };

/* The candidate's own prefix (a virtualenv) and the one its links lead to (the
 * interpreter it was made from); either may lie in /usr and need nothing. */
static int candidate_bind(struct host *h, const char *found,
			  enum candidate *ret, struct cupel_error *err)
{
	char own[PATH_MAX];
	char real[PATH_MAX];
	char *const prefixes[] = { own, real };

	*ret = CANDIDATE_NONE;
	(void)snprintf(own, sizeof own, "%s", found);
	if (realpath(found, real) == NULL)
		return 0;
	for (size_t i = 0; i < 2; i++) {
		char whole[PATH_MAX];
		const char *why = "is a shim and no program of an "
				  "interpreter's prefix";

		if (is_system(prefixes[i]))
			continue;
		if (prefix_cut(prefixes[i]) &&
		    realpath(prefixes[i], whole) != NULL)
			why = prefix_refusal(h, whole);
		if (why != NULL) {
			h->runtime_skipped =
				arena_format(&h->arena, "%s %s", found, why);
			return 0;
		}
	}
	*ret = is_system(own) && is_system(real) ? CANDIDATE_INSIDE
						 : CANDIDATE_BOUND;
	for (size_t i = 0; i < 2; i++) {
		char whole[PATH_MAX];
		int r = 0;

		if (!is_system(prefixes[i]) &&
		    realpath(prefixes[i], whole) != NULL)
			r = runtime_add(h, whole, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static bool path_is_ours(const struct host *h, const char *dir)
{
	char real[PATH_MAX];

	return dir[0] == '/' && realpath(dir, real) != NULL &&
	       !(h->has_repo && is_at_or_below(h->repo.path, real));
}

static int path_search(struct host *h, const char *name, enum candidate *ret,
		       struct cupel_error *err)
{
	const char *path = getenv("PATH");
	char dir[PATH_MAX];
	char found[PATH_MAX];

	while (path != NULL && *path != '\0') {
		size_t n = strcspn(path, ":");
		int r = 0;

		if (n > 0 && n < sizeof dir) {
			memcpy(dir, path, n);
			dir[n] = '\0';
			if (path_is_ours(h, dir) &&
			    (size_t)snprintf(found, sizeof found, "%s/%s", dir,
					     name) < sizeof found &&
			    access(found, X_OK) == 0)
				r = candidate_bind(h, found, ret, err);
			if (r < 0 || *ret != CANDIDATE_NONE)
				return r;
		}
		path += n + (path[n] == ':');
	}
	return 0;
}

/* COMMAND without a slash: where the caller would have found it decides which
 * prefix is bound.  What is found in /usr needs none. */
static int runtime_find(struct host *h, const struct spec *spec,
			struct cupel_error *err)
{
	enum candidate got = CANDIDATE_NONE;
	const char *name = spec->argc > 0 ? spec->argv[0] : NULL;
	int r;

	if (name == NULL || name[0] == '\0' || strchr(name, '/') != NULL)
		return 0;
	r = path_search(h, name, &got, err);
	if (r < 0 || got != CANDIDATE_NONE || h->runtime_skipped == NULL ||
	    h->runtime_len > 0)
		return r;
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, ENOENT,
			  "%s; name its prefix with --runtime DIR",
			  h->runtime_skipped);
}

int host_runtime_read(struct host *h, const struct spec *spec,
		      struct cupel_error *err)
{
	int r = 0;

	h->runtime = arena_array(&h->arena, RUNTIMES_MAX, sizeof *h->runtime);
	if (h->runtime == NULL)
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY,
				  ENOMEM, "memory for the plan has run out");
	if (spec->bare)
		return 0;
	for (size_t i = 0; r == 0 && i < spec->runtime.len; i++)
		r = runtime_named(h, spec->runtime.items[i], err);
	if (r == 0)
		r = runtime_find(h, spec, err);
	return r;
}
