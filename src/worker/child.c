/* child.c -- runs the command as a child, and watches it by one poll. */
#include "worker/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/outfile.h"
#include "base/utf8.h"

#define READ_BYTES ((size_t)64 << 10)

/* The variables that a child keeps.  None of them reaches a vessel, because no
 * request can ask for that. */
static const char *const kept[] = { "TMPDIR", "XDG_RUNTIME_DIR",
				    "DBUS_SESSION_BUS_ADDRESS" };
#define KEPT (sizeof kept / sizeof *kept)

/* A running child, and the worker's ends of its pipes. */
struct running {
	pid_t pid;
	int pid_fd, out_fd, err_fd; /* owned; -1: closed */
	struct buf err;
	uint64_t end_ms, tick_ms,
		kill_ms; /* kill_ms 0: it has not been asked to end */
};

uint64_t worker_now_ms(void)
{
	struct timespec t = { 0 };

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static int fail(struct cupel_error *err, const char *what)
{
	int sys = errno;

	return cupel_fail(err, CUPEL_STAGE_EXEC, cupel_cause_of(sys), sys,
			  "%s: %s", what, strerror(sys));
}

/* --- the start ------------------------------------------------------------- */

/* stdin is a file of ours, so that the child never waits for a writer. */
static int input_make(const struct worker_child *c)
{
	owned_fd int fd = memfd_create("request", MFD_CLOEXEC);
	int r = fd < 0 ? -1 : outfile_write(fd, c->input, c->input_len);

	if (r < 0 || lseek(fd, 0, SEEK_SET) < 0)
		return -1;
	return take_fd(&fd);
}

struct start {
	const struct worker_child *c;
	char *const *env;
	int in_fd, out_fd, err_fd;
	pid_t parent;
};

/* This runs between fork and exec in a process of several threads, so it may
 * only make system calls. */
static _Noreturn void child_begin(const struct start *s)
{
	sigset_t none;

	(void)sigemptyset(&none);
	if (prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == s->parent &&
	    fchdir(s->c->cwd_fd) == 0 && setpgid(0, 0) == 0 &&
	    dup2(s->in_fd, STDIN_FILENO) >= 0 &&
	    dup2(s->out_fd, STDOUT_FILENO) >= 0 &&
	    dup2(s->err_fd, STDERR_FILENO) >= 0 &&
	    syscall(SYS_close_range, STDERR_FILENO + 1, ~0U, 0) == 0 &&
	    sigprocmask(SIG_SETMASK, &none, NULL) == 0)
		(void)execve(s->c->program, (char *const *)s->c->argv, s->env);
	_exit(127);
}

static void env_write(struct buf text[KEPT], char *ret[KEPT + 5])
{
	size_t n = 0;

	ret[n++] = (char *)"PATH=/usr/local/bin:/usr/bin:/bin";
	ret[n++] = (char *)"HOME=/";
	ret[n++] = (char *)"LANG=C.UTF-8";
	for (size_t i = 0; i < KEPT; i++) {
		const char *value = getenv(kept[i]);

		if (value == NULL)
			continue;
		buf_format(&text[i], "%s=%s", kept[i], value);
		if (!buf_has_failed(&text[i]))
			ret[n++] = text[i].bytes;
	}
	ret[n] = NULL;
}

static int pid_start(const struct worker_child *c, const int ends[3],
		     pid_t *ret)
{
	struct buf text[KEPT] = { 0 };
	char *env[KEPT + 5];
	struct start s = { .c = c,
			   .env = env,
			   .in_fd = ends[0],
			   .out_fd = ends[1],
			   .err_fd = ends[2],
			   .parent = getpid() };
	pid_t pid;

	env_write(text, env);
	pid = fork();
	if (pid == 0)
		child_begin(&s);
	for (size_t i = 0; i < KEPT; i++)
		buf_done(&text[i]);
	if (pid < 0)
		return -1;
	*ret = pid;
	return 0;
}

static int start(const struct worker_child *c, struct running *r,
		 struct cupel_error *err)
{
	owned_fd int in = input_make(c);
	int out[2], both[2];

	if (in < 0)
		return fail(err, "making a file for stdin");
	if (pipe2(out, O_CLOEXEC | O_NONBLOCK) < 0)
		return fail(err, "making a pipe");
	r->out_fd = out[0];
	{
		owned_fd int out_end = out[1];

		if (pipe2(both, O_CLOEXEC | O_NONBLOCK) < 0)
			return fail(err, "making a pipe");
		r->err_fd = both[0];
		{
			owned_fd int err_end = both[1];
			const int ends[3] = { in, out_end, err_end };

			/* The child's ends are blocking. */
			if (fcntl(out_end, F_SETFL, 0) < 0 ||
			    fcntl(err_end, F_SETFL, 0) < 0 ||
			    pid_start(c, ends, &r->pid) < 0)
				return fail(err, "starting a child");
		}
	}
	r->pid_fd = pidfd_open(r->pid, 0);
	return r->pid_fd < 0 ? fail(err, "pidfd_open") : 0;
}

/* --- the watch ------------------------------------------------------------- */

static void ask_to_end(struct running *r)
{
	if (r->kill_ms != 0)
		return;
	(void)kill(r->pid, SIGTERM);
	r->kill_ms = worker_now_ms() + WORKER_END_MS;
}

static void out_take(const struct worker_child *c, struct running *r,
		     const char *bytes, size_t n, struct worker_child_end *ret)
{
	if (r->kill_ms != 0)
		return;
	if (c->take != NULL)
		ret->is_refused = c->take(c->ctx, bytes, n) != 0;
	else if (ret->out.len + n > c->out_bytes)
		ret->is_out_cut = true;
	else
		buf_add(&ret->out, bytes, n);
	if (ret->is_refused || ret->is_out_cut || buf_has_failed(&ret->out))
		ask_to_end(r);
}

/* Read what has come.  Returns whether more may come. */
static bool drain(const struct worker_child *c, struct running *r, bool is_err,
		  struct worker_child_end *ret)
{
	char bytes[READ_BYTES];
	ssize_t n = read(is_err ? r->err_fd : r->out_fd, bytes, sizeof bytes);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n == 0)
		return false;
	if (!is_err)
		out_take(c, r, bytes, (size_t)n, ret);
	else if (r->err.len + (size_t)n <= WORKER_ERR_BYTES)
		buf_add(&r->err, bytes, (size_t)n);
	return true;
}

