/* spec_handle.c -- see spec_handle.h. */
#include "service/spec_handle.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/error.h"
#include "spec/phases.h"

static int no_memory(struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY, ENOMEM,
			  "no memory for a spec");
}

int spec_handle_new(struct cupel_spec **ret, struct cupel_error *err)
{
	struct cupel_spec *s = calloc(1, sizeof *s);
	int r;

	if (s == NULL)
		return no_memory(err);
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

/* The strings stay where they are: an arena only grows. */
int spec_handle_copy(const struct cupel_spec *spec, struct cupel_spec **ret,
		     struct cupel_error *err)
{
	struct cupel_spec *s = calloc(1, sizeof *s);

	if (s == NULL)
		return no_memory(err);
	atomic_init(&s->users, 1);
	if (spec_copy(&spec->fields, &s->fields) < 0) {
		spec_handle_drop(s);
		return no_memory(err);
	}
	s->fields.phases = spec->fields.phases;
	s->fields.phases_len = spec->fields.phases_len;
	s->from = spec_handle_take(spec);
	*ret = s;
	return 0;
}

void spec_handle_drop(struct cupel_spec *spec)
{
	while (spec != NULL && atomic_fetch_sub(&spec->users, 1) == 1) {
		struct cupel_spec *from = spec->from;

		spec_done(&spec->fields);
		free(spec);
		spec = from;
	}
}
