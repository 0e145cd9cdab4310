/* near.h -- which known name was meant by one that is not known. */
#ifndef CUPEL_BASE_NEAR_H
#define CUPEL_BASE_NEAR_H

/* A search; zero but for name is its start. */
struct near {
	const char *name; /* the caller's */
	const char *best; /* of those that were tried; NULL: none is near */
	unsigned cost;    /* of best */
};

/* near_note -- try one more known name, which must outlive the search.
 *
 * Near is what two mistyped, missing, additional or swapped letters make of it
 * (one for names under five letters), or what it begins with, three letters at
 * least.  The first of several that are equally near counts. */
void near_note(struct near *n, const char *known);

#endif
