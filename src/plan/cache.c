/* cache.c -- the cache of --cache: an overlay over what earlier runs left, whose
 * writes go to the one tmpfs, as those of the repository do. */
#include <errno.h>
#include <linux/mount.h>

#include "base/error.h"
#include "plan/backend.h"
#include "plan/build.h"
#include "spec/inside.h"

/* Init's own names for it: the two directories, and one that overlayfs makes. */
#define CACHE_INODES 3

int build_cache_check(struct build *b, struct cupel_error *err)
{
	const struct host_cache *c = &b->host->cache;
	struct plan *p = b->plan;

	if (c->dir == NULL)
		return 0;
	if (!backend_has(p->backend, WALL_MOUNTNS))
		return cupel_fail(
			err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_CALLER, EOPNOTSUPP,
			"--cache: needs namespaces, but %s runs without them",
			backend_of(p->backend)->name);
	p->cache.dir = arena_text(&p->arena, c->dir);
	p->cache.tree =
		c->has_tree ? arena_text(&p->arena, c->tree.path) : NULL;
	p->cache.bytes = b->spec->cache_bytes;
	b->no_memory |=
		p->cache.dir == NULL || (c->has_tree && p->cache.tree == NULL);
	return 0;
}

/* There is no wall for it: a run without this view does not start, partial or
 * not. */
void build_cache(struct build *b)
{
	const struct host_cache *c = &b->host->cache;
	struct plan_step *s;

	if (c->dir == NULL)
		return;
	build_dirs(b, &INSIDE_CACHE[1], true);
	s = build_step(b, STEP_OVERLAY, &INSIDE_CACHE[1]);
	s->text = PLAN_CACHE_DIR;
	s->source =
		c->has_tree ? build_source(b, &c->tree, true) : PLAN_NO_SOURCE;
	s->writable = true;
	s->attr = MOUNT_ATTR_NOSUID | MOUNT_ATTR_NODEV;
	s->is_dir = true;
	b->plan->tmpfs_inodes += CACHE_INODES;
}
