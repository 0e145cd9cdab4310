/* flight.h -- a run as cupel.h knows it: a vessel, then the reader of its
 * report if one is asked for, then the text of the result.  lib's calls lead
 * here. */
#ifndef CUPEL_SERVICE_FLIGHT_H
#define CUPEL_SERVICE_FLIGHT_H

#include <stdatomic.h>
#include <stdbool.h>

#include "cupel.h"
#include "service/report.h"

struct outcome;
struct phases;
struct run;
struct trees;
struct vessel;

/* Called when a phase has ended and the next one has not begun.
 *
 * @json	its result, cupel-result(5); n bytes, borrowed
 * Returns 0, or -errno with *err filled: then no other phase is begun. */
typedef int flight_phase_fn(void *data, const char *json, size_t n,
			    struct cupel_error *err);

struct cupel_run {
	/* The current vessel or the last one; each phase has another.  A signal
	 * handler may read it; the vessel is valid until flight_free(). */
	_Atomic(struct vessel *) vessel;
	_Atomic(struct report *)
		report;        /* read between a run's end and the next one */
	atomic_int cancelled;  /* 1 + the last signal; 0 = none */
	struct report own;     /* of a run without phases */
	struct phases *phases; /* NULL: it has none */
	struct vessel *first;  /* whose descriptor the caller waits for, */
	const struct run *followed;   /* and on whose behalf; NULL: its own */
	flight_phase_fn *phase_ended; /* NULL: nobody asked */
	void *phase_data;
	bool has_ended;
	char *json; /* NULL before the end, or when out of memory */
	size_t json_len;
};

/* flight_start -- cupel_run_start(). */
int flight_start(const struct cupel_spec *spec, const struct cupel_hooks *hooks,
		 struct cupel_run **ret, struct cupel_error *err);

/* flight_start_in -- the same; see vessel_start_in().  Phases are never
 * copied. */
int flight_start_in(const struct cupel_spec *spec,
		    const struct cupel_hooks *hooks, struct trees *trees,
		    struct cupel_run **ret, struct cupel_error *err);

/* flight_tell_phases -- after the start, have flight_step() call fn for each
 * phase that ends from then on.  Phases that ended at the start are only in the
 * result. */
void flight_tell_phases(struct cupel_run *run, flight_phase_fn *fn, void *data);

/* flight_fd -- cupel_run_fd(): one descriptor from start to end. */
int flight_fd(const struct cupel_run *run);

/* flight_step -- cupel_run_step(); with waits, cupel_run_wait(). */
int flight_step(struct cupel_run *run, bool waits, struct cupel_error *err);

/* flight_cancel -- cupel_run_cancel(). */
void flight_cancel(struct cupel_run *run, int signal);

/* flight_status, flight_rc -- the values of cupel_run_status() and
 * cupel_run_rc(); before the end an internal error and 1. */
enum cupel_status flight_status(const struct cupel_run *run);
int flight_rc(const struct cupel_run *run);

/* flight_terminal -- our end of the command's terminal, borrowed; -1: none. */
int flight_terminal(const struct cupel_run *run);

/* flight_outcome -- after the end: what was seen, borrowed; NULL if there never
 * was a vessel. */
const struct outcome *flight_outcome(const struct cupel_run *run);

/* flight_take -- after the end: take the result away from the run.  Returns text
 * for free(3), or NULL: there was no memory for it. */
char *flight_take(struct cupel_run *run, size_t *ret_len);

/* flight_settle -- after the end, when the result has been taken: keep only what
 * flight_has_gone() needs. */
void flight_settle(struct cupel_run *run);

/* flight_has_gone -- after the end: whether nothing of the run lives any more,
 * so that flight_free() waits for nothing. */
bool flight_has_gone(const struct cupel_run *run);

/* flight_free -- cupel_run_free(). */
void flight_free(struct cupel_run *run);

#endif
