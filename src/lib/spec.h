/* spec.h -- the public spec handle, for lib's own files. */
#ifndef CUPEL_LIB_SPEC_H
#define CUPEL_LIB_SPEC_H

#include <stdatomic.h>

#include "lib/fields.h"
#include "spec/spec.h"

/* Counted: a run in flight keeps the strings that it was started with, so the
 * caller may free its handle at once. */
struct cupel_spec {
	struct spec fields;
	atomic_uint users;
};

/* lib_spec_take -- one more user.  lib_spec_drop -- one less, the last frees. */
struct cupel_spec *lib_spec_take(const struct cupel_spec *spec);
void lib_spec_drop(struct cupel_spec *spec);

#endif
