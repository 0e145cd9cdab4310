/* flights.h -- several runs at once, each in a place of its own, as copies of
 * templates where that may be (docs/copies.md).  cupel batch and the batches of
 * cupel.h are driven by pool.h and made of this (docs/batch.md). */
#ifndef CUPEL_SERVICE_FLIGHTS_H
#define CUPEL_SERVICE_FLIGHTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cupel.h"
#include "service/pool.h"

/* Each keeps a descriptor and, maybe, a template. */
#define FLIGHTS_ENDING_MAX 32U

struct trees;

/* A place for one run. */
struct flights_place {
	struct cupel_run *run; /* NULL: the place is free */
	int stdin_fd;          /* owned; -1: the run has none of ours */
};

struct flights {
	size_t places;
	struct trees *trees; /* NULL: every vessel is made from the beginning */
	/* Runs whose results have been taken, and whose vessels the kernel takes
	 * apart: at most as many as there are places, and FLIGHTS_ENDING_MAX. */
	struct cupel_run *ending[FLIGHTS_ENDING_MAX];
	size_t ending_len;
	struct flights_place list[POOL_PLACES_MAX];
};

/* flights_init -- all places are free.
 *
 * @places	1 to POOL_PLACES_MAX */
void flights_init(struct flights *f, size_t places);

/* flights_start -- start a run in a free place; it may have ended already.
 *
 * @spec	may be freed afterwards.  What it names as stdin is opened here
 * @hooks	copied; may be NULL.  What it points to is borrowed until
 *		flights_leave(), because a copy that fails is made again.  A run
 *		whose output is heard, that is given inputs or a program, or
 *		whose stdin is no file that can be read once more from its
 *		beginning, is never a copy
 * Returns 0 or -errno: the place is free, and *err says what is wrong. */
int flights_start(struct flights *f, size_t place,
		  const struct cupel_spec *spec,
		  const struct cupel_hooks *hooks, struct cupel_error *err);

/* flights_run -- the run in a place, borrowed; NULL: there is none. */
struct cupel_run *flights_run(const struct flights *f, size_t place);

/* flights_leave -- when the run has ended and its result has been taken, or
 * after a start that failed: the place is free.  Nobody waits for the kernel to
 * take the vessel apart, unless there are too many of these. */
void flights_leave(struct flights *f, size_t place);

/* flights_settle -- free the ended runs of which nothing lives any more, and the
 * templates that nobody has used for a while. */
void flights_settle(struct flights *f);

/* flights_left_ms -- the time until flights_settle() may have something to do;
 * -1: no such time. */
int flights_left_ms(const struct flights *f);

/* flights_remade -- how many runs were made from the beginning because a copy
 * failed.  Before flights_done().
 *
 * @ret_why	why the last copy failed, borrowed; empty if none did */
uint64_t flights_remade(const struct flights *f, const char **ret_why);

/* flights_done -- when all places are free: wait for the ends of the vessels, and
 * end the templates. */
void flights_done(struct flights *f);

#endif
