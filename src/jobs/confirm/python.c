/* python.c -- see python.h. */
#include "jobs/confirm/python.h"

#include <errno.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/jsonw.h"
#include "jobs/confirm/record.h"
#include "jobs/sealed.h"
#include "runners/runners.h"

/* The harness gets a copy of the builtins: what the code under test does to
 * the real ones does not reach it. */
#define PYTHON_BOOT                                                            \
	"import builtins as b\n"                                               \
	"exec(compile(open(4,'rb').read(),'cupel-runner','exec'),"             \
	"{'__builtins__':dict(vars(b)),'__name__':'cupel_runner'})\n"

#define CAPS_MAX 16

/* The caps, as options of a run. */
static void caps_fill(struct vessel_option *options)
{
	size_t n = 0;

	for (; n < confirm_caps_len && n + 1 < CAPS_MAX; n++)
		options[n] = (struct vessel_option){ confirm_caps[n].option,
						     confirm_caps[n].value };
	options[n] = (struct vessel_option){ NULL, NULL };
}

/* One program, the source, the request; stdin is text. */
struct harness {
	const char *program;
	size_t program_len;
	const char *source;
	size_t source_len;
	const struct buf *request;
	const char *text;
	const char *repo;
	const char *const *argv;
};

static int harness_start(const struct harness *h, struct python_run *ret,
			 struct cupel_error *err)
{
	struct vessel_option options[CAPS_MAX];
	owned_fd int program = -1;
	owned_fd int source = -1;
	owned_fd int request = -1;
	owned_fd int text = -1;
	int e;

	program = sealed_of(h->program, h->program_len, false, err);
	if (program < 0)
		return take_fd(&program);
	source = sealed_of(h->source, h->source_len, false, err);
	if (source < 0)
		return take_fd(&source);
	request = sealed_of(h->request->bytes, h->request->len, false, err);
	if (request < 0)
		return take_fd(&request);
	text = sealed_of(h->text, strlen(h->text), false, err);
	if (text < 0)
		return take_fd(&text);
	caps_fill(options);
	e = vessel_start(
		&(struct vessel_request){
			.profile = "python-function",
			.options = options,
			.repo = h->repo,
			.argv = h->argv,
			.stdin_fd = text,
			.inputs = (const int[]){ program, source, request },
			.inputs_len = 3,
			.exec_fd = -1 },
		&ret->run, err);
	if (e == 0)
		ret->stdin_fd = take_fd(&text);
	return e;
}

void python_run_done(struct python_run *r)
{
	if (r->run == NULL)
		return;
	cupel_run_free(r->run);
	cleanup_fd(&r->stdin_fd);
	r->run = NULL;
}

int python_synthesise(const struct flag *flag, const char *source, size_t n,
		      struct python_run *ret, struct cupel_error *err)
{
	/* -I and -S: the source is data here, nothing else is imported. */
	static const char *const argv[] = { "python3", "-B",        "-I", "-S",
					    "-c",      PYTHON_BOOT, NULL };
	owned_buf struct buf request = { 0 };
	owned_buf struct buf hints = { 0 };
	struct jsonw w = { .out = &request };

	jsonw_object(&w, NULL);
	jsonw_text_or_null(&w, "function", flag->function);
	jsonw_text(&w, "flag_class", flag->flag_class);
	if (flag->line > 0)
		jsonw_uint(&w, "line", flag->line);
	else
		jsonw_null(&w, "line");
	if (flag->hints != NULL) {
		json_write(flag->hints, &hints);
		jsonw_raw(&w, "witness_hints", hints.bytes, hints.len);
	}
	jsonw_end_object(&w);
	if (buf_has_failed(&request) || buf_has_failed(&hints))
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM, "no memory for a request");
	return harness_start(
		&(struct harness){ .program = python_synthesise_text,
				   .program_len =
					   (size_t)(python_synthesise_text_end -
						    python_synthesise_text),
				   .source = source,
				   .source_len = n,
				   .request = &request,
				   .text = "",
				   .argv = argv },
		ret, err);
}

static void request_write(const struct python_call *c, struct buf *out)
{
	const struct json_value *name = json_find(c->synthesis, "function");
	const struct json_value *line = json_find(c->synthesis, "first_line");
	owned_buf struct buf text = { 0 };
	struct jsonw w = { .out = out };

	jsonw_object(&w, NULL);
	jsonw_text(&w, "path", c->file);
	jsonw_bytes(&w, "function", name->u.string.bytes, name->u.string.len);
	jsonw_raw(&w, "first_line", line->u.number.bytes, line->u.number.len);
	jsonw_uint(&w, "alarm_s", CONFIRM_ALARM_S);
	json_write(c->witness, &text);
	jsonw_raw(&w, "witness", text.bytes ? text.bytes : "null",
		  text.bytes ? text.len : 4);
	jsonw_end_object(&w);
}

int python_call_start(const struct python_call *c, struct python_run *ret,
		      struct cupel_error *err)
{
	/* Not -I: it would drop PYTHONHASHSEED.  What the environment holds and
	 * the working directory, an empty scratch, are the vessel's own. */
	static const char *const argv[] = { "python3", "-B",        "-s",
					    "-c",      PYTHON_BOOT, NULL };
	owned_buf struct buf request = { 0 };

	request_write(c, &request);
	if (buf_has_failed(&request))
		return cupel_fail_lit(err, CUPEL_STAGE_JOB, CUPEL_CAUSE_BUSY,
				      ENOMEM, "no memory for a request");
	return harness_start(
		&(struct harness){ .program = python_call_text,
				   .program_len =
					   (size_t)(python_call_text_end -
						    python_call_text),
				   .source = c->source,
				   .source_len = c->source_len,
				   .request = &request,
				   .text = c->nonce,
				   .repo = c->repo,
				   .argv = argv },
		ret, err);
}
