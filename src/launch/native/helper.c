/* helper.c -- see helper.h.  The child between clone3 and execveat shares our
 * memory, so it makes only raw system calls, and none that acts on the whole
 * memory. */
#include "launch/native/helper.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/close_range.h>
#include <linux/sched.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "launch/native/fd.h"

#define HELPER_STACK_BYTES 8192
#define KERNEL_SIGSET      8 /* bytes of the kernel's sigset_t */
#define SIGNALS_LAST       64

#define SEALS (F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL)

/* The job of the process that becomes the helper. */
struct job {
	struct sys k;
	const char *name;
	int program_fd, control_fd, dead_fd;
	/* written by the child */
	const char *failed;
	int sys_errno;
};

/* The child has its own table of handlers, but not its own memory in which they
 * could run.  All signals are blocked until the table is reset. */
__attribute__((no_sanitize("address", "undefined"))) static long
signals_default(struct job *job)
{
	const struct {
		uint64_t handler, flags, restorer, mask;
	} dfl = { 0 };
	const uint64_t none = 0;
	long r = 0;

	for (int sig = 1; r == 0 && sig <= SIGNALS_LAST; sig++)
		if (sig != SIGKILL && sig != SIGSTOP)
			r = sys4(&job->k, SYS_rt_sigaction, sig, &dfl, 0,
				 KERNEL_SIGSET);
	if (r == 0)
		r = sys4(&job->k, SYS_rt_sigprocmask, SIG_SETMASK, &none, 0,
			 KERNEL_SIGSET);
	return r;
}

/* The table is the child's own copy.  The three descriptors that we were given
 * have numbers of 3 and above; the program's is moved out of the control
 * socket's way. */
__attribute__((no_sanitize("address", "undefined"))) static long fds_place(
	struct job *job)
{
	long r = sys3(&job->k, SYS_close_range, 0, ~0U, CLOSE_RANGE_CLOEXEC);

	for (int fd = 0; r >= 0 && fd < HELPER_CONTROL_FD; fd++)
		r = sys3(&job->k, SYS_dup3, job->dead_fd, fd, 0);
	if (r >= 0)
		r = sys3(&job->k, SYS_fcntl, job->program_fd, F_DUPFD_CLOEXEC,
			 HELPER_CONTROL_FD + 1);
	if (r < 0)
		return r;
	job->program_fd = (int)r;
	if (job->control_fd == HELPER_CONTROL_FD)
		return sys3(&job->k, SYS_fcntl, job->control_fd, F_SETFD, 0);
	return sys3(&job->k, SYS_dup3, job->control_fd, HELPER_CONTROL_FD, 0);
}

__attribute__((no_sanitize("address", "undefined"))) static int child_main(
	void *arg)
{
	struct job *job = arg;
	const char *const argv[] = { job->name, NULL };
	static const char *const envp[] = { NULL };
	long r = sys0(&job->k, SYS_setsid);

	job->failed = "a session of its own";
	if (r >= 0) {
		r = sys1(&job->k, SYS_chdir, "/");
		job->failed = "leaving the caller's directory";
	}
	if (r >= 0) {
		r = fds_place(job);
		job->failed = "placing its descriptors";
	}
	if (r >= 0) {
		r = signals_default(job);
		job->failed = "default signals";
	}
	if (r >= 0) {
		r = sys5(&job->k, SYS_execveat, job->program_fd, "", argv, envp,
			 AT_EMPTY_PATH);
		job->failed = "starting its program";
	}
	job->sys_errno = (int)-r;
	return 1;
}

static int helper_fail(const struct helper_program *program, long r,
		       const char *what, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_NAMESPACE, cupel_cause_of((int)-r),
			  (int)-r, "%s: %s", program->name, what);
}

/* Reap a process whose end nobody else waits for. */
static void reap(int pidfd)
{
	while (sys_raw(SYS_waitid, P_PIDFD, pidfd, 0, WEXITED | __WALL, 0, 0) ==
	       -EINTR)
		;
}

static uint64_t signals_block(void)
{
	const uint64_t all = ~UINT64_C(0);
	uint64_t before = 0;

	(void)sys_raw(SYS_rt_sigprocmask, SIG_SETMASK, sys_arg(&all),
		      sys_arg(&before), KERNEL_SIGSET, 0, 0);
	return before;
}

