/* spec.c -- cupel_spec_*: the request, one public call for each of spec's. */
#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "lib/fields.h"
#include "service/file.h"
#include "service/spec_handle.h"

/* A spec_load_fn.  A library has no standard input of its own to read. */
static int load_document(void *ctx, const char *path, struct buf *out,
			 struct cupel_error *err)
{
	(void)ctx;
	if (strcmp(path, "-") == 0)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL,
				  "-: the library reads no standard input: "
				  "give a file's name");
	return file_read(NULL, path, SPEC_DOCUMENT_BYTES, out, err);
}

int cupel_spec_new(struct cupel_spec **ret, struct cupel_error *err)
{
	int r = spec_handle_new(ret, err);

	if (r == 0)
		(*ret)->fields.load = load_document;
	return r;
}

int cupel_spec_set(struct cupel_spec *spec, const char *name, const char *value,
		   struct cupel_error *err)
{
	return spec_set(&spec->fields, name, value, err);
}

int cupel_spec_read_json(struct cupel_spec *spec, const char *json, size_t n,
			 struct cupel_error *err)
{
	return spec_read_json(&spec->fields, json, n, "spec", err);
}

int cupel_spec_set_command(struct cupel_spec *spec, const char *const argv[],
			   struct cupel_error *err)
{
	size_t n = 0;

	while (argv[n] != NULL)
		n++;
	return spec_set_command(&spec->fields, argv, n, err);
}

void cupel_spec_free(struct cupel_spec *spec)
{
	spec_handle_drop(spec);
}

struct spec *cupel_spec_fields(struct cupel_spec *spec)
{
	return &spec->fields;
}
