/* env.c -- the environment, built from nothing. */
#include <string.h>

#include "plan/build.h"
#include "spec/inside.h"

#define PATH_INSIDE "/usr/local/bin:/usr/bin:/bin"

static size_t name_len(const char *item)
{
	return strcspn(item, "=");
}

/* Set "K=V", replacing an earlier K. */
static void put(struct build *b, const char *item)
{
	struct plan *p = b->plan;
	size_t n;

	if (item == NULL) {
		b->no_memory = true;
		return;
	}
	n = name_len(item);
	for (size_t i = 0; i < p->envc; i++) {
		if (name_len(p->envp[i]) == n &&
		    strncmp(p->envp[i], item, n) == 0) {
			p->envp[i] = item;
			return;
		}
	}
	p->envp[p->envc++] = item;
}

static void path_put(struct build *b)
{
	struct arena *a = &b->plan->arena;
	const char *path = arena_format(a, "PATH=%s",
					b->host->path != NULL ? b->host->path
							      : PATH_INSIDE);

	if (path == NULL)
		b->no_memory = true;
	else
		put(b, path);
}

static void own_put(struct build *b)
{
	static const char *const fixed[] = {
		"LANG=C.UTF-8",
		"LC_ALL=C.UTF-8",
		"TZ=UTC",
		"PYTHONHASHSEED=0",
		"CUPEL_RESULT_FD=3",
		"PYTHONDONTWRITEBYTECODE=1",
	};
	bool has_scratch = b->spec->scratch_bytes > 0;

	path_put(b);
	put(b, has_scratch ? "HOME=/scratch" : "HOME=/");
	put(b, has_scratch ? "TMPDIR=/scratch" : "TMPDIR=/");
	for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
		put(b, fixed[i]);
}

/* Say where a reporter of ours writes (profiles/reporters). */
static void report_put(struct build *b)
{
	const struct report_source *r = &b->plan->report;

	if (r->is_dir)
		put(b, arena_format(&b->plan->arena, "CUPEL_REPORT_DIR=%s",
				    r->path));
}

/* Where tools that fetch or build put what they want to find again.  One that
 * follows XDG_CACHE_HOME (pip, uv, poetry, yarn, composer, pre-commit) needs no
 * line of its own, unless profiles say another place. */
static const char *const cache_names[] = {
	"XDG_CACHE_HOME=" INSIDE_CACHE,
	"npm_config_cache=" INSIDE_CACHE "/npm",
	"YARN_CACHE_FOLDER=" INSIDE_CACHE "/yarn",
	"PIP_CACHE_DIR=" INSIDE_CACHE "/pip",
	"CCACHE_DIR=" INSIDE_CACHE "/ccache",
	"GOCACHE=" INSIDE_CACHE "/go-build",
	"GOMODCACHE=" INSIDE_CACHE "/go-mod",
	"CARGO_HOME=" INSIDE_CACHE "/cargo",
	"GRADLE_USER_HOME=" INSIDE_CACHE "/gradle",
	"MAVEN_ARGS=-Dmaven.repo.local=" INSIDE_CACHE "/m2",
};
#define CACHE_NAMES (sizeof cache_names / sizeof *cache_names)

/* With --cache they win over the profile, and the caller's own over them.  A
 * profile without a cache tells pip to use none, whatever PIP_NO_CACHE_DIR
 * says. */
static void cache_put(struct build *b)
{
	struct plan *p = b->plan;
	size_t kept = 0;

	if (b->host->cache.dir == NULL)
		return;
	for (size_t i = 0; i < p->envc; i++)
		if (strncmp(p->envp[i], "PIP_NO_CACHE_DIR=", 17) != 0)
			p->envp[kept++] = p->envp[i];
	p->envc = kept;
	for (size_t i = 0; i < CACHE_NAMES; i++)
		put(b, cache_names[i]);
}

/* Whether item is a variable with which a profile makes node or pytest load a
 * reporter. */
static bool is_reporter(const char *item)
{
	return (strncmp(item, "NODE_OPTIONS=", 13) == 0 &&
		strstr(item, "=/etc/cupel/cupel_") != NULL) ||
	       (strncmp(item, "PYTEST_ADDOPTS=", 15) == 0 &&
		strstr(item, "-p cupel_report") != NULL);
}

/* A test runner that was told to load one that is not there would not start. */
void build_reporters_take(struct build *b)
{
	struct plan *p = b->plan;
	size_t kept = 0;

	for (size_t i = 0; i < p->envc; i++)
		if (!is_reporter(p->envp[i]))
			p->envp[kept++] = p->envp[i];
	p->envc = kept;
	p->envp[kept] = NULL;
}

/* COMMAND is looked up in the PATH that the command will have. */
static void lookup_fill(struct build *b)
{
	struct plan *p = b->plan;

	for (size_t i = 0; i < p->envc; i++)
		if (strncmp(p->envp[i], "PATH=", 5) == 0)
			p->path = p->envp[i] + 5;
}

void build_env(struct build *b)
{
	const struct spec_list *env = &b->spec->env;
	struct plan *p = b->plan;

	p->envp = arena_array(&p->arena,
			      17 + CACHE_NAMES + b->host->pass_env_len +
				      env->len + b->spec->env_dummy.len,
			      sizeof *p->envp);
	if (p->envp == NULL) {
		b->no_memory = true;
		return;
	}
	if (!b->spec->bare)
		own_put(b);
	report_put(b);
	/* the caller's own variable overrides the profile's */
	for (size_t i = 0; i < env->lowest; i++)
		put(b, arena_text(&p->arena, env->items[i]));
	if (!p->report.is_dir)
		build_reporters_take(b);
	cache_put(b);
	for (size_t i = 0; i < b->host->pass_env_len; i++)
		put(b, arena_text(&p->arena, b->host->pass_env[i]));
	for (size_t i = env->lowest; i < env->len; i++)
		put(b, arena_text(&p->arena, env->items[i]));
	for (size_t i = 0; i < b->spec->env_dummy.len; i++)
		put(b, arena_format(&p->arena, "%s=dummy",
				    b->spec->env_dummy.items[i]));
	lookup_fill(b);
}