static int spawn(struct sys *k, struct job *job, pid_t *ret_pid, int *ret_pidfd)
{
	_Alignas(16) char stack[HELPER_STACK_BYTES];
	int pidfd = -1;
	struct clone_args args = {
		.flags = CLONE_VM | CLONE_VFORK | CLONE_PIDFD,
		.pidfd = (uint64_t)(uintptr_t)&pidfd,
		.stack = (uint64_t)(uintptr_t)stack,
		.stack_size = sizeof stack,
	};
	uint64_t before = signals_block();
	long pid;

	job->k = *k;
	(void)sys_count(&job->k); /* clone3 itself */
	job->failed = "making its process";
	pid = sys_clone3(k, &args, child_main, job);
	(void)sys_raw(SYS_rt_sigprocmask, SIG_SETMASK, sys_arg(&before), 0,
		      KERNEL_SIGSET, 0, 0);
	if (pid < 0)
		return (int)pid;
	*k = job->k;
	if (job->sys_errno != 0) {
		reap(pidfd);
		sys_close(pidfd);
		return -job->sys_errno;
	}
	*ret_pid = (pid_t)pid;
	*ret_pidfd = pidfd;
	return 0;
}

/* A memory file that nobody can change any more, made only for the process that
 * executes it. */
static int program_open(struct sys *k, const struct helper_program *program)
{
	owned_fd int fd =
		fd_memory(k, program->name, program->bytes, program->len, 1);
	long r = fd;

	if (r >= 0)
		r = sys3(k, SYS_fcntl, fd, F_ADD_SEALS, SEALS);
	return r < 0 ? (int)r : take_fd(&fd);
}

/* A descriptor that reads as empty: a pipe that nobody can write to. */
static int dead_open(struct sys *k)
{
	int ends[2];
	int r = fd_pipe(k, ends, 1);

	if (r < 0)
		return r;
	sys_close(ends[1]);
	return ends[0];
}

int helper_start(struct sys *k, const struct helper_program *program,
		 struct helper *ret, struct cupel_error *err)
{
	struct job job = { .name = program->name };
	owned_fd int image = program_open(k, program);
	owned_fd int dead = -1;
	owned_fd int mine = -1;
	owned_fd int theirs = -1;
	int pair[2];
	int r;

	if (image < 0)
		return helper_fail(program, image,
				   "a memory file for its program "
				   "(see `cupel doctor`)",
				   err);
	r = dead = dead_open(k);
	if (r >= 0)
		r = fd_pair(k, pair);
	if (r < 0)
		return helper_fail(program, r, "descriptors for it", err);
	mine = pair[0];
	theirs = pair[1];
	job.program_fd = image;
	job.control_fd = theirs;
	job.dead_fd = dead;
	r = spawn(k, &job, &ret->pid, &ret->pidfd);
	if (r < 0)
		return helper_fail(program, r, job.failed, err);
	ret->control_fd = take_fd(&mine);
	return 0;
}

static int64_t now_ms(void)
{
	struct timespec t = { 0 };

	(void)sys_raw(SYS_clock_gettime, CLOCK_MONOTONIC, sys_arg(&t), 0, 0, 0,
		      0);
	return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Signals that the caller gets neither shorten nor lengthen the wait. */
static void end_await(int pidfd, int64_t end_ms)
{
	struct pollfd p = { .fd = pidfd, .events = POLLIN };
	int64_t left;
	int n;

	do {
		left = end_ms - now_ms();
		n = poll(&p, 1, left > 0 ? (int)left : 0);
	} while (n < 0 && errno == EINTR && left > 0);
}

void helpers_close(struct helper *const all[], size_t len)
{
	int64_t end_ms = now_ms() + HELPER_END_MS;

	for (size_t i = 0; i < len; i++)
		cleanup_fd(&all[i]->control_fd);
	for (size_t i = 0; i < len; i++)
		if (all[i]->pidfd >= 0)
			end_await(all[i]->pidfd, end_ms);
	for (size_t i = 0; i < len; i++)
		if (all[i]->pidfd >= 0)
			(void)sys_raw(SYS_pidfd_send_signal, all[i]->pidfd,
				      SIGKILL, 0, 0, 0, 0);
	for (size_t i = 0; i < len; i++) {
		if (all[i]->pidfd < 0)
			continue;
		reap(all[i]->pidfd);
		cleanup_fd(&all[i]->pidfd);
		all[i]->pid = -1;
	}
}

void helper_close(struct helper *h)
{
	helpers_close(&(struct helper *const){ h }, 1);
}
