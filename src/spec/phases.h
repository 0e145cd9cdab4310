/* phases.h -- a request for several runs over the same files, one after the
 * other (cupel-spec(5), "PHASES"; docs/copies.md). */
#ifndef CUPEL_SPEC_PHASES_H
#define CUPEL_SPEC_PHASES_H

#include "spec/document.h"

/* phases_put -- the key "phases" of a spec document, for
 * document_kind.put_other.  Each phase is kept as text, which
 * spec_phases_build() reads. */
int phases_put(const struct put *p, const struct json_member *m,
	       struct cupel_error *err);

/* spec_copy -- copy *from without its phases, for a request that is built on
 * it.
 *
 * @ret		shares the texts of from, so it lives no longer; needs
 *		spec_done()
 * Returns 0 or -ENOMEM. */
int spec_copy(const struct spec *from, struct spec *ret);

/* spec_overlay -- put what text says over *s.  Earlier egress rules still count
 * if the network stays the one that they are for and text has no rules.
 *
 * Returns 0 or -errno. */
int spec_overlay(struct spec *s, const struct document_kind *kind,
		 const char *text, size_t n, const char *place,
		 struct cupel_error *err);

#endif
