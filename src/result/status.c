/* status.c -- cupel-run(1), "EXIT STATUS": outcome to status, rc and reason. */
#include "result/status.h"

#include <assert.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include "base/error.h"
#include "base/plural.h"
#include "base/utf8.h"
#include "plan/call_name.h"
#include "plan/plan.h"
#include "result/met.h"
#include "supervise/locks.h"

#define RC_NOT_FOUND      127
#define RC_NOT_EXECUTABLE 126
#define RC_SIGNAL         128

/* RLIMIT_CPU counts whole ticks, and rusage counts the time that was really
 * run. On a machine that is short of processors (a virtual one whose host
 * takes time away), rusage was seen to be a quarter smaller. */
#define CPU_SHARE_PERCENT 70
#define CPU_TICKS_US      250000U

static const struct {
	const char *name;
	int rc; /* -1: from the run itself */
} statuses[] = {
	[CUPEL_OK] = { "OK", 0 },
	[CUPEL_FAILED] = { "FAILED", -1 },
	[CUPEL_TIMEOUT] = { "TIMEOUT", 124 },
	[CUPEL_CPU_LIMIT] = { "CPU_LIMIT", 152 },
	[CUPEL_MEM_LIMIT] = { "MEM_LIMIT", 137 },
	[CUPEL_OUTPUT_LIMIT] = { "OUTPUT_LIMIT", 137 },
	[CUPEL_FILE_SIZE_LIMIT] = { "FILE_SIZE_LIMIT", 153 },
	[CUPEL_FORBIDDEN_SYSCALL] = { "FORBIDDEN_SYSCALL", 159 },
	[CUPEL_KILLED_TERM] = { "KILLED_TERM", 143 },
	[CUPEL_KILLED_KILL] = { "KILLED_KILL", 137 },
	[CUPEL_SIGNALED] = { "SIGNALED", -1 },
	[CUPEL_INTERNAL_ERROR] = { "INTERNAL_ERROR", 1 },
};
static_assert(sizeof statuses / sizeof *statuses == CUPEL_STATUS_MAX_,
	      "a row for every status");

const char *cupel_status_name(enum cupel_status status)
{
	return (unsigned)status < CUPEL_STATUS_MAX_ ? statuses[status].name
						    : "?";
}

static void judge(struct verdict *v, enum cupel_status status,
		  enum reason reason)
{
	v->status = status;
	v->reason = reason;
	if (statuses[status].rc >= 0)
		v->rc = statuses[status].rc;
}

__attribute__((format(printf, 2, 3))) static void say(struct verdict *v,
						      const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	(void)vsnprintf(v->message, sizeof v->message, fmt, ap);
	va_end(ap);
	utf8_make_line(v->message);
}

/* --- why we killed -------------------------------------------------------- */

static void say_violation(const struct outcome *o, struct verdict *v)
{
	char name[CALL_NAME_BYTES];

	if (o->forbidden == FORBIDDEN_UNKNOWN)
		say(v,
		    "the process that watches for forbidden system calls was "
		    "killed from inside: whether one was made is unknown");
	else if (!o->violation.any)
		say(v,
		    "a forbidden system call was made; which one is unknown");
	else if (call_name(o->violation.arch, o->violation.number, name,
			   sizeof name))
		say(v,
		    "the system call %s is forbidden by the policy "
		    "(--seccomp)",
		    name);
	else
		say(v, "system call %d is forbidden by the policy (--seccomp)",
		    o->violation.number);
}

static void say_seconds(struct verdict *v, const char *what, uint64_t ms,
			const char *option)
{
	say(v, "%s of %llu.%03llu s is used up (%s)", what,
	    (unsigned long long)(ms / 1000), (unsigned long long)(ms % 1000),
	    option);
}

static void judge_kill(const struct plan *plan, const struct outcome *o,
		       struct verdict *v)
{
	const struct plan_watch *w = &plan->watch;

