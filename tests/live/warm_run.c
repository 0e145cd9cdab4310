/* warm_run.c -- the function probe() of each FILE, by the Python harness: in
 * vessels of their own; in copies of one template; or in copies of two, the
 * vessel of the next FILE made while one runs.
 *
 * usage: warm_run cold|warm|ahead REPO FILE...	FILE below REPO
 * Prints each run's result, one JSON text after the other.  Exit 3 and why on
 * stderr when no copies can be made.
 *
 * FAULT=init:N:ERRNO, child:N:ERRNO	the N-th call of a copy's half fails
 * KILL=1	the template's vessel is killed while the last FILE runs; ahead:
 *		while the last FILE's vessel waits
 * POLICY=FILE	the policy of system calls, instead of the profile's
 * VAIN=1	ahead: each vessel that waits is ended, and made again
 * ROUNDS=N	do everything N times, and print results only in the last round */
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
#include "launch/native/sys.h"
#include "service/sealed.h"
#include "service/template.h"
#include "service/template_private.h"
#include "service/vessel.h"
#include "service/vessel_result.h"

#define GIVEN "00ff\n{\"arguments\":[]}" /* a nonce, a witness */

struct bench {
	const struct runner *runner;
	const char *repo;
	struct vessel_template
		*templates[2]; /* NULL: cold; otherwise one, or two by turns */
	unsigned turn;         /* of the next vessel */
	struct vessel_option options[CONFIRM_CAPS_MAX + 1]; /* with POLICY */
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
	jsonw_uint(&w, "cpu_alarm_ms", CONFIRM_ALARM_S * 1000);
	jsonw_end_object(&w);
}

/* Made, and waits; or, cold, started. */
struct seat {
	struct vessel_copy *copy;
	struct vessel *run;
	int text; /* its stdin */
};

static int seat_make(struct bench *b, const char *file, struct seat *ret)
{
	struct cupel_error err = { 0 };
	owned_buf struct buf path = { 0 }, source = { 0 }, request = { 0 };
	const struct runner_text *text = &b->runner->call.text;
	struct vessel_template *t = b->templates[b->turn];
	struct vessel_request req = { .profile = b->runner->profile,
				      .options = b->options,
				      .repo = b->repo,
				      .argv = b->runner->call.argv,
				      .inputs_len = 3,
				      .exec_fd = -1 };
	int inputs[3], r;

	buf_format(&path, "%s/%s", b->repo, file);
	if (file_read(path.bytes, &source) < 0)
		return 2;
	request_write(file, &source, &request);
	inputs[0] = sealed_of(text->from, (size_t)(text->end - text->from),
			      false, &err);
	inputs[1] = sealed_of(source.bytes, source.len, false, &err);
	inputs[2] = sealed_of(request.bytes, request.len, false, &err);
	req.stdin_fd = sealed_of(GIVEN, strlen(GIVEN), false, &err);
	req.inputs = inputs;
	*ret = (struct seat){ .text = req.stdin_fd };
	r = t != NULL ? vessel_copy_make(t, &req, &ret->copy, &err)
		      : vessel_start(&req, &ret->run, &err);
	for (int i = 0; i < 3; i++)
		(void)close(inputs[i]);
	if (b->templates[1] != NULL)
		b->turn = 1 - b->turn;
	return r < 0 ? fail(file, &err) : 0;
}

static int seat_go(struct seat *v)
{
	struct cupel_error err = { 0 };

	if (v->copy != NULL &&
	    vessel_copy_run(v->copy, v->text, &v->run, &err) < 0)
		return fail("a copy's start", &err);
	return 0;
}

static void result_print(struct vessel *run)
{
	owned_buf struct buf text = { 0 };
	struct cupel_error err = { 0 };
	struct payload payload = { 0 };

	vessel_payload_read(run, NULL, &payload);
	if (vessel_write(run, &payload, NULL, &text, &err) < 0)
		(void)fail("a result", &err);
	else
		(void)printf("%.*s\n", (int)text.len, text.bytes);
	payload_done(&payload);
}

static void seat_end(struct seat *v, bool prints)
{
	struct cupel_error err = { 0 };

	if (vessel_wait(v->run, &err) < 0)
		(void)fail("a run", &err);
	if (prints)
		result_print(v->run);
	vessel_free(v->run);
	(void)close(v->text);
}

static void template_kill(unsigned turn);

