/* views.c -- the repository, the --ro sources, interpreters outside /usr. */
#include <linux/mount.h>
#include <string.h>

#include "plan/build.h"
#include "spec/inside.h"

/* Turn the path "/a/b" inside into the target "a/b". */
static const char *target_of(struct build *b, const char *path)
{
	const char *t;

	while (*path == '/')
		path++;
	t = arena_text(&b->plan->arena, path);
	b->no_memory |= t == NULL;
	return t != NULL ? t : "";
}

static void overlay_add(struct build *b, const struct host_source *src,
			bool writable)
{
	const char *target = target_of(b, src->dst);
	struct plan_step *s;

	build_dirs(b, target, true);
	s = build_step(b, STEP_OVERLAY, target);
	s->source = build_source(b, src, true);
	s->writable = writable;
	s->attr = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV |
		  (writable ? 0 : MOUNT_ATTR_RDONLY);
	s->is_dir = true;
	s->wall = writable ? WALL_REPO_OVERLAY : WALL_REPO_READONLY;
	b->plan->requested |= WALL_BIT(WALL_REPO_OBJECTS) | WALL_BIT(s->wall);
}

/* Show a single file: out of an overlay of its directory, which has no name
 * inside. */
static void file_add(struct build *b, const struct host_source *src)
{
	const char *target = target_of(b, src->dst);
	struct plan_step *s;

	build_dirs(b, target, false);
	build_step(b, STEP_FILE, target)->mode = 0444;
	s = build_step(b, STEP_OVERLAY, target);
	s->source = build_source(b, src, true);
	s->attr = PLAN_ATTR_RO;
	s->wall = WALL_REPO_READONLY;
	b->plan->requested |=
		WALL_BIT(WALL_REPO_OBJECTS) | WALL_BIT(WALL_REPO_READONLY);
}

static void prefix_add(struct build *b, const struct host_source *src)
{
	const char *target = target_of(b, src->dst);
	struct plan_step *s;

	build_dirs(b, target, true);
	s = build_step(b, STEP_BIND, target);
	s->source = build_source(b, src, false);
	s->attr = PLAN_ATTR_RO;
	s->is_dir = true;
	b->plan->visible_host_paths[b->plan->visible_len++] =
		arena_text(&b->plan->arena, src->path);
}

/* Keep the name that profiles, reports and artifacts use for the repository. */
static void repo_name_add(struct build *b)
{
	const struct host_source *repo = &b->host->repo;
	const char *dst = arena_text(&b->plan->arena, repo->dst);

	build_step(b, STEP_LINK, &INSIDE_REPO[1])->text = dst;
	b->no_memory |= dst == NULL;
	if (strcmp(repo->dst, repo->path) == 0)
		b->plan->visible_host_paths[b->plan->visible_len++] = dst;
}

void build_views(struct build *b)
{
	const struct host *h = b->host;

	b->plan->visible_host_paths =
		arena_array(&b->plan->arena, h->runtime_len + 2,
			    sizeof *b->plan->visible_host_paths);
	if (b->plan->visible_host_paths == NULL) {
		b->no_memory = true;
		return;
	}
	if (h->has_repo)
		overlay_add(b, &h->repo, b->spec->repo_mode == REPO_OVERLAY);
	if (h->has_repo && strcmp(h->repo.dst, INSIDE_REPO) != 0)
		repo_name_add(b);
	for (size_t i = 0; i < h->ro_len; i++) {
		if (h->ro[i].kind == HOST_DIR)
			overlay_add(b, &h->ro[i], false);
		else
			file_add(b, &h->ro[i]);
	}
	for (size_t i = 0; i < h->runtime_len; i++)
		prefix_add(b, &h->runtime[i]);
	build_cache(b);
}

const char *build_cwd(struct build *b)
{
	const char *cwd = spec_cwd(b->spec);
	const char *dst = b->host->has_repo ? b->host->repo.dst : INSIDE_REPO;

	return inside_is_at(cwd, INSIDE_REPO)
		       ? arena_format(&b->plan->arena, "%s%s", dst,
				      cwd + strlen(INSIDE_REPO))
		       : arena_text(&b->plan->arena, cwd);
}

void build_programs(struct build *b)
{
	struct arena *a = &b->plan->arena;

	for (size_t i = 0; i < b->host->programs_len; i++) {
		const struct program *from = &b->host->programs[i];
		struct program *to = &b->plan->programs[i];

		to->name = arena_text(a, from->name);
		to->found = arena_text(a, from->found);
		to->taken = arena_text(a, from->taken);
		to->origin = from->origin;
		b->no_memory |= to->name == NULL || to->found == NULL ||
				to->taken == NULL;
	}
	b->plan->programs_len = b->host->programs_len;
}
