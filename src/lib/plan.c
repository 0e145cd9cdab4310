/* plan.c -- cupel_plan_json and cupel_version. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "lib/prepare.h"
#include "lib/spec.h"

int cupel_plan_json(const struct cupel_spec *spec, char **ret,
		    struct cupel_error *err)
{
	struct prepared p = { 0 };
	struct buf out = { 0 };
	char *text = NULL;
	int r = prepare_request(&spec->fields, &p, err);

	if (r == 0)
		r = prepare_plan(&spec->fields, &p, err);
	if (r == 0) {
		plan_write_json(&p.plan, &out);
		text = buf_take(&out);
	}
	if (r == 0 && text == NULL)
		r = cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY, ENOMEM,
			       "no memory for the plan's text");
	if (r == 0)
		*ret = text;
	prepared_done(&p);
	return r;
}

const char *cupel_version(void)
{
	return PACKAGE_VERSION;
}
