/* Runs inside callers of all kinds: the vessel must not depend on how its caller
 * treats children, signals, threads and memory, and must not change the caller. */
#include "lib_run.h"

#include <dirent.h>
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef __WALL
#define __WALL 0x40000000
#endif

extern char **environ;

static void a_caller_that_ignores_sigchld(void)
{
	void (*before)(int) = signal(SIGCHLD, SIG_IGN);

	for (int i = 0; i < 10; i++)
		run_is(NULL, SH("exit 7"), CUPEL_FAILED, 7);
	run_is(OPTIONS("wall-time-s", "0.3"), SH("sleep 9"), CUPEL_TIMEOUT,
	       124);
	(void)signal(SIGCHLD, before);
}

static volatile sig_atomic_t reaped;

static void reap(int sig)
{
	int saved = errno;

	(void)sig;
	while (waitpid(-1, NULL, WNOHANG | __WALL) > 0)
		reaped++;
	errno = saved;
}

static void a_caller_whose_handler_reaps_everything(void)
{
	struct sigaction old, new = { .sa_handler = reap };

	(void)sigaction(SIGCHLD, &new, &old);
	for (int i = 0; i < 10; i++)
		run_is(NULL, SH("exit 7"), CUPEL_FAILED, 7);
	(void)sigaction(SIGCHLD, &old, NULL);
}

static void *reap_on(void *stop)
{
	while (!atomic_load((atomic_bool *)stop))
		(void)waitpid(-1, NULL, WNOHANG | __WALL);
	return NULL;
}

static void a_thread_that_reaps_everything(void)
{
	atomic_bool stop = false;
	pthread_t t;

	ok_int(pthread_create(&t, NULL, reap_on, &stop), 0);
	for (int i = 0; i < 10; i++)
		run_is(NULL, SH("exit 7"), CUPEL_FAILED, 7);
	atomic_store(&stop, true);
	(void)pthread_join(t, NULL);
}

static void *start_and_end(void *ret)
{
	*(struct cupel_run **)ret = start(NULL, SH("sleep 0.5; exit 5"), NULL);
	return NULL;
}

/* PDEATHSIG follows the thread, but a run goes on when the thread that started it
 * ends. */
static void a_thread_that_ends_takes_no_run_along(void)
{
	struct cupel_run *run = NULL;
	struct end e;
	pthread_t t;

	ok_int(pthread_create(&t, NULL, start_and_end, &run), 0);
	(void)pthread_join(t, NULL);
	e = end_of(run);
	status_is(&e, CUPEL_FAILED, 5);
	end_done(&e);
}

#define THREADS 8
#define RUNS    4

/* tap counts without locks, so threads only compare, and return how many failed. */
static void *run_some(void *good)
{
	for (int i = 0; i < RUNS; i++) {
		const char *const argv[] = { "sh", "-c", "echo x; exit 3",
					     NULL };
		struct cupel_error err = { 0 };
		struct cupel_spec *s = NULL;
		struct cupel_run *run = NULL;

		if (cupel_spec_new(&s, &err) == 0 &&
		    cupel_spec_set(s, "repo-mode", "none", &err) == 0 &&
		    cupel_spec_set_command(s, argv, &err) == 0 &&
		    cupel_run_start(s, NULL, &run, &err) == 0 &&
		    cupel_run_wait(run, &err) == 0 && cupel_run_rc(run) == 3 &&
		    is_json(cupel_run_result(run, NULL), "/stdout", "\"x\\n\""))
			(void)atomic_fetch_add((atomic_int *)good, 1);
		else
			fprintf(stderr, "# %s\n", err.what);
		cupel_run_free(run);
		cupel_spec_free(s);
	}
	return NULL;
}

static void threads_run_side_by_side(void)
{
	pthread_t t[THREADS];
	atomic_int good = 0;

	for (int i = 0; i < THREADS; i++)
		ok_int(pthread_create(&t[i], NULL, run_some, &good), 0);
	for (int i = 0; i < THREADS; i++)
		(void)pthread_join(t[i], NULL);
	ok_int(good, THREADS * RUNS);
}

static double processor_seconds(int who)
{
	struct rusage u;

	(void)getrusage(who, &u);
	return (double)(u.ru_utime.tv_sec + u.ru_stime.tv_sec) +
	       (double)(u.ru_utime.tv_usec + u.ru_stime.tv_usec) / 1e6;
}

/* CPU time, ours and the vessel's: other processes have no effect on it. */
static double seconds_of_runs(int n)
{
	double before = processor_seconds(RUSAGE_SELF) +
			processor_seconds(RUSAGE_CHILDREN);

	for (int i = 0; i < n; i++)
		run_is(NULL, SH("exit 0"), CUPEL_OK, 0);
	return processor_seconds(RUSAGE_SELF) +
	       processor_seconds(RUSAGE_CHILDREN) - before;
}

