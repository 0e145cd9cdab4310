/* caps.h -- the caps of the runners, as a spec may tighten them. */
#ifndef CUPEL_JOBS_CONFIRM_CAPS_H
#define CUPEL_JOBS_CONFIRM_CAPS_H

#include "base/arena.h"
#include "jobs/confirm/runner.h"

struct cupel_error;

#define CAPS_REVIEW_BYTES 200U /* of security_review: a reference, no text */

/* Runners with caps of their own.  Zero is valid: those of runner_find(). */
struct caps {
	struct runner runners[LANGUAGE_MAX_];
	struct confirm_cap rows[LANGUAGE_MAX_][CONFIRM_CAPS_MAX];
	bool has[LANGUAGE_MAX_];
	const char *refused[LANGUAGE_MAX_]; /* why that runner can't have it */
	struct arena arena;                 /* owns the texts */
};

/* caps_read -- a spec (cupel-spec(5)) that holds caps and nothing else, for the
 * runner of every language; its "wall_time_s" is the alarm.  A cap that is
 * looser than a runner's is refused unless the spec has security_review, a
 * reference that every record then repeats.  It is refused at once if no runner
 * could have it, otherwise by caps_refusal() for the runners that cannot.  A
 * cap that a runner does not have at all, because its runtime cannot live under
 * it, is ignored for that runner.
 *
 * @origin	names the text in messages
 * @ret		zeroed by the caller; caps_done() frees it, on failure too
 * Returns 0, or -errno with *err filled.  When the text is wrong, the cause is
 * caller, and *err names the cap and the ceiling. */
int caps_read(const char *text, size_t n, const char *origin, struct caps *ret,
	      struct cupel_error *err);
void caps_done(struct caps *c);

/* caps_refusal -- why r cannot have these caps, as a message; NULL: it can. */
const char *caps_refusal(const struct caps *c, const struct runner *r);

/* caps_runner -- r with the caps of c, or r itself (which may be NULL) if c has
 * none for it.  Lives as long as c. */
const struct runner *caps_runner(const struct caps *c, const struct runner *r);

#endif
