/* flag.h -- what a static analyser suspects: review-flags.jsonl. */
#ifndef CUPEL_JOBS_CONFIRM_FLAG_H
#define CUPEL_JOBS_CONFIRM_FLAG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "boundary/json.h"

#define FLAGS_BYTES     ((size_t)64 << 20) /* of a flags file */
#define FLAG_LINE_BYTES ((size_t)256 << 10)
#define FLAG_LINE_MAX   UINT64_C(100000000) /* of a source file */

struct flag {
	size_t number;    /* line of the flags file, from 1 */
	const char *file; /* relative to the repository; bytes of the caller */
	const char *function; /* "f", "Class.method"; NULL = see line */
	const char *flag_class;
	uint64_t line;                  /* 0 = none */
	const struct json_value *hints; /* witness_hints, or NULL */
};

struct flag_fault { /* a line that was skipped */
	size_t number;
	const char *message;
};

struct flags {
	struct flag *items;
	size_t len, room;
	struct flag_fault *faults;
	size_t faults_len, faults_room;
	struct arena arena; /* owns every string */
};

/* flags_read -- text[0..n-1], one JSON object a line; blank lines are nothing.
 *
 * @ret		zeroed by the caller; flags_done() frees it, on failure too
 * Returns 0, or -ENOMEM. */
int flags_read(const char *text, size_t n, struct flags *ret);
void flags_done(struct flags *f);

#endif
