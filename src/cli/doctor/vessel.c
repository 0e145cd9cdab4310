/* vessel.c -- the last row: a run, through the library, and what it read back
 * of itself. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "cli/doctor/doctor.h"
#include "cli/explain.h"
#include "cupel.h"
#include "lib/fields.h"
#include "spec/spec.h"

/* The program itself, as a sealed memory file would need another way in; this
 * one is in every runtime that a profile shows. */
static const char *const command[] = { "true", NULL };

static void judge(const char *text, size_t n, struct finding *f)
{
	owned_buf struct buf missing = { 0 };
	struct explained e = { 0 };
	const char *status, *message;

	explained_read(&e, text, n);
	explained_missing(&e, &missing);
	status = explained_text(&e, "status");
	message = explained_text(&e, "message");
	f->ok = status != NULL && strcmp(status, "OK") == 0 && missing.len == 0;
	if (missing.len > 0)
		finding_value(f, "not in force: %.100s", missing.bytes);
	else if (!f->ok)
		finding_value(f, "%.110s",
			      message != NULL ? message : "no result");
	explained_done(&e);
}

void probe_vessel(const struct spec *spec, struct finding *f)
{
	struct cupel_error err = { 0 };
	struct cupel_spec *request = NULL;
	struct cupel_run *run = NULL;
	const char *result;
	size_t n = 0;
	int r = cupel_spec_new(&request, &err);

	if (r == 0) {
		cupel_spec_fields(request)->load = spec->load;
		r = cupel_spec_set(request, "profile", spec->profile, &err);
	}
	if (r == 0)
		r = cupel_spec_set_command(request, command, &err);
	if (r == 0)
		r = cupel_run_start(request, NULL, &run, &err);
	if (r == 0)
		r = cupel_run_wait(run, &err);
	if (r == 0) {
		result = cupel_run_result(run, &n);
		judge(result, n, f);
	} else {
		f->ok = false;
		f->sys = err.sys;
		finding_value(f, "%.110s", err.what);
	}
	cupel_run_free(run);
	cupel_spec_free(request);
}
