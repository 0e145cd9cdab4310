/* suite_index.h -- the tests of a report by their names, while it is read.
 *
 * Names are hostile: a tree holds them, so that a million of them are found
 * in about the time that reading them takes, however they are chosen. */
#ifndef CUPEL_PARSERS_SUITE_INDEX_H
#define CUPEL_PARSERS_SUITE_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "boundary/json.h"

struct suite_named;

/* A test that has begun. */
struct suite_run {
	size_t test; /* which of the suite's */
	struct suite_named *of;
	struct suite_run *under; /* of the same name, begun before and open */
	struct suite_run *next;  /* of the same group */
};

/* A name: of a package, or of a test in one. */
struct suite_named {
	const struct suite_named *group; /* NULL: it is in none */
	struct json_text name;
	struct suite_run *open; /* the last one that has not ended */
	size_t ended;           /* the last test that has, from 1; 0 = none */
	/* of a group */
	struct suite_run *runs; /* all that were begun since its end */
	bool is_open, has_ended, has_failed;
};

/* Zero is valid: there are no names. */
struct suite_index {
	void *root;
	struct arena arena;
};

/* suite_index_put -- the name, which is copied when it is new; NULL: no memory. */
struct suite_named *suite_index_put(struct suite_index *x,
				    const struct suite_named *group,
				    struct json_text name);

/* suite_index_find -- the name, or NULL when there is none. */
struct suite_named *suite_index_find(const struct suite_index *x,
				     const struct suite_named *group,
				     struct json_text name);

/* suite_index_open -- test number test of that name, in group or in none, has
 * begun.  Returns false without memory. */
bool suite_index_open(struct suite_index *x, struct suite_named *group,
		      struct suite_named *of, size_t test);

/* suite_index_close -- the last one of that name that is open is not so any more.
 * Returns whether there was one; it is of->ended then. */
bool suite_index_close(struct suite_named *of);

/* suite_index_done -- free everything; the index is empty and usable again. */
void suite_index_done(struct suite_index *x);

#endif