static int wait_ms(const struct running *r, uint64_t now)
{
	uint64_t at = r->tick_ms < r->end_ms ? r->tick_ms : r->end_ms;

	if (r->kill_ms != 0 && r->kill_ms < at)
		at = r->kill_ms;
	return at <= now ? 0 : (int)(at - now);
}

static void watch_clock(const struct worker_child *c, struct running *r,
			struct worker_child_end *ret)
{
	uint64_t now = worker_now_ms();

	if (now >= r->tick_ms) {
		c->tick(c->tick_ctx);
		r->tick_ms = now + c->tick_ms;
	}
	if (now >= r->end_ms) {
		ret->is_late = true;
		r->end_ms = now + c->time_max_ms;
		ask_to_end(r);
	}
	if (r->kill_ms != 0 && now >= r->kill_ms)
		(void)kill(r->pid, SIGKILL);
}

static void watch(const struct worker_child *c, struct running *r,
		  struct worker_child_end *ret)
{
	bool has_ended = false;

	while (!has_ended || r->out_fd >= 0) {
		struct pollfd p[] = {
			{ .fd = has_ended ? -1 : r->pid_fd, .events = POLLIN },
			{ .fd = r->out_fd, .events = POLLIN },
			{ .fd = r->err_fd, .events = POLLIN },
			{ .fd = r->kill_ms != 0 ? -1 : c->stop_fd,
			  .events = POLLIN },
		};

		(void)poll(p, 4, has_ended ? 0 : wait_ms(r, worker_now_ms()));
		if (p[1].revents != 0 && !drain(c, r, false, ret))
			cleanup_fd(&r->out_fd);
		if (p[2].revents != 0 && !drain(c, r, true, ret))
			cleanup_fd(&r->err_fd);
		/* do not wait for others that hold the pipe open */
		if (has_ended && p[1].revents == 0)
			return;
		has_ended |= p[0].revents != 0;
		if (p[3].revents != 0) {
			ret->is_stopped = true;
			ask_to_end(r);
		}
		watch_clock(c, r, ret);
	}
}

/* --- the end --------------------------------------------------------------- */

static int status_read(pid_t pid)
{
	int status = 0;

	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status)
				   : WEXITSTATUS(status);
}

/* The last line that it wrote, without "cupel: " before it. */
static void said_read(struct buf *text, char ret[256])
{
	const char *line;

	while (text->len > 0 && text->bytes[text->len - 1] == '\n')
		text->bytes[--text->len] = '\0';
	line = text->len > 0 ? strrchr(text->bytes, '\n') : NULL;
	line = line != NULL ? line + 1 : text->len > 0 ? text->bytes : "";
	if (strncmp(line, "cupel: ", 7) == 0)
		line += 7;
	(void)strncpy(ret, line, 255);
	ret[255] = '\0';
	utf8_make_line(ret);
}

int worker_child_run(const struct worker_child *c, struct worker_child_end *ret,
		     struct cupel_error *err)
{
	struct running run = {
		.pid = -1, .pid_fd = -1, .out_fd = -1, .err_fd = -1
	};
	uint64_t now = worker_now_ms();
	int r = start(c, &run, err);

	run.end_ms = now + c->time_max_ms;
	run.tick_ms = now + c->tick_ms;
	if (r == 0)
		watch(c, &run, ret);
	else if (run.pid > 0)
		(void)kill(run.pid, SIGKILL);
	if (run.pid > 0)
		ret->status = status_read(run.pid);
	if (r == 0)
		said_read(&run.err, ret->said);
	buf_done(&run.err);
	cleanup_fd(&run.pid_fd);
	cleanup_fd(&run.out_fd);
	cleanup_fd(&run.err_fd);
	return r;
}

void worker_child_end_done(struct worker_child_end *e)
{
	buf_done(&e->out);
}
