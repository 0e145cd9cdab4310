/* diff.h -- finds what one run executed or reached that another did not. */
#ifndef CUPEL_JOBS_TRACE_DIFF_H
#define CUPEL_JOBS_TRACE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

struct buf;
struct happened;
struct jsonw;

enum diff_kind { DIFF_EXECUTABLE, DIFF_SHELL, DIFF_ENDPOINT, DIFF_KIND_MAX_ };

/* One thing that is new; of several events of one key the first. */
struct diff_item {
	enum diff_kind kind;
	const char *key;                /* normalised: what is compared */
	const struct json_value *event; /* of a trace, or an entry of egress */
};

/* Zero is valid.  Borrows from both results. */
struct diff {
	struct arena arena;
	struct diff_item *items;
	size_t len, room;
	/* Sentences: which events may be missing, so that "nothing new" cannot
	 * be said. */
	const char *missing[24];
	size_t missing_len;
	size_t claimed; /* programs whose file is not known */
	size_t cut;     /* shells of which not all words are known */
};

/* diff_build -- fill d, zeroed by the caller; diff_done() frees it, on failure
 * too.  Both have a trace.  Returns 0 or -ENOMEM. */
int diff_build(const struct happened *base, const struct happened *next,
	       struct diff *ret);

/* diff_write_json -- one object: new_executables, new_shells, new_endpoints,
 * complete, missing. */
void diff_write_json(const struct diff *d, struct jsonw *w);

/* diff_write_kind -- the things of one kind as items of the array that w is in, at
 * most so many; each says phase where that is not NULL.  Returns how many there
 * are, written or not. */
size_t diff_write_kind(const struct diff *d, enum diff_kind kind,
		       const char *phase, size_t most, struct jsonw *w);

/* diff_write_text -- the same for a person, every byte from inside made
 * harmless. */
void diff_write_text(const struct diff *d, struct buf *out);

void diff_done(struct diff *d);

#endif
