/* walk.h -- one system call after the other fails, and what must hold of it. */
#ifndef CUPEL_TESTS_FAULT_WALK_H
#define CUPEL_TESTS_FAULT_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "fault/trace.h"
#include "fault/vessel.h"

/* What is run, and what the machine was before. */
struct walk {
	struct vessel vessel;
	struct trace before;
};

/* Whose calls are counted, and the least number of points that must end the
 * run: a matrix whose faults do not fire would pass without it. */
struct side {
	const char *name;
	uint32_t bit; /* FAULT_IN_..., or 0: the parent's */
	unsigned least, lost_most;
};

/* walk_point -- whether the promise held where that call fails with sys (0:
 * none does); if not, it is told. */
bool walk_point(struct walk *w, uint32_t call, int sys,
		enum vessel_result *ret);

/* walk_side -- all of them, by the tier's step; false: it did not hold. */
bool walk_side(struct walk *w, const struct side *side, int sys);

#endif
