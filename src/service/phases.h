/* phases.h -- the runs of a request of phases, one after the other (decision
 * 0042): each a vessel, over the files that one holder keeps. */
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

/* phases_new -- read, check and plan all of them, and make their files.  Nothing
 * is run yet.
 *
 * @hooks	may be NULL; copied.  stdin_fd is the first phase's; inputs and a
 *		program by descriptor are refused
 * Returns 0, or -errno: the request was wrong.  A host that cannot is told by
 * the vessel that phases_next() gives: it has ended. */
int phases_new(const struct cupel_spec *spec, const struct cupel_hooks *hooks,
	       struct phases **ret, struct cupel_error *err);

/* phases_next -- start the next one.
 *
 * @ret_report	its report, of which only what lay there before is known
 * Returns its vessel; both are good until phases_free().  NULL: the list has
 * ended. */
struct vessel *phases_next(struct phases *p, struct report **ret_report);

/* phases_end -- the last one has ended, and its payload is judged: note its
 * result.
 *
 * @is_cancelled	the whole was: what is not OK then ends the list
 * Returns 0 or -ENOMEM. */
int phases_end(struct phases *p, const struct payload *payload,
	       bool is_cancelled, struct cupel_error *err);

/* phases_last -- after phases_end(): the result that it noted, an object of
 * cupel-result(5).  Good until the next one is noted. */
const char *phases_last(const struct phases *p, size_t *ret_len);

/* phases_deciding -- the one that the whole is told of by. */
const struct vessel *phases_deciding(const struct phases *p);

/* phases_write -- the result of them all; takes what was noted. */
int phases_write(struct phases *p, struct buf *out, struct cupel_error *err);

/* phases_plan -- the plans of them all, as JSON.  Returns 0 or -errno. */
int phases_plan(const struct spec *whole, struct buf *out,
		struct cupel_error *err);

/* phases_free -- end what lives.  NULL is fine. */
void phases_free(struct phases *p);

#endif
