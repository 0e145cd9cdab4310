/* vessel.c -- see vessel.h. */
#include "fault/vessel.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>

#include "plan/filter.h"
#include "supervise/outcome.h"
#include "supervise/supervise.h"

#define SAYS "the command ran\n"

static int fail(const struct cupel_error *err)
{
	printf("Bail out! %s\n", err->what);
	return -1;
}

int vessel_open(struct vessel *v)
{
	const char *argv[] = { "/bin/echo", "the", "command", "ran" };
	struct cupel_error err = { 0 };
	const struct filter *filter;

	memset(v, 0, sizeof *v);
	if (spec_init(&v->spec, &err) < 0 ||
	    spec_set(&v->spec, "wall-time-s", "10", &err) < 0 ||
	    spec_set_command(&v->spec, argv, 4, &err) < 0 ||
	    spec_check(&v->spec, &err) < 0)
		return fail(&err);
	filter = filter_find(v->spec.seccomp);
	if (filter == NULL) {
		printf("Bail out! no filter %s\n", v->spec.seccomp);
		return -1;
	}
	if (host_read(&v->spec, &v->host, &err) < 0 ||
	    plan_build(&v->spec, &v->host, filter, &v->plan, &err) < 0)
		return fail(&err);
	return 0;
}

void vessel_close(struct vessel *v)
{
	plan_done(&v->plan);
	host_done(&v->host);
	spec_done(&v->spec);
}

static void count_output(void *data, enum run_stream s, const char *bytes,
			 size_t n)
{
	struct vessel_end *end = data;

	(void)s;
	(void)bytes;
	end->output_len += n;
}

static bool is_complete(const struct plan *p, const struct outcome *o)
{
	return o->started && o->has_status && WIFEXITED(o->wait_status) &&
	       WEXITSTATUS(o->wait_status) == 0 && o->killed == KILL_NONE &&
	       o->out.kept.len == strlen(SAYS) &&
	       memcmp(o->out.kept.bytes, SAYS, strlen(SAYS)) == 0 &&
	       o->errs.kept.len == 0 &&
	       (p->allow_partial || o->refused == 0);
}

void vessel_run(struct vessel *v, uint32_t call, int sys,
		struct vessel_end *ret)
{
	struct run_hooks hooks = { .data = ret,
				   .output = count_output,
				   .stdin_fd = -1,
				   .exec_fd = -1 };
	struct run *run = NULL;
	const struct outcome *o;

	memset(ret, 0, sizeof *ret);
	v->plan.fault_call = call;
	v->plan.fault_errno = sys;
	if (run_start(&v->plan, &hooks, &run, &ret->error) < 0)
		return;
	(void)run_wait(run);
	o = run_outcome(run);
	ret->error = o->error;
	ret->started = o->started;
	ret->stuck = o->killed == KILL_WALL;
	ret->complete = is_complete(&v->plan, o);
	run_free(run);
}

bool vessel_fault_is_late(const struct vessel *v, const struct vessel_end *end)
{
	(void)v;
	return end->started && end->error.stage == CUPEL_STAGE_SUPERVISE;
}
