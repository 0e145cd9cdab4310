/* flight.c -- see flight.h. */
#include "service/flight.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/payload.h"
#include "service/phases.h"
#include "service/vessel_private.h"
#include "service/vessel_result.h"
#include "supervise/supervise.h"

/* Keep one descriptor to wait for from start to end. */
static void follow(struct cupel_run *run, const struct vessel *next)
{
	if (run->first == NULL)
		run->first = atomic_load(&run->vessel);
	if (next->run == NULL || run->first->run == NULL)
		return;
	(void)run_follow(run->first->run, run->followed, next->run);
	run->followed = next->run;
}

/* Pass on a cancel that came before there was anything to cancel. */
static void cancel_again(struct cupel_run *run)
{
	int cancelled = atomic_load(&run->cancelled);

	if (cancelled != 0)
		vessel_cancel(atomic_load(&run->vessel), cancelled - 1);
}

/* A cancelled list still goes to the phase that the cancel ends, so that phases
 * which were not run do not count as done. */
static int phase_end(struct cupel_run *run, const struct payload *payload,
		     struct cupel_error *err)
{
	int r = phases_end(run->phases, payload,
			   atomic_load(&run->cancelled) != 0, err);
	const char *json;
	size_t n;

	if (r < 0 || run->phase_ended == NULL)
		return r;
	json = phases_last(run->phases, &n);
	return run->phase_ended(run->phase_data, json, n, err);
}

/* Start phases until one is running; a phase that could not be launched has
 * already ended.  Returns 1, 0 at the end of the list, or -errno. */
