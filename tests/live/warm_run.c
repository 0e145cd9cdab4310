/* warm_run.c -- the function probe() of each FILE, by the Python harness: in
 * vessels of their own, or in copies of one template.
 *
 * usage: warm_run cold|warm REPO FILE...	FILE below REPO
 * Prints each run's result, one JSON text after the other.  Exit 3 and why on
 * stderr when there are no copies to be had.
 *
 * FAULT=init:N:ERRNO, child:N:ERRNO	the N-th call of a copy's half fails
 * KILL=1	the template's vessel is killed while the last FILE runs
 * ROUNDS=N	all of it N times over, results printed in the last round only */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "jobs/confirm/runner.h"
#include "jobs/vessel.h"
#include "launch/sys.h"
#include "lib/sealed.h"
#include "lib/template.h"

#define GIVEN "00ff\n{\"arguments\":[]}" /* a nonce, a witness */

struct bench {
	const struct runner *runner;
	const char *repo;
	struct lib_template *template; /* NULL: cold */
	struct vessel_option options[CONFIRM_CAPS_MAX];
};

static int fail(const char *what, const struct cupel_error *err)
{
	(void)fprintf(stderr, "warm_run: %s: %s\n", what, err->what);
	return 3;
}

static int file_read(const char *path, struct buf *out)
{
	FILE *f = fopen(path, "r");
	char bytes[4096];
	size_t n;

	if (f == NULL) {
		perror(path);
		return -errno;
	}
	while ((n = fread(bytes, 1, sizeof bytes, f)) > 0)
		buf_add(out, bytes, n);
	(void)fclose(f);
	buf_char(out, '\0');
	out->len--;
	return 0;
}

static unsigned line_of(const char *text, const char *what)
{
	const char *at = strstr(text, what);
	unsigned line = 1;

	for (; at != NULL && text < at; text++)
		line += *text == '\n';
	return line;
}

static void request_write(const char *file, const struct buf *source,
			  struct buf *out)
{
	struct jsonw w = { .out = out };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "path", file);
	jsonw_text(&w, "function", "probe");
	jsonw_text(&w, "flag_class", "div-zero");
	jsonw_uint(&w, "first_line", line_of(source->bytes, "def probe("));
	jsonw_uint(&w, "alarm_s", CONFIRM_ALARM_S);
	jsonw_end_object(&w);
}

static int run_file(const struct bench *b, const char *file, bool prints,
		    pid_t victim)
{
	struct cupel_error err = { 0 };
	owned_buf struct buf path = { 0 }, source = { 0 }, request = { 0 };
	const struct runner_program *p = &b->runner->call;
	struct vessel_request req = { .profile = b->runner->profile,
				      .options = b->options,
				      .repo = b->repo,
				      .argv = p->argv,
				      .inputs_len = 3,
				      .exec_fd = -1 };
	struct cupel_run *run = NULL;
	int inputs[3], text, r;

	buf_format(&path, "%s/%s", b->repo, file);
	if (file_read(path.bytes, &source) < 0)
		return 2;
	request_write(file, &source, &request);
	inputs[0] = sealed_of(p->text, (size_t)(p->end - p->text), false, &err);
	inputs[1] = sealed_of(source.bytes, source.len, false, &err);
	inputs[2] = sealed_of(request.bytes, request.len, false, &err);
	text = req.stdin_fd = sealed_of(GIVEN, strlen(GIVEN), false, &err);
	req.inputs = inputs;
	r = b->template != NULL ? vessel_copy(b->template, &req, &run, &err)
				: vessel_start(&req, &run, &err);
	if (r < 0)
		return fail(file, &err);
	if (victim > 0) {
		(void)poll(NULL, 0, 200);
		(void)kill(victim, SIGKILL);
	}
	if (cupel_run_wait(run, &err) < 0)
		(void)fail(file, &err);
	if (prints)
		puts(cupel_run_result(run, NULL));
	cupel_run_free(run);
	for (int i = 0; i < 3; i++)
		(void)close(inputs[i]);
	(void)close(text);
	return 0;
}

#ifdef CUPEL_TEST_HOOKS
static void fault_set(struct plan *plan)
{
	const char *text = getenv("FAULT");
	char side[8];
	unsigned call;
	int sys;

	if (text == NULL ||
	    sscanf(text, "%7[a-z]:%u:%d", side, &call, &sys) != 3)
		return;
	plan->fault_call =
		call | (strcmp(side, "init") == 0 ? SYS_FAULT_IN_INIT
						  : SYS_FAULT_IN_CHILD);
	plan->fault_errno = sys;
}
#endif

static int template_begin(struct bench *b)
{
	struct cupel_error err = { 0 };
	const struct runner_program *p = &b->runner->call;
	const char *text = b->runner->template_text;
	int program = sealed_of(text, (size_t)(p->end - text), false, &err);
	int r = vessel_template_start(
		&(struct vessel_request){ .profile = b->runner->profile,
					  .options = b->options,
					  .repo = b->repo,
					  .argv = p->argv,
					  .inputs_len = 3,
					  .exec_fd = -1 },
		program, &b->template, &err);

	if (r < 0)
		return fail("no template", &err);
	(void)close(program);
	while ((r = lib_template_state(b->template)) == 0)
		(void)poll(NULL, 0, 1);
	if (r < 0) {
		(void)fprintf(stderr, "warm_run: the template: %s\n",
			      strerror(-r));
		return 3;
	}
#ifdef CUPEL_TEST_HOOKS
	fault_set(&b->template->prepared.plan);
#endif
	return 0;
}

/* The only child this process has by now. */
static pid_t child_find(void)
{
	char path[64];
	FILE *f;
	int pid = 0;

	(void)snprintf(path, sizeof path, "/proc/self/task/%d/children",
		       (int)getpid());
	f = fopen(path, "r");
	if (f == NULL || fscanf(f, "%d", &pid) != 1)
		pid = 0;
	if (f != NULL)
		(void)fclose(f);
	return pid;
}

int main(int argc, char *argv[])
{
	struct bench b = { .runner = runner_find("x.py"),
			   .repo = argc > 2 ? argv[2] : NULL };
	int rounds = getenv("ROUNDS") ? atoi(getenv("ROUNDS")) : 1;
	const struct confirm_cap *c = b.runner->caps;
	int r = 0;

	if (argc < 4)
		return 2;
	for (size_t i = 0; c->option != NULL; c++, i++)
		b.options[i] = (struct vessel_option){ c->option, c->value };
	if (strcmp(argv[1], "warm") == 0)
		r = template_begin(&b);
	for (int n = 0; r == 0 && n < rounds; n++)
		for (int i = 3; r == 0 && i < argc; i++)
			r = run_file(&b, argv[i], n == rounds - 1,
				     getenv("KILL") && i == argc - 1
					     ? child_find()
					     : 0);
	lib_template_free(b.template);
	return r;
}