	switch (o->killed) {
	case KILL_FORBIDDEN_SYSCALL:
		judge(v, CUPEL_FORBIDDEN_SYSCALL, REASON_FORBIDDEN_SYSCALL);
		say_violation(o, v);
		break;
	case KILL_OUTPUT_STDOUT:
	case KILL_OUTPUT_STDERR:
		judge(v, CUPEL_OUTPUT_LIMIT,
		      o->killed == KILL_OUTPUT_STDOUT ? REASON_OUTPUT_STDOUT
						      : REASON_OUTPUT_STDERR);
		say(v,
		    "%s went over its limit of %llu byte%s (--output-bytes, "
		    "--output-mode)",
		    o->killed == KILL_OUTPUT_STDOUT ? "stdout" : "stderr",
		    (unsigned long long)w->output_bytes,
		    plural_s(w->output_bytes));
		break;
	case KILL_MEMORY:
		judge(v, CUPEL_MEM_LIMIT, REASON_MEMORY_TREE);
		if (o->has_locks)
			say(v, "more than %d file locks were held", LOCKS_MAX);
		else
			say(v,
			    "all processes together used more than %llu "
			    "bytes of memory (--mem-bytes)",
			    (unsigned long long)w->mem_bytes);
		break;
	case KILL_CPU:
		judge(v, CUPEL_CPU_LIMIT, REASON_CPU_TREE);
		say_seconds(v, "the CPU time of all processes together",
			    w->cpu_ms, "--cpu-time-s");
		break;
	case KILL_WALL:
		judge(v, CUPEL_TIMEOUT, REASON_WALL_TIME);
		say_seconds(v, "the wall time", w->wall_ms, "--wall-time-s");
		break;
	default:
		judge(v, CUPEL_KILLED_TERM, REASON_CANCELLED);
		v->rc = RC_SIGNAL +
			(o->cancel_signal > 0 ? o->cancel_signal : SIGTERM);
		say(v, "the run was cancelled and had to be killed");
		break;
	}
}

/* --- what the command's end says ------------------------------------------ */

static const struct plan_limit *find_limit(const struct plan *plan,
					   int resource)
{
	for (size_t i = 0; i < plan->limits_len; i++)
		if (plan->limits[i].resource == resource &&
		    plan->limits[i].hard != SPEC_UNLIMITED)
			return &plan->limits[i];
	return NULL;
}

/* Whether the command may have used that many seconds, by the count that
 * RLIMIT_CPU has. */
static bool is_cpu_near(const struct outcome *o, uint64_t seconds)
{
	uint64_t used = o->cpu_user_us + o->cpu_system_us + CPU_TICKS_US;

	return used >= seconds * 10000 * CPU_SHARE_PERCENT;
}

/* SIGKILL at RLIMIT_CPU's hard value shows only in the time that was used. */
static bool is_cpu_kill(const struct plan *plan, const struct outcome *o)
{
	const struct plan_limit *l = find_limit(plan, RLIMIT_CPU);

	return l != NULL && is_cpu_near(o, l->hard);
}

/* A command that catches SIGXCPU and ends before the hard limit has still used
 * up its time: rusage says so, or the kernel has raised the soft limit, as it
 * does when it sends the signal.  A command can raise that by itself, so the
 * time must be near. */
static bool is_cpu_used_up(const struct plan *plan, const struct outcome *o)
{
	const struct plan_limit *l = find_limit(plan, RLIMIT_CPU);
	uint64_t used = o->cpu_user_us + o->cpu_system_us;

	return l != NULL && (o->applied & WALL_BIT(WALL_RLIMIT_CPU)) != 0 &&
	       (used / 1000000 >= l->soft ||
		(o->cpu_soft_s > l->soft && is_cpu_near(o, l->soft)));
}

