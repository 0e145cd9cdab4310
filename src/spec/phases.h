/* phases.h -- a request of several runs, one after the other, over the same
 * files (cupel-spec(5), "PHASES"; decision 0042). */
#ifndef CUPEL_SPEC_PHASES_H
#define CUPEL_SPEC_PHASES_H

#include "spec/document.h"

/* phases_put -- the key "phases" of a spec document, as document_kind.put_other
 * has it.  What a phase says is kept as text: spec_phase_build() reads it. */
int phases_put(const struct put *p, const struct json_member *m,
	       struct cupel_error *err);

#endif
