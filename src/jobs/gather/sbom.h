/* sbom.h -- what the probe dependencies found as a bill of materials. */
#ifndef CUPEL_JOBS_GATHER_SBOM_H
#define CUPEL_JOBS_GATHER_SBOM_H

struct buf;
struct cupel_error;
struct gather_run;

/* sbom_write -- a CycloneDX 1.6 document in JSON.
 *
 * The project's own files alone: a fixture's packages are not shipped.  It
 * depends on the repository's bytes and nothing else, so it has no time, and its
 * serial number is made of the gather's digest.
 * Returns 0; -ENOENT when the probe was not run or found nothing to say (*err
 * says so); -ENOMEM.  Source: the CycloneDX 1.6 JSON reference. */
int sbom_write(const struct gather_run *run, struct buf *out,
	       struct cupel_error *err);

#endif
