/* The limits that the supervisor itself enforces: for each a program that goes over
 * it, and one that must not be mistaken for that. */
#include "lib_run.h"

#include <poll.h>
#include <signal.h>
#include <time.h>

#define PY(script)                                                             \
	((const char *const[]){ "/usr/bin/python3", "-c", (script), NULL })

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static void wall_time(void)
{
	double begun = now();

	run_is(OPTIONS("wall-time-s", "0.7"),
	       SH("trap '' TERM INT HUP; while :; do sleep 1; done"),
	       CUPEL_TIMEOUT, 124);
	ok(now() - begun >= 0.7);
	tap_within(now() - begun, 4);
}

static void memory_of_one_process(void)
{
	struct end e = end_of(start(
		OPTIONS("mem-bytes", "96M", "data-bytes", "unlimited",
			"as-bytes", "unlimited"),
		SH("x=$(head -c 400000000 /dev/zero | tr '\\0' x); sleep 9; :"),
		NULL));

	status_is(&e, CUPEL_MEM_LIMIT, 137);
	ok_has(text_at(&e, "reason"), "memory_tree");
	ok(number_at(&e, "usage.peak_memory_bytes") > 96 << 20);
	ok_int(number_at(&e, "enforced.memory_total.details.bytes"), 96 << 20);
	if (strcmp(text_at(&e, "enforced.memory_total.details.by"),
		   "watchdog") == 0)
		ok(number_at(&e, "enforced.memory_total.details.interval_ms") >
		   0);
	else
		ok_int(number_at(&e, "usage.oom_kills") > 0, 1);
	ok(number_at(&e, "enforced.memory_total.details.overshoot_bytes") > 0);
	end_done(&e);
}

static void memory_of_the_scratch(void)
{
	run_is(OPTIONS("mem-bytes", "64M"),
	       SH("head -c 150M /dev/zero >/tmp/f; sleep 9"), CUPEL_MEM_LIMIT,
	       137);
}

static void memory_of_many_processes(void)
{
	run_is(OPTIONS("mem-bytes", "96M"),
	       SH("for i in 1 2 3 4 5 6; do (x=$(head -c 25000000 /dev/zero | "
		  "tr '\\0' x); sleep 9; :) & done; wait"),
	       CUPEL_MEM_LIMIT, 137);
}

/* Page tables count in no resident size and under no RLIMIT_DATA. */
static void memory_of_page_tables(void)
{
	struct end e = end_of(start(
		OPTIONS("mem-bytes", "64M", "as-bytes", "unlimited"),
		PY("import mmap, time\n"
		   "m = mmap.mmap(-1, 100 << 30, flags=mmap.MAP_PRIVATE | "
		   "mmap.MAP_ANONYMOUS | 0x4000, prot=mmap.PROT_READ)\n"
		   "for i in range(0, 100 << 30, 2 << 20): m[i]\n"
		   "time.sleep(9)"),
		NULL));

	status_is(&e, CUPEL_MEM_LIMIT, 137);
	ok(number_at(&e, "usage.max_rss_kib") < 64 << 10);
	end_done(&e);
}

/* The sum of resident sizes is five times the real memory: nothing is killed. */
static void memory_that_forks_share_is_counted_once(void)
{
	struct end e = end_of(
		start(OPTIONS("mem-bytes", "160M"),
		      PY("import os, time\n"
			 "x = bytearray(60 << 20)\n"
			 "x[::4096] = b'y' * len(x[::4096])\n"
			 "for i in range(4):\n"
			 "    if os.fork() == 0: time.sleep(0.7); os._exit(0)\n"
			 "for i in range(4): os.wait()\n"),
		      NULL));

	status_is(&e, CUPEL_OK, 0);
	ok(number_at(&e, "usage.peak_memory_bytes") < 160 << 20);
	ok(number_at(&e, "usage.peak_memory_bytes") > 60 << 20);
	end_done(&e);
}

