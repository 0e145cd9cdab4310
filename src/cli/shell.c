/* shell.c -- cupel shell: a run on its own terminal, joined to ours by copying
 * bytes. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#include "base/error.h"
#include "cli/cli.h"
#include "cli/command.h"
#include "cli/explain.h"
#include "cli/forward.h"
#include "cli/pass.h"
#include "cli/request.h"
#include "cupel.h"
#include "lib/fields.h"
#include "plan/backend.h"
#include "service/cgroup.h"
#include "spec/field.h"
#include "spec/spec.h"

#define INPUT_BYTES 4096

static volatile sig_atomic_t is_resized;

static void note_resize(int signal)
{
	(void)signal;
	is_resized = 1;
}

struct session {
	struct cupel_run *run;
	int fd; /* the run's terminal, borrowed; -1: not yet known */
	struct pass out;
	char input[INPUT_BYTES]; /* typed, not yet taken by the terminal */
	size_t input_len;
	bool is_typed_out; /* our stdin has ended */
	struct termios saved;
};

static void send_size(const struct session *s)
{
	struct winsize size;

	if (s->fd >= 0 && ioctl(STDIN_FILENO, TIOCGWINSZ, &size) == 0)
		(void)ioctl(s->fd, TIOCSWINSZ, &size);
}

/* Send everything that is typed to the terminal inside, including control
 * keys. */
static void take_terminal(struct session *s)
{
	struct sigaction resize = { .sa_handler = note_resize };
	struct termios raw = s->saved;

	cfmakeraw(&raw);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
	(void)sigaction(SIGWINCH, &resize, NULL);
}

static void give_back_terminal(const struct session *s)
{
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &s->saved);
}

static void find_terminal(struct session *s)
{
	if (s->fd >= 0)
		return;
	s->fd = cupel_run_terminal(s->run);
	if (s->fd < 0)
		return;
	(void)fcntl(s->fd, F_SETFL, O_RDWR | O_NONBLOCK);
	send_size(s);
}

static void copy_in(struct session *s)
{
	ssize_t n = 0;

	if (s->input_len == 0 && !s->is_typed_out) {
		n = read(STDIN_FILENO, s->input, sizeof s->input);
		if (n > 0)
			s->input_len = (size_t)n;
		s->is_typed_out = n == 0;
	}
	if (s->input_len == 0)
		return;
	n = write(s->fd, s->input, s->input_len);
	if (n <= 0)
		return;
	memmove(s->input, s->input + n, s->input_len - (size_t)n);
	s->input_len -= (size_t)n;
}

/* Returns whether there was something to copy. */
static bool copy_out(struct session *s)
{
	char bytes[INPUT_BYTES];
	ssize_t n = read(s->fd, bytes, sizeof bytes);

	if (n > 0)
		pass_add(&s->out, bytes, (size_t)n);
	return n > 0;
}

static void wait_for_bytes(struct session *s)
{
	bool is_full = pass_has_bytes(&s->out);
	short want = (short)((is_full ? 0 : POLLIN) |
			     (s->input_len > 0 ? POLLOUT : 0));
	bool reads = s->fd >= 0 && s->input_len == 0 && !s->is_typed_out;
	struct pollfd p[] = {
		{ .fd = cupel_run_fd(s->run), .events = POLLIN },
		{ .fd = want != 0 ? s->fd : -1, .events = want },
		{ .fd = reads ? STDIN_FILENO : -1, .events = POLLIN },
		{ .fd = is_full ? s->out.fd : -1, .events = POLLOUT },
	};

	if (poll(p, sizeof p / sizeof *p, -1) <= 0)
		return;
	if (p[1].revents & (POLLIN | POLLHUP))
		(void)copy_out(s);
	if ((p[1].revents & POLLOUT) != 0 || p[2].revents != 0)
		copy_in(s);
	if (p[3].revents != 0)
		pass_step(&s->out);
}

static int drive(struct session *s, struct cupel_error *err)
{
	int r;

	forward_signals(s->run);
	while ((r = cupel_run_step(s->run, err)) > 0) {
		find_terminal(s);
		if (is_resized) {
			is_resized = 0;
			send_size(s);
		}
		wait_for_bytes(s);
	}
	find_terminal(s);
	while (s->fd >= 0 && copy_out(s))
		pass_flush(&s->out);
	pass_flush(&s->out);
	forward_no_more(true);
	return r;
}

