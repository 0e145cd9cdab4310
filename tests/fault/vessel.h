/* vessel.h -- one plan, run again and again with a fault in it. */
#ifndef CUPEL_TESTS_FAULT_VESSEL_H
#define CUPEL_TESTS_FAULT_VESSEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "plan/host.h"
#include "plan/plan.h"
#include "spec/spec.h"

struct vessel {
	struct spec spec;
	struct host host;
	struct plan plan;
};

struct vessel_end {
	struct cupel_error error; /* stage NONE: the vessel stood */
	size_t output_len;	  /* bytes the command wrote */
	bool started;		  /* exec succeeded, as the supervisor has it */
	bool complete; /* the command's output, status and walls are right */
	bool stuck;    /* the wall clock had to end it */
};

/* vessel_open -- the plan of a default run of a command that speaks.
 * Returns 0, or -1 after a note on stderr. */
int vessel_open(struct vessel *v);
void vessel_close(struct vessel *v);

/* vessel_run -- run it with system call number call failing (0: none). */
void vessel_run(struct vessel *v, uint32_t call, int sys,
		struct vessel_end *ret);

/* vessel_fault_is_late -- whether the run failed after the command had been
 * started: what init does for the run afterwards (wait, report). */
bool vessel_fault_is_late(const struct vessel *v, const struct vessel_end *end);

#endif
