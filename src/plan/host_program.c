/* host_program.c -- see host_program.h. */
#include "plan/host_program.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "plan/backend.h"
#include "plan/host.h"
#include "plan/host_runtime.h"
#include "plan/host_script.h"
#include "plan/host_search.h"
#include "plan/host_shim.h"
#include "spec/spec.h"

/* A program that the caller's shell would take. */
struct hit {
	const char *name;
	size_t place; /* of PATH; the search's len when it was none of them */
	char found[PATH_MAX];
	char real[PATH_MAX];
	enum program_origin origin;
	bool is_repo; /* it lies in the repository: its author's words */
};

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY, ENOMEM,
			  "memory for the plan has run out");
}

/* The real path of the prefix: "/x/y/bin/python3" -> "/x/y".  False when the
 * file does not lie in a directory called bin. */
static bool prefix_read(const char *file, char ret[PATH_MAX])
{
	char path[PATH_MAX];
	char *slash;

	(void)snprintf(path, sizeof path, "%s", file);
	slash = strrchr(path, '/');
	if (slash == NULL)
		return false;
	*slash = '\0';
	/* a link to a directory called bin counts as what it leads to */
	if (realpath(path, ret) == NULL)
		return false;
	slash = strrchr(ret, '/');
	if (slash == NULL || slash == ret || strcmp(slash, "/bin") != 0)
		return false;
	*slash = '\0';
	return true;
}

/* Where the caller keeps more than programs: shown only when it is named. */
static bool is_home_local(const char *prefix)
{
	const char *home = getenv("HOME");
	char local[PATH_MAX];
	char real[PATH_MAX];

	return home != NULL && home[0] == '/' &&
	       (size_t)snprintf(local, sizeof local, "%s/.local", home) <
		       sizeof local &&
	       realpath(local, real) != NULL && strcmp(real, prefix) == 0;
}

/* The prefix of a program, and why it cannot be shown; NULL when it can. */
static const char *prefix_judge(const struct search *s, const char *file,
				char ret[PATH_MAX])
{
	if (!prefix_read(file, ret))
		return "is a shim and no program of an interpreter's prefix";
	for (size_t i = 0; i < s->h->runtime_len; i++)
		if (host_is_below(s->h->runtime[i].path, ret))
			return NULL;
	if (is_home_local(ret))
		return "lies where more than programs is kept";
	return host_prefix_refusal(s->h, ret);
}

static int refuse(const struct hit *hit, const char *why,
		  struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, ENOENT,
			  "'%s' is %s, and that %s; name its prefix with "
			  "--runtime DIR, or the program that is meant by its "
			  "path",
			  hit->name, hit->found, why);
}

/* --- outside the repository ---------------------------------------------------- */

static bool has_venv(const char *prefix)
{
	char path[PATH_MAX];

	return (size_t)snprintf(path, sizeof path, "%s/pyvenv.cfg", prefix) <
		       sizeof path &&
	       access(path, F_OK) == 0;
}

/* Show the program's own prefix (a virtualenv), and the one that its links lead
 * to (the interpreter it was made from). */
static int prefixes_show(struct search *s, struct hit *hit,
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
		has_base = false; /* its links stay within it */
	if (has_base && why != NULL && !has_venv(own)) {
		has_own = false; /* only a link lies there */
		why = NULL;
	}
	if (has_base && why == NULL)
		why = prefix_judge(s, hit->real, base);
	if (why != NULL)
		return refuse(hit, why, err);
	if (has_own)
		r = host_runtime_add(s->h, own, err);
	if (r == 0 && has_base)
		r = host_runtime_add(s->h, base, err);
	if (r < 0 || hit->place == s->len || host_is_system(hit->found))
		return r;
	s->entries[hit->place].inside = arena_format(
		&s->h->arena, "%s/bin", has_own ? own : base);
	return s->entries[hit->place].inside != NULL ? 0 : no_memory(err);
}

/* --- in the repository --------------------------------------------------------- */

/* "/host/repo/x" as it is called inside; NULL without memory. */
static const char *repo_path_inside(const struct search *s, const char *path)
{
	return arena_format(&s->h->arena, "%s%s", s->repo_inside,
			    path + strlen(s->h->repo.path));
}

