/* inputs.h -- the declared inputs of one probe, read once and sealed. */
#ifndef CUPEL_JOBS_PROBE_INPUTS_H
#define CUPEL_JOBS_PROBE_INPUTS_H

#include "base/arena.h"
#include "base/blake3.h"
#include "base/buf.h"
#include "jobs/probe/catalogue.h"

struct cupel_error;

struct probe_file {
	const char *name; /* bytes */
	char hash[BLAKE3_TEXT_BYTES];
	uint64_t size;
};

/* What was not read.  As an error it lowers the probe's confidence to "low",
 * as a skip to "medium". */
struct probe_skip {
	const char *code; /* static: "symlink", "too_large", ... */
	const char *name; /* bytes; NULL = about the whole walk */
	bool is_error;
};

struct probe_inputs {
	struct arena arena;
	struct probe_file *files;
	size_t files_len;
	struct probe_skip *skips;
	size_t skips_len;
	uint64_t bytes; /* of all files */
	int list_fd;    /* sealed; for each file NAME NUL SIZE NUL */
	int bytes_fd;   /* sealed; the bytes of all, back to back */
};

/* inputs_read -- walk the repository and read what the rules name.
 *
 * Each file is read once, into the memory file and the hash at the same time:
 * what is hashed is what will be parsed.
 *
 * @ret		zeroed by the caller with both descriptors -1; inputs_done()
 *		frees it, on failure too
 * Returns 0 or -errno. */
int inputs_read(int root_fd, const struct probe_input_rule *rules,
		struct probe_inputs *ret, struct cupel_error *err);
void inputs_done(struct probe_inputs *in);

#endif
