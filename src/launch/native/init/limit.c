/* limit.c -- rlimits of the command, set and read back. */
#include <errno.h>

#include "launch/native/init/init.h"

struct limit {
	uint64_t soft, hard;
};

static int limit_set(struct init *in, const struct image_limit *l)
{
	const struct limit want = { l->soft, l->hard };
	struct limit now = { 0 };
	long r = sys4(&in->k, SYS_prlimit64, 0, l->resource, &want, 0);

	if (r == 0)
		r = sys4(&in->k, SYS_prlimit64, 0, l->resource, 0, &now);
	if (r == 0 && (now.soft != want.soft || now.hard != want.hard))
		r = -EINVAL;
	if (r < 0)
		return init_missing(in, l->wall, CUPEL_STAGE_LIMIT, (int)-r,
				    "setting a resource limit");
	init_applied(in, l->wall);
	return 0;
}

int limits_set(struct init *in)
{
	const struct image_limit *l = image_at(in, in->im->limits);

	for (uint32_t i = 0; i < in->im->limits.len; i++) {
		int r = limit_set(in, &l[i]);

		if (r < 0)
			return r;
	}
	return 0;
}