/* The file's place is shown with the repository.  Where its links lead out of
 * it, the caller must have named that prefix: the link is not the caller's. */
static int repo_show(struct search *s, struct hit *hit, struct cupel_error *err)
{
	char dir[PATH_MAX];
	char base[PATH_MAX];

	if (hit->place < s->len &&
	    realpath(s->entries[hit->place].dir, dir) != NULL) {
		s->entries[hit->place].inside = repo_path_inside(s, dir);
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
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  ENOENT,
				  "'%s' is %s, whose link leads out of the "
				  "repository to %s; a link in it shows nothing "
				  "of the host: name that prefix with --runtime "
				  "DIR",
				  hit->name, hit->found, hit->real);
	}
	if (prefix_judge(s, hit->real, base) != NULL)
		return refuse(hit, prefix_judge(s, hit->real, base), err);
	return host_runtime_add(s->h, base, err);
}

/* --- from a name to a program --------------------------------------------------- */

static bool is_in_repo(const struct search *s, const char *file)
{
	char path[PATH_MAX];
	char real[PATH_MAX];
	char *slash;

	(void)snprintf(path, sizeof path, "%s", file);
	slash = strrchr(path, '/');
	if (!s->h->has_repo || slash == NULL)
		return false;
	*slash = '\0';
	return realpath(path[0] != '\0' ? path : "/", real) != NULL &&
	       host_is_below(s->h->repo.path, real);
}

/* One of --runtime: the caller has answered. */
static bool named_find(const struct search *s, struct hit *hit)
{
	for (size_t i = 0; i < s->named_len; i++)
		if ((size_t)snprintf(hit->found, sizeof hit->found,
				     "%s/bin/%s", s->h->runtime[i].path,
				     hit->name) < sizeof hit->found &&
		    access(hit->found, X_OK) == 0) {
			hit->origin = PROGRAM_RUNTIME;
			return true;
		}
	return false;
}

/* hit->name in PATH, shims followed.  Returns 1 with hit->found and its origin,
 * 0 when nobody has it, or -errno. */
static int name_find(const struct search *s, struct hit *hit,
		     struct cupel_error *err)
{
	int r = SHIM_IS_SYSTEM;

	hit->place = s->len;
	if (named_find(s, hit))
		return 1;
	for (size_t from = 0; r == SHIM_IS_SYSTEM; from = hit->place + 1) {
		const char *dir;

		hit->place =
			host_search_find(s, hit->name, from, hit->found);
		if (hit->place == s->len)
			return 0;
		dir = s->entries[hit->place].dir;
		hit->origin = PROGRAM_PATH;
		if (is_in_repo(s, hit->found) || !host_shim_is(dir))
			return 1;
		hit->origin = PROGRAM_SHIM;
		r = host_shim_follow(s->h, dir, hit->name, hit->found,
				     sizeof hit->found, err);
	}
	return r < 0 ? r : 1;
}

/* A path is the caller's own word, or a trusted script's: what lies on the host
 * under it is shown, unless it is something else inside. */
static bool path_find(const struct search *s, struct hit *hit)
{
	static const char *const own[] = { "/dev", "/proc", "/repo",
					   "/scratch", "/tmp" };
	const struct host *h = s->h;

	hit->place = s->len;
	hit->origin = PROGRAM_PATH;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (host_is_below(own[i], hit->name))
			return false;
	for (size_t i = 0; i < h->ro_len; i++)
		if (host_is_below(h->ro[i].dst, hit->name))
			return false;
	return (size_t)snprintf(hit->found, sizeof hit->found, "%s",
				hit->name) < sizeof hit->found &&
	       access(hit->found, X_OK) == 0 && !is_in_repo(s, hit->found);
}

static int program_note(const struct search *s, const struct hit *hit,
			struct cupel_error *err)
{
	struct host *h = s->h;
	struct program *p = &h->programs[h->programs_len];

	p->origin = hit->origin;
	p->name = arena_text(&h->arena, hit->name);
	/* the caller's shell finds the shim */
	p->found = hit->origin == PROGRAM_SHIM
			   ? arena_format(&h->arena, "%s/%s",
					  s->entries[hit->place].dir, hit->name)
			   : arena_text(&h->arena, hit->found);
	p->taken = h->has_repo && host_is_below(h->repo.path, hit->real)
			   ? repo_path_inside(s, hit->real)
			   : arena_text(&h->arena, hit->real);
	if (p->name == NULL || p->found == NULL || p->taken == NULL)
		return no_memory(err);
	h->programs_len++;
	return 0;
}