static int run_file(struct bench *b, const char *file, bool prints, bool kills)
{
	struct seat v;
	int r = seat_make(b, file, &v);

	if (r == 0)
		r = seat_go(&v);
	if (r != 0)
		return r;
	if (kills) {
		(void)poll(NULL, 0, 200);
		template_kill(0);
	}
	seat_end(&v, prints);
	return 0;
}

static int next_make(struct bench *b, const char *file, struct seat *ret)
{
	int r = seat_make(b, file, ret);

	if (r != 0 || getenv("VAIN") == NULL)
		return r;
	vessel_copy_free(ret->copy);
	(void)close(ret->text);
	b->turn = 1 - b->turn;
	return seat_make(b, file, ret);
}

static int run_ahead(struct bench *b, char *const files[], bool prints)
{
	struct seat v, next = { 0 };
	int r = next_make(b, files[0], &next);

	while (r == 0 && *files != NULL) {
		v = next;
		r = seat_go(&v);
		if (r == 0 && files[1] != NULL)
			r = next_make(b, files[1], &next);
		if (r == 0 && files[1] != NULL && files[2] == NULL &&
		    getenv("KILL") != NULL)
			template_kill(1 - b->turn);
		seat_end(&v, prints);
		files++;
	}
	return r;
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
	plan->hooks.faults[strcmp(side, "init") == 0 ? TEST_INIT : TEST_CHILD] =
		(struct test_fault){ call, sys };
}
#endif

static int template_begin(struct bench *b, struct vessel_template **t)
{
	struct cupel_error err = { 0 };
	const struct runner_program *p = &b->runner->call;
	const struct runner_text *text = &b->runner->call.template;
	int program = sealed_of(text->from, (size_t)(text->end - text->from),
				false, &err);
	int r = vessel_template_start(
		&(struct vessel_request){ .profile = b->runner->profile,
					  .options = b->options,
					  .repo = b->repo,
					  .argv = p->argv,
					  .inputs_len = 3,
					  .exec_fd = -1 },
		program, t, &err);

	if (r < 0)
		return fail("no template", &err);
	(void)close(program);
	while ((r = vessel_template_state(*t)) == 0)
		(void)poll(NULL, 0, 1);
	if (r < 0) {
		(void)fprintf(stderr, "warm_run: the template: %s\n",
			      strerror(-r));
		return 3;
	}
#ifdef CUPEL_TEST_HOOKS
	fault_set(&(*t)->prepared.plan);
#endif
	return 0;
}

/* By now the only children of this process are the vessels of the templates, in the
 * order of the templates. */
static void template_kill(unsigned turn)
{
	char path[64];
	FILE *f;
	int pids[2] = { 0 };

	(void)snprintf(path, sizeof path, "/proc/self/task/%d/children",
		       (int)getpid());
	f = fopen(path, "r");
	if (f == NULL)
		return;
	(void)!fscanf(f, "%d %d", &pids[0], &pids[1]);
	(void)fclose(f);
	if (pids[turn] > 0)
		(void)kill(pids[turn], SIGKILL);
}

static int round_run(struct bench *b, char *files[], bool prints)
{
	int r = 0;

	if (b->templates[1] != NULL)
		return run_ahead(b, files, prints);
	for (; r == 0 && *files != NULL; files++)
		r = run_file(b, *files, prints,
			     getenv("KILL") != NULL && files[1] == NULL);
	return r;
}

int main(int argc, char *argv[])
{
	struct bench b = { .runner = runner_find("x.py"),
			   .repo = argc > 2 ? argv[2] : NULL };
	int rounds = getenv("ROUNDS") ? atoi(getenv("ROUNDS")) : 1;
	const struct confirm_cap *c = b.runner->caps;
	size_t len = 0;
	int r = 0;

	if (argc < 4)
		return 2;
	for (; c->option != NULL; c++)
		b.options[len++] =
			(struct vessel_option){ c->option, c->value };
	if (getenv("POLICY") != NULL)
		b.options[len] =
			(struct vessel_option){ "seccomp", getenv("POLICY") };
	if (strcmp(argv[1], "cold") != 0)
		r = template_begin(&b, &b.templates[0]);
	if (r == 0 && strcmp(argv[1], "ahead") == 0)
		r = template_begin(&b, &b.templates[1]);
	for (int n = 0; r == 0 && n < rounds; n++)
		r = round_run(&b, argv + 3, n == rounds - 1);
	vessel_template_free(b.templates[0]);
	vessel_template_free(b.templates[1]);
	return r;
}
