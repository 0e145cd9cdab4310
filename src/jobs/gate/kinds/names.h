/* names.h -- compares the tests that there were with those that there are. */
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
	struct names gone;    /* there before, and nothing has the name now */
	struct names skipped; /* ran before, and are skipped now */
	size_t added;
};

/* names_change_build -- from "names" of the schema tests before and now.
 *
 * Two tests with the same name are two tests, and one of them can be gone.
 * Returns 0 or -ENOMEM. */
int names_change_build(const struct json_value *before,
		       const struct json_value *now, struct arena *arena,
		       struct names_change *ret);

#endif
