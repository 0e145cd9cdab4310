/* load.c -- files for the spec room. */
#include "cli/load.h"

#include "cli/file.h"
#include "spec/spec.h"

int load_file(void *ctx, const char *path, struct buf *out,
	      struct cupel_error *err)
{
	(void)ctx;
	return file_read_all(path, SPEC_DOCUMENT_BYTES, out, err);
}
