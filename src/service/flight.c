/* flight.c -- see flight.h. */
#include "service/flight.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/payload.h"
#include "service/vessel_private.h"
#include "service/vessel_result.h"
#include "supervise/supervise.h"

/* The vessel is gone, and so is the parser of its report.  Returns 0 or
 * -errno. */
static int finish(struct cupel_run *run, struct cupel_error *err)
{
	struct payload payload = { 0 };
	struct buf out = { 0 };
	int r;

	run->has_ended = true;
	if (run->report.is_asked)
		report_take(&run->report, run->vessel, &payload);
	else
		vessel_payload_read(run->vessel, NULL, &payload);
	r = vessel_write(run->vessel, &payload, &out, err);
	payload_done(&payload);
	if (r == 0) {
		run->json_len = out.len;
		run->json = buf_take(&out);
	}
	buf_done(&out);
	return r;
}

int flight_start(const struct cupel_spec *spec, const struct cupel_hooks *hooks,
		 struct cupel_run **ret, struct cupel_error *err)
{
	struct cupel_run *run = calloc(1, sizeof *run);
	int r;

	if (run == NULL)
		return vessel_no_memory(err);
	r = vessel_start_spec(spec, hooks, &run->vessel, err);
	if (r == 0 && run->vessel->has_ended)
		r = finish(run, err);
	if (r < 0)
		flight_free(run);
	else
		*ret = run;
	return r;
}

int flight_fd(const struct cupel_run *run)
{
	return run->has_ended ? -1 : run_fd(run->vessel->run);
}

/* The vessel is gone: is its report read now? */
static struct vessel *report_parser(struct cupel_run *run)
{
	struct vessel *parser;

	if (!report_begin(&run->report, run->vessel))
		return NULL;
	parser = atomic_load(&run->report.parser);
	/* one descriptor to wait for, from start to end */
	if (parser->run != NULL)
		(void)run_follow(run->vessel->run, parser->run);
	return parser;
}

int flight_step(struct cupel_run *run, bool waits, struct cupel_error *err)
{
	struct vessel *parser = atomic_load(&run->report.parser);
	struct cupel_error own = { 0 }, ignored = { 0 };
	int state = 0, r;

	if (run->has_ended)
		return 0;
	if (parser == NULL) {
		state = waits ? vessel_wait(run->vessel, &own)
			      : vessel_step(run->vessel, &own);
		if (state > 0)
			return 1;
		if (state == 0)
			parser = report_parser(run);
	}
	/* what becomes of the parser is the payload's status */
	if (parser != NULL && waits)
		(void)vessel_wait(parser, &ignored);
	else if (parser != NULL && vessel_step(parser, &ignored) > 0)
		return 1;
	r = finish(run, err);
	if (state < 0)
		*err = own;
	return state < 0 ? state : r;
}

void flight_cancel(struct cupel_run *run, int signal)
{
	vessel_cancel(run->vessel, signal);
	report_cancel(&run->report);
}

enum cupel_status flight_status(const struct cupel_run *run)
{
	return run->has_ended ? run->vessel->verdict.status
			      : CUPEL_INTERNAL_ERROR;
}

int flight_rc(const struct cupel_run *run)
{
	return run->has_ended ? run->vessel->verdict.rc : 1;
}

int flight_terminal(const struct cupel_run *run)
{
	return run->vessel->run != NULL ? run_terminal(run->vessel->run) : -1;
}

const struct outcome *flight_outcome(const struct cupel_run *run)
{
	return run->vessel->run != NULL ? run_outcome(run->vessel->run) : NULL;
}

void flight_free(struct cupel_run *run)
{
	if (run == NULL)
		return;
	report_done(&run->report);
	vessel_free(run->vessel);
	free(run->json);
	free(run);
}
