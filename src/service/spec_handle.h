/* spec_handle.h -- the contents of the public spec handle. */
#ifndef CUPEL_SERVICE_SPEC_HANDLE_H
#define CUPEL_SERVICE_SPEC_HANDLE_H

#include <stdatomic.h>

#include "spec/spec.h"

struct cupel_error;

/* Counted: a run in flight keeps the strings that it was started with, so the
 * caller may free its handle at once. */
struct cupel_spec {
	struct spec fields;
	atomic_uint users;
	struct cupel_spec *from; /* has the strings of fields, too; or NULL */
};

/* spec_handle_new -- a spec with the defaults and one user.  Returns 0 or
 * -errno. */
int spec_handle_new(struct cupel_spec **ret, struct cupel_error *err);

/* spec_handle_take -- add a user. */
struct cupel_spec *spec_handle_take(const struct cupel_spec *spec);

/* spec_handle_copy -- a spec of its own that says what spec says now; what is set
 * in spec afterwards does not change it.  Returns 0 or -ENOMEM. */
int spec_handle_copy(const struct cupel_spec *spec, struct cupel_spec **ret,
		     struct cupel_error *err);

/* spec_handle_drop -- remove a user; the last one frees it.  NULL is fine. */
void spec_handle_drop(struct cupel_spec *spec);

#endif
