/* vessel.c -- the last row: makes a run through the library, and checks what
 * the run read back about itself. */
#include "base/buf.h"
#include "base/cleanup.h"
#include "base/error.h"
#include "cli/doctor/doctor.h"
#include "cli/explain.h"
#include "cupel.h"
#include "lib/fields.h"
#include "service/parse_program.h"
#include "service/sealed.h"
#include "spec/spec.h"

/* A program that exists in every profile's vessel: true or, where no file has a
 * name, the parser, which ends with 2 when it is asked for an unknown probe. */
static const char *const command[] = { "true", NULL };
static const char *const bare_command[] = { "cupel-parse", "doctor", NULL };
#define BARE_RC 2

/* Whether the command ended as it should. */
static bool has_ended_well(const struct spec *spec, struct cupel_run *run)
{
	enum cupel_status status = cupel_run_status(run);

	return spec->bare
		       ? status == CUPEL_FAILED && cupel_run_rc(run) == BARE_RC
		       : status == CUPEL_OK;
}

static void judge(const struct spec *spec, struct cupel_run *run,
		  struct finding *f)
{
	owned_buf struct buf missing = { 0 };
	struct explained e = { 0 };
	size_t n = 0;
	const char *text = cupel_run_result(run, &n);
	const char *message;

	explained_read(&e, text, n);
	explained_missing(&e, &missing);
	message = explained_text(&e, "message");
	f->ok = has_ended_well(spec, run) && missing.len == 0;
	if (missing.len > 0 && cupel_run_status(run) != CUPEL_INTERNAL_ERROR)
		finding_value(f, "not in force: %.100s", missing.bytes);
	else if (!f->ok)
		finding_value(f, "%.110s",
			      message != NULL ? message : "no result");
	explained_done(&e);
}

static int start(const struct spec *spec, struct cupel_spec *request,
		 struct cupel_run **ret, struct cupel_error *err)
{
	owned_fd int program = -1;
	struct cupel_hooks hooks = { .size = sizeof hooks, .stdin_fd = -1 };
	int r;

	cupel_spec_fields(request)->load = spec->load;
	r = cupel_spec_set(request, "profile", spec->profile, err);
	if (r == 0 && spec->repo != NULL)
		r = cupel_spec_set(request, "repo", spec->repo, err);
	if (r == 0)
		r = cupel_spec_set_command(
			request, spec->bare ? bare_command : command, err);
	if (r == 0 && spec->bare) {
		program = sealed_of(parse_program_bytes, parse_program_len(),
				    true, err);
		r = program < 0 ? program : 0;
	}
	hooks.exec_fd = program;
	return r == 0 ? cupel_run_start(request, &hooks, ret, err) : r;
}

void probe_vessel(const struct spec *spec, struct finding *f)
{
	struct cupel_error err = { 0 };
	struct cupel_spec *request = NULL;
	struct cupel_run *run = NULL;
	int r = cupel_spec_new(&request, &err);

	if (r == 0)
		r = start(spec, request, &run, &err);
	if (r == 0)
		r = cupel_run_wait(run, &err);
	if (r == 0) {
		judge(spec, run, f);
	} else {
		f->ok = false;
		f->sys = err.sys;
		finding_value(f, "%.110s", err.what);
	}
	cupel_run_free(run);
	cupel_spec_free(request);
}
