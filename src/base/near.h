/* near.h -- finds the known name that a mistyped one stands for. */
#ifndef CUPEL_BASE_NEAR_H
#define CUPEL_BASE_NEAR_H

/* A search.  It begins with everything zero except name. */
struct near {
	const char *name; /* the caller's */
	const char *best; /* of those that were tried; NULL: none is near */
	unsigned cost;    /* of best */
};

/* near_note -- try one more known name, which must outlive the search.
 *
 * A known name is near if at most two mistyped, missing, additional or swapped
 * letters lead to it (one for names under five letters), or if it begins with
 * at least three letters that were typed.  Among several that are equally
 * near, the first counts. */
void near_note(struct near *n, const char *known);

#endif
