/* spec_handle.c -- see spec_handle.h. */
#include "service/spec_handle.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"

int spec_handle_new(struct cupel_spec **ret, struct cupel_error *err)
{
	struct cupel_spec *s = calloc(1, sizeof *s);
	int r;

	if (s == NULL)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for a spec");
	atomic_init(&s->users, 1);
	r = spec_init(&s->fields, err);
	if (r < 0)
		spec_handle_drop(s);
	else
		*ret = s;
	return r;
}

struct cupel_spec *spec_handle_take(const struct cupel_spec *spec)
{
	struct cupel_spec *s = (struct cupel_spec *)(uintptr_t)spec;

	(void)atomic_fetch_add(&s->users, 1);
	return s;
}

void spec_handle_drop(struct cupel_spec *spec)
{
	if (spec == NULL || atomic_fetch_sub(&spec->users, 1) != 1)
		return;
	spec_done(&spec->fields);
	free(spec);
}
