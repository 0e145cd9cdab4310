/* sbom_head.h -- what a bill of materials says about itself. */
#ifndef CUPEL_JOBS_GATHER_SBOM_HEAD_H
#define CUPEL_JOBS_GATHER_SBOM_HEAD_H

#define SBOM_ROOT_REF "cupel:repository"

struct gather_run;
struct json_value;
struct jsonw;

/* sbom_head_write -- its serial number, version and metadata.
 *
 * @slice	of the probe dependencies */
void sbom_head_write(struct jsonw *w, const struct gather_run *run,
		     const struct json_value *slice);

#endif
