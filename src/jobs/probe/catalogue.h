/* catalogue.h -- what a probe is and may see, and the table of those built in.
 * A built-in probe is one row here, one row in parsers/program/parse_main.c,
 * one schema. */
#ifndef CUPEL_JOBS_PROBE_CATALOGUE_H
#define CUPEL_JOBS_PROBE_CATALOGUE_H

#include <stddef.h>
#include <stdint.h>

#include "base/path_role.h"

/* cupel-probes(5), "BUILT-IN PROBES". */
#define PROBE_FILES_MAX     50000U /* names looked at in a walk */
#define PROBE_INPUTS_BYTES  ((uint64_t)200 << 20) /* of one probe */
#define PROBE_MODULES_BYTES ((uint64_t)1 << 30)   /* ... with node_modules */
#define PROBES_MAX          64U                   /* of one gather */

/* Added to a cap: the file is declared with its hash, and the probe is not given
 * it.  If it cannot be read, its name is declared. */
#define PROBE_HASHED ((uint64_t)1 << 63)

/* A declared input: names that fit pattern, each at most cap_bytes. */
struct probe_input_rule {
	const char *pattern; /* base/glob.h; NULL ends a list */
	uint64_t cap_bytes;  /* 0: the name only, the file is not opened */
};

/* What a probe may cost, less than that and than the profile "probe" has;
 * 0 = as it stands there. */
struct probe_caps {
	uint64_t inputs_bytes; /* of all its files */
	uint64_t mem_bytes;
	unsigned wall_time_s, cpu_time_s;
};

/* Zero is valid for everything that a built-in probe leaves out. */
struct probe {
	const char *name; /* [a-z][a-z0-9_]*, at most 64 bytes */
	const char *version, *schema_version;
	const char *schema; /* of schema_texts; NULL for an external probe */
	const struct probe_input_rule *rules;
	enum role_subject
		subject; /* of its files, where only a path is known */

	/* An external probe (a manifest; all strings are its reader's).
	 * The word {program} in command becomes the path inside of the sealed
	 * program, "/dev/fd/N".  Descriptors inside: 3 takes the slice; 4, 5,
	 * ... hold the outputs of what it requires, in that order; the program
	 * comes behind them. */
	const char *const *command; /* NULL-terminated; NULL: built in */
	const char *program;        /* bytes, or NULL: none */
	size_t program_len;
	const char *schema_text; /* JSON Schema of its slice */
	size_t schema_len;
	const char *const *requires; /* names, NULL-terminated; or NULL */
	struct probe_caps caps;
	char identity[72]; /* blake3_hex over the bytes of manifest, schema and
			    * program: an update never serves old facts */
};

extern const struct probe probes[];
extern const size_t probes_len;

/* probe_find -- the row of that name, or NULL. */
const struct probe *probe_find(const char *name);

#endif
