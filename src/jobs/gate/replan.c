/* replan.c -- see replan.h. */
#include "jobs/gate/replan.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "service/sealed.h"

#define TERM_WAIT_MS 5000 /* between SIGTERM and SIGKILL */
#define ENVIRON_MAX  100000U

extern char **environ;

static int fail(struct cupel_error *err, const char *what, int sys)
{
	return cupel_fail(err, CUPEL_STAGE_JOB, cupel_cause_of(sys), sys,
			  "--replan: %s: %s", what, strerror(sys));
}

/* The caller's variables, and ours. */
static char **environ_build(struct arena *arena, const char *worktree)
{
	static const char name[] = "CUPEL_WORKTREE=";
	char **vars, *own = arena_format(arena, "%s%s", name, worktree);
	size_t n = 0, kept = 0;

	while (environ[n] != NULL && n < ENVIRON_MAX)
		n++;
	vars = arena_array(arena, n + 2, sizeof *vars);
	if (vars == NULL || own == NULL)
		return NULL;
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], name, sizeof name - 1) != 0)
			vars[kept++] = environ[i];
	vars[kept] = own;
	return vars;
}

/* Default signals, as a new program expects them, and a process group of its
 * own. */
static int attributes_set(posix_spawnattr_t *a)
{
	sigset_t none, all;
	int e;

	(void)sigemptyset(&none);
	(void)sigfillset(&all);
	e = posix_spawnattr_setflags(a, POSIX_SPAWN_SETPGROUP |
						POSIX_SPAWN_SETSIGMASK |
						POSIX_SPAWN_SETSIGDEF);
	if (e == 0)
		e = posix_spawnattr_setpgroup(a, 0);
	if (e == 0)
		e = posix_spawnattr_setsigmask(a, &none);
	return e != 0 ? e : posix_spawnattr_setsigdefault(a, &all);
}

static int files_set(posix_spawn_file_actions_t *f, int input_fd)
{
	int e = posix_spawn_file_actions_adddup2(f, input_fd, STDIN_FILENO);

	return e != 0 ? e
		      : posix_spawn_file_actions_adddup2(f, STDERR_FILENO,
							 STDOUT_FILENO);
}

/* Returns 0 or -errno. */
static int spawn(const struct replan_request *req, int input_fd, pid_t *ret)
{
	char *argv[] = { (char[]){ "sh" }, (char[]){ "-c" }, NULL, NULL };
	struct arena arena = { 0 };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t how;
	char **vars = environ_build(&arena, req->worktree);
	int e;

	argv[2] = arena_text(&arena, req->command);
	e = vars == NULL || argv[2] == NULL
		    ? ENOMEM
		    : posix_spawn_file_actions_init(&files);
	if (e == 0) {
		e = posix_spawnattr_init(&how);
		if (e == 0) {
			e = attributes_set(&how);
			if (e == 0)
				e = files_set(&files, input_fd);
			if (e == 0)
				e = posix_spawn(ret, "/bin/sh", &files, &how,
						argv, vars);
			(void)posix_spawnattr_destroy(&how);
		}
		(void)posix_spawn_file_actions_destroy(&files);
	}
	arena_done(&arena);
	return -e;
}

/* Returns 1: it has ended; 0: not in time; -EINTR: stopped. */
static int end_wait(int pid_fd, int stop_fd, int wait_ms)
{
	struct pollfd fds[] = { { .fd = pid_fd, .events = POLLIN },
				{ .fd = stop_fd, .events = POLLIN } };

	while (poll(fds, 2, wait_ms) < 0)
		if (errno != EINTR)
			return 0;
	if (fds[0].revents != 0)
		return 1;
	return fds[1].revents != 0 ? -EINTR : 0;
}

/* The first process has ended and has not been reaped, so its number still
 * means its group.  Kill what is left of the group. */
static int group_end(pid_t pid)
{
	siginfo_t info = { 0 };

	(void)kill(-pid, SIGKILL);
	while (waitid(P_PID, (id_t)pid, &info, WEXITED) < 0)
		if (errno != EINTR)
			return 255;
	return info.si_code == CLD_EXITED ? info.si_status
					  : 128 + info.si_status;
}

int replan_run(const struct replan_request *req, int *ret_status,
	       struct cupel_error *err)
{
	owned_fd int input_fd =
		sealed_of(req->input, req->input_len, false, err);
	owned_fd int pid_fd = -1;
	pid_t pid = -1;
	int e;

	if (input_fd < 0)
		return input_fd;
	e = spawn(req, input_fd, &pid);
	if (e < 0)
		return fail(err, "/bin/sh could not be started", -e);
	pid_fd = pidfd_open(pid, 0);
	e = pid_fd < 0 ? -errno : end_wait(pid_fd, req->stop_fd, -1);
	if (e == -EINTR) {
		(void)kill(-pid, SIGTERM);
		(void)end_wait(pid_fd, -1, TERM_WAIT_MS);
	}
	*ret_status = group_end(pid);
	if (e == -EINTR)
		return cupel_fail(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_CALLER,
				  EINTR, "--replan: stopped");
	return e < 0 ? fail(err, "could not be waited for", -e) : 0;
}
