/* suite_index.h -- finds the tests of a report by their names, while it is
 * read.
 *
 * Names are hostile.  They are kept in a tree, so that finding a million of
 * them takes about as long as reading them, however they are chosen. */
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
	struct suite_run *under; /* an earlier one of that name, still open */
	struct suite_run *next;  /* of the same group */
};

/* A name: of a package, or of a test in a package. */
struct suite_named {
	const struct suite_named *group; /* NULL: it is in none */
	struct json_text name;
	struct suite_run *open; /* the last one that has not ended */
	size_t ended;           /* last test that ended, from 1; 0 = none */
	/* of a group */
	struct suite_run *runs; /* all that began since its end */
	bool is_open, has_ended, has_failed;
};

/* Zero is valid: there are no names. */
struct suite_index {
	void *root;
	struct arena arena;
};

/* suite_index_put -- find the name, or add a copy of it; NULL: no memory. */
struct suite_named *suite_index_put(struct suite_index *x,
				    const struct suite_named *group,
				    struct json_text name);

/* suite_index_find -- the name, or NULL if it is not there. */
struct suite_named *suite_index_find(const struct suite_index *x,
				     const struct suite_named *group,
				     struct json_text name);

/* suite_index_open -- the test with that number and name, in group or in none,
 * has begun.  Returns false without memory. */
bool suite_index_open(struct suite_index *x, struct suite_named *group,
		      struct suite_named *of, size_t test);

/* suite_index_close -- the last open test of that name has ended.  Returns
 * whether there was one; of->ended then has its number. */
bool suite_index_close(struct suite_named *of);

/* suite_index_done -- free everything; the index is then empty and usable. */
void suite_index_done(struct suite_index *x);

#endif
