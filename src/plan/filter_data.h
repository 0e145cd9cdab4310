/* filter_data.h -- what the build tool makes of profiles/seccomp/.
 *
 * It is defined in filter_data.c, which plan/filterc writes in the build tree
 * for the architecture that cupel is built for. */
#ifndef CUPEL_PLAN_FILTER_DATA_H
#define CUPEL_PLAN_FILTER_DATA_H

#include "plan/filter.h"

/* The shipped filters; the last one has no name. */
extern const struct filter filter_data[];

/* See filter_version(). */
extern const char filter_data_version[];

/* Names by number, NULL in the gaps. */
struct filter_names {
	uint32_t arch; /* AUDIT_ARCH_*; 0 ends the list */
	unsigned len;
	const char *const *names;
};
extern const struct filter_names filter_data_names[];

#endif
