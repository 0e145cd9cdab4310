/* canonical.h -- writes a request as one text that is the same on every
 * host. */
#ifndef CUPEL_SPEC_CANONICAL_H
#define CUPEL_SPEC_CANONICAL_H

#include "base/blake3.h"
#include "spec/spec.h"

struct buf;
struct cupel_error;

/* spec_write_canonical -- write the effective request in the form of RFC 8785.
 *
 * It contains every limit and mode, the command, the directory in which it
 * starts, the environment that is set and passed (by name; of two with one name
 * the later), the DST of each --ro, the URI of each --ref and the PATH of each
 * --artifact.
 * It does not contain host paths, the trace id, output destinations, or how
 * results are shown.  Host paths are those of the repo, sources, runtime,
 * schema, streams and policy file; where they change what the command finds,
 * the text says whether there is one.
 * Text that is not UTF-8 is written as {"hex": "..."}.
 *
 * Returns 0 or -ENOMEM. */
int spec_write_canonical(const struct spec *s, struct buf *out,
			 struct cupel_error *err);

/* spec_hash -- "blake3:..." of the canonical text. */
int spec_hash(const struct spec *s, char ret[BLAKE3_TEXT_BYTES],
	      struct cupel_error *err);

#endif
