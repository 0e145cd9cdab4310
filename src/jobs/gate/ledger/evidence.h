/* evidence.h -- finds the evidence that a ledger's records name, and checks
 * that it is there. */
#ifndef CUPEL_JOBS_GATE_LEDGER_EVIDENCE_H
#define CUPEL_JOBS_GATE_LEDGER_EVIDENCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct cupel_error;
struct ledger_book;
struct state;

/* One mention: the record on that line says that path holds what its name
 * says. */
struct evidence_name {
	const char *path; /* the book's */
	size_t line;      /* from 1 */
	bool is_removed;  /* a later record says that it was removed */
};

struct evidence_names {
	struct evidence_name *items; /* sorted by path, then by line */
	size_t len;
};

/* evidence_find -- find all mentions: the members "path" of the items of a
 * record's "evidence", and the items of "removed" in a record evidence.removed.
 *
 * @arena	owns the list
 * Returns 0 or -ENOMEM. */
int evidence_find(const struct ledger_book *b, struct arena *arena,
		  struct evidence_names *ret);

/* evidence_verify -- check that each piece that is named and was not removed is
 * there, and is unchanged.  Returns 0; LEDGER_BROKEN with *err, which begins
 * "line N: "; or -ENOMEM. */
int evidence_verify(const struct state *s, const struct ledger_book *b,
		    struct cupel_error *err);

#endif