static void cpu_time_of_one_process(void)
{
	struct end e = end_of(start(OPTIONS("cpu-time-s", "1"),
				    SH("while :; do :; done"), NULL));

	status_is(&e, CUPEL_CPU_LIMIT, 152);
	ok_int(number_at(&e, "signal"), 24);
	ok_has(text_at(&e, "reason"), "cpu_time");
	end_done(&e);
	/* a process that ignores SIGXCPU gets SIGKILL a second later */
	run_is(OPTIONS("cpu-time-s", "1"),
	       SH("trap '' XCPU; while :; do :; "
		  "done"),
	       CUPEL_CPU_LIMIT, 152);
}

static void cpu_time_of_many_processes(void)
{
	struct end e = end_of(start(OPTIONS("cpu-time-s", "1"),
				    SH("for i in 1 2 3 4; do (while :; do :; "
				       "done) & done; wait"),
				    NULL));

	status_is(&e, CUPEL_CPU_LIMIT, 152);
	ok_has(text_at(&e, "reason"), "cpu_tree");
	ok(number_at(&e, "usage.processes") >= 5);
	end_done(&e);
}

/* Our only child. */
static pid_t child_of_ours(void)
{
	FILE *f = fopen("/proc/thread-self/children", "re");
	int pid = 0;

	if (f == NULL)
		return 0;
	if (fscanf(f, "%d", &pid) != 1)
		pid = 0;
	(void)fclose(f);
	return pid;
}

/* On an overloaded machine init may not get to run; here it is stopped, and
 * never does. */
static void a_crowd_that_init_cannot_count(void)
{
	struct cupel_error err = { 0 };
	double begun = now();
	struct cupel_run *run =
		start(OPTIONS("cpu-time-s", "1"),
		      SH("for i in 1 2 3 4; do (while :; do :; done) & done; "
			 "wait"),
		      NULL);
	pid_t init = child_of_ours();
	struct end e;

	while (now() - begun < 0.25) {
		struct pollfd p = { .fd = cupel_run_fd(run), .events = POLLIN };

		(void)poll(&p, 1, 20);
		ok_int(cupel_run_step(run, &err), 1);
	}
	ok(init > 0 && kill(init, SIGSTOP) == 0);
	e = end_of(run);
	status_is(&e, CUPEL_CPU_LIMIT, 152);
	ok(number_at(&e, "usage.processes") >= 5);
	ok(number_at(&e, "usage.cpu_tree_ms") >= 1000);
	ok_int(number_at(&e, "usage.processes_killed"), 0);
	end_done(&e);
}

/* Each child stays under its own limit and ends; the sum goes over it. */
static void cpu_time_of_a_relay(void)
{
	run_is(OPTIONS("cpu-time-s", "1"),
	       SH("while :; do sh -c 'i=0; while [ $i -lt 30000 ]; do "
		  "i=$((i+1)); done'; done"),
	       CUPEL_CPU_LIMIT, 152);
}

static void output_in_both_modes(void)
{
	struct end e;

	run_is(OPTIONS("output-bytes", "1000", "output-mode", "kill"),
	       SH("yes"), CUPEL_OUTPUT_LIMIT, 137);
	run_is(OPTIONS("output-bytes", "1000", "output-mode", "kill"),
	       SH("yes >&2"), CUPEL_OUTPUT_LIMIT, 137);
	run_is(OPTIONS("output-bytes", "10", "output-mode", "kill"),
	       SH("printf 0123456789"), CUPEL_OK, 0);
	for (int i = 0; i < 5; i++)
		run_is(OPTIONS("output-bytes", "9", "output-mode", "kill"),
		       SH("printf 0123456789"), CUPEL_OUTPUT_LIMIT, 137);
	e = end_of(start(OPTIONS("output-bytes", "4"),
			 SH("printf 'ab\\303\\251\\303\\251'; exit 3"), NULL));
	status_is(&e, CUPEL_FAILED, 3);
	ok(strcmp(text_at(&e, "stdout"), "ab\xc3\xa9\n[TRUNCATED]\n") == 0);
	ok_int(number_at(&e, "stdout_bytes"), 6);
	end_done(&e);
}

