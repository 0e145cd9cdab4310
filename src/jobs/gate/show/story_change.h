/* story_change.h -- shows what changed in the tree that an attempt was
 * about. */
#ifndef CUPEL_JOBS_GATE_SHOW_STORY_CHANGE_H
#define CUPEL_JOBS_GATE_SHOW_STORY_CHANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary/json.h"
#include "jobs/gate/show/story.h"

struct buf;
struct state;

/* A list of the change in cupel-gate-catalogue(5), and the name that people see
 * for it. */
struct story_list {
	const char *member, *title;
	bool is_bad; /* a shipped rule demands that it is empty */
};

#define STORY_LISTS 8
extern const struct story_list story_lists[STORY_LISTS];

/* story_kept -- the record of the attempt's evidence of that name, or NULL. */
const struct json_value *story_kept(const struct story_attempt *a,
				    const char *name);

/* story_change_read -- read the evidence change.json, which is hostile and may
 * be anything.
 *
 * @ret		in arena
 * @ret_is_cut	whether there was more of it than was kept
 * Returns whether there is any. */
bool story_change_read(const struct story_attempt *a, const struct state *s,
		       struct arena *arena, const struct json_value **ret,
		       bool *ret_is_cut);

/* story_change_write -- write it for a terminal of 80 columns, if the attempt's
 * policy failed. */
void story_change_write(const struct story *story,
			const struct story_attempt *a, const struct state *s,
			struct buf *out);

#endif
