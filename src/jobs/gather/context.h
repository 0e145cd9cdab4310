/* context.h -- reads back a context that was written earlier, as hostile
 * bytes. */
#ifndef CUPEL_JOBS_GATHER_CONTEXT_H
#define CUPEL_JOBS_GATHER_CONTEXT_H

#include <stdbool.h>

#include "base/blake3.h"
#include "boundary/payload.h"

struct cupel_error;

#define CONTEXT_YAML  "repo-context.yaml"
#define CONTEXT_JSON  "repo-context.json"
#define CONTEXT_BYTES ((size_t)30 << 20)

struct context {
	struct payload checked;       /* PAYLOAD_VALID: value is the context */
	char hash[BLAKE3_TEXT_BYTES]; /* of the file's bytes */
};

/* context_open -- read one of the two files of an output directory.
 *
 * Anyone may have edited it.  YAML is composed by the parser inside a vessel;
 * the answer, like JSON, then crosses the boundary with the schema
 * "repo-context".
 *
 * @name	CONTEXT_YAML or CONTEXT_JSON
 * @ret		context_close() ends it, on success only
 * Returns 0; -ENOENT when there is no such file; -EINVAL when it is no context
 * (*err has one line with the place); another -errno. */
int context_open(int out_fd, const char *name, struct context *ret,
		 struct cupel_error *err);
void context_close(struct context *c);

#endif
