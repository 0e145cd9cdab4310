/* Every row of the status table, every tie, every reason. */
#include "result/status.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>

#include "plan/plan.h"
#include "tap.h"

static struct plan_limit cpu_limit = {
	.resource = RLIMIT_CPU, .soft = 2, .hard = 3, .wall = WALL_RLIMIT_CPU
};

static struct plan a_plan(void)
{
	return (struct plan){
		.watch = { .wall_ms = 1500,
			   .cpu_ms = 2000,
			   .mem_bytes = 1 << 20,
			   .output_bytes = 10 },
		.limits = &cpu_limit,
		.limits_len = 1,
		.requested = WALL_BIT(WALL_SECCOMP) | WALL_BIT(WALL_CPU_TREE) |
			     WALL_BIT(WALL_VIOLATION_REPORT),
	};
}

static struct outcome ended(int wait_status)
{
	return (struct outcome){
		.started = true,
		.has_status = true,
		.wait_status = wait_status,
		.applied = WALL_BIT(WALL_SECCOMP),
		.tmpfs_fd = -1,
	};
}

static struct verdict judge(const struct outcome *o)
{
	struct plan p = a_plan();
	struct verdict v;

	verdict_build(&p, o, 0, &v);
	return v;
}

static void check(const struct outcome *o, const char *status, int rc,
		  const char *reason, int signal)
{
	struct verdict v = judge(o);
	const char *said = reason_name(v.reason);

	if (strcmp(cupel_status_name(v.status), status) != 0)
		fprintf(stderr, "# %s, wanted %s\n",
			cupel_status_name(v.status), status);
	ok(strcmp(cupel_status_name(v.status), status) == 0);
	ok_int(v.rc, rc);
	ok_int(v.signal, signal);
	ok((said == NULL) == (reason == NULL));
	if (said != NULL && reason != NULL)
		ok_has(said, reason);
	ok((v.message[0] == '\0') == (reason == NULL));
	ok(!v.partial);
}

static void exits(void)
{
	struct outcome o = ended(0);

	check(&o, "OK", 0, NULL, 0);
	o = ended(1 << 8);
	check(&o, "FAILED", 1, NULL, 0);
	o = ended(255 << 8);
	check(&o, "FAILED", 255, NULL, 0);
}

static void commands_that_cannot_be_executed(void)
{
	static const struct {
		int sys, rc;
		const char *reason;
	} rows[] = {
		{ ENOENT, 127, "exec_not_found" },
		{ ENOTDIR, 127, "exec_not_found" },
		{ ELIBACC, 127, "exec_not_found" }, /* of its interpreter */
		{ EACCES, 126, "exec_failed" },
		{ ENOEXEC, 126, "exec_failed" },
		{ ELIBBAD, 126, "exec_failed" },
		{ E2BIG, 126, "exec_failed" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct outcome o = { .exec_errno = rows[i].sys,
				     .applied = WALL_BIT(WALL_SECCOMP) };

		check(&o, "FAILED", rows[i].rc, rows[i].reason, 0);
		ok(!judge(&o).started);
	}
}

static void a_host_that_has_no_room_for_a_program(void)
{
	static const int rows[] = { EAGAIN, ENOMEM, ENFILE };

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct outcome o = { .exec_errno = rows[i],
				     .applied = WALL_BIT(WALL_SECCOMP) };

		check(&o, "INTERNAL_ERROR", 1, "busy", 0);
		ok_int(judge(&o).cause, CUPEL_CAUSE_BUSY);
		ok(!judge(&o).started);
	}
}

static void causes_for_which_we_killed(void)
{
	static const struct {
		enum kill_cause cause;
		const char *status;
		int rc;
		const char *reason;
	} rows[] = {
		{ KILL_FORBIDDEN_SYSCALL, "FORBIDDEN_SYSCALL", 159,
		  "forbidden_syscall" },
		{ KILL_OUTPUT_STDOUT, "OUTPUT_LIMIT", 137, "output_stdout" },
		{ KILL_OUTPUT_STDERR, "OUTPUT_LIMIT", 137, "output_stderr" },
		{ KILL_MEMORY, "MEM_LIMIT", 137, "memory_tree" },
		{ KILL_CPU, "CPU_LIMIT", 152, "cpu_tree" },
		{ KILL_WALL, "TIMEOUT", 124, "wall_time" },
		{ KILL_CANCEL, "KILLED_TERM", 143, "cancelled" },
	};

	ok_int(sizeof rows / sizeof *rows, KILL_MAX_ - 1);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct outcome o = ended(0);

		/* What we did comes first, whatever the wait status says. */
		o.killed = rows[i].cause;
		check(&o, rows[i].status, rows[i].rc, rows[i].reason, 0);
		o.wait_status = SIGKILL;
		check(&o, rows[i].status, rows[i].rc, rows[i].reason, SIGKILL);
		o.has_status = false;
		check(&o, rows[i].status, rows[i].rc, rows[i].reason, SIGKILL);
	}
}

