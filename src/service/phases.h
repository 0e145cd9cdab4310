/* phases.h -- the runs of a request with phases, one after the other
 * (docs/copies.md): each is a vessel, and all use the files that one holder
 * keeps. */
#ifndef CUPEL_SERVICE_PHASES_H
#define CUPEL_SERVICE_PHASES_H

#include <stdbool.h>
#include <stddef.h>

#include "base/buf.h"
#include "cupel.h"

struct payload;
struct phases;
struct report;
struct spec;
struct vessel;

/* phases_new -- read, check and plan all phases, and make their files.  Nothing
 * is run yet.
 *
 * @hooks	may be NULL; copied.  stdin_fd is for the first phase; inputs
 *		and a program by descriptor are refused
 * Returns 0, or -errno: the request was wrong.  If the host cannot run it, the
 * vessel that phases_next() returns says so: it has ended. */
int phases_new(const struct cupel_spec *spec, const struct cupel_hooks *hooks,
	       struct phases **ret, struct cupel_error *err);

/* phases_next -- start the next phase.
 *
 * @ret_report	its report, which so far only knows the files that were there
 *		before
 * Returns its vessel; both are valid until phases_free().  NULL: the list has
 * ended. */
struct vessel *phases_next(struct phases *p, struct report **ret_report);

/* phases_end -- the current phase has ended and its payload is judged: note its
 * result.
 *
 * @is_cancelled the whole run was cancelled: a phase that is not OK then ends
 *		the list
 * Returns 0 or -ENOMEM. */
int phases_end(struct phases *p, const struct payload *payload,
	       bool is_cancelled, struct cupel_error *err);

/* phases_last -- after phases_end(): the result that it noted, an object of
 * cupel-result(5).  Valid until the next one is noted. */
const char *phases_last(const struct phases *p, size_t *ret_len);

/* phases_deciding -- the phase whose end decides for the whole run. */
const struct vessel *phases_deciding(const struct phases *p);

/* phases_write -- write the result of all phases; takes what was noted. */
int phases_write(struct phases *p, struct buf *out, struct cupel_error *err);

/* phases_plan -- write the plans of all phases, as JSON.  Returns 0 or
 * -errno. */
int phases_plan(const struct spec *whole, struct buf *out,
		struct cupel_error *err);

/* phases_free -- end what still lives.  NULL is fine. */
void phases_free(struct phases *p);

#endif
