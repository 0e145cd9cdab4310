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
#include "plan/host_hit.h"
#include "plan/host_runtime.h"
#include "plan/host_rustup.h"
#include "plan/host_script.h"
#include "plan/host_search.h"
#include "plan/host_shim.h"
#include "spec/spec.h"

#define CHAIN_MAX 5  /* interpreters of interpreters, execve(2) */
#define WORDS_MAX 64 /* arguments of a shell that are looked into */

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for the plan");
}

/* --- from a name to a program --------------------------------------------- */

/* Find it in --runtime: there the caller has decided. */
static bool named_find(const struct search *s, struct hit *hit)
{
	for (size_t i = 0; i < s->named_len; i++)
		if ((size_t)snprintf(hit->found, sizeof hit->found, "%s/bin/%s",
				     s->h->runtime[i].path,
				     hit->name) < sizeof hit->found &&
		    access(hit->found, X_OK) == 0) {
			hit->origin = PROGRAM_RUNTIME;
			hit->is_repo = hit_is_in_repo(s, hit->found);
			return true;
		}
	return false;
}

static int shim_follow(const struct search *s, const char *dir, struct hit *hit,
		       struct cupel_error *err)
{
	if (host_shim_is(dir))
		return host_shim_follow(s->h, dir, hit->name, hit->found,
					sizeof hit->found, err);
	return host_rustup_follow(s->h, hit->name, hit->found,
				  sizeof hit->found, err);
}

/* Find hit->name in PATH, and follow shims.  Returns 1 with hit->found and its
 * origin, 0 when it is nowhere, or -errno. */
static int name_find(const struct search *s, struct hit *hit,
		     struct cupel_error *err)
{
	int r = SHIM_IS_SYSTEM;

	hit->place = s->len;
	if (named_find(s, hit))
		return 1;
	for (size_t from = 0; r == SHIM_IS_SYSTEM; from = hit->place + 1) {
		const char *dir;

		hit->place = host_search_find(s, hit->name, from, hit->found);
		if (hit->place == s->len)
			return 0;
		dir = s->entries[hit->place].dir;
		hit->origin = PROGRAM_PATH;
		hit->is_repo = hit_is_in_repo(s, hit->found);
		if (hit->is_repo ||
		    (!host_shim_is(dir) && !host_rustup_is(dir, hit->name)))
			return 1;
		hit->origin = PROGRAM_SHIM;
		r = shim_follow(s, dir, hit, err);
	}
	hit->is_repo = r >= 0 && hit_is_in_repo(s, hit->found);
	return r < 0 ? r : 1;
}

/* Whether path leads to the same file inside, through the repository that is
 * shown where it lies (--repo-at same). */
static bool is_same_inside(const struct search *s, const char *path)
{
	const struct host_source *repo = &s->h->repo;

	return s->h->has_repo && strcmp(repo->dst, repo->path) == 0 &&
	       host_is_below(repo->path, path) && hit_is_in_repo(s, path);
}

/* A path comes from the caller, or from a trusted script.  So what the host has
 * there is shown, unless the path is something else inside. */
static bool path_find(const struct search *s, struct hit *hit)
{
	static const char *const own[] = { "/dev", "/proc", "/repo", "/scratch",
					   "/tmp" };
	const struct host *h = s->h;

	hit->place = s->len;
	hit->origin = PROGRAM_PATH;
	for (size_t i = 0; i < sizeof own / sizeof *own; i++)
		if (host_is_below(own[i], hit->name))
			return false;
	for (size_t i = 0; i < h->ro_len; i++)
		if (host_is_below(h->ro[i].dst, hit->name))
			return false;
	if ((size_t)snprintf(hit->found, sizeof hit->found, "%s", hit->name) >=
		    sizeof hit->found ||
	    access(hit->found, X_OK) != 0)
		return false;
	hit->is_repo = hit_is_in_repo(s, hit->found);
	if (hit->is_repo)
		return is_same_inside(s, hit->found);
	return !(h->has_repo && host_is_below(h->repo.dst, hit->name));
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
			   ? hit_path_inside(s, hit->real)
			   : arena_text(&h->arena, hit->real);
	if (p->name == NULL || p->found == NULL || p->taken == NULL)
		return no_memory(err);
	h->programs_len++;
	return 0;
}

