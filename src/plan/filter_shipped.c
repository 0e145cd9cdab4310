/* filter_shipped.c -- looks up what was compiled when cupel was built. */
#include <string.h>

#include "plan/filter_data.h"

const struct filter *filter_find(const char *name)
{
	for (const struct filter *f = filter_data; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

const char *filter_name(int nr, uint32_t arch)
{
	for (const struct filter_names *n = filter_data_names; n->arch; n++)
		if (n->arch == arch)
			return nr >= 0 && (unsigned)nr < n->len ? n->names[nr]
								: NULL;
	return NULL;
}

const char *filter_version(void)
{
	return filter_data_version;
}