static void messages_name_the_limit_and_the_option(void)
{
	struct outcome o = ended(SIGKILL);

	o.killed = KILL_WALL;
	ok_has(judge(&o).message, "1.500 s");
	ok_has(judge(&o).message, "--wall-time-s");
	o.killed = KILL_FORBIDDEN_SYSCALL;
	o.violation = (struct violation){ .any = true,
					  .number = 165,
					  .arch = 0xc000003e };
	ok_has(judge(&o).message, "mount");
	o.violation.number = 99999;
	ok_has(judge(&o).message, "99999");
}

static void cancelling_keeps_the_first_signal(void)
{
	struct outcome o = ended(SIGKILL);

	o.killed = KILL_CANCEL;
	o.cancel_signal = SIGINT;
	check(&o, "KILLED_TERM", 130, "cancelled", SIGKILL);
	/* A signal was forwarded, and the command ended by itself: its own
	 * status counts. */
	o.killed = KILL_NONE;
	o.wait_status = SIGINT;
	check(&o, "KILLED_TERM", 130, "cancelled", SIGINT);
	o.wait_status = SIGTERM;
	check(&o, "KILLED_TERM", 143, "signal", SIGTERM);
	o.wait_status = 0;
	check(&o, "OK", 0, NULL, 0);
	/* Before the start. */
	o = (struct outcome){ .killed = KILL_CANCEL, .cancel_signal = SIGHUP };
	check(&o, "KILLED_TERM", 129, "cancelled", SIGKILL);
}

static void signals(void)
{
	struct outcome o = ended(SIGTERM);

	check(&o, "KILLED_TERM", 143, "signal", SIGTERM);
	o = ended(SIGKILL);
	check(&o, "KILLED_KILL", 137, "signal", SIGKILL);
	o = ended(SIGSEGV | 0x80);
	check(&o, "SIGNALED", 139, "signal", SIGSEGV);
	o = ended(64);
	check(&o, "SIGNALED", 192, "signal", 64);
	o = ended(SIGXFSZ);
	check(&o, "FILE_SIZE_LIMIT", 153, "file_size", SIGXFSZ);
	/* init was killed from outside: nobody saw the command's end */
	o = (struct outcome){ .started = true,
			      .applied = WALL_BIT(WALL_SECCOMP) };
	check(&o, "KILLED_KILL", 137, "signal", SIGKILL);
}

static void cpu_time(void)
{
	struct outcome o = ended(SIGXCPU);
	struct plan p = a_plan();
	struct verdict v;

	check(&o, "CPU_LIMIT", 152, "cpu_time", SIGXCPU);
	v = judge(&o);
	ok(strstr(v.message, "2.000 s") && strstr(v.message, "--cpu-time-s"));
	/* The caller's own limit was lower. */
	p.watch.cpu_ms = 30000;
	verdict_build(&p, &o, 0, &v);
	ok(strstr(v.message, "2.000 s") && strstr(v.message, "caller's own"));
	/* SIGKILL at the hard limit is recognised by the processor time that
	 * was used. */
	o = ended(SIGKILL);
	o.cpu_user_us = 2000000;
	o.cpu_system_us = 950000;
	check(&o, "CPU_LIMIT", 152, "cpu_time", SIGKILL);
	o.cpu_user_us = 1850000; /* and the ticks: 70 % of 3 s */
	o.cpu_system_us = 0;
	check(&o, "CPU_LIMIT", 152, "cpu_time", SIGKILL);
	o.cpu_user_us = 1849999;
	check(&o, "KILLED_KILL", 137, "signal", SIGKILL);
	/* Without a limit it is only a signal. */
	o = ended(SIGXCPU);
	p.limits_len = 0;
	verdict_build(&p, &o, 0, &v);
	ok_int(v.status, CUPEL_SIGNALED);
	ok_int(v.rc, 128 + SIGXCPU);
}

static void sigsys(void)
{
	struct outcome o = ended(SIGSYS);
	struct plan p = a_plan();
	struct verdict v;

	check(&o, "FORBIDDEN_SYSCALL", 159, "forbidden_syscall", SIGSYS);
	/* Without a filter it is a signal like any other. */
	p.requested = 0;
	o.applied = 0;
	verdict_build(&p, &o, 0, &v);
	ok_int(v.status, CUPEL_SIGNALED);
	ok_int(v.rc, 128 + SIGSYS);
}

