/* template.c -- see template.h; lib_copy_* are in run.c. */
#include "lib/template.h"

#include <errno.h>
#include <stdlib.h>

#include "base/error.h"
#include "spec/canonical.h"
#include "supervise/template.h"

static int start(struct lib_template *t, size_t inputs_len, int program_fd,
		 struct cupel_error *err)
{
	const struct spec *spec = &t->spec->fields;
	int r = spec_hash(spec, t->spec_hash, err);

	if (r == 0)
		r = prepare_request(spec, &t->prepared, err);
	if (r == 0)
		r = prepare_plan(spec, &t->prepared, err);
	if (r == 0)
		r = template_start(&t->prepared.plan, inputs_len, program_fd,
				   &t->template, err);
	return r;
}

int lib_template_start(const struct cupel_spec *spec, size_t inputs_len,
		       int program_fd, struct lib_template **ret,
		       struct cupel_error *err)
{
	struct lib_template *t = calloc(1, sizeof *t);
	int r;

	if (t == NULL)
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for a template");
	t->spec = lib_spec_take(spec);
	r = start(t, inputs_len, program_fd, err);
	if (r < 0)
		lib_template_free(t);
	else
		*ret = t;
	return r;
}

int lib_template_state(struct lib_template *t)
{
	return template_state(t->template);
}

void lib_template_free(struct lib_template *t)
{
	if (t == NULL)
		return;
	template_free(t->template);
	prepared_done(&t->prepared);
	lib_spec_drop(t->spec);
	free(t);
}
