/* load.h -- reads the caller's files for the spec room. */
#ifndef CUPEL_CLI_LOAD_H
#define CUPEL_CLI_LOAD_H

struct buf;
struct cupel_error;

/* load_file -- a spec_load_fn (spec/spec.h): "-" is stdin; at most
 * SPEC_DOCUMENT_BYTES.  ctx is not used. */
int load_file(void *ctx, const char *path, struct buf *out,
	      struct cupel_error *err);

#endif