static void our_own_failures(void)
{
	static const struct {
		enum cupel_stage stage;
		enum cupel_cause cause;
		const char *reason;
	} rows[] = {
		{ CUPEL_STAGE_NAMESPACE, CUPEL_CAUSE_HOST, "userns_refused" },
		{ CUPEL_STAGE_SOURCE, CUPEL_CAUSE_CALLER, "source_refused" },
		{ CUPEL_STAGE_MOUNT, CUPEL_CAUSE_BUSY, "busy" },
		{ CUPEL_STAGE_SUPERVISE, CUPEL_CAUSE_BUG, "internal" },
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct outcome o = { .killed = KILL_WALL };
		struct plan p = a_plan();
		struct verdict v;

		(void)cupel_fail(&o.error, rows[i].stage, rows[i].cause, EPERM,
				 "no \x1b way");
		check(&o, "INTERNAL_ERROR", 1, rows[i].reason, 0);
		ok_int(judge(&o).stage, rows[i].stage);
		ok_int(judge(&o).cause, rows[i].cause);
		ok(strcmp(judge(&o).message, "no ? way") == 0);
		verdict_build(&p, &o, 125, &v);
		ok_int(v.rc, 125);
		verdict_of_error(&o.error, 0, &v);
		ok_int(v.status, CUPEL_INTERNAL_ERROR);
		ok_int(v.rc, 1);
		ok(!v.started);
	}
}

static void partial_runs(void)
{
	struct plan p = a_plan();
	struct outcome o = ended(0);
	struct verdict v;

	verdict_build(&p, &o, 0, &v);
	ok(!v.partial); /* sampling and reports are not walls */
	p.requested |= WALL_BIT(WALL_LANDLOCK);
	verdict_build(&p, &o, 0, &v);
	ok(v.partial);
	ok_int(v.status, CUPEL_OK);
	ok_int(v.rc, 0);
	ok_has(reason_name(v.reason), "PARTIAL_ENFORCEMENT");
	ok_has(v.message, "--allow-partial");
	p.missing_why = "no userns here: do this";
	verdict_build(&p, &o, 0, &v);
	ok_has(v.message, "no userns here");
	/* Another reason stays; partial is reported all the same. */
	o.killed = KILL_WALL;
	verdict_build(&p, &o, 0, &v);
	ok(v.partial);
	ok_int(v.reason, REASON_WALL_TIME);
	/* Known beforehand. */
	o = ended(0);
	p.requested = 0;
	p.missing = WALL_BIT(WALL_PIDNS);
	verdict_build(&p, &o, 0, &v);
	ok(v.partial);
	ok_int(v.rc, 0);
}

static void cpu_time_that_is_used_up_is_told_of_an_exit(void)
{
	struct outcome o = ended(0);

	o.applied |= WALL_BIT(WALL_RLIMIT_CPU);
	o.cpu_user_us = 1500000;
	o.cpu_system_us = 499999;
	check(&o, "OK", 0, NULL, 0);
	o.cpu_system_us = 500000;
	check(&o, "CPU_LIMIT", 152, "cpu_time", 0);
	o.wait_status = 7 << 8;
	check(&o, "CPU_LIMIT", 152, "cpu_time", 0);
	o.applied &= ~WALL_BIT(WALL_RLIMIT_CPU);
	check(&o, "FAILED", 7, NULL, 0);
}

static void a_raised_limit_says_that_the_command_was_signalled(void)
{
	struct outcome o = ended(0);

	o.applied |= WALL_BIT(WALL_RLIMIT_CPU);
	o.cpu_user_us = 1480000; /* rusage counts less than the limit does */
	check(&o, "OK", 0, NULL, 0);
	o.cpu_soft_s = 2; /* as it was set */
	check(&o, "OK", 0, NULL, 0);
	o.cpu_soft_s = 3;
	check(&o, "CPU_LIMIT", 152, "cpu_time", 0);
	/* the command raised it by itself */
	o.cpu_user_us = 10000;
	check(&o, "OK", 0, NULL, 0);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(cpu_time_that_is_used_up_is_told_of_an_exit),
		CASE(a_raised_limit_says_that_the_command_was_signalled),
		CASE(exits), CASE(commands_that_cannot_be_executed),
		CASE(a_host_that_has_no_room_for_a_program),
		CASE(causes_for_which_we_killed),
		CASE(messages_name_the_limit_and_the_option),
		CASE(cancelling_keeps_the_first_signal), CASE(signals),
		CASE(cpu_time), CASE(sigsys), CASE(our_own_failures),
		CASE(partial_runs), TAP_END });
}
