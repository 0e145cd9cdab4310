/* fake_plan.c -- see fake_plan.h. */
#include "golden/fake_plan.h"

#include <linux/filter.h>
#include <linux/seccomp.h>

static const struct sock_filter insns[] = {
	BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

int fake_plan_begin(const char *const options[][2], const char *const argv[],
		    struct fake_plan *ret, struct cupel_error *err)
{
	size_t argc = 0;
	int r;

	*ret = (struct fake_plan){ 0 };
	while (argv[argc] != NULL)
		argc++;
	r = spec_init(&ret->spec, err);
	for (size_t i = 0; r == 0 && options[i][0] != NULL; i++)
		r = spec_set(&ret->spec, options[i][0], options[i][1], err);
	if (r == 0)
		r = spec_set_command(&ret->spec, argv, argc, err);
	if (r == 0)
		r = spec_check(&ret->spec, err);
	if (r == 0)
		fake_host(&ret->spec, &ret->host);
	return r;
}

int fake_plan_build(struct fake_plan *p, struct cupel_error *err)
{
	const struct filter filter = { .name = "a filter",
				       .hash = "blake3:of a filter",
				       .insns = insns,
				       .len = 1 };

	return plan_build(&p->spec, &p->host, &filter, &p->plan, err);
}

int fake_plan_make(const char *const options[][2], const char *const argv[],
		   struct fake_plan *ret, struct cupel_error *err)
{
	int r = fake_plan_begin(options, argv, ret, err);

	if (r < 0)
		return r;
	fake_scratch(&ret->host);
	return fake_plan_build(ret, err);
}

void fake_plan_done(struct fake_plan *p)
{
	plan_done(&p->plan);
	host_done(&p->host);
	spec_done(&p->spec);
}
