/* manual_slice.h -- describes the built-in probes for their manual page. */
#ifndef CUPEL_CLI_MANUAL_SLICE_H
#define CUPEL_CLI_MANUAL_SLICE_H

struct buf;

/* manual_probes -- write a section for each row of the catalogue: what its
 * schema says it finds, the inputs with their caps, and each field of its slice
 * with its type. */
void manual_probes(struct buf *out);

#endif
