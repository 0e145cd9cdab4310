/* ci_make.h -- what make runs in a directory of the repository, and in which
 * directory a script is.  Private to ci_*. */
#ifndef CUPEL_PARSERS_CI_MAKE_H
#define CUPEL_PARSERS_CI_MAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "boundary/json.h"
#include "parsers/ci/ci_match.h"

struct ci;
struct parse_input;

/* PATH_MAX: no input lies deeper.  Measured: scripts that run each other, as deep as
 * they may, and a Makefile with all its included files take less than 256 KiB of
 * stack, with all copies of this. */
#define CI_DIR_BYTES  4096U
#define CI_BASE_BYTES 256U /* a name with its NUL: no file's is longer */
#define CI_RUNS_DEPTH 5U   /* Makefiles and scripts that run each other */

/* A directory of the repository. */
struct ci_dir {
	char bytes[CI_DIR_BYTES];
	size_t len; /* 0: the top */
	bool is_unknown;
	/* It is unknown because it is outside of the repository, which is beside
	 * it under this name.  bytes NULL: it is not. */
	struct json_text checkout;
};

/* A Makefile or a script under way, with its target or its words. */
struct ci_running {
	const struct parse_input *in;
	struct json_text words;
};

/* ci_run_begin -- note that it is under way, depth others running it.
 *
 * Returns false if one of those is the same, or they are CI_RUNS_DEPTH. */
bool ci_run_begin(struct ci *ci, unsigned depth, const struct parse_input *in,
		  struct json_text words);

/* ci_dir_enter -- go to a directory as it is written: below this one, above it,
 * or the top by one of the providers' variables. */
void ci_dir_enter(struct ci_dir *d, struct json_text to);

/* ci_act_enter -- go where a CI_ACT_CD leads to. */
void ci_act_enter(struct ci_dir *d, const struct ci_act *act);

/* ci_acts_test -- whether a make among the acts of a line tests something by
 * what its targets run, or a script by its lines; cds are followed.
 *
 * @dir		where the line begins; left where it ends
 * @depth	how many Makefiles and scripts run what this line runs */
bool ci_acts_test(struct ci *ci, struct ci_dir *dir,
		  const struct ci_found *found, unsigned depth);

void ci_makes_done(struct ci *ci);

#endif