static void forbidden_calls(void)
{
	struct end e = end_of(
		start(NULL,
		      ((const char *const[]){ "mount", "-t", "tmpfs", "none",
					      "/scratch", NULL }),
		      NULL));

	status_is(&e, CUPEL_FORBIDDEN_SYSCALL, 159);
	ok(at(&e, "violation")->type == JSON_OBJECT);
	ok(number_at(&e, "violation.pid") > 1);
	ok_has(text_at(&e, "violation.comm"), "mount");
	ok_int(at(&e, "violation.args")->u.array.len, 6);
	end_done(&e);
	/* a descendant's call counts as well, and has no effect */
	run_is(NULL,
	       SH("(sleep 0.2; mount -t tmpfs none /scratch) & sleep 9; "
		  "echo no"),
	       CUPEL_FORBIDDEN_SYSCALL, 159);
}

static void descendants_die_with_the_command(void)
{
	double begun = now();
	struct end e = end_of(start(NULL,
				    SH("setsid sleep 50 & sleep 50 & "
				       "(trap '' TERM; sleep 50) & echo hi"),
				    NULL));

	status_is(&e, CUPEL_OK, 0);
	ok_has(text_at(&e, "stdout"), "hi");
	ok(number_at(&e, "usage.processes_killed") >= 3);
	tap_within(now() - begun, 3);
	end_done(&e);
}

static void payloads_and_artifacts(void)
{
	struct end e = end_of(
		start(OPTIONS("chdir", "/scratch", "artifact", "a.txt:copy"),
		      SH("echo '{\"a\": [1, 2]}' >&$CUPEL_RESULT_FD; "
			 "echo 12345 >a.txt"),
		      NULL));

	status_is(&e, CUPEL_OK, 0);
	ok_has(text_at(&e, "payload_status"), "valid");
	ok_int(at(&e, "payload.a")->u.array.len, 2);
	ok_int(at(&e, "artifacts")->u.array.len, 1);
	ok_int(number_at(&e, "usage.processes") > 0, 1);
	end_done(&e);
	e = end_of(
		start(NULL, SH("echo '{\"a\": [1, 2,]}' >&3; exit 2"), NULL));
	status_is(&e, CUPEL_FAILED, 2);
	ok_has(text_at(&e, "payload_status"), "malformed");
	end_done(&e);
	e = end_of(start(OPTIONS("result-bytes", "8"),
			 SH("head -c 100000 /dev/zero >&3"), NULL));
	status_is(&e, CUPEL_OK, 0);
	ok_has(text_at(&e, "payload_status"), "too_large");
	end_done(&e);
}

static void two_runs_enforce_the_same(void)
{
	struct json_value seen[2] = { 0 };
	struct arena arena = { 0 };

	for (int i = 0; i < 2; i++) {
		struct cupel_run *run = start(NULL, SH("exit 0"), NULL);
		struct cupel_error err = { 0 };

		ok_int(cupel_run_wait(run, &err), 0);
		ok(json_at_parse(cupel_run_result(run, NULL), &arena,
				 &seen[i]));
		ok_json(cupel_run_result(run, NULL), "/enforced/ANY/requested",
			"true");
		cupel_run_free(run);
	}
	ok(json_find(&seen[0], "enforced") != NULL &&
	   json_find(&seen[1], "enforced") != NULL &&
	   json_equal(json_find(&seen[0], "enforced"),
		      json_find(&seen[1], "enforced")));
	arena_done(&arena);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(wall_time), CASE(memory_of_one_process),
		CASE(memory_of_the_scratch), CASE(memory_of_many_processes),
		CASE(memory_of_page_tables),
		CASE(memory_that_forks_share_is_counted_once),
		CASE(cpu_time_of_one_process), CASE(cpu_time_of_many_processes),
		CASE(a_crowd_that_init_cannot_count), CASE(cpu_time_of_a_relay),
		CASE(output_in_both_modes), CASE(forbidden_calls),
		CASE(descendants_die_with_the_command),
		CASE(payloads_and_artifacts), CASE(two_runs_enforce_the_same),
		TAP_END });
}
