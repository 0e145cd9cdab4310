/* manifest.h -- probes that anyone can add, read from a folder of manifests.
 *
 * A folder holds NAME.json for each probe (schema "probe-manifest") and beside
 * it what it names: the JSON Schema of its slice, NAME.schema.json, and maybe a
 * program.  It decides what somebody's code is given and how it is run, so it
 * must be trusted: the folder and every file read from it belong to root or to
 * the caller, and nobody else can write them.
 * */
#ifndef CUPEL_JOBS_GATHER_MANIFEST_H
#define CUPEL_JOBS_GATHER_MANIFEST_H

#include <stddef.h>

#include "base/arena.h"
#include "jobs/probe/catalogue.h"

struct buf;
struct cupel_error;

#define MANIFESTS_MAX          64U /* in one folder */
#define MANIFEST_BYTES         ((size_t)256 << 10)
#define MANIFEST_SCHEMA_BYTES  ((size_t)1 << 20)
#define MANIFEST_PROGRAM_BYTES ((size_t)16 << 20)

/* Zero is valid: none. */
struct manifests {
	struct arena arena;  /* owns everything that the probes point to */
	struct probe *items; /* in order of the files' names; malloc'd */
	size_t len, bad;     /* bad: manifests that were left out */
};

/* manifest_read -- append the probes of one folder.
 *
 * @dir		host path; links in it are followed, in the folder none is
 * @ret		zeroed by the caller before the first folder;
 *		manifests_done() frees it, on failure too
 * @lines	receives one line for each bad manifest: file, place in its
 *		JSON (RFC 6901), what was expected; printable
 * Returns 0 (see ret->bad), or -errno: the folder cannot be read (-ENOENT: it
 * is not there), is not to be trusted (-EPERM), or holds too many. */
int manifest_read(const char *dir, struct manifests *ret, struct buf *lines,
		  struct cupel_error *err);
void manifests_done(struct manifests *m);

#endif
