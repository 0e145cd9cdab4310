/* canonical.h -- a request as one text that is the same on every host. */
#ifndef CUPEL_SPEC_CANONICAL_H
#define CUPEL_SPEC_CANONICAL_H

#include "base/blake3.h"
#include "spec/spec.h"

struct buf;
struct cupel_error;

/* spec_write_canonical -- the effective request as RFC 8785 has it.
 *
 * In it: every limit and mode, the command, the directory it starts in, what
 * is set and passed of the environment (by name, the later of two), the DST of
 * each --ro, the URI of each --ref, the PATH of each --artifact.
 * Not in it: host paths (repo, sources, runtime, schema, streams, policy file:
 * for those that change what the command finds, whether there is one),
 * trace id, output destinations, and how results are shown.
 * Text that is not UTF-8 is written as {"hex": "..."}.
 *
 * Returns 0 or -ENOMEM. */
int spec_write_canonical(const struct spec *s, struct buf *out,
			 struct cupel_error *err);

/* spec_hash -- "blake3:..." of that text. */
int spec_hash(const struct spec *s, char ret[BLAKE3_TEXT_BYTES],
	      struct cupel_error *err);

#endif