static void judge_cpu(const struct plan *plan, struct verdict *v)
{
	const struct plan_limit *l = find_limit(plan, RLIMIT_CPU);
	bool is_callers = l != NULL && l->soft < plan->watch.cpu_ms / 1000;

	judge(v, CUPEL_CPU_LIMIT, REASON_CPU_TIME);
	say_seconds(v, "the CPU time of one process",
		    is_callers ? l->soft * 1000 : plan->watch.cpu_ms,
		    is_callers ? "the caller's own limit" : "--cpu-time-s");
}

static void judge_other(const struct outcome *o, struct verdict *v)
{
	enum cupel_status status = CUPEL_SIGNALED;
	bool is_asked = o->cancel_signal != 0 && o->cancel_signal == v->signal;

	if (v->signal == SIGKILL)
		status = CUPEL_KILLED_KILL;
	else if (v->signal == SIGTERM || is_asked)
		status = CUPEL_KILLED_TERM;
	judge(v, status, is_asked ? REASON_CANCELLED : REASON_SIGNAL);
	v->rc = RC_SIGNAL + v->signal;
	say(v, "the command was ended by signal %d%s", v->signal,
	    is_asked ? ", which was passed on to it" : "");
}

static void judge_signal(const struct plan *plan, const struct outcome *o,
			 struct verdict *v)
{
	bool has_filter = (o->applied & WALL_BIT(WALL_SECCOMP)) != 0;

	if (v->signal == SIGXCPU && find_limit(plan, RLIMIT_CPU) != NULL) {
		judge_cpu(plan, v);
	} else if (v->signal == SIGKILL && is_cpu_kill(plan, o)) {
		judge_cpu(plan, v);
	} else if (v->signal == SIGXFSZ) {
		judge(v, CUPEL_FILE_SIZE_LIMIT, REASON_FILE_SIZE);
		say(v, "a file grew to its size limit (--fsize-bytes)");
	} else if (v->signal == SIGSYS && has_filter) {
		judge(v, CUPEL_FORBIDDEN_SYSCALL, REASON_FORBIDDEN_SYSCALL);
		say_violation(o, v);
	} else {
		judge_other(o, v);
	}
}

/* The kernel had no room for another program.  Nothing that is in a file makes
 * it say so, so a command cannot blame the host. */
static bool is_exec_refused(const struct outcome *o)
{
	return o->exec_errno == EAGAIN || o->exec_errno == ENOMEM ||
	       o->exec_errno == ENFILE;
}

static void judge_exec(const struct plan *plan, const struct outcome *o,
		       struct verdict *v)
{
	int error = o->exec_errno;
	bool is_absent =
		error == ENOENT || error == ENOTDIR || error == ELIBACC;
	const char *name = plan->argc > 0 ? plan->argv[0] : "COMMAND";

	judge(v, CUPEL_FAILED,
	      is_absent ? REASON_EXEC_NOT_FOUND : REASON_EXEC_FAILED);
	v->rc = is_absent ? RC_NOT_FOUND : RC_NOT_EXECUTABLE;
	if (error == ELIBACC)
		say(v, "the interpreter of '%.200s' was not found inside",
		    name);
	else if (is_absent && strchr(name, '/') == NULL)
		say(v, "'%.200s': not found in the vessel's PATH", name);
	else if (is_absent)
		say(v, "'%.200s' was not found inside", name);
	else
		say(v, "'%.200s' exists but cannot be executed: %s", name,
		    strerror(error));
}

static void judge_wait(const struct plan *plan, const struct outcome *o,
		       struct verdict *v)
{
	if (!o->has_status) {
		judge(v, CUPEL_KILLED_KILL, REASON_SIGNAL);
		v->signal = SIGKILL;
		say(v, "the vessel was killed from outside");
	} else if (v->signal != 0) {
		judge_signal(plan, o, v);
	} else if (is_cpu_used_up(plan, o)) {
		judge_cpu(plan, v);
	} else {
		v->rc = WEXITSTATUS(o->wait_status);
		judge(v, v->rc == 0 ? CUPEL_OK : CUPEL_FAILED, REASON_NONE);
	}
}

