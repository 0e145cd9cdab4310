/* inside.c -- see inside.h. */
#include "spec/inside.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

#include "spec/put.h"

/* Places that we make, and trees in which no mount point is made. */
static const char *const taken[] = {
	"/proc",    "/dev",   "/etc",   "/sys",    INSIDE_REPO,
	"/scratch", "/tmp",   "/usr",   "/bin",    "/sbin",
	"/lib",     "/lib32", "/lib64", "/libx32", "/.cupel",
};

bool inside_is_at(const char *path, const char *dir)
{
	size_t n = strlen(dir);

	return strncmp(path, dir, n) == 0 &&
	       (path[n] == '\0' || path[n] == '/');
}

bool inside_is_normal(const char *path)
{
	const char *at = path;

	if (path[0] != '/' || strlen(path) >= PATH_MAX)
		return false;
	if (path[1] == '\0')
		return true;
	while (*at == '/') {
		size_t n = strcspn(++at, "/");

		if (n == 0 || (n == 1 && at[0] == '.') ||
		    (n == 2 && at[0] == '.' && at[1] == '.') || n > NAME_MAX)
			return false;
		at += n;
	}
	return true;
}

const char *inside_taken_find(const char *path)
{
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		if (inside_is_at(path, taken[i]))
			return taken[i];
	return NULL;
}

bool inside_repo_at_is_same(const struct spec *s)
{
	return s->repo_at != NULL && strcmp(s->repo_at, "same") == 0;
}

/* All places are below the root, so only '/' can cover one. */
const char *inside_repo_at_find(const char *path)
{
	return path[1] == '\0' ? "/" : inside_taken_find(path);
}

/* No mount point is made inside a bound tree, and of two mounts in the same
 * place one would be hidden. */
static int clear_of_ro(const struct spec *s, struct cupel_error *err)
{
	for (size_t i = 0; i < s->ro.len; i++) {
		size_t n = 0;
		const char *item = s->ro.items[i];
		const char *dst = spec_ro_target(item, &n);

		dst = dst != NULL ? dst : item;
		if (inside_is_at(dst, s->repo_at) ||
		    inside_is_at(s->repo_at, dst))
			return spec_refuse(
				err, EINVAL,
				"--repo-at: '%.150s' and the --ro target "
				"'%.150s' overlap; one is inside the other",
				s->repo_at, dst);
	}
	return 0;
}

int inside_repo_at_check(const struct spec *s, struct cupel_error *err)
{
	const char *at;

	if (s->repo_at == NULL || strcmp(s->repo_at, INSIDE_REPO) == 0)
		return 0;
	if (s->repo_mode == REPO_NONE || s->bare)
		return spec_refuse(err, EINVAL,
				   "--repo-at: no repository is shown%s",
				   s->bare ? "" : ", as --repo-mode is none");
	if (inside_repo_at_is_same(s))
		return 0;
	if (!inside_is_normal(s->repo_at))
		return spec_refuse(
			err, EINVAL,
			"--repo-at: '%.200s' is neither the word same nor an "
			"absolute path without '.', '..' and '//'",
			s->repo_at);
	at = inside_repo_at_find(s->repo_at);
	if (at != NULL)
		return spec_refuse(err, EINVAL,
				   "--repo-at: '%.200s' is at or below %s, "
				   "which the vessel reserves",
				   s->repo_at, at);
	return clear_of_ro(s, err);
}

static bool meets_cache(const char *path)
{
	return inside_is_at(path, INSIDE_CACHE) ||
	       inside_is_at(INSIDE_CACHE, path);
}

/* What else the caller wants to see there, or NULL. */
static const char *cache_rival(const struct spec *s)
{
	for (size_t i = 0; i < s->ro.len; i++) {
		size_t n = 0;
		const char *item = s->ro.items[i];
		const char *dst = spec_ro_target(item, &n);

		if (meets_cache(dst != NULL ? dst : item))
			return "--ro";
	}
	return s->repo_at != NULL && meets_cache(s->repo_at) ? "--repo-at"
							     : NULL;
}

int inside_cache_check(const struct spec *s, struct cupel_error *err)
{
	const char *rival;

	if (s->cache == NULL)
		return 0;
	if (s->cache[0] == '\0')
		return spec_refuse(err, EINVAL, "--cache: DIR is empty");
	if (s->bare || s->wall_alarm)
		return spec_refuse(
			err, EINVAL,
			"--cache: the profile %.100s is for one function or "
			"parser, which leaves nothing for a later run",
			s->profile);
	if (s->scratch_bytes == 0)
		return spec_refuse(
			err, EINVAL,
			"--cache: its changes are kept in the scratch until "
			"the run ends, and --scratch-bytes is 0");
	rival = cache_rival(s);
	if (rival != NULL)
		return spec_refuse(err, EINVAL,
				   "--cache: it is shown at /cache, where %s "
				   "shows something else",
				   rival);
	return 0;
}
