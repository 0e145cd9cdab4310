/* met.h -- reports the limits that were met and are only an errno to the
 * command. */
#ifndef CUPEL_RESULT_MET_H
#define CUPEL_RESULT_MET_H

#include <stddef.h>

struct jsonw;
struct outcome;
struct plan;

/* met_write -- write "limits_met", an array; empty without a plan or an
 * outcome. */
void met_write(struct jsonw *w, const struct plan *plan,
	       const struct outcome *o);

/* met_say -- the same as text, with "; " between limits.
 *
 * @ret		"" when none was met; cut at n bytes
 * Returns how many were met. */
int met_say(const struct plan *plan, const struct outcome *o, char *ret,
	    size_t n);

#endif
