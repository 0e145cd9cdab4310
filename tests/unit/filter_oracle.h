/* filter_oracle.h -- what a policy file says, read the slow and plain way.
 *
 * Shares nothing with the compiler but the JSON reader and the numbers of
 * names: each question walks the file.  Knows no includes or excludes. */
#ifndef CUPEL_TESTS_FILTER_ORACLE_H
#define CUPEL_TESTS_FILTER_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

#include "boundary/json.h"

struct oracle {
	struct json_value file;
	uint32_t arch;
	bool has_floor;
};

/* oracle_verdict -- SECCOMP_RET_* for a call. */
uint32_t oracle_verdict(const struct oracle *o, unsigned nr,
			const uint64_t args[6]);

#endif
