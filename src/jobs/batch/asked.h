/* asked.h -- reads the request of one line, and writes its answer. */
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
	size_t id_len;   /* 0: it has no readable id */
	uint64_t number; /* of the line */
	char hash[BLAKE3_TEXT_BYTES];
	struct cupel_spec *spec; /* owned; NULL: nothing can be run */
};

/* batch_asked_read -- read a line: its id, its request and the hash of
 * everything.
 *
 * @base	see spec_line_defaults()
 * @options	digest of what the caller gave in addition
 * @ret		batch_asked_done() frees it, on failure too; all that could be
 *		read is set
 * Returns 0 or -errno: it asks for nothing that can be done, *err says why. */
int batch_asked_read(const struct batch_text *text, const struct spec *base,
		     const char *options, struct batch_asked *ret,
		     struct cupel_error *err);

/* batch_asked_key -- make the key of its answer. */
struct batch_key batch_asked_key(const struct batch_asked *a);

/* batch_answer_result -- write the line of an answer, with a result of n
 * bytes. */
void batch_answer_result(const struct batch_asked *a, const char *json,
			 size_t n, struct buf *out);

/* batch_answer_error -- write the line of an answer to a line that could not
 * run. */
void batch_answer_error(const struct batch_asked *a,
			const struct cupel_error *why, struct buf *out);

void batch_asked_done(struct batch_asked *a);

#endif
