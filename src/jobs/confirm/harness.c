/* harness.c -- see harness.h. */
#include "jobs/confirm/harness.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "service/prepare.h"
#include "service/request.h"
#include "service/sealed.h"
#include "service/spec_handle.h"

#define OPTIONS_MAX (CONFIRM_CAPS_MAX + HARNESS_VIEWS_MAX + 1)

/* Write the caps and the views as options of a run.  nproc: for both limits of
 * processes, or NULL. */
static void options_fill(const struct confirm_cap *cap, const char *nproc,
			 const struct vessel_option *view,
			 struct vessel_option options[OPTIONS_MAX])
{
	size_t n = 0;

	for (; cap->option != NULL && n + 1 < CONFIRM_CAPS_MAX; cap++) {
		bool is_other =
			nproc != NULL && strcmp(cap->option, "nproc") == 0;

		options[n++] =
			(struct vessel_option){ cap->option,
						is_other ? nproc : cap->value };
	}
	if (nproc != NULL)
		options[n++] = (struct vessel_option){ "pids-max", nproc };
	for (; view != NULL && view->name != NULL && n + 1 < OPTIONS_MAX;
	     view++)
		options[n++] = *view;
	options[n] = (struct vessel_option){ NULL, NULL };
}

/* What a vessel starts with: a program, the source, the request; stdin is
 * text. */
struct start {
	const struct runner *runner;
	const struct runner_program *program;
	const struct buf *source, *request, *text;
	const char *repo;
	struct warm *warm;
	const struct vessel_option *views;
};

enum { INPUT_PROGRAM, INPUT_SOURCE, INPUT_REQUEST, INPUTS };

struct vessel_parts {
	struct vessel_option options[OPTIONS_MAX];
	int inputs[INPUTS]; /* owned; -1 = none */
};

static int sealed_buf(const struct buf *b, struct cupel_error *err)
{
	return sealed_of(b->bytes, b->len, false, err);
}

static void parts_done(struct vessel_parts *p)
{
	for (size_t i = 0; i < INPUTS; i++)
		cleanup_fd(&p->inputs[i]);
}

static int parts_make(const struct start *s, struct vessel_parts *ret,
		      struct cupel_error *err)
{
	const struct runner_text *p = &s->program->text;
	int *to = ret->inputs;
	int e;

	options_fill(s->runner->caps, s->program->nproc, s->views,
		     ret->options);
	for (size_t i = 0; i < INPUTS; i++)
		to[i] = -1;
	e = sealed_of(p->from, (size_t)(p->end - p->from), false, err);
	to[INPUT_PROGRAM] = e;
	if (e >= 0)
		e = to[INPUT_SOURCE] = sealed_buf(s->source, err);
	if (e >= 0)
		e = to[INPUT_REQUEST] = sealed_buf(s->request, err);
	if (e >= 0)
		return 0;
	parts_done(ret);
	return e;
}

static struct vessel_request request_of(const struct start *s,
					const struct vessel_parts *parts,
					int stdin_fd)
{
	return (struct vessel_request){ .profile = s->runner->profile,
					.options = parts->options,
					.repo = s->repo,
					.argv = s->program->argv,
					.stdin_fd = stdin_fd,
					.inputs = parts->inputs,
					.inputs_len = INPUTS,
					.exec_fd = -1 };
}

int harness_can_start(const struct runner *r, const struct harness_call *c,
		      struct cupel_error *err)
{
	const struct start s = { .runner = r,
				 .program = &r->call,
				 .repo = c->repo,
				 .views = c->views };
	struct vessel_parts parts;
	struct vessel_request req;
	struct cupel_spec *spec = NULL;
	owned_mem char *plan = NULL;
	int e;

	options_fill(r->caps, NULL, c->views, parts.options);
	req = request_of(&s, &parts, -1);
	req.inputs_len = 0;
	e = request_build(&req, &spec, err);
	if (e == 0)
		e = prepare_write(&spec->fields, &plan, err);
	spec_handle_drop(spec);
	return e;
}

