/* host_hit.c -- see host_hit.h. */
#include "plan/host_hit.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/host.h"
#include "plan/host_runtime.h"
#include "plan/host_search.h"

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the plan");
}

bool hit_is_in_repo(const struct search *s, const char *file)
{
	char path[PATH_MAX];
	char *slash;

	(void)snprintf(path, sizeof path, "%s", file);
	slash = strrchr(path, '/');
	if (!s->h->has_repo || slash == NULL)
		return false;
	*slash = '\0';
	return host_is_repo_way(s->h, path[0] != '\0' ? path : "/");
}

/* Find the real path of the prefix: "/x/y/bin/python3" -> "/x/y".  False when
 * the file is not in a directory called bin. */
static bool prefix_read(const char *file, char ret[PATH_MAX])
{
	char path[PATH_MAX];
	char *slash;

	(void)snprintf(path, sizeof path, "%s", file);
	slash = strrchr(path, '/');
	if (slash == NULL)
		return false;
	*slash = '\0';
	/* for a link to a directory called bin, its target counts */
	if (realpath(path, ret) == NULL)
		return false;
	slash = strrchr(ret, '/');
	if (slash == NULL || slash == ret || strcmp(slash, "/bin") != 0)
		return false;
	*slash = '\0';
	return true;
}

/* Find the prefix of a program, and why it cannot be shown; NULL when it
 * can. */
static const char *prefix_judge(const struct search *s, const char *file,
				char ret[PATH_MAX])
{
	if (!prefix_read(file, ret))
		return "lies in no prefix of an interpreter (with bin and lib)";
	if (host_is_system(ret))
		return NULL;
	for (size_t i = 0; i < s->h->runtime_len; i++)
		if (host_is_below(s->h->runtime[i].path, ret))
			return NULL;
	return host_prefix_refusal(s->h, ret);
}

static int refuse(const struct hit *hit, const char *why,
		  struct cupel_error *err)
{
	if (strcmp(hit->name, hit->found) == 0)
		return cupel_fail(
			err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, ENOENT,
			"'%s' is not inside: it is neither in the "
			"repository nor in what is shown of the host, "
			"and it %s; show its directory with --ro DIR, "
			"or the prefix of an interpreter with "
			"--runtime DIR",
			hit->name, why);
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, ENOENT,
			  "'%s' is %s, and that %s; name the prefix of an "
			  "interpreter with --runtime DIR, or show what this "
			  "one needs with --ro DIR and name it by --env PATH",
			  hit->name, hit->found, why);
}

/* --- outside the repository ----------------------------------------------- */

static bool has_venv(const char *prefix)
{
	char path[PATH_MAX];

	return (size_t)snprintf(path, sizeof path, "%s/pyvenv.cfg", prefix) <
		       sizeof path &&
	       access(path, F_OK) == 0;
}

/* Like prefix_judge, for the file that the links of hit->found lead to. */
static const char *base_judge(const struct search *s, const struct hit *hit,
			      char ret[PATH_MAX])
{
	const char *why = prefix_judge(s, hit->real, ret);

	if (why == NULL && host_is_repo_way(s->h, hit->found) &&
	    !host_search_names(s, ret))
		why = "is reached through a link in the repository";
	return why;
}

/* What lies in the system is shown in any case. */
static int prefix_show(struct search *s, const char *prefix,
		       struct cupel_error *err)
{
	return host_is_system(prefix) ? 0 : host_runtime_add(s->h, prefix, err);
}

int hit_prefixes_show(struct search *s, struct hit *hit,
		      struct cupel_error *err)
{
	char own[PATH_MAX] = "";
	char base[PATH_MAX] = "";
	bool has_own = !host_is_system(hit->found);
	bool has_base = !host_is_system(hit->real);
	const char *why = NULL;
	int r = 0;

	if (has_own)
		why = prefix_judge(s, hit->found, own);
	if (has_base && has_own && own[0] != '\0' &&
	    host_is_below(own, hit->real))
		has_base = false; /* its links stay in the prefix */
	if (has_base && why != NULL && !has_venv(own)) {
		has_own = false; /* only a link lies there */
		why = NULL;
	}
	if (has_base && why == NULL)
		why = base_judge(s, hit, base);
	if (why != NULL)
		return refuse(hit, why, err);
	if (has_own)
		r = prefix_show(s, own, err);
	if (r == 0 && has_base)
		r = prefix_show(s, base, err);
	if (r < 0 || hit->place == s->len || host_is_system(hit->found))
		return r;
	s->entries[hit->place].inside =
		arena_format(&s->h->arena, "%s/bin", has_own ? own : base);
	return s->entries[hit->place].inside != NULL ? 0 : no_memory(err);
}

/* --- in the repository ---------------------------------------------------- */

const char *hit_path_inside(const struct search *s, const char *path)
{
	return arena_format(&s->h->arena, "%s%s", s->repo_inside,
			    path + strlen(s->h->repo.path));
}

int hit_repo_show(struct search *s, struct hit *hit, struct cupel_error *err)
{
	char dir[PATH_MAX];
	char base[PATH_MAX];

	if (hit->place < s->len &&
	    realpath(s->entries[hit->place].dir, dir) != NULL) {
		/* a link may lead out, to what another place names */
		s->entries[hit->place].inside =
			host_is_below(s->h->repo.path, dir)
				? hit_path_inside(s, dir)
				: arena_text(&s->h->arena, dir);
		if (s->entries[hit->place].inside == NULL)
			return no_memory(err);
	}
	if (host_is_below(s->h->repo.path, hit->real) ||
	    host_is_system(hit->real))
		return 0;
	if (!prefix_read(hit->real, base) || !host_search_names(s, base)) {
		for (size_t i = 0; i < s->h->runtime_len; i++)
			if (host_is_below(s->h->runtime[i].path, hit->real))
				return 0;
		return cupel_fail(
			err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, ENOENT,
			"'%s' is %s, whose link leads out of the repository to "
			"%s; a link in the repository does not make files of "
			"the host visible: name that prefix with --runtime DIR",
			hit->name, hit->found, hit->real);
	}
	if (prefix_judge(s, hit->real, base) != NULL)
		return refuse(hit, prefix_judge(s, hit->real, base), err);
	return host_runtime_add(s->h, base, err);
}
