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
#include "supervise/outcome.h"

/* As a phase or as a copy of a template, and in whose calls the faults are
 * then. */
enum vessel_phase {
	PHASE_NONE,
	PHASE_HOLDER,
	PHASE_OWN,
	COPY_TEMPLATE,
	COPY_OWN,
};

struct vessel {
	enum vessel_phase phase;
	wall_set dropped; /* enum drop_bit, beside the fault */
	struct spec spec;
	struct host host;
	struct plan plan;
};

/* What one run came to. */
enum vessel_result {
	VESSEL_FAILED,   /* the command never ran; the error says why */
	VESSEL_COMPLETE, /* output, status and walls are as without a fault */
	VESSEL_LOST,     /* init failed after the start: no status, and no OK */
	/* and what must not be: */
	VESSEL_STUCK,
	VESSEL_RAN_UNSAID,
	VESSEL_FAILED_UNSAID,
	VESSEL_RAN_WITHOUT_WALL,
	VESSEL_RAN_IN_VAIN,
	VESSEL_INCOMPLETE,
	VESSEL_MAX_
};

struct vessel_end {
	enum vessel_result result;
	struct cupel_error error;
	enum kill_cause killed;
	bool has_cgroup;   /* it was in one to its end */
	size_t output_len; /* bytes the command wrote */
	char screen[64];   /* what of them came to its terminal */
};

/* vessel_open -- the plan of a default run of a command that speaks.
 *
 * @terminal	on a terminal of its own, as `cupel shell` has it
 * Returns 0, or -1 after a note on stderr. */
int vessel_open(struct vessel *v, bool terminal);

/* vessel_open_scoped -- the same with scoped egress: a relay runs beside it. */
int vessel_open_scoped(struct vessel *v);

/* vessel_open_hog -- the same of one that wants 300 MB and may have 64. */
int vessel_open_hog(struct vessel *v);
void vessel_close(struct vessel *v);

/* Bits of a call's number that say whose calls it counts: init's, or those of
 * the command's process before its exec; neither: the parent's. */
#define FAULT_IN_INIT  UINT32_C(0x80000000)
#define FAULT_IN_CHILD UINT32_C(0x40000000)

/* vessel_run -- run it with system call number call failing (0: none). */
void vessel_run(struct vessel *v, uint32_t call, int sys,
		struct vessel_end *ret);

/* vessel_result_text -- in words. */
const char *vessel_result_text(enum vessel_result r);

#endif
