/* prepare.c -- check, load, look, plan. */
#include "service/prepare.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/error.h"
#include "base/hooks.h"
#include "boundary/schema.h"
#include "plan/backend.h"
#include "service/filter_load.h"
#include "service/phases.h"
#include "service/schema.h"
#include "service/vessel_private.h"

static int fail_command(struct cupel_error *err)
{
	return cupel_fail_lit(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EINVAL,
			      "COMMAND is missing");
}

int prepare_check(const struct spec *spec, struct cupel_error *err)
{
	int r = spec_check(spec, err);

	return r == 0 && spec->argc == 0 && spec->phases_len == 0
		       ? fail_command(err)
		       : r;
}

int prepare_request(const struct spec *spec, struct prepared *ret,
		    struct cupel_error *err)
{
	int r = prepare_check(spec, err);

	if (r == 0 && spec->argc == 0) /* phases are no command of one vessel */
		r = fail_command(err);
	if (r == 0)
		r = schema_load(spec, &ret->schema, err);
	if (r == 0)
		r = filter_load(spec->seccomp, &ret->arena, &ret->filter, err);
	return r;
}

int prepare_plan(const struct spec *spec, struct prepared *ret,
		 struct cupel_error *err)
{
	int r = host_read(spec, &ret->host, err);

	if (r == 0)
		r = plan_build(spec, &ret->host, &ret->filter, &ret->plan, err);
#ifdef CUPEL_TEST_HOOKS
	if (r == 0)
		r = plan_drop(&ret->plan, getenv("CUPEL_TEST_DROP"), err);
#endif
	ret->has_plan = r == 0;
	return r;
}

bool prepare_early(const struct spec *spec, struct prepared *p,
		   struct plan_cgroup *ret_cgroup)
{
#ifdef CUPEL_TEST_HOOKS
	/* A wall that a test takes down is known only with the plan. */
	if (getenv("CUPEL_TEST_DROP") != NULL)
		return false;
#endif
	if (geteuid() == 0 || !backend_has(spec->backend, WALL_USERNS) ||
	    host_cgroup_read(&p->host) < 0)
		return false;
	cgroup_plan(spec, &p->host.cgroup, ret_cgroup);
	return true;
}

int prepare_lesser(struct spec *spec, struct prepared *p,
		   const struct cupel_error *why, struct cupel_error *err)
{
	int r;

	do
		spec->backend = backend_of(spec->backend)->lesser;
	while (!backend_is_there(spec->backend, p->host.landlock_abi > 0));
	plan_done(&p->plan);
	p->has_plan = false;
	r = plan_build(spec, &p->host, &p->filter, &p->plan, err);
	if (r < 0)
		return r;
	p->has_plan = true;
	p->plan.missing_why = arena_format(&p->arena, "%s; the run went on %s",
					   why->what, p->plan.missing_why);
	if (p->plan.missing_why == NULL)
		return cupel_fail(err, CUPEL_STAGE_PLAN, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for the plan");
	return 0;
}

static int prepare_write_phases(const struct spec *spec, char **ret,
				struct cupel_error *err)
{
	owned_buf struct buf out = { 0 };
	int r = phases_plan(spec, &out, err);
	char *text = r == 0 ? buf_take(&out) : NULL;

	if (r == 0 && text == NULL)
		r = vessel_no_memory(err);
	if (r == 0)
		*ret = text;
	return r;
}

int prepare_write(const struct spec *spec, char **ret, struct cupel_error *err)
{
	struct prepared p = { 0 };
	struct buf out = { 0 };
	char *text = NULL;
	int r;

	if (spec->phases_len > 0)
		return prepare_write_phases(spec, ret, err);
	r = prepare_request(spec, &p, err);

	if (r == 0)
		r = prepare_plan(spec, &p, err);
	if (r == 0 && plan_hash(&p.plan) == 0) {
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

void prepared_done(struct prepared *p)
{
	plan_done(&p->plan);
	host_done(&p->host);
	schema_set_free(p->schema);
	arena_done(&p->arena);
	*p = (struct prepared){ 0 };
}
