/* ids.c -- the ids that the kernel sees. */
#include <errno.h>

#include "base/error.h"
#include "plan/build.h"

/* When root launches: the ids of --host-uid, or of the owner of the
 * repository's top directory, never 0. */
static int ids_of_root(struct plan_ids *ids, const struct build *b,
		       struct cupel_error *err)
{
	const struct host *h = b->host;

	ids->by_root = true;
	ids->host_uid = SPEC_OWN_ID;
	ids->host_gid = SPEC_OWN_ID;
	if (b->spec->host_uid != NULL)
		return spec_read_ids(b->spec->host_uid, &ids->host_uid,
				     &ids->host_gid, err);
	if (!h->has_repo || h->repo.uid == 0)
		return 0;
	ids->host_uid = h->repo.uid;
	if (h->repo.gid != 0)
		ids->host_gid = h->repo.gid;
	return 0;
}

int build_ids(struct build *b, struct cupel_error *err)
{
	const struct host *h = b->host;
	struct plan_ids *ids = &b->plan->ids;

	if (h->is_root)
		return ids_of_root(ids, b, err);
	ids->host_uid = h->uid;
	ids->host_gid = h->gid;
	ids->kept_groups = h->groups;
	if (h->uid != 0 || !h->is_host_root)
		return 0;
	b->plan->missing |= WALL_BIT(WALL_HOST_UID);
	b->plan->missing_why =
		"without CAP_SETUID, CAP_SETGID and CAP_SYS_ADMIN, a command "
		"started by uid 0 would be uid 0 itself; run cupel as an "
		"ordinary user";
	if (b->spec->allow_partial)
		return 0;
	return cupel_fail(err, CUPEL_STAGE_PRIVILEGE, CUPEL_CAUSE_HOST, EPERM,
			  "%s", b->plan->missing_why);
}