static int finish(const struct spec *spec, struct session *s)
{
	enum cupel_status status = cupel_run_status(s->run);
	struct explained e = { 0 };
	size_t n = 0;
	const char *json = cupel_run_result(s->run, &n);

	explained_read(&e, json, n);
	if (!spec->quiet && status != CUPEL_OK && status != CUPEL_FAILED)
		explain_status(&e);
	if (!spec->quiet && status != CUPEL_INTERNAL_ERROR)
		explain_partial(&e);
	if (spec->verbose)
		explain_run(&e);
	explained_done(&e);
	if (status == CUPEL_INTERNAL_ERROR && spec->error_rc != 0)
		return (int)spec->error_rc;
	return cupel_run_rc(s->run);
}

/* Refuse options that make no sense on a terminal, instead of ignoring them. */
static int check_fields(const struct spec *f, struct cupel_error *err)
{
	const char *what = f->json != NULL          ? "json"
			   : f->stdin_path != NULL  ? "stdin"
			   : f->stdout_path != NULL ? "stdout"
			   : f->stderr_path != NULL ? "stderr"
			   : f->result_from == RESULT_FROM_STDOUT
				   ? "result-from"
				   : NULL;

	if (what != NULL)
		return cupel_fail(
			err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EINVAL,
			"--%s: cannot be used with shell, which has a terminal",
			what);
	if (!backend_has(f->backend, WALL_PIDNS))
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL, "--backend: shell needs namespaces");
	return 0;
}

/* Lift the time limits of a profile, which are not meant for a person. */
static void lift_clock(struct spec *f)
{
	const struct field *wall = field_find("wall-time-s");

	if (wall != NULL && f->ranks[wall - fields] == RANK_PROFILE)
		f->wall_ms = SPEC_UNLIMITED;
}

static int set_up(const struct request *req, struct cupel_error *err)
{
	static const char *const sh[] = { "/bin/sh", NULL };
	struct spec *f = cupel_spec_fields(req->spec);
	const char *term = getenv("TERM");
	char env[64];
	int r = check_fields(f, err);

	f->terminal = true;
	lift_clock(f);
	if (r == 0 && f->argc == 0)
		r = cupel_spec_set_command(req->spec, sh, err);
	if (r < 0 || term == NULL || strlen(term) > sizeof env - 6)
		return r;
	(void)snprintf(env, sizeof env, "TERM=%s", term);
	for (size_t i = 0; i < f->env.len; i++)
		if (strncmp(f->env.items[i], env, 5) == 0)
			return 0;
	return cupel_spec_set(req->spec, "env", env, err);
}

/* Returns the exit status. */
static int run_session(const struct request *req, struct session *s,
		       struct cupel_error *err)
{
	int r;

	if (req->fields->cpu_milli != SPEC_UNLIMITED)
		service_cgroup_enter();
	r = cupel_run_start(req->spec, NULL, &s->run, err);
	if (r < 0)
		return cli_fail(err);
	take_terminal(s);
	(void)drive(s, err);
	give_back_terminal(s);
	return finish(req->fields, s);
}

static int run_shell(const struct request *req, struct cupel_error *err)
{
	struct session s = { .fd = -1 };
	int r = 0;

	if (tcgetattr(STDIN_FILENO, &s.saved) < 0)
		r = cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
			       ENOTTY, "shell: stdin is not a terminal");
	if (r == 0)
		r = set_up(req, err);
	if (r < 0)
		return cli_fail(err);
	pass_init(&s.out, STDOUT_FILENO, true);
	r = run_session(req, &s, err);
	cupel_run_free(s.run);
	pass_done(&s.out);
	return r;
}

int shell_command(int argc, char *argv[])
{
	struct cupel_error err = { 0 };
	struct request req = { 0 };
	int status = CLI_OK;

	if (request_read(argc, argv, &req, &status)) {
		status = run_shell(&req, &err);
		if (err.cause == CUPEL_CAUSE_CALLER)
			status = request_usage_rc(&req, argc, argv);
	}
	request_done(&req);
	return status;
}
