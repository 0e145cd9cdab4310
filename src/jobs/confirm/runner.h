/* runner.h -- the languages in which a flagged function can be called.
 *
 * A runner is data: two programs in its language (src/runners), how they are
 * started, and which of the Python runner's caps their runtime can live
 * under. */
#ifndef CUPEL_JOBS_CONFIRM_RUNNER_H
#define CUPEL_JOBS_CONFIRM_RUNNER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "jobs/confirm/class.h"

/* One table feeds the spec of every run and the record. */
struct confirm_cap {
	const char *option; /* of cupel-run(1); NULL ends a table */
	const char *value;
	const char *key; /* of the record's caps */
	uint64_t number;
};

#define CONFIRM_CAPS_MAX 16
#define CONFIRM_ALARM_S  10 /* the backstop comes 5 s later */

struct runner_text {
	const char *from, *end;
};

struct runner_program {
	struct runner_text text;
	const char *const *argv; /* starts it; the text is descriptor 4 */
	/* The same as a template, started with the same arguments.  Without a
	 * text, the runtime cannot be copied. */
	struct runner_text template;
	/* RLIMIT_NPROC, where it is not that of the caps; NULL = theirs */
	const char *nproc;
};

struct runner {
	enum language language;
	const char *const *suffixes; /* ".py"; NULL ends them */
	const char *profile;
	const struct confirm_cap *caps;
	unsigned alarm_s;
	/* It can signal that its processor time is nearly over, and a busy loop
	 * lets that signal through. */
	bool has_cpu_alarm;
	const char *security_review; /* why its caps are looser, or NULL */
	struct runner_program synthesis, call;
	/* The program of a call, with more processes: it tries many witnesses,
	 * each in a copy of itself.  Without a text, the runtime cannot do
	 * that. */
	struct runner_program explore;
};

/* runner_cpu_alarm_ms -- after how much processor time the runner gets a signal
 * of its own.  That is a little before its cap would end it, so that an endless
 * computation becomes a timeout with a traceback.  0: it has no such cap, or
 * no signal; then its cap is its alarm (verdict.h). */
uint64_t runner_cpu_alarm_ms(const struct runner *r);

/* runner_find -- the one for a file of that name, or NULL. */
const struct runner *runner_find(const char *file);

/* runner_of -- the one of that language, or NULL. */
const struct runner *runner_of(enum language l);

#endif
