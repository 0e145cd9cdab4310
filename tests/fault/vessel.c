/* vessel.c -- see vessel.h. */
#include "fault/vessel.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "launch/launch.h"
#include "plan/filter.h"
#include "supervise/outcome.h"
#include "supervise/supervise.h"

#define SAYS          "the command ran\n"
#define SAYS_ON_A_TTY "the command ran\r\n"

static int fail(const struct cupel_error *err)
{
	printf("Bail out! %s\n", err->what);
	return -1;
}

/* The plan of that command, within those limits. */
static int vessel_plan(struct vessel *v, const char *const argv[], size_t argc,
		       const char *const limits[], bool terminal)
{
	struct cupel_error err = { 0 };
	const struct filter *filter;

	memset(v, 0, sizeof *v);
	if (spec_init(&v->spec, &err) < 0)
		return fail(&err);
	for (size_t i = 0; limits[i] != NULL; i += 2)
		if (spec_set(&v->spec, limits[i], limits[i + 1], &err) < 0)
			return fail(&err);
	if (spec_set_command(&v->spec, argv, argc, &err) < 0 ||
	    spec_check(&v->spec, &err) < 0)
		return fail(&err);
	v->spec.terminal = terminal;
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

int vessel_open(struct vessel *v, bool terminal)
{
	const char *argv[] = { "/bin/echo", "the", "command", "ran" };
	const char *limits[] = { "wall-time-s", "10", NULL };

	return vessel_plan(v, argv, 4, limits, terminal);
}

int vessel_open_scoped(struct vessel *v)
{
	const char *argv[] = { "/bin/echo", "the", "command", "ran" };
	const char *limits[] = { "wall-time-s", "10",
				 "network",     "scoped",
				 "egress",      "host.example:443",
				 "egress",      "*.domain.example:443",
				 "egress",      "203.0.113.0/24:8080",
				 "egress",      "[2001:db8::7]/128:80",
				 NULL };

	return vessel_plan(v, argv, 4, limits, false);
}

int vessel_open_hog(struct vessel *v)
{
	const char *argv[] = { "/bin/sh", "-c",
			       "head -c 300000000 /dev/zero | tail -n 1" };
	const char *limits[] = { "mem-bytes", "64M", "wall-time-s", "300",
				 NULL };

	return vessel_plan(v, argv, 3, limits, false);
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

/* What is sampled is no wall, and a missing report of violations is told, not
 * refused (result/status.h). */
#define NOT_WALLS (WALLS_SAMPLED | WALL_BIT(WALL_VIOLATION_REPORT))

static wall_set walls_missing(const struct plan *p, const struct outcome *o)
{
	return (p->requested & ~o->applied & ~NOT_WALLS) | o->missing;
}

/* What stands in the terminal, its other end being gone. */
static void terminal_read(const struct plan *p, const struct run *run,
			  struct vessel_end *end)
{
	int fd = p->terminal ? run_terminal(run) : -1;
	size_t n = 0;
	ssize_t r = 1;

	while (fd >= 0 && r > 0 && n < sizeof end->screen - 1) {
		r = read(fd, end->screen + n, sizeof end->screen - 1 - n);
		n += r > 0 ? (size_t)r : 0;
	}
	end->output_len += n;
}

static bool says_it_all(const struct plan *p, const struct outcome *o,
			const struct vessel_end *end)
{
	if (p->terminal)
		return o->out.kept.len == 0 && o->errs.kept.len == 0 &&
		       strcmp(end->screen, SAYS_ON_A_TTY) == 0;
	return o->out.kept.len == strlen(SAYS) && o->errs.kept.len == 0 &&
	       memcmp(o->out.kept.bytes, SAYS, strlen(SAYS)) == 0;
}

/* What the cgroup is said to hold, and nobody was in it. */
static bool is_held_in_vain(const struct outcome *o)
{
	if ((o->cgroup_held & CGROUP_MEMORY) != 0 && o->has_memory_peak &&
	    o->memory_peak_bytes == 0)
		return true;
	return o->cgroup_held != 0 && !o->has_cgroup && !o->cgroup_is_v1;
}

/* Of whichever side it is. */
static int fault_sys(const struct plan *p)
{
	int sys = 0;

	for (int i = 0; i < TEST_SIDES_; i++)
		sys += p->hooks.faults[i].sys;
	return sys;
}

static enum vessel_result judge(const struct plan *p, const struct outcome *o,
				const struct vessel_end *end)
{
	/* Whether a forbidden call was made could not be asked: no OK. */
	if (o->started && o->forbidden == FORBIDDEN_UNKNOWN)
		return VESSEL_LOST;
	if (o->killed != KILL_NONE)
		return VESSEL_STUCK;
	if (!o->started && end->output_len > 0)
		return VESSEL_RAN_UNSAID;
	if (!o->started && o->error.stage == CUPEL_STAGE_NONE)
		return o->exec_errno == fault_sys(p) && o->exec_errno != 0
			       ? VESSEL_FAILED
			       : VESSEL_FAILED_UNSAID;
	if (!o->started)
		return o->error.what[0] != '\0' ? VESSEL_FAILED
						: VESSEL_FAILED_UNSAID;
	if (!o->has_status && o->error.stage == CUPEL_STAGE_EXEC)
		return VESSEL_LOST;
	if (is_held_in_vain(o) ||
	    (walls_missing(p, o) != 0 && !p->allow_partial))
		return VESSEL_RAN_WITHOUT_WALL;
	if (!o->has_status)
		return VESSEL_LOST;
	if (o->error.stage != CUPEL_STAGE_NONE)
		return VESSEL_RAN_IN_VAIN;
	return WIFEXITED(o->wait_status) && WEXITSTATUS(o->wait_status) == 0 &&
			       says_it_all(p, o, end)
		       ? VESSEL_COMPLETE
		       : VESSEL_INCOMPLETE;
}

static void fault_set(struct plan *plan, uint32_t call, int sys)
{
	enum test_side side = call & FAULT_IN_INIT    ? TEST_INIT
			      : call & FAULT_IN_CHILD ? TEST_CHILD
						      : TEST_PARENT;

	plan->hooks = (struct test_hooks){ .dropped = plan->hooks.dropped };
	plan->hooks.faults[side] = (struct test_fault){
		.call = call & ~(FAULT_IN_INIT | FAULT_IN_CHILD), .sys = sys
	};
}

/* An ordinary user's init starts before there is a plan: the library does so,
 * and the faults strike there, too. */
static int begin(struct vessel *v, struct launch **ret, struct cupel_error *err)
{
	const struct launch_extra extra = { .exec_fd = -1,
					    .is_alone = true,
					    .cgroup = &v->plan.cgroup,
					    .backend = v->plan.backend,
					    .begin_hooks = &v->plan.hooks };

	return launch_begin(&extra, ret, err);
}

/* Whatever the run comes to. */
static int start(struct vessel *v, struct run_hooks *hooks, uint32_t call,
		 int sys, struct run **ret, struct cupel_error *err)
{
	bool is_own = v->phase != PHASE_HOLDER && v->phase != COPY_TEMPLATE;
	int r;

	v->plan.hooks.dropped = v->dropped;
	fault_set(&v->plan, call, sys);
	if (v->phase == PHASE_NONE) {
		r = geteuid() != 0 ? begin(v, &hooks->begun, err) : 0;
		return r < 0 ? r : run_start(&v->plan, hooks, ret, err);
	}
	if ((v->phase == COPY_TEMPLATE || v->phase == COPY_OWN) &&
	    v->plan.cgroup.kind != CGROUP_V1)
		v->plan.cgroup.kind = CGROUP_NONE; /* no copy has one */
	fault_set(&v->plan, is_own ? 0 : call, is_own ? 0 : sys);
	hooks->is_copy = v->phase == COPY_TEMPLATE || v->phase == COPY_OWN;
	r = hooks->is_copy ? launch_tree(&v->plan, &hooks->holder, err)
			   : launch_hold(&v->plan, false, &hooks->holder, err);
	fault_set(&v->plan, is_own ? call : 0, is_own ? sys : 0);
	return r < 0 ? r : run_start(&v->plan, hooks, ret, err);
}

void vessel_run(struct vessel *v, uint32_t call, int sys,
		struct vessel_end *ret)
{
	struct run_hooks hooks = { .data = ret,
				   .output = count_output,
				   .stdin_fd = -1,
				   .exec_fd = -1,
				   .is_alone = v->phase == PHASE_NONE };
	struct run *run = NULL;

	memset(ret, 0, sizeof *ret);
	if (start(v, &hooks, call, sys, &run, &ret->error) < 0) {
		launch_release(hooks.holder);
		ret->result = ret->error.stage != CUPEL_STAGE_NONE &&
					      ret->error.what[0] != '\0'
				      ? VESSEL_FAILED
				      : VESSEL_FAILED_UNSAID;
		return;
	}
	(void)run_wait(run);
	terminal_read(&v->plan, run, ret);
	ret->error = run_outcome(run)->error;
	ret->killed = run_outcome(run)->killed;
	ret->has_cgroup = run_outcome(run)->has_cgroup;
	ret->result = judge(&v->plan, run_outcome(run), ret);
	run_free(run);
	launch_release(hooks.holder);
}

const char *vessel_result_text(enum vessel_result r)
{
	static const char *const texts[VESSEL_MAX_] = {
		[VESSEL_FAILED] = "it never ran, and the error says why",
		[VESSEL_COMPLETE] = "it ran to its end, nothing missing",
		[VESSEL_LOST] = "it had been started; its status was lost",
		[VESSEL_STUCK] = "the run did not end by itself",
		[VESSEL_RAN_UNSAID] = "not started, it says, and yet it ran",
		[VESSEL_FAILED_UNSAID] = "it never ran, and nothing says why",
		[VESSEL_RAN_WITHOUT_WALL] = "it was started without a wall",
		[VESSEL_RAN_IN_VAIN] = "an error, and it ran to its end",
		[VESSEL_INCOMPLETE] = "no error, and its run is not complete",
	};

	return texts[r];
}
