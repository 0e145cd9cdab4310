/* plan.c -- cupel_plan_json and cupel_version. */
#include "cupel.h"
#include "service/prepare.h"
#include "service/spec_handle.h"

int cupel_plan_json(const struct cupel_spec *spec, char **ret,
		    struct cupel_error *err)
{
	return prepare_write(&spec->fields, ret, err);
}

const char *cupel_version(void)
{
	return PACKAGE_VERSION;
}
