/* phases.h -- a request of several runs, one after the other, over the same
 * files (cupel-spec(5), "PHASES"; decision 0042). */
#ifndef CUPEL_SPEC_PHASES_H
#define CUPEL_SPEC_PHASES_H

#include "spec/document.h"

/* phases_put -- the key "phases" of a spec document, as document_kind.put_other
 * has it.  What a phase says is kept as text: spec_phase_build() reads it. */
int phases_put(const struct put *p, const struct json_member *m,
	       struct cupel_error *err);

/* spec_copy -- *from without its phases, for a request that goes on from it.
 *
 * @ret		lives no longer than from, whose texts it has; spec_done()
 * Returns 0 or -ENOMEM. */
int spec_copy(const struct spec *from, struct spec *ret);

/* spec_overlay -- what text says, over *s: rules of egress that were there count
 * while the network is the one that they are for, and text has none.
 *
 * Returns 0 or -errno. */
int spec_overlay(struct spec *s, const struct document_kind *kind,
		 const char *text, size_t n, const char *place,
		 struct cupel_error *err);

#endif