/* Show what the program needs, and say what was taken. */
static int program_take(struct search *s, struct hit *hit,
			struct cupel_error *err)
{
	int r;

	if (realpath(hit->found, hit->real) == NULL)
		return 0;
	hit->is_repo = is_in_repo(s, hit->found);
	if (hit->is_repo)
		hit->origin = PROGRAM_REPOSITORY;
	else if (host_is_system(hit->found) && host_is_system(hit->real))
		hit->origin = PROGRAM_SYSTEM;
	r = hit->is_repo ? repo_show(s, hit, err) : prefixes_show(s, hit, err);
	return r < 0 ? r : program_note(s, hit, err);
}

/* --- from a script to its interpreter -------------------------------------------- */

/* What the first line of the program asks for; NULL: nothing, or nothing that a
 * script of the repository may ask for. */
static const char *interpreter_read(const struct search *s,
				    const struct hit *hit,
				    struct script_line *line)
{
	const char *repo = s->h->has_repo ? s->h->repo.path : NULL;

	if (repo == NULL || !host_is_below(repo, hit->real)) {
		host_script_read(NULL, hit->real, line);
		return line->name != NULL ? line->name : line->path;
	}
	host_script_read(repo, hit->real + strlen(repo) + 1, line);
	if (line->name != NULL && host_script_is_language(line->name))
		return line->name;
	return line->path != NULL && host_is_system(line->path) ? line->path
								: NULL;
}

/* "./x" is looked up below the directory that the command starts in. */
static bool relative_find(const struct search *s, const struct spec *spec,
			  struct hit *hit)
{
	const char *cwd = spec_cwd(spec);

	if (!s->h->has_repo || !host_is_below("/repo", cwd) ||
	    (size_t)snprintf(hit->found, sizeof hit->found, "%s%s/%s",
			     s->h->repo.path, cwd + strlen("/repo"),
			     hit->name) >= sizeof hit->found)
		return false;
	hit->place = s->len;
	return access(hit->found, X_OK) == 0 && is_in_repo(s, hit->found);
}

/* Returns as name_find. */
static int command_find(const struct search *s, const struct spec *spec,
			struct hit *hit, struct cupel_error *err)
{
	if (strchr(hit->name, '/') == NULL)
		return name_find(s, hit, err);
	if (hit->name[0] != '/')
		return relative_find(s, spec, hit);
	return path_find(s, hit);
}

static int programs_follow(struct search *s, const struct spec *spec,
			   struct cupel_error *err)
{
	struct script_line line;
	const char *name = spec->argv[0];
	int r = 1;

	while (r > 0 && name != NULL && s->h->programs_len < PROGRAMS_MAX) {
		struct hit hit = { .name = arena_text(&s->h->arena, name) };

		if (hit.name == NULL)
			return no_memory(err);
		r = command_find(s, spec, &hit, err);
		if (r <= 0)
			break;
		r = program_take(s, &hit, err);
		if (r < 0)
			break;
		name = interpreter_read(s, &hit, &line);
		r = 1;
	}
	return r < 0 ? r : 0;
}

/* PATH of the spec is the one that the command is looked up in. */
static bool has_own_path(const struct spec *spec)
{
	for (size_t i = 0; i < spec->env.len; i++)
		if (strncmp(spec->env.items[i], "PATH=", 5) == 0)
			return true;
	return false;
}

int host_programs_read(struct host *h, const struct spec *spec,
		       struct cupel_error *err)
{
	const char *path = getenv("PATH");
	struct search s;
	int r;

	if (host_search_init(&s, h, path != NULL ? path : "") < 0)
		return no_memory(err);
	if (h->has_repo && !backend_has(spec->backend, WALL_MOUNTNS))
		s.repo_inside = h->repo.path;
	r = spec->argc == 0 || spec->argv[0][0] == '\0' || has_own_path(spec)
		    ? 0
		    : programs_follow(&s, spec, err);
	if (r == 0 && host_search_write(&s) < 0)
		return no_memory(err);
	return r;
}
