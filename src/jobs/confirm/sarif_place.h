/* sarif_place.h -- finds the file that an artifactLocation of SARIF names. */
#ifndef CUPEL_JOBS_CONFIRM_SARIF_PLACE_H
#define CUPEL_JOBS_CONFIRM_SARIF_PLACE_H

#include "base/buf.h"
#include "boundary/json.h"

#define SARIF_URI_BYTES 4096U /* PATH_MAX */
#define SARIF_BASES_MAX 8U    /* how long a chain of bases may be */

struct sarif_place {
	const struct json_value *run; /* artifacts, originalUriBaseIds */
	const char *repo;             /* absolute path of the repository */
};

/* sarif_place_read -- the path of an artifactLocation (3.4).  It becomes
 * relative to the repository if it lies in it, or if its base is named as a
 * root (SRCROOT) and lies elsewhere, because then the log comes from another
 * machine.  Any other absolute path stays as it is.  "." and ".." are resolved
 * as far as possible.
 *
 * @out		emptied first; NUL-terminated on success
 * Returns NULL, or what was expected. */
const char *sarif_place_read(const struct sarif_place *p,
			     const struct json_value *location,
			     struct buf *out);

#endif
