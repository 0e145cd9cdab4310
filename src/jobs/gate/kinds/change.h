/* change.h -- compares two gathered contexts: what a tree has that its base had
 * not. */
#ifndef CUPEL_JOBS_GATE_KINDS_CHANGE_H
#define CUPEL_JOBS_GATE_KINDS_CHANGE_H

#include "base/arena.h"
#include "boundary/json.h"

struct jsonw;

/* change_write -- write the member "change" of the document that rules check:
 * an object of lists (cupel-gate-catalogue(5)), each empty if nothing of its
 * kind is new.
 *
 * @base	of the baseline
 * @now		of the tree that is judged
 * @arena	for the compared values
 * Returns 0 or -ENOMEM. */
int change_write(const struct json_value *base, const struct json_value *now,
		 struct arena *arena, struct jsonw *w);

#endif
