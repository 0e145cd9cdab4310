/* processes.c -- births, deaths, waiting, signals, timers. */
#include <errno.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "stress.h"

extern char **environ;

static void forks(struct job *j)
{
	while (job_storm(j)) {
		pid_t pid = fork();

		if (pid == 0) {
			(void)setsid();
			(void)setpgid(0, 0);
			_exit(0);
		}
		if (pid < 0)
			job_stop(j);
		else
			(void)waitpid(pid, NULL, 0);
	}
}

static void vforks(struct job *j)
{
	while (job_storm(j)) {
		pid_t pid = vfork();

		if (pid == 0)
			_exit(0);
		if (pid < 0)
			job_stop(j);
		else
			(void)waitpid(pid, NULL, 0);
	}
}

static void zombies(struct job *j)
{
	while (job_take(j, 0)) {
		pid_t pid = fork();

		if (pid == 0)
			_exit(0);
		if (pid < 0) {
			job_stop(j);
			return;
		}
	}
}

/* Ends by a fault, which the kernel may write into its log. */
static void faults(struct job *j)
{
	volatile char *p =
		mmap(NULL, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	while (job_storm(j)) {
		pid_t pid = fork();

		if (pid == 0)
			*p = 0;
		if (pid < 0)
			job_stop(j);
		else
			(void)waitpid(pid, NULL, 0);
	}
}

static void execs(struct job *j)
{
	char *argv[] = { "/repo/stress", NULL };

	while (job_storm(j)) {
		pid_t pid = vfork();

		if (pid == 0) {
			(void)execve(argv[0], argv, environ);
			_exit(1);
		}
		if (pid < 0)
			job_stop(j);
		else
			(void)waitpid(pid, NULL, 0);
	}
}

/* Six MiB of words, copied before the old program is given up. */
static void exec_words(struct job *j)
{
	enum { WORDS = 47, WORD = 128 << 10 };
	struct rlimit most = { RLIM_INFINITY, RLIM_INFINITY };
	char *argv[WORDS + 2] = { "/repo/stress" };
	char *word = malloc(WORD);

	(void)setrlimit(RLIMIT_STACK, &most);
	if (word == NULL)
		return;
	memset(word, 'x', WORD);
	word[WORD - 1] = '\0';
	for (int i = 1; i <= WORDS; i++)
		argv[i] = word;
	while (job_storm(j)) {
		pid_t pid = vfork();

		if (pid == 0) {
			(void)execve(argv[0], argv, environ);
			_exit(errno == E2BIG ? 7 : 1);
		}
		if (pid < 0)
			job_stop(j);
		else
			(void)waitpid(pid, NULL, 0);
	}
}

static void *sleeps(void *unused)
{
	(void)unused;
	for (;;)
		(void)pause();
	return NULL;
}

static void threads(struct job *j)
{
	pthread_attr_t a;
	pthread_t t;

	(void)pthread_attr_init(&a);
	(void)pthread_attr_setstacksize(&a, 65536);
	while (job_take(j, 32768)) {
		errno = pthread_create(&t, &a, sleeps, NULL);
		if (errno != 0) {
			job_stop(j);
			return;
		}
	}
}

static void queued_signals(struct job *j)
{
	union sigval v = { 0 };
	sigset_t all;

	(void)sigfillset(&all);
	(void)sigprocmask(SIG_BLOCK, &all, NULL);
	while (job_take(j, 80))
		if (sigqueue(getpid(), SIGRTMIN, v) < 0) {
			job_stop(j);
			return;
		}
}

static void timers(struct job *j)
{
	struct sigevent e = { .sigev_notify = SIGEV_NONE };
	timer_t t;

	while (job_take(j, 400))
		if (timer_create(CLOCK_MONOTONIC, &e, &t) < 0) {
			job_stop(j);
			return;
		}
}

/* Signals of timers, as fast as they come. */
static void timer_signals(struct job *j)
{
	struct itimerspec soon = { .it_interval.tv_nsec = 1,
				   .it_value.tv_nsec = 1 };
	struct itimerval soon_us = { { 0, 1 }, { 0, 1 } };
	timer_t t;

	(void)signal(SIGALRM, SIG_IGN);
	for (int i = 0; i < 4; i++)
		if (timer_create(CLOCK_MONOTONIC, NULL, &t) < 0 ||
		    timer_settime(t, 0, &soon, NULL) < 0)
			job_stop(j);
	(void)setitimer(ITIMER_REAL, &soon_us, NULL);
	while (job_storm(j))
		(void)kill(getpid(), SIGALRM);
}

static void affinity(struct job *j)
{
	cpu_set_t one;

	for (int n = 0; job_storm(j); n++) {
		CPU_ZERO(&one);
		CPU_SET((size_t)n % 2, &one);
		if (sched_setaffinity(0, sizeof one, &one) < 0)
			job_stop(j);
		if (n % 16 == 0)
			(void)sched_yield();
	}
}

static void priorities(struct job *j)
{
	struct sched_param p = { 0 };

	for (int n = 0; job_storm(j); n++) {
		if (sched_setscheduler(0, n & 1 ? SCHED_BATCH : SCHED_OTHER,
				       &p) < 0)
			job_stop(j);
		(void)setpriority(PRIO_PROCESS, 0, 1);
		(void)syscall(SYS_ioprio_set, 1, 0, 2 << 13);
	}
}

/* Private and shared words; wakes, requeues and waits that end at once. */
static void futexes(struct job *j)
{
	uint32_t *w = mmap(NULL, 1 << 20, PROT_READ | PROT_WRITE,
			   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct timespec none = { 0 };

	for (uint32_t n = 0; w != MAP_FAILED && job_storm(j); n++) {
		uint32_t *at = w + n % 262144;

		(void)syscall(SYS_futex, at, FUTEX_WAIT, 0, &none, NULL, 0);
		(void)syscall(SYS_futex, at, FUTEX_WAKE, 1 << 30, NULL, NULL,
			      0);
		(void)syscall(SYS_futex, at, FUTEX_REQUEUE, 1, 1 << 30, w, 0);
		(void)syscall(SYS_futex, at, FUTEX_LOCK_PI, 0, &none, NULL, 0);
		(void)syscall(SYS_futex, at, FUTEX_UNLOCK_PI, 0, NULL, NULL, 0);
		(void)syscall(SYS_set_robust_list, w, 24);
	}
}

static void traces(struct job *j)
{
	while (job_storm(j)) {
		pid_t pid = fork();

		if (pid == 0) {
			(void)ptrace(PTRACE_TRACEME, 0, 0, 0);
			(void)raise(SIGSTOP);
			_exit(0);
		}
		if (pid < 0) {
			job_stop(j);
			continue;
		}
		(void)waitpid(pid, NULL, 0);
		for (int i = 0; i < 256; i++) {
			if (ptrace(PTRACE_SINGLESTEP, pid, 0, 0) < 0)
				break;
			(void)waitpid(pid, NULL, 0);
		}
		(void)kill(pid, SIGKILL);
		(void)waitpid(pid, NULL, 0);
	}
}

const struct stressor stress_processes[] = {
	{ "forks", "fork clone wait4 setsid setpgid exit_group",
	  "births and deaths", forks, true },
	{ "vforks", "vfork", "births in the parent's memory", vforks, true },
	{ "zombies", "fork", "the dead that nobody waits for", zombies, false },
	{ "faults", "fork", "ends by SIGSEGV", faults, true },
	{ "execs", "execve", "one program after the other", execs, true },
	{ "exec-words", "execve setrlimit", "programs with 6 MiB of words",
	  exec_words, true },
	{ "threads", "clone set_tid_address rseq", "threads that sleep",
	  threads, false },
	{ "queued-signals", "rt_sigqueueinfo rt_sigprocmask",
	  "signals that are blocked", queued_signals, true },
	{ "timers", "timer_create", "as many timers as there can be", timers,
	  true },
	{ "timer-signals", "timer_settime setitimer kill rt_sigaction",
	  "timers of a nanosecond", timer_signals, true },
	{ "affinity", "sched_setaffinity sched_yield",
	  "to the other processor and back", affinity, true },
	{ "priorities", "sched_setscheduler setpriority ioprio_set",
	  "changes of class", priorities, true },
	{ "futexes", "futex set_robust_list", "each operation in turn", futexes,
	  true },
	{ "traces", "ptrace", "single steps", traces, true },
	{ 0 },
};
