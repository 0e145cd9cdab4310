/* given.c -- the file of counts as one more input of a vessel whose command is
 * ours: cupel-parse, and a template.  It cannot open it there.  After the check
 * that inputs are sealed.  By the linker: --wrap. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "coverage/counts.h"
#include "launch/native/begin.h"

struct native *__real_begin_new(const struct launch_extra *extra, size_t trees);
struct native *__wrap_begin_new(const struct launch_extra *extra, size_t trees);
int __real_begin_open(struct native *l, struct cupel_error *err);
int __wrap_begin_open(struct native *l, struct cupel_error *err);
int __real_begin_spawn(struct native *l, const struct plan_cgroup *cgroup,
		       struct cupel_error *err);
int __wrap_begin_spawn(struct native *l, const struct plan_cgroup *cgroup,
		       struct cupel_error *err);

struct native *__wrap_begin_new(const struct launch_extra *extra, size_t trees)
{
	return __real_begin_new(extra, trees + 1);
}

static size_t inputs_wanted(const struct launch_extra *e)
{
	if (e->is_template)
		return GIVEN_TO_TEMPLATE - 4;
	return e->exec_fd > 0 ? GIVEN_TO_PARSER - 4 : SIZE_MAX;
}

int __wrap_begin_open(struct native *l, struct cupel_error *err)
{
	int r = __real_begin_open(l, err);
	size_t n = l->extra.inputs_len;
	int *inputs;

	if (r < 0 || n != inputs_wanted(&l->extra))
		return r;
	inputs = calloc(n + 1, sizeof *inputs); /* for as long as we run */
	if (inputs == NULL)
		return r;
	memcpy(inputs, l->extra.inputs, n * sizeof *inputs);
	inputs[n] = counts_open();
	if (inputs[n] < 0)
		return r;
	l->extra.inputs = inputs;
	l->extra.inputs_len = n + 1;
	l->keep[l->keep_len++] = inputs[n];
	return r;
}

/* Init has it now. */
int __wrap_begin_spawn(struct native *l, const struct plan_cgroup *cgroup,
		       struct cupel_error *err)
{
	int r = __real_begin_spawn(l, cgroup, err);
	size_t n = l->extra.inputs_len;

	if (n > 0 && counts_is_file(l->extra.inputs[n - 1]))
		sys_close(l->extra.inputs[n - 1]);
	return r;
}