/* --- the whole ------------------------------------------------------------ */

void verdict_of_error(const struct cupel_error *err, unsigned error_rc,
		      struct verdict *ret)
{
	*ret = (struct verdict){ .stage = err->stage, .cause = err->cause };
	judge(ret, CUPEL_INTERNAL_ERROR, reason_of_error(err));
	if (error_rc != 0)
		ret->rc = (int)(error_rc & 0xff);
	say(ret, "%s", err->what);
}

/* The walls that were asked for and do not stand.  Sampled CPU time and the
 * report of violations appear in "enforced" but do not count as missing
 * walls. */
static wall_set verdict_missing(const struct plan *plan,
				const struct outcome *o)
{
	return (plan->requested & ~o->applied & ~WALLS_SAMPLED &
		~WALL_BIT(WALL_VIOLATION_REPORT)) |
	       o->missing;
}

static void judge_partial(const struct plan *plan, const struct outcome *o,
			  struct verdict *v)
{
	/* A strict run has every wall or does not start, except for walls that
	 * the named backend never has. A command that was not found did not
	 * reach the walls that are raised last. */
	wall_set missing =
		plan->missing | (v->started ? verdict_missing(plan, o) : 0);

	if (missing == 0 || (!v->started && o->exec_errno == 0))
		return;
	v->partial = true;
	if (v->reason != REASON_NONE)
		return;
	v->reason = REASON_PARTIAL;
	if (plan->missing_why != NULL)
		say(v, "%s", plan->missing_why);
	else if (o->unmapped > 0 && o->unmapped <= plan->sources_len)
		say(v,
		    "%s: this file system refuses an idmapped mount; the run "
		    "went on, but inside these files belong to nobody",
		    plan->sources[o->unmapped - 1].path);
	else
		say(v, "the run went on without some walls that were asked "
		       "for: see enforced (--allow-partial)");
}

/* A limit that was met is named after the reason, or alone: it may be why the
 * command failed. */
static void say_met(const struct plan *plan, const struct outcome *o,
		    struct verdict *v)
{
	char met[VERDICT_MESSAGE_BYTES];
	size_t len = strlen(v->message);

	if (met_say(plan, o, met, sizeof met) == 0 ||
	    len + 3 > sizeof v->message)
		return;
	(void)snprintf(v->message + len, sizeof v->message - len, "%s%.*s",
		       len > 0 ? "; " : "", (int)(sizeof v->message - len - 3),
		       met);
}

void verdict_say(struct verdict *v, const char *command, const char *why)
{
	say(v, "'%.200s' %s", command, why);
}

void verdict_build(const struct plan *plan, const struct outcome *o,
		   unsigned error_rc, struct verdict *ret)
{
	if (is_exec_refused(o) && o->error.stage == CUPEL_STAGE_NONE) {
		struct cupel_error err = { 0 };

		(void)cupel_fail(&err, CUPEL_STAGE_EXEC, CUPEL_CAUSE_BUSY,
				 o->exec_errno,
				 "the command could not be started: %s",
				 strerror(o->exec_errno));
		verdict_of_error(&err, error_rc, ret);
		return;
	}
	if (o->error.stage != CUPEL_STAGE_NONE) {
		verdict_of_error(&o->error, error_rc, ret);
		ret->started = o->started;
		return;
	}
	*ret = (struct verdict){ .started = o->started };
	if (o->has_status && WIFSIGNALED(o->wait_status))
		ret->signal = WTERMSIG(o->wait_status);
	else if (o->killed != KILL_NONE && !o->has_status)
		ret->signal = SIGKILL;
	if (o->killed != KILL_NONE)
		judge_kill(plan, o, ret);
	else if (o->exec_errno != 0)
		judge_exec(plan, o, ret);
	else
		judge_wait(plan, o, ret);
	judge_partial(plan, o, ret);
	say_met(plan, o, ret);
}
