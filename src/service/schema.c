/* schema.c -- compiles --result-schema and --ref into a set. */
#include "service/schema.h"

#include <errno.h>
#include <string.h>

#include "base/buf.h"
#include "base/error.h"
#include "boundary/schema.h"
#include "service/file.h"
#include "spec/spec.h"

#define SCHEMA_FILE_BYTES ((size_t)4 << 20) /* far more than published ones */
#define URI_BYTES         2048

static int refuse(const char *option, const char *path,
		  const struct schema_fault *fault, struct cupel_error *err)
{
	return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER, EINVAL,
			  "%s: %.120s: %s", option, path, fault->text);
}

/* The files of one request, as they are read into its set. */
struct loading {
	const struct spec *spec;
	struct schema_set *set;
};

static int add_file(const struct loading *l, const char *option,
		    const char *uri, const char *path, struct cupel_error *err)
{
	owned_buf struct buf text = { 0 };
	struct schema_fault fault;
	int r = (l->spec->is_of_many ? file_read_regular : file_read)(
		option, path, SCHEMA_FILE_BYTES, &text, err);

	if (r < 0)
		return r;
	r = schema_set_add(l->set, uri, text.bytes, text.len, &fault);
	return r < 0 ? refuse(option, path, &fault, err) : 0;
}

/* "URI=FILE", split at its first '='; in a URI it is written as %3D. */
static int add_ref(const struct loading *l, const char *item,
		   struct cupel_error *err)
{
	const char *eq = strchr(item, '=');
	char uri[URI_BYTES];
	size_t n = eq != NULL ? (size_t)(eq - item) : 0;

	if (n == 0 || n >= sizeof uri)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_CALLER,
				  EINVAL, "--ref %.120s: expected URI=FILE",
				  item);
	memcpy(uri, item, n);
	uri[n] = '\0';
	return add_file(l, "--ref", uri, eq + 1, err);
}

int schema_load(const struct spec *spec, struct schema_set **ret,
		struct cupel_error *err)
{
	struct schema_set *set;
	struct schema_fault fault;
	struct loading l = { .spec = spec };
	int r = 0;

	*ret = NULL;
	if (spec->result_schema == NULL && spec->refs.len == 0)
		return 0;
	set = schema_set_new();
	if (set == NULL)
		return cupel_fail(err, CUPEL_STAGE_SPEC, CUPEL_CAUSE_BUSY,
				  ENOMEM, "no memory for a schema");
	l.set = set;
	if (spec->result_schema != NULL)
		r = add_file(&l, "--result-schema", NULL, spec->result_schema,
			     err);
	for (size_t i = 0; r == 0 && i < spec->refs.len; i++)
		r = add_ref(&l, spec->refs.items[i], err);
	if (r == 0 && spec->result_schema != NULL &&
	    schema_set_use(set, NULL, &fault) < 0)
		r = refuse("--result-schema", spec->result_schema, &fault, err);
	/* Without a schema the documents check nothing; that they are usable is
	 * known now. */
	if (r < 0 || spec->result_schema == NULL)
		schema_set_free(set);
	else
		*ret = set;
	return r;
}
