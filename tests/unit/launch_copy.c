/* launch_copy.c -- a copy is never asked for something that it cannot have,
 * because that would be missing without a warning. */
#include "tap.h"

#include <errno.h>
#include <unistd.h>

#include "base/error.h"
#include "launch/launch.h"
#include "plan/filter.h"
#include "plan/host.h"
#include "plan/plan.h"
#include "plan/shape.h"
#include "spec/spec.h"

static struct cupel_error err;

struct made {
	struct spec spec;
	struct host host;
	struct plan plan;
	struct holder *tree;
};

static void make(struct made *m)
{
	const char *const argv[] = { "/bin/true" };

	*m = (struct made){ 0 };
	ok_int(spec_init(&m->spec, &err), 0);
	ok_int(spec_set_command(&m->spec, argv, 1, &err), 0);
	ok_int(spec_set(&m->spec, "repo-mode", "none", &err), 0);
	ok_int(spec_check(&m->spec, &err), 0);
	ok_int(host_read(&m->spec, &m->host, &err), 0);
	ok_int(plan_build(&m->spec, &m->host, filter_find(m->spec.seccomp),
			  &m->plan, &err),
	       0);
	m->plan.cgroup.kind = CGROUP_NONE; /* the plan of root has one */
	ok(shape_refusal(&m->plan) == NULL);
	ok_int(launch_tree(&m->plan, &m->tree, &err), 0);
}

static void made_done(struct made *m)
{
	launch_release(m->tree);
	plan_done(&m->plan);
	host_done(&m->host);
	spec_done(&m->spec);
}

/* Returns the outcome of asking for a copy. */
static int ask(const struct made *m, const struct launch_extra *extra)
{
	struct child child = CHILD_NONE;
	int r;

	err = (struct cupel_error){ 0 };
	r = launch_phase(m->tree, &m->plan, extra, &child, &err);
	if (r == 0)
		launch_close(&child);
	return r;
}

static void refused(const struct made *m, const struct launch_extra *extra)
{
	ok_int(ask(m, extra), -EINVAL);
	ok_has(err.what, "more than it can have");
}

static void what_no_copy_has_is_refused(void)
{
	const struct launch_extra none = { .exec_fd = -1 };
	const int fd = 0;
	const struct launch_extra input = { .exec_fd = -1,
					    .inputs = &fd,
					    .inputs_len = 1 };
	struct made m;

	make(&m);
	refused(&m, &input);
	refused(&m, &(struct launch_extra){ .exec_fd = 7 });
	m.plan.cgroup.kind = CGROUP_SUBTREE;
	refused(&m, &none);
	m.plan.cgroup.kind = CGROUP_NONE;
	m.plan.trace.exec = true;
	refused(&m, &none);
	m.plan.trace.exec = false;
	m.plan.keeps_files = true;
	refused(&m, &none);
	m.plan.keeps_files = false;
	m.plan.terminal = true;
	refused(&m, &none);
	m.plan.terminal = false;
	m.plan.core_scheduling = true;
	refused(&m, &none);
	m.plan.core_scheduling = false;
	m.plan.allow_partial = true;
	refused(&m, &none);
	m.plan.allow_partial = false;
	ok_int(ask(&m, &none), 0); /* nothing else has changed */
	made_done(&m);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(what_no_copy_has_is_refused),
		TAP_END,
	});
}
