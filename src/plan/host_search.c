/* host_search.c -- see host_search.h. */
#include "plan/host_search.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "plan/host.h"
#include "plan/host_runtime.h"
#include "plan/host_shim.h"

static const char *const usual[] = { "/usr/local/bin", "/usr/bin", "/bin" };

int host_search_init(struct search *s, struct host *h, const char *path)
{
	size_t n = 1;

	*s = (struct search){ .h = h,
			      .repo_inside = h->repo.dst,
			      .named_len = h->runtime_len };
	for (const char *c = path; *c != '\0'; c++)
		n += *c == ':';
	s->entries = arena_array(&h->arena, n, sizeof *s->entries);
	if (s->entries == NULL)
		return -ENOMEM;
	while (*path != '\0') {
		size_t len = strcspn(path, ":");
		size_t bare = len;

		while (bare > 1 && path[bare - 1] == '/')
			bare--;
		s->entries[s->len].dir = arena_copy(&h->arena, path, bare);
		if (s->entries[s->len++].dir == NULL)
			return -ENOMEM;
		path += len + (path[len] == ':');
	}
	return 0;
}

static bool is_program(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

/* Write "dir/name"; returns whether it fits. */
static bool path_join(const char *dir, const char *name, char ret[PATH_MAX])
{
	size_t d = strlen(dir);
	size_t n = strlen(name);

	if (d + n + 2 > PATH_MAX)
		return false;
	memcpy(ret, dir, d);
	ret[d] = '/';
	memcpy(ret + d + 1, name, n + 1);
	return true;
}

size_t host_search_find(const struct search *s, const char *name, size_t from,
			char ret[PATH_MAX])
{
	for (size_t i = from; i < s->len; i++)
		if (s->entries[i].dir[0] == '/' &&
		    path_join(s->entries[i].dir, name, ret) && is_program(ret))
			return i;
	return s->len;
}

bool host_search_names(const struct search *s, const char *prefix)
{
	const struct host *h = s->h;
	char bin[PATH_MAX];
	char real[PATH_MAX];

	if (!path_join(prefix, "bin", bin))
		return false;
	for (size_t i = 0; i < s->len; i++) {
		const char *dir = s->entries[i].dir;

		if (dir[0] != '/' || realpath(dir, real) == NULL ||
		    host_is_repo_way(h, dir))
			continue;
		if (strcmp(real, bin) == 0 ||
		    (host_shim_is(dir) && host_shim_owns(h, dir, prefix)))
			return true;
	}
	return false;
}

static bool is_usual(const char *dir)
{
	for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
		if (strcmp(usual[i], dir) == 0)
			return true;
	return false;
}

/* Add dir to path unless it is there; no name in either has a ':'. */
static const char *path_add(struct arena *a, const char *path, const char *dir)
{
	size_t n = strlen(dir);

	for (const char *c = path; c != NULL && *c != '\0';) {
		size_t len = strcspn(c, ":");

		if (len == n && memcmp(c, dir, n) == 0)
			return path;
		c += len + (c[len] == ':');
	}
	if (path == NULL || strchr(dir, ':') != NULL)
		return path;
	return path[0] == '\0' ? dir : arena_format(a, "%s:%s", path, dir);
}

int host_search_write(const struct search *s)
{
	struct host *h = s->h;
	struct arena *a = &h->arena;
	const char *path = "";
	bool is_as_always = s->named_len == 0;

	for (size_t i = 0; i < s->named_len; i++) {
		const char *bin = arena_format(a, "%s/bin", h->runtime[i].path);

		path = bin != NULL ? path_add(a, path, bin) : NULL;
	}
	for (size_t i = 0; path != NULL && i < s->len; i++) {
		const struct search_entry *e = &s->entries[i];

		if (e->inside != NULL)
			path = path_add(a, path, e->inside);
		else if (is_usual(e->dir))
			path = path_add(a, path, e->dir);
		is_as_always &= e->inside == NULL;
	}
	for (size_t i = 0; path != NULL && i < sizeof usual / sizeof *usual;
	     i++)
		path = path_add(a, path, usual[i]);
	if (path == NULL)
		return -ENOMEM;
	h->path = is_as_always ? NULL : path;
	return 0;
}
