/* kind.c -- the kinds of signals. */
#include "jobs/gate/kinds/kind.h"

#include <string.h>

static const struct gate_kind kinds[] = {
	{ .name = "install",
	  .phase = "install",
	  .is_retryable = true,
	  .build = ran_build },
	{ .name = "build",
	  .phase = "build",
	  .is_retryable = true,
	  .build = ran_build },
	{ .name = "tests",
	  .phase = "test",
	  .is_retryable = true,
	  .build = tests_build },
	{ .name = "trace",
	  .has_base = true,
	  .is_final = true,
	  .build = trace_build },
	{ .name = "policy",
	  .is_retryable = true,
	  .has_base = true,
	  .has_context = true,
	  .has_rules = true,
	  .build = policy_build },
	{ .name = "cve_delta",
	  .is_retryable = true,
	  .has_base = true,
	  .has_context = true,
	  .build = cve_delta_build },
};

const struct gate_kind *kind_find(const char *name)
{
	for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
		if (strcmp(kinds[i].name, name) == 0)
			return &kinds[i];
	return NULL;
}
