/* run.c -- cupel_run_*: each is one call of service/flight.h. */
#include "lib/fields.h"
#include "service/flight.h"

int cupel_run_start(const struct cupel_spec *spec,
		    const struct cupel_hooks *hooks, struct cupel_run **ret,
		    struct cupel_error *err)
{
	return flight_start(spec, hooks, ret, err);
}

int cupel_run_fd(const struct cupel_run *run)
{
	return flight_fd(run);
}

int cupel_run_step(struct cupel_run *run, struct cupel_error *err)
{
	return flight_step(run, false, err);
}

int cupel_run_wait(struct cupel_run *run, struct cupel_error *err)
{
	return flight_step(run, true, err);
}

int cupel_run_terminal(const struct cupel_run *run)
{
	return flight_terminal(run);
}

void cupel_run_cancel(struct cupel_run *run, int signal)
{
	flight_cancel(run, signal);
}

const struct outcome *cupel_run_outcome(const struct cupel_run *run)
{
	return flight_outcome(run);
}

const char *cupel_run_result(struct cupel_run *run, size_t *ret_len)
{
	if (run->json != NULL && ret_len != NULL)
		*ret_len = run->json_len;
	return run->json;
}

enum cupel_status cupel_run_status(const struct cupel_run *run)
{
	return flight_status(run);
}

int cupel_run_rc(const struct cupel_run *run)
{
	return flight_rc(run);
}

void cupel_run_free(struct cupel_run *run)
{
	flight_free(run);
}