/* Make a copy of a template if possible, otherwise a new vessel. */
static int vessel_make(const struct start *s, int stdin_fd, struct harness *ret,
		       struct cupel_error *err)
{
	struct vessel_parts parts;
	struct vessel_request req;
	int e = parts_make(s, &parts, err);

	if (e < 0)
		return e;
	req = request_of(s, &parts, stdin_fd);
	if (s->warm != NULL)
		ret->seat = warm_start(s->warm, s->program, &req, &ret->run);
	if (ret->seat == NULL)
		e = vessel_start(&req, &ret->run, err);
	parts_done(&parts);
	return e;
}

static int vessel_begin(const struct start *s, struct harness *ret,
			struct cupel_error *err)
{
	owned_fd int text = sealed_buf(s->text, err);
	int e = text < 0 ? text : 0;

	if (e == 0 && s->warm != NULL)
		ret->seat = warm_resume(s->warm, text, &ret->run);
	if (e == 0 && ret->seat == NULL)
		e = vessel_make(s, text, ret, err);
	if (e == 0)
		ret->stdin_fd = take_fd(&text);
	return e;
}

/* Write what both requests begin with; the object stays open. */
static void request_begin(struct jsonw *w, const struct runner *r,
			  const struct flag *flag)
{
	jsonw_object(w, NULL);
	jsonw_text(w, "flag_class",
		   class_sought(r->language, flag->flag_class));
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

static int no_memory(struct cupel_error *err)
{
	return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY, ENOMEM,
			      "no memory for a request");
}

static int request_end(struct jsonw *w, struct cupel_error *err)
{
	jsonw_end_object(w);
	return buf_has_failed(w->out) ? no_memory(err) : 0;
}

static struct warm *warm_of(const struct harness_call *c, enum warm_kind kind)
{
	return c->warms != NULL ? &c->warms[kind] : NULL;
}

int harness_synthesise(const struct runner *r, const struct harness_call *c,
		       struct harness *ret, struct cupel_error *err)
{
	owned_buf struct buf request = { 0 };
	struct jsonw w = { .out = &request };
	int e;

	request_begin(&w, r, c->flag);
	jsonw_text(&w, "file", c->file);
	jsonw_text(&w, "repo", "/repo");
	jsonw_text_or_null(&w, "function", c->flag->function);
	if (c->flag->hints != NULL)
		value_write(&w, "witness_hints", c->flag->hints);
	if (c->flag->argument != NULL) {
		jsonw_text(&w, "argument", c->flag->argument);
		jsonw_bool(&w, "argument_may_be_other", c->flag->tool != NULL);
	}
	e = request_end(&w, err);
	if (e < 0)
		return e;
	return vessel_begin(&(struct start){ .runner = r,
					     .program = &r->synthesis,
					     .source = c->source,
					     .request = &request,
					     .repo = c->repo,
					     .views = c->views,
					     .warm = warm_of(c, WARM_SYNTHESIS),
					     .text = &(const struct buf){ 0 } },
			    ret, err);
}

static int call_request_write(const struct runner *r,
			      const struct harness_call *c, bool is_exploring,
			      struct buf *out, struct cupel_error *err)
{
	const struct json_value *target = json_find(c->synthesis, "target");
	struct jsonw w = { .out = out };

	request_begin(&w, r, c->flag);
	jsonw_text(&w, "path", c->file);
	value_write(&w, "function", json_find(c->synthesis, "function"));
	value_write(&w, "first_line", json_find(c->synthesis, "first_line"));
	jsonw_uint(&w, "alarm_s", r->alarm_s);
	jsonw_uint(&w, "cpu_alarm_ms", runner_cpu_alarm_ms(r));
	if (target != NULL)
		value_write(&w, "target", target);
	if (is_exploring) {
		jsonw_object(&w, "explore");
		jsonw_uint(&w, "copy_ms", HARNESS_COPY_MS);
		jsonw_uint(&w, "all_ms", HARNESS_COPIES_MS);
		jsonw_end_object(&w);
	}
	return request_end(&w, err);
}

