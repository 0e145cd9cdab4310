/* manifests.h -- --probe-dir. */
#ifndef CUPEL_CLI_MANIFESTS_H
#define CUPEL_CLI_MANIFESTS_H

#include "jobs/gather/manifest.h"

/* manifests_load -- the probes of dir; none when it is NULL.
 *
 * A bad manifest is complained of with its place, each on a line, and is as
 * bad as a bad option: what was asked for would not be run.
 * @ret		zeroed by the caller; manifests_done() frees it, always
 * Returns 0, or an exit status after at least one line on stderr. */
int manifests_load(const char *dir, struct manifests *ret);

#endif
