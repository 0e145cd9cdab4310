/* schemas.h -- the published schemas, the same as the installed ones. */
#ifndef CUPEL_SPEC_SCHEMAS_H
#define CUPEL_SPEC_SCHEMAS_H

#include "spec/data.h"

/* schema_text_find -- the schema called name ("result"), or NULL. */
const struct data_text *schema_text_find(const char *name);

/* schema_text_at -- the i-th, by name, or NULL past the last. */
const struct data_text *schema_text_at(size_t i);

#endif