/* Cloning a gigabyte of small pages as fork does costs about 28 ms; the cost of a
 * run must not depend on the size of its caller. */
static void a_caller_with_a_gigabyte_resident(void)
{
	size_t n = (size_t)1 << 30;
	double small = seconds_of_runs(5), large;
	char *p = mmap(NULL, n, PROT_READ | PROT_WRITE,
		       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	ok(p != MAP_FAILED);
	(void)madvise(p, n, MADV_NOHUGEPAGE);
	memset(p, 1, n);
	large = seconds_of_runs(5);
	fprintf(stderr, "# 5 runs: %.1f ms, with 1 GiB: %.1f ms\n", small * 1e3,
		large * 1e3);
	tap_clock("processor time of 5 runs by a caller of 1 GiB", large,
		  small + 0.07);
	(void)munmap(p, n);
}

/* What a library must not change. */
struct state {
	int dumpable, descriptors, no_new_privs, subreaper, keep;
	mode_t mask;
	sigset_t blocked;
	struct sigaction actions[65];
	char cwd[4096];
	char **environ;
	size_t env_len;
};

static int count_descriptors(void)
{
	DIR *d = opendir("/proc/self/fd");
	int n = 0;

	while (readdir(d) != NULL)
		n++;
	(void)closedir(d);
	return n;
}

static void state_read(struct state *s)
{
	memset(s, 0, sizeof *s);
	s->dumpable = prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
	s->no_new_privs = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
	s->keep = prctl(PR_GET_KEEPCAPS, 0, 0, 0, 0);
	(void)prctl(PR_GET_CHILD_SUBREAPER, &s->subreaper, 0, 0, 0);
	s->mask = umask(0);
	(void)umask(s->mask);
	(void)pthread_sigmask(SIG_SETMASK, NULL, &s->blocked);
	for (int i = 1; i < 65; i++)
		(void)sigaction(i, NULL, &s->actions[i]);
	ok(getcwd(s->cwd, sizeof s->cwd) != NULL);
	s->environ = environ;
	while (environ[s->env_len] != NULL)
		s->env_len++;
	s->descriptors = count_descriptors();
}

static void a_hundred_runs_leave_the_caller_as_it_was(void)
{
	static struct state before, after;

	run_is(NULL, SH("exit 0"), CUPEL_OK, 0); /* what libc sets up late */
	(void)umask(027);
	state_read(&before);
	for (int i = 0; i < 100; i++)
		run_is(NULL, SH("echo out; echo err >&2; exit 1"), CUPEL_FAILED,
		       1);
	state_read(&after);
	ok_int(after.dumpable, before.dumpable);
	ok_int(after.descriptors, before.descriptors);
	ok_int(after.mask, 027);
	ok_int(after.no_new_privs, before.no_new_privs);
	ok_int(after.subreaper, before.subreaper);
	ok_int(after.keep, before.keep);
	ok(strcmp(after.cwd, before.cwd) == 0);
	ok(after.environ == before.environ && after.env_len == before.env_len);
	for (int i = 1; i < 65; i++) {
		ok_int(sigismember(&after.blocked, i),
		       sigismember(&before.blocked, i));
		ok(after.actions[i].sa_handler == before.actions[i].sa_handler);
		ok_int(after.actions[i].sa_flags, before.actions[i].sa_flags);
	}
	ok(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD);
	(void)umask(022);
}

/* A filter around the caller refuses the exec of init.  Whether the caller waits for
 * that or not, it is told, and nothing is left.  This case comes last, because the
 * filter stays. */
static void a_caller_that_may_not_start_programs_is_told(void)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_execveat, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	const struct sock_fprog filter = { sizeof code / sizeof *code, code };
	int before = count_descriptors();

	ok_int(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0), 0);
	ok_int(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter, 0, 0), 0);
	for (int i = 0; i < 10; i++) {
		struct end e = end_of(start(NULL, SH("exit 0"), NULL));

		status_is(&e, CUPEL_INTERNAL_ERROR, 1);
		ok_has(text_at(&e, "message"), "starting init");
		end_done(&e);
	}
	ok_int(count_descriptors(), before);
	ok(waitpid(-1, NULL, WNOHANG | __WALL) < 0 && errno == ECHILD);
}

int main(void)
{
	return tap_run((struct tap_case[]){
		CASE(a_caller_that_ignores_sigchld),
		CASE(a_caller_whose_handler_reaps_everything),
		CASE(a_thread_that_reaps_everything),
		CASE(a_thread_that_ends_takes_no_run_along),
		CASE(threads_run_side_by_side),
		CASE(a_caller_with_a_gigabyte_resident),
		CASE(a_hundred_runs_leave_the_caller_as_it_was),
		CASE(a_caller_that_may_not_start_programs_is_told), TAP_END });
}
