/* asked.h -- what one line asks for, and the answer that it gets. */
#ifndef CUPEL_JOBS_BATCH_ASKED_H
#define CUPEL_JOBS_BATCH_ASKED_H

#include <stdbool.h>
#include <stdint.h>

#include "base/blake3.h"
#include "jobs/batch/known.h"
#include "jobs/batch/lines.h"

#define BATCH_ID_BYTES_MAX 256U

struct buf;
struct cupel_error;
struct cupel_spec;
struct spec;

struct batch_asked {
	char id[BATCH_ID_BYTES_MAX + 1];
	size_t id_len;   /* 0: none that can be told */
	uint64_t number; /* of the line */
	char hash[BLAKE3_TEXT_BYTES];
	struct cupel_spec *spec; /* NULL: it asks for nothing; owned */
};

/* batch_asked_read -- a line, its id, its request and the hash of all that.
 *
 * @base	see spec_line_defaults()
 * @options	digest of what the caller gave besides
 * @ret		batch_asked_done(), on failure too; all that could be read is set
 * Returns 0 or -errno: it asks for nothing that can be done, *err says why. */
int batch_asked_read(const struct batch_text *text, const struct spec *base,
		     const char *options, struct batch_asked *ret,
		     struct cupel_error *err);

/* batch_asked_key -- what its answer is known by. */
struct batch_key batch_asked_key(const struct batch_asked *a);

/* batch_answer_result -- the line of an answer, with a result of n bytes. */
void batch_answer_result(const struct batch_asked *a, const char *json,
			 size_t n, struct buf *out);

/* batch_answer_error -- the line of an answer to what could not be run. */
void batch_answer_error(const struct batch_asked *a,
			const struct cupel_error *why, struct buf *out);

void batch_asked_done(struct batch_asked *a);

#endif
