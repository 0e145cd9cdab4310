/* names.h -- which tests there were, and which of them are gone. */
#ifndef CUPEL_JOBS_GATE_KINDS_NAMES_H
#define CUPEL_JOBS_GATE_KINDS_NAMES_H

#include <stddef.h>

#include "boundary/json.h"

struct arena;

/* Borrowed texts, sorted by bytes. */
struct names {
	struct json_text *items;
	size_t len;
};

/* Zero is valid: nothing changed. */
struct names_change {
	struct names gone;    /* there before, by no name now */
	struct names skipped; /* ran before, and are passed over now */
	size_t added;
};

/* names_change_build -- from "names" of the schema tests before and now.
 *
 * Two tests of one name are two tests: one of them can be gone.
 * Returns 0 or -ENOMEM. */
int names_change_build(const struct json_value *before,
		       const struct json_value *now, struct arena *arena,
		       struct names_change *ret);

#endif
