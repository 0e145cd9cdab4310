/* landlock.c -- the rules of the second wall, for the ABI of this kernel. */
#include <linux/landlock.h>

#include "plan/backend.h"
#include "plan/build.h"

/* Rights and scopes that the headers of an older system do not name yet. */
#define FS_REFER     (UINT64_C(1) << 13) /* ABI 2 */
#define FS_TRUNCATE  (UINT64_C(1) << 14) /* ABI 3 */
#define FS_IOCTL_DEV (UINT64_C(1) << 15) /* ABI 5 */
#define NET_BIND     (UINT64_C(1) << 0)  /* ABI 4 */
#define NET_CONNECT  (UINT64_C(1) << 1)  /* ABI 4 */
#define SCOPE_UNIX   (UINT64_C(1) << 0)  /* ABI 6 */
#define SCOPE_SIGNAL (UINT64_C(1) << 1)  /* ABI 6 */
#define FS_ABI_1     ((UINT64_C(1) << 13) - 1)

#define FS_READ                                                                \
	(LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE |           \
	 LANDLOCK_ACCESS_FS_READ_DIR)
/* Rules that are not for sources: devices, files of /proc, our own places. */
#define RULES_OWN 32

static uint64_t fs_handled(int abi)
{
	return FS_ABI_1 | (abi >= 2 ? FS_REFER : 0) |
	       (abi >= 3 ? FS_TRUNCATE : 0) | (abi >= 5 ? FS_IOCTL_DEV : 0);
}

uint64_t build_rights_to_read(void)
{
	return FS_READ;
}

uint64_t build_rights_of_file(void)
{
	return LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |
	       LANDLOCK_ACCESS_FS_EXECUTE | FS_TRUNCATE | FS_IOCTL_DEV;
}

void build_rule(struct build *b, const char *path, uint64_t access)
{
	struct plan_landlock *l = &b->plan->landlock;

	if (l->rules_len < b->rules_max)
		l->rules[l->rules_len++] =
			(struct plan_rule){ .path = path,
					    .access = access & l->handled_fs };
	else
		b->no_memory = true;
}

void build_rule_source(struct build *b, const struct host_source *s,
		       uint64_t access)
{
	struct plan_landlock *l = &b->plan->landlock;

	build_rule(b, s->path, access);
	if (b->no_memory)
		return;
	l->rules[l->rules_len - 1].dev = s->dev;
	l->rules[l->rules_len - 1].ino = s->ino;
}

static void rules_inside(struct build *b)
{
	const struct spec *s = b->spec;
	uint64_t all = b->plan->landlock.handled_fs;

	build_rule(b, "/", FS_READ);
	if (s->bare)
		return;
	build_rule(b, "/dev",
		   FS_READ | LANDLOCK_ACCESS_FS_WRITE_FILE | FS_TRUNCATE |
			   FS_IOCTL_DEV);
	if (s->scratch_bytes > 0) {
		build_rule(b, "/scratch", all);
		build_rule(b, "/tmp", all);
		build_rule(b, "/dev/shm", all);
	}
	if (b->host->cache.dir != NULL)
		build_rule(b, "/cache", all);
	if (b->host->has_repo && s->repo_mode == REPO_OVERLAY)
		build_rule(b, arena_text(&b->plan->arena, b->host->repo.dst),
			   all);
}

void build_landlock(struct build *b)
{
	struct plan_landlock *l = &b->plan->landlock;
	int abi = b->host->landlock_abi;

	l->scoped = abi >= 6 ? SCOPE_UNIX | SCOPE_SIGNAL : 0;
	if (abi == 0 || !backend_has(b->plan->backend, WALL_LANDLOCK))
		return;
	/* The first version refuses every rename into another directory, which
	 * is too much for a second wall. */
	if (abi == 1 && backend_has(b->plan->backend, WALL_MOUNTNS))
		return;
	b->rules_max = RULES_OWN + b->host->root_len + b->host->etc_len +
		       b->host->ro_len + b->host->runtime_len;
	l->rules = arena_array(&b->plan->arena, b->rules_max, sizeof *l->rules);
	if (l->rules == NULL) {
		b->no_memory = true;
		return;
	}
	l->wanted = true;
	l->handled_fs = fs_handled(abi);
	l->handled_net = abi >= 4 && b->spec->network == NETWORK_NONE
				 ? NET_BIND | NET_CONNECT
				 : 0;
	b->plan->requested |= WALL_BIT(WALL_LANDLOCK);
	if (l->scoped != 0)
		b->plan->requested |= WALL_BIT(WALL_LANDLOCK_SCOPE);
	if (backend_has(b->plan->backend, WALL_MOUNTNS))
		rules_inside(b);
}
