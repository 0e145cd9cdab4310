/* catalogue.h -- the built-in probes: what each may see.  A probe is one row
 * here, one row in parsers/main.c, one schema. */
#ifndef CUPEL_JOBS_PROBE_CATALOGUE_H
#define CUPEL_JOBS_PROBE_CATALOGUE_H

#include <stddef.h>
#include <stdint.h>

/* CONTRACT 4.2. */
#define PROBE_FILES_MAX    50000U                /* names looked at in a walk */
#define PROBE_INPUTS_BYTES ((uint64_t)200 << 20) /* of one probe */

/* A declared input: names that fit pattern, each at most cap_bytes. */
struct probe_input_rule {
	const char *pattern; /* base/glob.h; NULL ends a list */
	uint64_t cap_bytes;  /* 0: the name only, the file is not opened */
};

struct probe {
	const char *name;
	const char *version, *schema_version;
	const char *schema; /* of schema_texts */
	const struct probe_input_rule *rules;
};

extern const struct probe probes[];
extern const size_t probes_len;

/* probe_find -- the row of that name, or NULL. */
const struct probe *probe_find(const char *name);

#endif
