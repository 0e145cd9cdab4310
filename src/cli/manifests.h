/* manifests.h -- the manifests of --probe-dir. */
#ifndef CUPEL_CLI_MANIFESTS_H
#define CUPEL_CLI_MANIFESTS_H

#include "jobs/gather/manifest.h"

/* manifests_load -- read the probes of dir; none when it is NULL.
 *
 * Each bad manifest is complained of with its place, on a line of its own.  It
 * is an error like a bad option, because otherwise something that was asked for
 * would not run.
 * @ret		zeroed by the caller; manifests_done() frees it, always
 * Returns 0, or an exit status after at least one line on stderr. */
int manifests_load(const char *dir, struct manifests *ret);

#endif
