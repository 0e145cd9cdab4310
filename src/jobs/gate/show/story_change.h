/* story_change.h -- what changed in the tree that an attempt was about. */
#ifndef CUPEL_JOBS_GATE_SHOW_STORY_CHANGE_H
#define CUPEL_JOBS_GATE_SHOW_STORY_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary/json.h"
#include "jobs/gate/show/story.h"

struct buf;
struct state;

/* A list of cupel-gate-catalogue(5)'s change, and what it is called where people
 * look at it. */
struct story_list {
	const char *member, *title;
	bool is_bad; /* a shipped rule holds that there are none */
};

#define STORY_LISTS 8
extern const struct story_list story_lists[STORY_LISTS];

/* story_kept -- the record of the attempt's evidence of that name, or NULL. */
const struct json_value *story_kept(const struct story_attempt *a,
				    const char *name);

/* story_change_read -- the evidence change.json; hostile, and may be anything.
 *
 * @ret		in arena
 * @ret_is_cut	whether there is more of it than was kept
 * Returns whether there is any. */
bool story_change_read(const struct story_attempt *a, const struct state *s,
		       struct arena *arena, const struct json_value **ret,
		       bool *ret_is_cut);

/* story_change_write -- it on a terminal of 80 columns, where it is read at all: of
 * an attempt whose policy failed. */
void story_change_write(const struct story *story,
			const struct story_attempt *a, const struct state *s,
			struct buf *out);

#endif