static int phase_begin(struct cupel_run *run, struct cupel_error *err)
{
	struct report *report = NULL;
	struct vessel *v;

	while ((v = phases_next(run->phases, &report)) != NULL) {
		struct payload none = { 0 };
		int r;

		atomic_store(&run->report, report);
		if (!v->has_ended && atomic_load(&run->vessel) != NULL)
			follow(run, v);
		atomic_store(&run->vessel, v);
		if (!v->has_ended) {
			cancel_again(run);
			return 1;
		}
		r = phase_end(run, &none, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static int text_take(struct cupel_run *run, struct buf *out, int r)
{
	if (r == 0) {
		run->json_len = out->len;
		run->json = buf_take(out);
	}
	buf_done(out);
	return r;
}

/* All phases have ended. */
static int phases_finish(struct cupel_run *run, struct cupel_error *err)
{
	struct buf out = { 0 };

	run->has_ended = true;
	return text_take(run, &out, phases_write(run->phases, &out, err));
}

/* The vessel has ended, and so has the parser of its report.  Returns 1 when
 * another phase is running, 0 at the end, or -errno. */
static int finish(struct cupel_run *run, struct cupel_error *err)
{
	struct vessel *v = atomic_load(&run->vessel);
	struct report *report = atomic_load(&run->report);
	struct payload payload = { 0 };
	struct buf out = { 0 };
	int r;

	if (report->is_asked)
		report_take(report, v, &payload);
	else
		vessel_payload_read(v, NULL, &payload);
	if (run->phases != NULL) {
		r = phase_end(run, &payload, err);
		payload_done(&payload);
		if (r == 0)
			r = phase_begin(run, err);
		if (r == 0)
			r = phases_finish(run, err);
		run->has_ended |= r < 0;
		return r;
	}
	run->has_ended = true;
	r = vessel_write(v, &payload, NULL, &out, err);
	payload_done(&payload);
	return text_take(run, &out, r);
}

static int start_phases(struct cupel_run *run, const struct cupel_spec *spec,
			const struct cupel_hooks *hooks,
			struct cupel_error *err)
{
	int r = phases_new(spec, hooks, &run->phases, err);

	if (r == 0)
		r = phase_begin(run, err);
	return r == 0 ? phases_finish(run, err) : r < 0 ? r : 0;
}

static int start_one(struct cupel_run *run, const struct cupel_spec *spec,
		     const struct cupel_hooks *hooks, struct trees *trees,
		     struct cupel_error *err)
{
	struct vessel *v = NULL;
	int r = vessel_start_in(spec, hooks, trees, &v, err);

	atomic_store(&run->vessel, v);
	return r == 0 && v->has_ended ? finish(run, err) : r;
}

/* The command opens the files of these options itself and hands them over as hooks.
 * Nobody here does, so without the hook the option would not be heeded. */
static int streams_check(const struct spec *spec,
			 const struct cupel_hooks *hooks,
			 struct cupel_error *err)
{
	struct cupel_hooks h;
	int r = vessel_hooks_read(hooks, &h, err);
	const char *option = NULL;

	if (r < 0)
		return r;
	if (spec->stdin_path != NULL && h.stdin_fd < 0)
		option = "stdin";
	else if (spec->stdout_path != NULL && h.output == NULL)
		option = "stdout";
	else if (spec->stderr_path != NULL && h.output == NULL)
		option = "stderr";
	return option == NULL
		       ? 0
		       : cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				    EINVAL,
				    "--%s: the library opens no file for it: "
				    "use the hook %s",
				    option,
				    strcmp(option, "stdin") == 0 ? "stdin_fd"
								 : "output");
}

int flight_start(const struct cupel_spec *spec, const struct cupel_hooks *hooks,
		 struct cupel_run **ret, struct cupel_error *err)
{
	int r = streams_check(&spec->fields, hooks, err);

	return r == 0 ? flight_start_in(spec, hooks, NULL, ret, err) : r;
}

int flight_start_in(const struct cupel_spec *spec,
		    const struct cupel_hooks *hooks, struct trees *trees,
		    struct cupel_run **ret, struct cupel_error *err)
{
	struct cupel_run *run = calloc(1, sizeof *run);
	int r;

	if (run == NULL)
		return vessel_no_memory(err);
	atomic_init(&run->report, &run->own);
	r = spec->fields.phases_len > 0
		    ? start_phases(run, spec, hooks, err)
		    : start_one(run, spec, hooks, trees, err);
	if (r < 0)
		flight_free(run);
	else
		*ret = run;
	return r;
}

/* The vessel whose end decides for the whole run. */
static const struct vessel *told(const struct cupel_run *run)
{
	return run->phases != NULL ? phases_deciding(run->phases)
				   : atomic_load(&run->vessel);
}

void flight_tell_phases(struct cupel_run *run, flight_phase_fn *fn, void *data)
{
	run->phase_ended = fn;
	run->phase_data = data;
}

int flight_fd(const struct cupel_run *run)
{
	const struct vessel *v =
		run->first != NULL ? run->first : atomic_load(&run->vessel);

	return run->has_ended ? -1 : run_fd(v->run);
}

/* After the vessel's end: the parser that reads its report now, or NULL. */
static struct vessel *report_parser(struct cupel_run *run, struct vessel *v,
				    struct report *report)
{
	struct vessel *parser;

	if (!report_begin(report, v))
		return NULL;
	parser = atomic_load(&report->parser);
	follow(run, parser);
	return parser;
}

/* Returns 1 while the phase goes on, 0 when the next one begins or all have
 * ended. */
static int phase_step(struct cupel_run *run, bool waits,
		      struct cupel_error *err)
{
	struct vessel *v = atomic_load(&run->vessel);
	struct report *report = atomic_load(&run->report);
	struct vessel *parser = atomic_load(&report->parser);
	struct cupel_error own = { 0 }, ignored = { 0 };
	int state = 0, r;

	if (parser == NULL) {
		state = waits ? vessel_wait(v, &own) : vessel_step(v, &own);
		if (state > 0)
			return 1;
		if (state == 0)
			parser = report_parser(run, v, report);
	}
	/* the parser's end only affects the payload's status */
	if (parser != NULL && waits)
		(void)vessel_wait(parser, &ignored);
	else if (parser != NULL && vessel_step(parser, &ignored) > 0)
		return 1;
	r = finish(run, err);
	if (state < 0 && run->has_ended)
		*err = own;
	return state < 0 && run->has_ended ? state : r;
}

int flight_step(struct cupel_run *run, bool waits, struct cupel_error *err)
{
	int r = run->has_ended ? 0 : phase_step(run, waits, err);

	while (waits && r > 0)
		r = phase_step(run, waits, err);
	return r;
}

/* Set the flag before telling the current vessel, so that whoever starts the
 * next one sees it. */
void flight_cancel(struct cupel_run *run, int signal)
{
	struct vessel *v;

	atomic_store(&run->cancelled, 1 + (signal > 0 ? signal : 0));
	v = atomic_load(&run->vessel);
	if (v != NULL)
		vessel_cancel(v, signal);
	report_cancel(atomic_load(&run->report));
}

enum cupel_status flight_status(const struct cupel_run *run)
{
	return run->has_ended ? told(run)->verdict.status
			      : CUPEL_INTERNAL_ERROR;
}

int flight_rc(const struct cupel_run *run)
{
	return run->has_ended ? told(run)->verdict.rc : 1;
}

int flight_terminal(const struct cupel_run *run)
{
	const struct vessel *v = atomic_load(&run->vessel);

	return v->run != NULL ? run_terminal(v->run) : -1;
}

const struct outcome *flight_outcome(const struct cupel_run *run)
{
	const struct vessel *v = told(run);

	return v->run != NULL ? run_outcome(v->run) : NULL;
}

char *flight_take(struct cupel_run *run, size_t *ret_len)
{
	char *json = run->json;

	*ret_len = run->json_len;
	run->json = NULL;
	run->json_len = 0;
	return json;
}

void flight_settle(struct cupel_run *run)
{
	struct vessel *v = atomic_load(&run->vessel);

	free(run->json);
	run->json = NULL;
	run->json_len = 0;
	if (v != NULL && v->run != NULL)
		run_settle(v->run);
}

bool flight_has_gone(const struct cupel_run *run)
{
	const struct vessel *v = atomic_load(&run->vessel);

	return v == NULL || v->run == NULL || run_has_gone(v->run);
}

void flight_free(struct cupel_run *run)
{
	if (run == NULL)
		return;
	report_close(&run->own);
	if (run->phases != NULL)
		phases_free(run->phases);
	else
		vessel_free(atomic_load(&run->vessel));
	free(run->json);
	free(run);
}