/* Show what the program needs, and record what was taken. */
static int program_take(struct search *s, struct hit *hit,
			struct cupel_error *err)
{
	int r;

	if (realpath(hit->found, hit->real) == NULL)
		return 0;
	if (hit->is_repo)
		hit->origin = PROGRAM_REPOSITORY;
	else if (host_is_system(hit->found) && host_is_system(hit->real))
		hit->origin = PROGRAM_SYSTEM;
	r = hit->is_repo ? hit_repo_show(s, hit, err)
			 : hit_prefixes_show(s, hit, err);
	return r < 0 ? r : program_note(s, hit, err);
}

/* --- from a script to its interpreter ------------------------------------- */

/* Whether a script of the repository may ask for path: the path is normal, and
 * lies in what is shown anyway.  A link there that leads out of it is the
 * host's, and is followed for a language only. */
static bool is_open_to_scripts(const struct host *h, const char *path)
{
	const char *base = strrchr(path, '/');
	char dir[PATH_MAX];
	char real[PATH_MAX];

	if (!host_is_system(path) || realpath(path, real) == NULL)
		return false;
	if (host_is_system(real))
		return true;
	(void)snprintf(dir, sizeof dir, "%.*s", (int)(base - path), path);
	return host_script_is_language(base + 1) &&
	       realpath(dir, real) != NULL && host_is_system(real) &&
	       host_is_trusted_dir(h, real);
}

/* The interpreter that the first line of the program asks for; NULL: none, or
 * one that a script of the repository may not ask for. */
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
	return line->path != NULL && (is_open_to_scripts(s->h, line->path) ||
				      is_same_inside(s, line->path))
		       ? line->path
		       : NULL;
}

/* "./x" is looked up below the directory in which the command starts. */
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
	if (access(hit->found, X_OK) != 0)
		return false;
	hit->is_repo = hit_is_in_repo(s, hit->found);
	return hit->is_repo;
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

/* Find the program name, its interpreter, and so on, as far as the kernel
 * goes. */
static int programs_follow(struct search *s, const struct spec *spec,
			   const char *name, struct cupel_error *err)
{
	struct script_line line;
	int r = 1;

	for (size_t i = 0; i < CHAIN_MAX && r > 0 && name != NULL &&
			   s->h->programs_len < PROGRAMS_MAX;
	     i++) {
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

static bool is_noted(const struct host *h, const char *name)
{
	for (size_t i = 0; i < h->programs_len; i++)
		if (strcmp(h->programs[i].name, name) == 0)
			return true;
	return false;
}

/* Programs that start the program that their arguments name. */
static bool is_starter(const char *name)
{
	static const char *const starters[] = {
		"ash",  "bash", "command", "dash",    "env",   "make",
		"nice", "sh",   "time",    "timeout", "xargs", "zsh",
	};
	const char *base = strrchr(name, '/');

	base = base != NULL ? base + 1 : name;
	for (size_t i = 0; i < sizeof starters / sizeof *starters; i++)
		if (strcmp(base, starters[i]) == 0)
			return true;
	return false;
}

/* Find the languages, and the tools that come with one, among the words of an
 * argument: "cd web && npm test" starts npm. */
static int words_follow(struct search *s, const struct spec *spec,
			const char *text, struct cupel_error *err)
{
	static const char ends[] = " \t\r\n;&|()`'\"<>";
	char word[64];
	int r = 0;

	while (r == 0 && *text != '\0') {
		size_t n = strcspn(text, ends);

		if (n > 0 && n < sizeof word) {
			memcpy(word, text, n);
			word[n] = '\0';
			if (host_script_is_tool(word) && !is_noted(s->h, word))
				r = programs_follow(s, spec, word, err);
		}
		text += n + (text[n] != '\0');
	}
	return r;
}

static int command_follow(struct search *s, const struct spec *spec,
			  struct cupel_error *err)
{
	int r = programs_follow(s, spec, spec->argv[0], err);

	for (size_t i = 1; r == 0 && i < spec->argc && i <= WORDS_MAX &&
			   is_starter(spec->argv[0]);
	     i++)
		r = words_follow(s, spec, spec->argv[i], err);
	return r;
}

/* Whether the spec sets a PATH, in which the command is then looked up. */
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
		    : command_follow(&s, spec, err);
	if (r == 0 && host_search_write(&s) < 0)
		return no_memory(err);
	return r;
}
