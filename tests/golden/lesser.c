/* lesser.c -- what a plan without namespaces says is missing, row by row: of
 * which kernel, which backend, and which caller. */
#include "tap.h"

#include <stdbool.h>

#include "base/error.h"
#include "golden/fake_plan.h"

static struct cupel_error err;

static void bounded(struct host *h)
{
	h->is_bounded = true;
}

static void own_cgroup(struct host *h)
{
	h->has_own_cgroup = true;
}

static wall_set missing_of(const char *backend, int abi,
			   void (*change)(struct host *h))
{
	static const char *const argv[] = { "prog", NULL };
	const char *const options[][2] = { { "backend", backend },
					   { "output-mode", "kill" },
					   { NULL } };
	struct fake_plan p;
	wall_set missing;

	ok_int(fake_plan_begin(options, argv, &p, &err), 0);
	fake_scratch(&p.host);
	p.host.landlock_abi = abi;
	if (change != NULL)
		change(&p.host);
	ok_int(fake_plan_build(&p, &err), 0);
	ok_int(p.plan.missing & ~p.plan.requested, 0);
	missing = p.plan.missing;
	fake_plan_done(&p);
	return missing;
}

#define ON_INIT                                                                \
	(WALL_BIT(WALL_WALL_TIME) | WALL_BIT(WALL_OUTPUT_STDOUT) |             \
	 WALL_BIT(WALL_OUTPUT_STDERR))
#define OF_PROCESSES                                                           \
	(ON_INIT | WALL_BIT(WALL_LANDLOCK_SCOPE) | WALL_BIT(WALL_ENV) |        \
	 WALL_BIT(WALL_DESCRIPTORS))

static void what_ends_with_init_is_claimed_where_init_is_safe(void)
{
	static const struct {
		const char *backend;
		int abi;
		void (*change)(struct host *h);
		wall_set missing;
	} rows[] = {
		{ "landlock", 7, NULL, 0 },
		{ "landlock", 6, own_cgroup, 0 },
		{ "landlock", 5, NULL,
		  ON_INIT | WALL_BIT(WALL_LANDLOCK_SCOPE) },
		{ "rlimits", 6, NULL, 0 },
		{ "rlimits", 6, own_cgroup, ON_INIT },
		{ "rlimits", 5, NULL, OF_PROCESSES },
		{ "rlimits", 0, NULL, OF_PROCESSES },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
		ok_int(missing_of(rows[i].backend, rows[i].abi,
				  rows[i].change) &
			       OF_PROCESSES,
		       rows[i].missing);
}

static void no_capabilities_is_claimed_where_none_can_come_back(void)
{
	const wall_set caps = WALL_BIT(WALL_CAPABILITIES);

	ok_int(missing_of("landlock", 7, NULL) & caps, caps);
	ok_int(missing_of("rlimits", 7, NULL) & caps, caps);
	ok_int(missing_of("landlock", 7, bounded) & caps, 0);
	ok_int(missing_of("rlimits", 7, fake_root) & caps, 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_ends_with_init_is_claimed_where_init_is_safe),
		CASE(no_capabilities_is_claimed_where_none_can_come_back),
		TAP_END,
	});
}
