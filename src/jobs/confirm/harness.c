/* harness.c -- see harness.h. */
#include "jobs/confirm/harness.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "lib/sealed.h"

/* The caps, as options of a run. */
static void caps_fill(const struct confirm_cap *cap,
		      struct vessel_option options[CONFIRM_CAPS_MAX])
{
	size_t n = 0;

	for (; cap->option != NULL && n + 1 < CONFIRM_CAPS_MAX; cap++)
		options[n++] =
			(struct vessel_option){ cap->option, cap->value };
	options[n] = (struct vessel_option){ NULL, NULL };
}

/* One program, the source, the request; stdin is text. */
struct start {
	const struct runner *runner;
	const struct runner_program *program;
	const struct buf *source, *request;
	const char *text;
	const char *repo;
	struct warm *warm;
};

/* A copy of a template where that can be, or a vessel from the start. */
static int request_start(const struct start *s,
			 const struct vessel_request *req, struct harness *ret,
			 struct cupel_error *err)
{
	ret->is_warm = s->warm != NULL &&
		       warm_start(s->warm, s->runner, req, &ret->run) > 0;
	return ret->is_warm ? 0 : vessel_start(req, &ret->run, err);
}

static int vessel_begin(const struct start *s, struct harness *ret,
			struct cupel_error *err)
{
	struct vessel_option options[CONFIRM_CAPS_MAX];
	const struct runner_program *p = s->program;
	owned_fd int program = -1;
	owned_fd int source = -1;
	owned_fd int request = -1;
	owned_fd int text = -1;
	int e;

	program = sealed_of(p->text, (size_t)(p->end - p->text), false, err);
	if (program < 0)
		return take_fd(&program);
	source = sealed_of(s->source->bytes, s->source->len, false, err);
	if (source < 0)
		return take_fd(&source);
	request = sealed_of(s->request->bytes, s->request->len, false, err);
	if (request < 0)
		return take_fd(&request);
	text = sealed_of(s->text, strlen(s->text), false, err);
	if (text < 0)
		return take_fd(&text);
	caps_fill(s->runner->caps, options);
	e = request_start(
		s,
		&(struct vessel_request){
			.profile = s->runner->profile,
			.options = options,
			.repo = s->repo,
			.argv = p->argv,
			.stdin_fd = text,
			.inputs = (const int[]){ program, source, request },
			.inputs_len = 3,
			.exec_fd = -1 },
		ret, err);
	if (e == 0)
		ret->stdin_fd = take_fd(&text);
	return e;
}

/* Both requests begin like this; the object stays open. */
static void request_begin(struct jsonw *w, const struct flag *flag)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "flag_class", flag->flag_class);
	if (flag->line > 0)
		jsonw_uint(w, "line", flag->line);
	else
		jsonw_null(w, "line");
}

static void value_write(struct jsonw *w, const char *key,
			const struct json_value *v)
{
	owned_buf struct buf text = { 0 };

	json_write(v, &text);
	if (buf_has_failed(&text))
		w->out->failed = true;
	else
		jsonw_raw(w, key, text.bytes, text.len);
}

static int request_end(struct jsonw *w, struct cupel_error *err)
{
	jsonw_end_object(w);
	if (buf_has_failed(w->out))
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM, "no memory for a request");
	return 0;
}

int harness_synthesise(const struct runner *r, const struct flag *flag,
		       const char *file, const struct buf *source,
		       struct harness *ret, struct cupel_error *err)
{
	owned_buf struct buf request = { 0 };
	struct jsonw w = { .out = &request };
	int e;

	request_begin(&w, flag);
	jsonw_text(&w, "file", file);
	jsonw_text_or_null(&w, "function", flag->function);
	if (flag->hints != NULL)
		value_write(&w, "witness_hints", flag->hints);
	e = request_end(&w, err);
	if (e < 0)
		return e;
	return vessel_begin(&(struct start){ .runner = r,
					     .program = &r->synthesis,
					     .source = source,
					     .request = &request,
					     .text = "" },
			    ret, err);
}

int harness_call(const struct runner *r, const struct harness_call *c,
		 struct harness *ret, struct cupel_error *err)
{
	const struct json_value *target = json_find(c->synthesis, "target");
	owned_buf struct buf request = { 0 };
	struct jsonw w = { .out = &request };
	int e;

	request_begin(&w, c->flag);
	jsonw_text(&w, "path", c->file);
	value_write(&w, "function", json_find(c->synthesis, "function"));
	value_write(&w, "first_line", json_find(c->synthesis, "first_line"));
	jsonw_uint(&w, "alarm_s", r->alarm_s);
	value_write(&w, "witness", c->witness);
	if (target != NULL)
		value_write(&w, "target", target);
	e = request_end(&w, err);
	if (e < 0)
		return e;
	return vessel_begin(&(struct start){ .runner = r,
					     .program = &r->call,
					     .source = c->source,
					     .request = &request,
					     .text = c->nonce,
					     .repo = c->repo,
					     .warm = c->warm },
			    ret, err);
}

int harness_fd(const struct harness *h)
{
	return h->run != NULL ? cupel_run_fd(h->run) : -1;
}

int harness_step(struct harness *h, struct cupel_error *err)
{
	return cupel_run_step(h->run, err);
}

int harness_read(struct harness *h, struct vessel_result *ret,
		 struct cupel_error *err)
{
	return vessel_read(h->run, ret, err);
}

void harness_done(struct harness *h)
{
	if (h->run == NULL)
		return;
	cupel_run_free(h->run);
	cleanup_fd(&h->stdin_fd);
	h->run = NULL;
}