static struct start start_of(const struct runner *r,
			     const struct harness_call *c,
			     const struct buf *request, const struct buf *text)
{
	return (struct start){ .runner = r,
			       .program = &r->call,
			       .source = c->source,
			       .request = request,
			       .text = text,
			       .repo = c->repo,
			       .warm = warm_of(c, WARM_CALL),
			       .views = c->views };
}

static void nonce_make(char nonce[2 * HARNESS_NONCE_BYTES + 1])
{
	unsigned char bytes[HARNESS_NONCE_BYTES] = { 0 };

	while (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
		;
	for (size_t i = 0; i < sizeof bytes; i++)
		(void)snprintf(nonce + 2 * i, 3, "%02x", bytes[i]);
}

int harness_call(const struct runner *r, const struct harness_call *c,
		 struct harness *ret, struct cupel_error *err)
{
	owned_buf struct buf request = { 0 }, text = { 0 };
	struct start start = start_of(r, c, &request, &text);
	int e = call_request_write(r, c, false, &request, err);

	if (e < 0)
		return e;
	nonce_make(ret->nonce);
	buf_format(&text, "%s\n", ret->nonce);
	json_write(c->witness, &text);
	if (buf_has_failed(&text))
		return no_memory(err);
	return vessel_begin(&start, ret, err);
}

/* The witnesses from that one on, as a list. */
static void witnesses_write(const struct json_value *synthesis, size_t from,
			    struct buf *out)
{
	const struct json_value *all = json_find(synthesis, "witnesses");
	struct jsonw w = { .out = out };

	jsonw_array(&w, NULL);
	for (size_t i = from; i < all->u.array.len; i++)
		value_write(&w, NULL, &all->u.array.items[i]);
	jsonw_end_array(&w);
}

int harness_explore(const struct runner *r, const struct harness_call *c,
		    size_t from, struct harness *ret, struct cupel_error *err)
{
	owned_buf struct buf request = { 0 }, text = { 0 };
	struct start start = start_of(r, c, &request, &text);
	int e = call_request_write(r, c, true, &request, err);

	if (e < 0)
		return e;
	start.program = &r->explore;
	start.warm = warm_of(c, WARM_EXPLORE);
	nonce_make(ret->nonce);
	buf_format(&text, "%s\n", ret->nonce);
	witnesses_write(c->synthesis, from, &text);
	if (buf_has_failed(&text))
		return no_memory(err);
	return vessel_begin(&start, ret, err);
}

void harness_prepare(const struct runner *r, const struct harness_call *c)
{
	struct cupel_error ignored = { 0 };
	owned_buf struct buf request = { 0 };
	struct start start = start_of(r, c, &request, NULL);
	struct vessel_parts parts;
	struct vessel_request req;

	if (start.warm == NULL || !warm_can_prepare(start.warm, &r->call) ||
	    call_request_write(r, c, false, &request, &ignored) < 0 ||
	    parts_make(&start, &parts, &ignored) < 0)
		return;
	req = request_of(&start, &parts, -1);
	warm_prepare(start.warm, &r->call, &req);
	parts_done(&parts);
}

int harness_fd(const struct harness *h)
{
	return h->run != NULL ? vessel_fd(h->run) : -1;
}

int harness_step(struct harness *h, struct cupel_error *err)
{
	return vessel_step(h->run, err);
}

void harness_payload_read(const struct harness *h,
			  const struct schema_set *schema, struct payload *ret)
{
	const struct vessel_judge judge = {
		.schema = schema,
		.limits = { .bytes = VESSEL_PAYLOAD_BYTES,
			    .depth = VESSEL_PAYLOAD_DEPTH,
			    .string_bytes = VESSEL_STRING_BYTES },
	};

	vessel_payload_read(h->run, &judge, ret);
}

void harness_done(struct harness *h)
{
	if (h->run == NULL)
		return;
	vessel_free(h->run);
	cleanup_fd(&h->stdin_fd);
	if (h->seat != NULL)
		warm_leave(h->seat);
	h->run = NULL;
}
